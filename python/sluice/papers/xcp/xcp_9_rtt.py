"""Groups of flows by round trip (section 9.3.2) beside one group, as round trips spread.

Fifty long flows share a link of 150 Mb/s. *Few*: 45 have a round trip of 10 ms and 5 a longer one.
*Even*: five flows have each of ten round trips, evenly on a logarithmic scale from 10 ms. XCP's
router has one control interval, the mean round trip over flows; or groups of flows, each with its
own interval and controllers, which steer for its fair share by (9.1). Groups begin at each 500 ms,
as the thesis has them, or at 30, 100, 300 ms and 1 s.

Shown are utilization, the standard deviation of the load in tenths of a second, and the throughput
of the flows with the longest round trip over that of the others. The buffer is the bandwidth-delay
product of the mean round trip. Runs are measured for 60 longest round trips after 40, each at least
20 s. Four seeds draw starts, in the first ten round trips of each flow; bars are 95 % intervals.

A header's round trip includes queues, so that a short queue moves flows whose round trip is just
below a bound to the next group, and back: fifty flows of 99.5 ms stand for them.

The thesis does not say what becomes of the share of a group that cannot use it. Ten flows of 600 ms
that a later link limits to 10 Mb/s together are a group beside ten free ones of 40 ms, on a link of
100 Mb/s. Half of the link is theirs, and nobody uses what they leave.
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
from .claims import OPTIMAL
from .spread import (
    BELOW_S,
    NARROW,
    ONE,
    POPULATIONS,
    SHARED,
    SYSTEMS,
    TENFOLD,
    THESIS,
    Runs,
    run,
)

#: Of what others have: the thesis' "no bias against long RTT flows".
FAIR = 0.9
#: "As much" of the link, of what one group uses.
AS_MUCH = 0.99
#: Round trips "spread widely" if the longest is this or more: "the range of RTTs in the current
#: Internet" ends there, and "as the variance exceeds the above range" begins (9.3.2).
WIDE_S = 1.0
PANELS = {
    "utilization": "utilization",
    "load_sd": "standard deviation of load",
    "share": "longest over others",
}


def table(runs: Runs) -> Frame:
    """A row for each case and seed."""
    return frame(
        [case.row(results, seed) for case, results in runs.items() for seed in results.seeds]
    )


def check(table: Frame) -> list[Claim]:
    """That groups are steadier than one, use the link, and are fair; and what they waste."""
    spread, limited = table.where(kind="spread"), table.where(kind="limited")
    below = table.where(kind="below")
    own = (THESIS, TENFOLD)
    return [
        everywhere(
            f"groups are steadier than one group where the longest round trip is {WIDE_S:g} s or "
            "more: standard deviation of the load over that of one group",
            "increases robustness to RTT variance (9.3.2)",
            {
                f"{at}, {name}": Interval.of(rows["load_sd"] / _rows(spread, ONE)[at]["load_sd"])
                for name in own
                for at, rows in _rows(spread, name).items()
                if rows["longest_s"][0] >= WIDE_S
            },
            high=1,
        ),
        everywhere(
            "groups use the link at each spread: utilization",
            "increases robustness to RTT variance (9.3.2)",
            _points(spread, TENFOLD, "utilization"),
            low=OPTIMAL,
            form=".3f",
        ),
        everywhere(
            "so do groups as the thesis has them, of which the first is 500 ms wide: utilization",
            "for example, flows whose RTT < 500 ms in one group (9.3.2)",
            _points(spread, THESIS, "utilization"),
            low=OPTIMAL,
            form=".3f",
            why=_within_first(spread),
        ),
        everywhere(
            "one group uses the link as far as the range of the Internet, up to 1 s: utilization",
            "fairly robust for RTTs in [1 ms, 1000 ms] (9.3.2)",
            {
                at: Interval.of(rows["utilization"])
                for at, rows in _rows(spread, ONE).items()
                if rows["longest_s"][0] <= WIDE_S
            },
            low=OPTIMAL,
            form=".3f",
        ),
        everywhere(
            "groups have their fair shares: throughput of the flows with the longest round trip "
            "over that of the others",
            "converge to the group's fair share (9.3.2)",
            {
                f"{at}, {name}": each
                for name in own
                for at, each in _points(spread, name, "share").items()
            },
            low=FAIR,
            high=1 / FAIR,
            why=_dropped(spread),
        ),
        everywhere(
            "groups use as much of the link as one group: utilization over that of one group",
            "increases robustness to RTT variance (9.3.2)",
            {
                f"{at}, {name}": Interval.of(
                    rows["utilization"] / _rows(spread, ONE)[at]["utilization"]
                )
                for name in own
                for at, rows in _rows(spread, name).items()
            },
            low=AS_MUCH,
            form=".3f",
        ),
        everywhere(
            f"flows with a round trip of {1e3 * BELOW_S:g} ms, just below a bound, are as steady "
            "as in one group: 99th percentile of the queue over that of one group",
            "increases robustness to RTT variance (9.3.2)",
            {TENFOLD: Interval.of(below.where(system=TENFOLD)["p99_s"] / _one(below, "p99_s"))},
            high=2,
            why=_moves(below),
        ),
        everywhere(
            "a group that another link limits leaves its share unused: utilization over that of "
            "the other half and what is limited",
            "not stated",
            {
                "with groups": Interval.of(
                    limited.where(system=THESIS)["utilization"] / (0.5 + NARROW / SHARED)
                )
            },
            low=0.97,
            high=1.03,
            form=".3f",
            note=f"; one group uses {Interval.of(limited.where(system=ONE)['utilization']):.2f}",
        ),
    ]


def _within_first(spread: Frame) -> str:
    """What one group has, where all round trips are in the first of the thesis' groups."""
    found = {
        at: Interval.of(rows["utilization"])
        for at, rows in _rows(spread, ONE).items()
        if rows["longest_s"][0] < 0.5
    }
    low = {at: each for at, each in found.items() if each.mean < OPTIMAL}
    if not low:
        return ""
    named = ", ".join(f"{each:.2f} {at}" for at, each in low.items())
    return f"with all flows below 500 ms, one group uses {named}"


