"""RCP and TCP over processor sharing at loads of 0.3 to 0.95 of 150 Mb/s, at the settings of the
papers (and TCP with SACK), with a round trip of 100 ms and the sizes of PS-5 (Pareto, mean 30
packets, shape 1.2). Ten seeds; bars are 95 % intervals. At each load as many flows are measured.

With such sizes a run brings less than the load asked for, mostly, since the rare huge flows that
make up the mean are missing; processor sharing meets the same flows. The paper says that its trends
hold as the load varies, and leaves the figures to its technical report.
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

TITLE = "RCP and TCP beside processor sharing, at loads of 0.3 to 0.95"

LOADS = [0.3, 0.5, 0.7, 0.8, 0.9, 0.95]
WHY = (
    "the more flows there are, the more often a burst's queue takes R far below C/N before alpha "
    "has brought it back (limits-cause looked at 150 Mb/s and a load of 0.7; not looked at here)"
)


def run(scale: Scale) -> list[tuple[Results, Results]]:
    """Every load with as many flows."""
    flows, seeds = scale.pick((10_000, 3), (40_000, 10))
    return [
        run_beside_tcp(
            scale, places.place(flows, load=load), name=f"limits-load/{load}", seeds=seeds
        )
        for load in LOADS
    ]


def table(ran: list[tuple[Results, Results]]) -> Frame:
    """A row for each load, protocol, seed and class of sizes."""
    rows = [
        row
        for load, results in zip(LOADS, ran, strict=True)
        for row in beside_tcp(results, load=load)
    ]
    return Frame(pyarrow.Table.from_pylist(rows))


def check(table: Frame) -> list[Claim]:
    """Of each load; and against TCP, of all."""
    close = [claim(f"at a load of {load}", table.where(load=load), WHY) for load in LOADS]
    return close + [sooner(table, other, "load", WHY) for other in ("tcp", SACK)]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel a protocol, a line a class of sizes."""
    figure, axes = panels(table, "load")
    for ax in axes:
        scales.linear(ax, "x", "load asked for", "")
        style.legend(ax)
    return figure
