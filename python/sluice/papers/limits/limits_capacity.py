"""RCP and TCP over processor sharing on links of 10 Mb/s to 2.4 Gb/s, at the settings of the papers
(alpha 0.1, beta 1; TCP Reno from a window of 2), and TCP with selective acknowledgements (SACK).
The round trip is 100 ms and the load 0.7, as in PS-5; the sizes too (Pareto, mean 30 packets, shape
1.2). At each capacity as many flows are measured, for 20 s at least. Ten seeds; bars are 95 %
intervals over them.

The paper says that RCP matches processor sharing closely at other capacities, and leaves the
figures to its technical report. What is called close here is ours: 1.25 times processor sharing's
time.
"""

from __future__ import annotations

import matplotlib.figure
import pyarrow

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim
from ..scale import Scale
from . import places
from .closeness import SACK, beside_tcp, claim, panels, run_beside_tcp, sooner

TITLE = "RCP and TCP beside processor sharing, from 10 Mb/s to 2.4 Gb/s"

#: In bits a second.
CAPACITIES = [10e6, 40e6, 150e6, 600e6, 2400e6]
WHY = (
    "a burst is a larger part of a small bandwidth-delay product: the queue that it leaves takes R "
    "far below C/N, and alpha brings it back slowly (limits-cause looked at 150 Mb/s; not looked "
    "at here)"
)


def run(scale: Scale) -> list[tuple[Results, Results]]:
    """Every capacity with as many flows."""
    flows, seeds = scale.pick((10_000, 3), (40_000, 10))
    return [
        run_beside_tcp(
            scale,
            places.place(flows, capacity=capacity, at_least=scale.pick(5.0, 20.0)),
            name=f"limits-capacity/{capacity / 1e6:.0f}",
            seeds=seeds,
        )
        for capacity in CAPACITIES
    ]


def table(ran: list[tuple[Results, Results]]) -> Frame:
    """A row for each capacity, protocol, seed and class of sizes."""
    rows = [
        row
        for capacity, results in zip(CAPACITIES, ran, strict=True)
        for row in beside_tcp(results, capacity_bps=capacity)
    ]
    return Frame(pyarrow.Table.from_pylist(rows))


def check(table: Frame) -> list[Claim]:
    """Of each capacity; and against TCP, of all."""
    close = [
        claim(f"at {capacity / 1e6:.0f} Mb/s", table.where(capacity_bps=capacity), WHY)
        for capacity in CAPACITIES
    ]
    return close + [sooner(table, other, "capacity_bps", WHY) for other in ("tcp", SACK)]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel a protocol, a line a class of sizes."""
    figure, axes = panels(table, "capacity_bps")
    for ax in axes:
        scales.logarithmic(ax, "x", "capacity", "b/s")
        style.legend(ax)
    return figure
