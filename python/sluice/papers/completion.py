"""Completion time against flow size: tables by size and seed, ratios of protocols, and a panel."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy
import pyarrow
from matplotlib.axes import Axes
from matplotlib.ticker import StrMethodFormatter

from .. import theory
from ..frame import Frame
from ..plot import scales, style
from ..plot.by_size import bands
from ..results import Results
from .interval import Interval
from .link import PACKET

#: Minimum number of finished flows of a size in each run; fewer are too few for a mean.
ENOUGH = 10
#: The protocol in the rows of the formula.
FORMULA = "ps"


@dataclass(frozen=True)
class Ratio:
    """The ratio of the completion times of two protocols, for flows of a size."""

    packets_from: int
    packets_to: int
    times: Interval

    @property
    def size(self) -> str:
        """The range of sizes, in packets."""
        return f"{self.packets_from:,} to {self.packets_to - 1:,}"

    def __str__(self) -> str:
        return f"{self.times:.3g} at {self.size} packets"


def sizes(smallest: float, largest: float, count: int) -> numpy.ndarray:
    """The edges, in whole packets, of ``count`` bins of equal width in the logarithm.

    >>> sizes(1, 100, 4)
    array([  1.,   3.,  10.,  32., 100.])
    """
    return numpy.unique(numpy.round(numpy.geomspace(smallest, largest, count + 1)))


def by_size(results: Results, edges: numpy.ndarray, names: Iterable[str] | None = None) -> Frame:
    """A row for each protocol or ideal, seed and size, of measured flows.

    Sizes that lack flows in any run are omitted.
    """
    chosen = [*results.protocols, *results.ideals] if names is None else list(names)
    rows = [
        {"protocol": name, "seed": seed, **found}
        for name in chosen
        for seed in results.seeds
        for found in bins(results.flows(name, seed), edges)
    ]
    few = {row["packets_from"] for row in rows if row["flows"] < ENOUGH}
    kept = [row for row in rows if row["packets_from"] not in few]
    return Frame(pyarrow.Table.from_pylist(kept))


def bins(flows: Frame, edges: numpy.ndarray) -> list[dict[str, Any]]:
    """A row for each size, of the measured flows of one run.

    It has the number of finished flows, their mean size, and their mean and longest completion
    times. An edge is the smallest size of the bin above it.
    """
    packets = numpy.ceil(flows["size_bytes"] / PACKET)
    seconds = flows["completion_ns"] / 1e9
    measured, finished = flows["measured"], ~numpy.isnan(seconds)
    of_size = numpy.digitize(packets, edges) - 1
    rows = []
    for size, (begin, end) in enumerate(itertools.pairwise(edges)):
        these = measured & (of_size == size)
        done = these & finished
        rows.append(
            {
                "packets_from": int(begin),
                "packets_to": int(end),
                "flows": int(done.sum()),
                "unfinished": int((these & ~finished).sum()),
                "mean_packets": packets[done].mean() if done.any() else None,
                "mean_s": seconds[done].mean() if done.any() else None,
                "max_s": seconds[done].max() if done.any() else None,
            }
        )
    return rows


def mean_s(flows: Frame) -> float:
    """The mean completion time of measured flows, in seconds.

    Raises ValueError if some did not finish: the mean of the others would be too low.
    """
    seconds = flows["completion_ns"][flows["measured"]] / 1e9
    if missing := int(numpy.isnan(seconds).sum()):
        raise ValueError(f"{missing} flows did not finish: the scenario needs a later `limit`")
    return float(seconds.mean())


def unfinished(table: Frame, name: str) -> str:
    """A note for a claim if flows of a protocol did not finish: means by size lack them."""
    missing = int(table.where(protocol=name)["unfinished"].sum())
    return f"; {missing} flows did not finish, so the means are too low" if missing else ""


def with_formula(table: Frame, link: theory.Link) -> Frame:
    """The table with additional rows of processor sharing by formula, as protocol ``"ps"``.

    They are for the flows of the first protocol, by their mean size.
    """
    first = table.where(protocol=table["protocol"][0])
    seconds = pyarrow.array(theory.ps(link, first["mean_packets"] * PACKET))
    rows = first.arrow
    for column, values in {
        "protocol": pyarrow.array([FORMULA] * len(first)),
        "mean_s": seconds,
        # The formula is for the mean, not for the longest.
        "max_s": pyarrow.nulls(len(first), pyarrow.float64()),
    }.items():
        rows = rows.set_column(rows.schema.get_field_index(column), column, values)
    return Frame(pyarrow.concat_tables([table.arrow, rows]))


def ratios(
    table: Frame, over: str, under: str, column: str = "mean_s", below: str = "mean_s"
) -> list[Ratio]:
    """The ratio of the first to the second at each size, with its interval over seeds.

    ``column`` is the column of the first, ``below`` that of the second. Ratios are taken seed by
    seed.
    """
    found = []
    for begin in numpy.unique(table["packets_from"]):
        upper = table.where(protocol=over, packets_from=begin)
        lower = table.where(protocol=under, packets_from=begin)
        times = Interval.of(upper[column] / lower[below])
        found.append(Ratio(int(begin), int(upper["packets_to"][0]), times))
    return found


def points(found: Iterable[Ratio], which: str = "") -> dict[str, Interval]:
    """Points for :func:`everywhere`; ``which`` is appended to their descriptions."""
    return {f"at {each.size} packets{which}": each.times for each in found}


def lowest(found: Iterable[Ratio]) -> Ratio:
    """The ratio with the lowest mean."""
    return min(found, key=lambda ratio: ratio.times.mean)


def largest(found: Iterable[Ratio]) -> Ratio:
    """The ratio with the highest mean."""
    return max(found, key=lambda ratio: ratio.times.mean)


def panel(ax: Axes, table: Frame, column: str = "mean_s", title: str = "completion time") -> None:
    """Draws the mean over seeds of each protocol in the table, with intervals as bands."""
    names = list(dict.fromkeys(table["protocol"]))
    looks = style.looks([name for name in names if name != FORMULA]) | {FORMULA: style.THEORY}
    drawn = []
    for name in names:
        rows = table.where(protocol=name)
        seeds = numpy.unique(rows["seed"])
        packets, values = (
            numpy.array([rows.where(seed=seed)[each] for seed in seeds])
            for each in ("mean_packets", column)
        )
        if numpy.isnan(values).all():
            continue
        look, mean_packets = looks[name], packets.mean(axis=0)
        line = look.marked(len(mean_packets))
        ax.plot(mean_packets, values.mean(axis=0), label=look.title, **line)
        if name in style.PROTOCOLS and len(seeds) > 1:
            ends = [Interval.of(of_size) for of_size in values.T]
            drawn.append((look, list(mean_packets), [(each.low, each.high) for each in ends]))
    scales.logarithmic(ax, "x", "flow size (packets)", "")
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    scales.logarithmic(ax, "y", title, "s")
    if drawn:
        bands(ax, drawn)
