"""A statistic of a sweep against a swept field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
import pyarrow
from matplotlib.axes import Axes

from ..frame import Frame
from . import choose, scales, style
from .by_size import FIGURES, bands

if TYPE_CHECKING:
    from ..sweeps import Sweep

#: Columns of a tidy table other than statistics of distributions: names on axes, and units.
OTHERS = {
    "unfinished": ("unfinished flows", ""),
    "retransmissions": ("retransmissions", ""),
    "bottleneck_drops": ("packets dropped at the bottleneck", ""),
    "drops": ("packets dropped", ""),
    "errors": ("packets lost on wires", ""),
    "utilization": ("utilization", ""),
    "mean_queue": ("mean queue", "B"),
    "p99_queue": ("99th percentile of queue", "B"),
    "flows": ("flows finished", ""),
}
MEASURES = {
    "completion": ("completion time", "s"),
    "slowdown": ("slowdown", ""),
    "ideal_ratio": ("completion time over ideal", ""),
}
#: An axis is logarithmic if the ratio of its largest to its smallest value exceeds this.
WIDE = 20.0


def sweep(
    swept: Sweep | Frame,
    x: str,
    y: str = "completion_p99",
    *,
    sizes: tuple[int, int | None] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """A statistic against a swept field: a line for each protocol, with intervals as bands.

    Args:
        swept: a sweep, or rows of its table (``sweep.frame().where(...)``).
        x: the swept field, a column of the table. Numbers with or without a unit (``"100 ms"``,
            ``"0.1 bdp"``) are drawn to scale, other values at equal distances.
        y: the statistic, a column: ``"completion_mean"``, ``"slowdown_p99"``, ``"drops"``, ...
        sizes: the bin of flow sizes, as (``size_from``, ``size_to``); all sizes by default.
        ax: axes to draw into; those of a new figure by default.

    Returns:
        The axes. Data are in seconds, bytes or bit/s, or as in the table. An axis is logarithmic if
        its values span more than a factor of 20.

    >>> ax = sluice.plot.sweep(swept, "load", "slowdown_mean")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('load', 'mean slowdown')
    """
    frame = _frame(swept)
    rows = _rows(frame, x, y, sizes)
    places, ticks, unit = _places(rows[x])
    order = numpy.argsort(places, kind="stable")
    looks = style.looks(frame["protocol"])
    lines = {
        name: order[rows["protocol"][order] == name] for name in dict.fromkeys(rows["protocol"])
    }
    for these in lines.values():
        if len(set(places[these])) < len(these):
            raise ValueError(_ambiguous(frame, x))
    with style.axes(ax) as ax:
        for name, these in lines.items():
            look = looks[name]
            ax.plot(places[these], rows[y][these], label=look.title, **look.marked(len(these)))
        _scale(ax, "y", rows[y].astype(float), *_title(y))
        if ticks is None:
            _scale(ax, "x", places, x, unit)
        else:
            ax.set_xticks(range(len(ticks)), ticks)
            ax.set_xlabel(x)
        if f"{y}_low" in rows.columns:
            ends = numpy.stack([rows[f"{y}_low"], rows[f"{y}_high"]], axis=1).astype(float)
            protocols = [name for name in lines if name not in style.IDEALS]
            bands(ax, [(looks[name], places[lines[name]], ends[lines[name]]) for name in protocols])
        style.legend(ax)
    return ax


def _frame(swept: object) -> Frame:
    from ..sweeps import Sweep

    if isinstance(swept, Frame):
        return swept
    if not isinstance(swept, Sweep):
        kind = type(swept).__name__
        raise TypeError(f"`swept`: expected a sluice.Sweep or rows of its table, not a {kind}")
    return swept.frame()


def _rows(frame: Frame, x: str, y: str, sizes: tuple[int, int | None] | None) -> Frame:
    """The rows of one size."""
    for column in (x, y):
        if column not in frame.columns:
            known = [name for name in frame.columns if not name.endswith(("_low", "_high"))]
            raise ValueError(f"no column {column!r}; there are {', '.join(known)}")
    kind = frame.arrow.schema.field(y).type
    if not (pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind)):
        raise ValueError(f"`y`: column {y!r} has no numbers")
    wanted = numpy.array(choose.pair("sizes", sizes) or (None, None), dtype=float)
    there = numpy.stack([frame["size_from"], frame["size_to"]], axis=1).astype(float)
    same = ((there == wanted) | (numpy.isnan(there) & numpy.isnan(wanted))).all(axis=1)
    if not same.any():
        ranges = sorted({tuple(row) for row in there[~numpy.isnan(there[:, 0])].tolist()})
        listed = ", ".join(f"({low:.0f}, {high:.0f})" for low, high in ranges)
        raise ValueError(f"no flows of sizes {sizes}; there are {listed}")
    return Frame(frame.arrow.filter(pyarrow.array(same)))


def _places(values: numpy.ndarray) -> tuple[numpy.ndarray, list[str] | None, str]:
    """Where values stand on an axis; the ticks, if they stand side by side; their unit."""
    numbers = [number for value in values if (number := scales.number(value)) is not None]
    units = {unit for _, unit in numbers}
    if len(numbers) == len(values) and len(units) == 1:
        return numpy.array([number for number, _ in numbers]), None, units.pop()
    ticks = list(dict.fromkeys(map(str, values)))
    return numpy.array([ticks.index(str(value)) for value in values], dtype=float), ticks, ""


def _scale(ax: Axes, which: str, values: numpy.ndarray, title: str, unit: str) -> None:
    values = values[~numpy.isnan(values)]
    if len(values) and values.min() > 0 and values.max() > WIDE * values.min():
        scales.logarithmic(ax, which, title, unit)
    else:
        if which == "y" and len(values) and values.min() >= 0:
            ax.set_ylim(bottom=0)
        scales.linear(ax, which, title, unit)


def _title(column: str) -> tuple[str, str]:
    for measure, (title, unit) in MEASURES.items():
        figure = column.removeprefix(f"{measure}_")
        if figure in FIGURES:
            return FIGURES[figure].format(title), unit
    return OTHERS.get(column, (column, ""))


def _ambiguous(frame: Frame, x: str) -> str:
    """What else was swept."""
    swept = frame.columns[: frame.columns.index("protocol")]
    others = [field for field in swept if field != x and len(set(frame[field])) > 1]
    return (
        f"there are several points for each {x!r}, since {', '.join(map(repr, others))} was swept"
        " as well: choose with `frame.where(...)`"
    )
