"""The number of flows without per-flow state, N = sum of s_i / (d r_i) over the packets of an
interval d, (9.1): its mean over the number of flows that there are, and its standard deviation from
one interval to another.

Fifty long flows with a round trip of 80 ms share a link of 150 Mb/s, and one property varies: their
number; their round trips, ten of them evenly on a logarithmic scale around 80 ms, with the ratio of
the longest to the shortest; and the load, by a rate that senders desire. On the right the flows are
short, 30 packets on average (Pareto, shape 1.2), and arrive at random: their number is the mean of
those under way, from their starts and ends. Four seeds draw starts; bars are 95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from .counting import LOAD, NUMBER, SHORT, SPREAD, Runs, run

#: "On average" one for each flow: the mean is this close. Ours, as the thesis has no number.
CLOSE = 0.05
#: An estimate of one interval is this close, as a standard deviation.
STEADY = 0.1
TITLES = {
    NUMBER: "flows",
    SPREAD: "longest over shortest RTT",
    LOAD: "load",
    SHORT: "load, short flows",
}


def table(runs: Runs) -> Frame:
    """A row for each case and seed."""
    return frame(
        [case.row(results, seed) for case, results in runs.items() for seed in results.seeds]
    )


def check(table: Frame) -> list[Claim]:
    """How close the estimate is on average, and in an interval."""
    says = {
        NUMBER: "whatever the number of flows",
        SPREAD: "however round trips spread",
        LOAD: "whatever the load",
        SHORT: "of short flows",
    }
    return [
        *(
            everywhere(
                f"(9.1) counts flows {words}: the mean estimate over their number",
                "on average each flow counts for 1 (9.1.4)",
                _points(table, kind, "over"),
                low=1 - CLOSE,
                high=1 + CLOSE,
                form=".3f",
                why=_counted(table) if kind == SHORT else "",
            )
            for kind, words in says.items()
        ),
        everywhere(
            "an interval is enough where flows are long: the standard deviation of the estimate "
            "over their number",
            "not stated",
            {
                f"{at} {TITLES[kind]}": each
                for kind in (NUMBER, SPREAD, LOAD)
                for at, each in _points(table, kind, "sd").items()
            },
            high=STEADY,
            form=".3f",
        ),
    ]


def _counted(table: Frame) -> str:
    """For how many round trips a short flow counts, of those that it is under way."""
    rows = table.where(kind=SHORT)
    if (abs(rows["over"] - 1) < CLOSE).all():
        return ""
    means = [
        f"{(own['over'] * own['rtts']).mean():.1f} round trips of {own['rtts'].mean():.1f} {at}"
        for at, own in ((f"at {at:g}", rows.where(at=at)) for at in numpy.unique(rows["at"]))
    ]
    return (
        f"a flow counts for {', '.join(means)}, of which the first is its handshake: a SYN states "
        "no throughput"
    )


def _points(table: Frame, kind: str, column: str) -> dict[str, Interval]:
    own = table.where(kind=kind)
    return {
        f"at {at:g}": Interval.of(own.where(at=at)[column])
        for at in map(float, numpy.unique(own["at"]))
    }


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Mean above, standard deviation below; a column for each property."""
    figure, panels = pyplot.subplots(
        2, len(TITLES), figsize=(7, 3.8), sharex="col", sharey="row", width_ratios=[7, 5, 5, 3]
    )
    for (kind, title), column in zip(TITLES.items(), panels.T, strict=True):
        at = numpy.unique(table.where(kind=kind)["at"])
        for ax, name in zip(column, ("over", "sd"), strict=True):
            found = list(_points(table, kind, name).values())
            with_bars(ax, at, found, color=style.COLOURS[0], marker=style.MARKERS[0])
        column[0].axhline(1, color=style.GREY, lw=0.6)
        if kind in (NUMBER, SPREAD):
            scales.logarithmic(column[1], "x", title, "")
        else:
            column[1].set(xlabel=title, xlim=(0, 1.1))
    panels[0][0].set_ylabel("mean estimate over N")
    panels[1][0].set_ylabel("standard deviation over N")
    panels[1][0].set_ylim(bottom=0)
    return figure


FIGURE = Figure(
    id="xcp-9-n",
    title="The number of flows without per-flow state",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
