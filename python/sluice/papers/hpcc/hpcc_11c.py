"""The same as [hpcc-11](#hpcc-11) at a load of 50 % without incasts, the paper's Figure 11 (c)."""

from __future__ import annotations

import matplotlib.figure

from ...frame import Frame
from ..claim import Claim
from ..figure import Figure
from ..scale import Scale
from . import slowdown
from .slowdown import Case, Runs

CASES = {"50 %": Case(0.5)}


def run(scale: Scale) -> Runs:
    """By case and protocol."""
    return slowdown.run(scale, CASES, "hpcc-11c")


def table(runs: Runs) -> Frame:
    """A row for each protocol, seed, class of sizes and percentile."""
    return slowdown.table(runs, CASES)


def check(table: Frame) -> list[Claim]:
    """Claims about the published values, and DCTCP."""
    return [*slowdown.same(table, "50 %"), slowdown.shorter(table, CASES, "2.0")]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """One panel."""
    return slowdown.plot(table, CASES)


FIGURE = Figure(
    id="hpcc-11c",
    title="Slowdown by flow size in a data centre at a load of 50 %: HPCC and DCTCP",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
