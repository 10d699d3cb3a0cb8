"""A responsive abuser, which increases by more than its feedback or decreases by less: throughput
of one of twenty flows over its fair share, against its gain, under XCP and under TCP Reno with ECN
over RED. An abuser of TCP adds as many packets in a round trip as its increase gain, and gives up
half of the window times its decrease gain at a loss. A packet of XCP returns what its increase and
its decrease leave together, which is nothing at the fair share: an abuser multiplies fluctuations
about it alone. 20 Mb/s, 80 ms, 20 flows in the other direction. Means over sixteen seeds; bars are
95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .cheats import DECREASES, INCREASES, THESIS, Cheats, Runs, gains_of

INCREASE = Cheats(
    "xcp-7-5-increase",
    "increase_gain",
    gains=INCREASES,
    quick=(1.0, 10.0),
    systems=THESIS,
)
DECREASE = Cheats(
    "xcp-7-5-decrease",
    "decrease_gain",
    gains=DECREASES,
    quick=(0.1, 1.0),
    systems=THESIS,
)
KINDS = {"increase": INCREASE, "decrease": DECREASE}
#: "Moderate": the abuser gets no more than this, in fair shares. The thesis has no number.
MODERATE = 5.0


def run(scale: Scale) -> dict[str, Runs]:
    """By kind of gain."""
    return {kind: cheats.run(scale) for kind, cheats in KINDS.items()}


def table(runs: dict[str, Runs]) -> Frame:
    """A row for each run."""
    return frame(
        [
            {"kind": kind} | row
            for kind, found in runs.items()
            for row in KINDS[kind].table(found).arrow.to_pylist()
        ]
    )


def check(table: Frame) -> list[Claim]:
    """That abusers get more, but not much more."""
    most = {name: _points(table, name, abusers=True) for name in THESIS}
    return [
        everywhere(
            f"an abuser of {name} gets more than its fair share: its throughput over it",
            "larger than its fair share",
            most[name],
            low=1,
        )
        for name in THESIS
    ] + [
        everywhere(
            "the increase is moderate under both: throughput over the fair share",
            "moderate for both XCP and TCP with RED",
            {at: each for found in most.values() for at, each in found.items()},
            high=MODERATE,
        ),
        everywhere(
            "a compliant flow in its place gets its fair share of XCP: throughput over it",
            "not stated",
            _points(table, "XCP", abusers=False),
            low=0.95,
            high=1.05,
        ),
    ]


def _points(table: Frame, name: str, *, abusers: bool) -> dict[str, Interval]:
    return {
        f"of {name} with {kind} gain {gain:g}": cheats.mean(
            table.where(kind=kind), gain, "first", system=name
        )
        for kind, cheats in KINDS.items()
        for gain in gains_of(table.where(kind=kind))
        if (gain != 1) == abusers
    }


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput over the fair share; a panel for each kind of gain."""
    figure, panels = pyplot.subplots(1, 2, figsize=(7, 2.9), sharey=True)
    for kind, ax in zip(KINDS, panels, strict=True):
        _panel(ax, table.where(kind=kind), kind)
    panels[0].set_ylabel("throughput over fair share")
    panels[0].set_ylim(bottom=0)
    style.legend_above(figure, panels[0], columns=len(THESIS))
    return figure


def _panel(ax: Axes, table: Frame, kind: str) -> None:
    gains = gains_of(table)
    for number, name in enumerate(THESIS):
        found = [KINDS[kind].mean(table, gain, "first", system=name) for gain in gains]
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        with_bars(ax, gains, found, label=name, elinewidth=0.7, **look)
    scales.logarithmic(ax, "x", f"{kind} gain", "")


FIGURE = Figure(
    id="xcp-7-5",
    title="A flow that increases too much or decreases too little",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
