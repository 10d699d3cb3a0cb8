"""RCP relative to processor sharing against the size of a flow in bandwidth-delay products (BDP),
at 37.5 Mb/s to 2.4 Gb/s, with the settings of the papers, a round trip of 100 ms, a load of 0.7 and
Pareto sizes of shape 1.2. On the left the mean size in packets is the same at each capacity, PS-5's
30; on the right the mean size in bandwidth-delay products, PS-5's 0.016. Ten seeds; bars are 95 %
intervals.

RCP's equation (2) depends on rates and queues only relative to capacity and bandwidth-delay
product, and so does processor sharing on sizes. If packets were small enough not to matter, the
right panel would have a single curve. The paper shows neither.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from .. import places
from ..claim import Claim, everywhere
from ..closeness import by_size, line, ratios
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale

CAPACITIES = [37.5e6, 150e6, 600e6, 2400e6]
#: What has the same mean at all capacities, with titles of panels.
SAME = {"packets": "mean of 30 packets", "bdp": "mean of 0.016 BDP"}
#: Edges of bins in bandwidth-delay products, three per decade.
EDGES = numpy.geomspace(0.01, 100, 13)
#: Minimum number of flows of a bin over all seeds.
ENOUGH = 20
#: Bounds of ratios to 150 Mb/s for equal curves.
ALIKE = (0.9, 1.1)


def run(scale: Scale) -> dict[tuple[str, float], Results]:
    """By distribution of sizes and capacity."""
    flows, seeds = scale.pick((2_000, 3), (20_000, 10))
    return {
        (same, capacity): scale.run(
            places.place(
                flows,
                capacity=capacity,
                mean_packets=places.MEAN_PACKETS * (_scale(capacity) if same == "bdp" else 1),
                at_least=scale.pick(2.0, 40.0),
            ),
            ["rcp"],
            name=f"limits-size/{same}-{capacity / 1e6:g}",
            seeds=seeds,
        )
        for same in SAME
        for capacity in CAPACITIES
    }


def _scale(capacity: float) -> float:
    return capacity / places.CAPACITY


def table(runs: dict[tuple[str, float], Results]) -> Frame:
    """A row for each distribution, capacity, seed and bin of sizes."""
    rows = [
        row
        for (same, capacity), results in runs.items()
        for row in by_size(
            results,
            EDGES,
            places.bdp_bytes(capacity, places.RTT),
            same=same,
            capacity_bps=capacity,
        )
    ]
    # Bins are drawn at their middle.
    middle = (EDGES[1] / EDGES[0]) ** 0.5
    rows = [row | {"bdps": row["size_from"] * middle} for row in rows]
    kept = Frame(pyarrow.Table.from_pylist(rows))
    return _with_enough(kept)


def _with_enough(table: Frame) -> Frame:
    """The table without bins that have few flows, or none in some run."""
    parts = []
    seeds = len(numpy.unique(table["seed"]))
    for same in SAME:
        for capacity in CAPACITIES:
            for size in numpy.unique(table["size_from"]):
                rows = table.where(same=same, capacity_bps=capacity, size_from=size)
                if rows["flows"].sum() >= ENOUGH and len(rows) == seeds:
                    parts.append(rows.arrow)
    return Frame(pyarrow.concat_tables(parts))


def check(table: Frame) -> list[Claim]:
    """Claims about each capacity relative to 150 Mb/s, at sizes that both have."""
    return [
        everywhere(
            f"with sizes of one mean in {unit}, all capacities have one curve: RCP's mean "
            "completion time over processor sharing's, over the same at 150 Mb/s",
            "not shown",
            _beside(table.where(same=same)),
            low=ALIKE[0],
            high=ALIKE[1],
        )
        for same, unit in (("packets", "packets"), ("bdp", "bandwidth-delay products"))
    ]


def _beside(table: Frame) -> dict[str, Interval]:
    found = {}
    for capacity in CAPACITIES:
        for size in numpy.unique(table["size_from"]):
            own = table.where(capacity_bps=capacity, size_from=size)
            other = table.where(capacity_bps=places.CAPACITY, size_from=size)
            if capacity != places.CAPACITY and len(own) and len(other):
                at = f"at {capacity / 1e6:g} Mb/s, from {size:.2g} BDP"
                found[at] = Interval.of(own["ratio"] / other["ratio"])
    return found


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each distribution, with a line for each capacity."""
    figure, axes = pyplot.subplots(1, 2, figsize=(7, 2.8), sharey=True)
    shades = style.look("rcp").shades(len(CAPACITIES))
    for (same, title), ax in zip(SAME.items(), axes, strict=True):
        for capacity, shade, marker in zip(CAPACITIES, shades, style.MARKERS, strict=False):
            rows = table.where(same=same, capacity_bps=capacity)
            line(ax, rows, "bdps", color=shade, marker=marker, label=f"{capacity / 1e6:g} Mb/s")
        scales.logarithmic(ax, "x", f"flow size (BDP), {title}", "")
        style.legend(ax)
    axes[0].set_ylabel("RCP's time / processor sharing's")
    for ax in axes:
        ratios(ax)
    return figure


FIGURE = Figure(
    id="limits-size",
    title="RCP beside processor sharing, against a flow's size in bandwidth-delay products",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