def _dropped(spread: Frame) -> str:
    """Where groups drop packets, the flows of the longest round trips lose most by it."""
    drops = {
        f"{at}, {name}": rows["drops"].mean()
        for name in (THESIS, TENFOLD)
        for at, rows in _rows(spread, name).items()
        if rows["drops"].any()
    }
    return f"drops: {', '.join(f'{mean:.0f} {at}' for at, mean in drops.items())}" if drops else ""


def _one(below: Frame, column: str) -> numpy.ndarray:
    return below.where(system=ONE)[column]


def _moves(below: Frame) -> str:
    """How far queues move the round trip."""
    group = 1e3 * below.where(system=TENFOLD)["p99_s"].mean()
    return (
        f"a queue of {1e3 * (0.1 - BELOW_S):.1f} ms moves all flows to the next group: the 99th "
        f"percentile is {group:.1f} ms in groups, {1e3 * _one(below, 'p99_s').mean():.1f} ms in one"
    )


def _rows(spread: Frame, system: str) -> dict[str, Frame]:
    return {
        f"{population}, {1e3 * float(longest):.0f} ms": spread.where(
            system=system, population=population, longest_s=float(longest)
        )
        for population in POPULATIONS
        for longest in numpy.unique(spread["longest_s"])
    }


def _points(spread: Frame, system: str, column: str) -> dict[str, Interval]:
    return {at: Interval.of(rows[column]) for at, rows in _rows(spread, system).items()}


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A row of panels for each way in which round trips spread."""
    spread = table.where(kind="spread")
    longest = numpy.unique(spread["longest_s"])
    figure, panels = pyplot.subplots(
        len(POPULATIONS), len(PANELS), figsize=(7, 4.4), sharex=True, sharey="col"
    )
    for population, row in zip(POPULATIONS, panels, strict=True):
        for (column, title), ax in zip(PANELS.items(), row, strict=True):
            for number, name in enumerate(SYSTEMS):
                found = [
                    each
                    for at, each in _points(spread, name, column).items()
                    if at.startswith(population)
                ]
                look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
                with_bars(ax, longest, found, label=name, **look)
            ax.set_xscale("log")
            ax.set_ylim(bottom=0)
            ax.set_title(f"{title}, {population}")
    for ax in panels[-1]:
        scales.logarithmic(ax, "x", "longest round trip", "s")
    style.legend_above(figure, panels[0][0], columns=len(SYSTEMS))
    return figure


FIGURE = Figure(
    id="xcp-9-rtt",
    title="Groups of flows by round trip",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
