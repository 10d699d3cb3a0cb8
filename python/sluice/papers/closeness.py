"""Completion time relative to processor sharing, by flow size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from ..frame import Frame
from ..results import Results
from .drawing import with_bars
from .interval import Interval
from .link import PACKET

#: Classes of flow sizes: the smallest size in packets, and the name.
CLASSES = {1: "up to 30", 30: "30 to 300", 300: "300 to 3000", 3000: "over 3000"}
EDGES = (*CLASSES, numpy.inf)
#: Ticks per decade of an axis of ratios that spans less than this number of decades.
MARKED = {0.7: (1, 1.2, 1.5, 2, 3, 5, 7), 2: (1, 2, 5), numpy.inf: (1,)}
#: The lower limit of axes, below all ratios; some error bars would extend further.
MIN_RATIO = 0.5
#: Bound on the ratio for "close" (ours; the papers give none).
CLOSE = 1.25
#: The name of TCP with selective acknowledgements, which is stronger than the papers' Reno.
SACK = "TCP with SACK"
WITH_SACK = {"tcp.recovery": "sack"}


def by_size(
    results: Results,
    edges: Sequence[float] | numpy.ndarray = EDGES,
    unit: float = PACKET,
    *,
    group: str | None = None,
    **of: Any,
) -> list[dict[str, Any]]:
    """A row for each protocol, seed and class of sizes in which there are flows, with the columns
    ``of`` before. ``edges`` are sizes over ``unit`` bytes; with a ``group`` only its flows count.

    ``ratio`` is their mean completion time over that of the same flows under processor sharing
    (the ideal max-min, on one link). A flow that had not finished when the run ended counts as
    finished then: with such flows the ratio is a least one. ``p99`` is the 99th percentile of the
    flows' own ratios.
    """
    rows = []
    for name in results.protocols:
        for seed in results.seeds:
            flows = results.flows(name, seed)
            known = flows["measured"] & ~numpy.isnan(flows["ideal_ns"])
            if group is not None:
                known &= flows["group"] == group
            open_end = numpy.isnan(flows["completion_ns"])
            seconds = seconds_or_age(flows)
            place = numpy.digitize(flows["size_bytes"] / unit, edges) - 1
            for index in range(len(edges) - 1):
                these = known & (place == index)
                if not these.any():
                    continue
                ideal = flows["ideal_ns"][these].mean() / 1e9
                rows.append(
                    of
                    | {
                        "protocol": name,
                        "seed": seed,
                        "size_from": float(edges[index]),
                        "flows": int(these.sum()),
                        "unfinished": int((these & open_end).sum()),
                        "repeats": _repeats(flows, these),
                        "mean_s": seconds[these].mean(),
                        "ratio": seconds[these].mean() / ideal,
                        "p99": _percentile(seconds[these] / flows["ideal_ns"][these]),
                    }
                )
    return rows


def seconds_or_age(flows: Frame) -> numpy.ndarray:
    """Completion times in seconds; of unfinished flows, the age when the last one finished."""
    start, took = flows["start_ns"], flows["completion_ns"]
    end = numpy.nanmax(start + took)
    return numpy.where(numpy.isnan(took), end - start, took) / 1e9


def _repeats(flows: Frame, these: numpy.ndarray) -> float:
    """The mean number of retransmissions of a packet."""
    packets = numpy.ceil(flows["size_bytes"][these] / PACKET)
    return float(flows["retransmissions"][these].sum() / packets.sum())


def _percentile(seconds_per_ns: numpy.ndarray) -> float:
    return float(numpy.percentile(1e9 * seconds_per_ns, 99))


def ratio(table: Frame, **where: Any) -> Interval:
    """The ratio of these rows, over seeds."""
    return Interval.of(table.where(**where)["ratio"])


def ratio_if_any(table: Frame, **where: Any) -> Interval | None:
    """The same, or `None` where no flow has these values."""
    return ratio(table, **where) if len(table.where(**where)) else None


def over(own: Frame, other: Frame, **where: Any) -> Interval:
    """The mean completion time relative to that of other rows, seed by seed."""
    return Interval.of(own.where(**where)["mean_s"] / other.where(**where)["mean_s"])


def unfinished(rows: Frame) -> str:
    """A note on unfinished flows, to follow a ratio, which they make a lower bound."""
    missing = int(rows["unfinished"].sum())
    return f"; {missing} of {int(rows['flows'].sum())} flows did not finish" if missing else ""


def line(ax: Axes, table: Frame, x: str, column: str = "ratio", **look: Any) -> None:
    """Draws ratios, or another column, against a column, with error bars."""
    places = numpy.unique(table[x])
    found = [Interval.of(table.where(**{x: place})[column]) for place in places]
    with_bars(ax, places, found, elinewidth=0.7, **look)


def ratios(ax: Axes) -> None:
    """Scales the vertical axis for ratios, and draws a line at processor sharing."""
    ax.set(yscale="log")
    ax.set_ylim(bottom=max(ax.get_ylim()[0], MIN_RATIO))
    low, high = ax.get_ylim()
    span = numpy.log10(high / low)
    marked = next(subs for decades, subs in MARKED.items() if span < decades)
    ax.yaxis.set_major_locator(LogLocator(subs=marked))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.axhline(1, color="black", linewidth=0.7)
