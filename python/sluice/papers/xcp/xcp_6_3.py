"""R_g, a router's estimate of the reserved bandwidth, over time: flows with a profile of 15 % of a
link of 10 Mb/s with a round trip of 80 ms ask for admission every 5 s beside ten XCP flows; those
that run at 50 s stop there, and the cycle repeats. G is 0.8 of the capacity.

T_e, the interval of estimates, is 300 ms (the thesis has no value). In the interval of its
admission a flow counts in R_r and by its packets, so that R_g is too large by up to 1 - RTT / T_e
of a profile, and more with a longer T_e; with a shorter one, R_g of the idle flows of
[xcp-6-4](#xcp-6-4) varies more. Flows are paced. A flow that is denied sends nothing. Requests go
on every 5 s from 55 s up to 95 s. Ten seeds draw when within T_e each flow starts; drawn is the
first.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import by_seed
from . import guaranteed
from .guaranteed import INTERVAL_S, MOST, PROFILE, RTT, Request, Service

#: Requests of each cycle come this far apart; a cycle lasts for 50 s, and the link for two.
APART_S, CYCLE_S = 5.0, 50.0
REQUESTS = tuple(
    Request(start, cycle + CYCLE_S)
    for cycle in (0.0, CYCLE_S)
    for start in cycle + numpy.arange(APART_S, CYCLE_S, APART_S)
)
OF_CYCLE = len(REQUESTS) // 2
SERVICE = Service("xcp-6-3", REQUESTS, 2 * CYCLE_S)
#: "Our estimate of R_g is within 10% of the actually committed bandwidth".
CLOSE = 0.1
#: When R_g may be expected to count a new flow: after the interval of its request (the choice is
#: ours). Seconds later the running average has forgotten that this interval counted the flow twice.
AFTER_S = (INTERVAL_S + RTT, 1.0, 2.0)
#: "Quickly": before the next request, when half of a profile is left at most.
QUICK_S = APART_S
#: Best-effort flows have filled the link by then.
SINCE_S = 2.0


def check(table: Frame) -> list[Claim]:
    """That R_g follows reservations, and that five flows are admitted in each cycle."""
    runs = by_seed(table)
    return [
        everywhere(
            "R_g tracks reservations: its largest distance from the sum of the profiles of the "
            "flows that were admitted, over that sum, while there are any",
            "with good accuracy; within 10 % of the actually committed bandwidth",
            {
                f"from {after:g} s after each admission": Interval.of(
                    [_largest(rows, after) for rows in runs]
                )
                for after in AFTER_S
            },
            high=CLOSE,
            form=".3f",
            why=_twice(runs),
        ),
        everywhere(
            "the first five requests of a cycle are admitted: their number",
            "a maximum of 5 guaranteed flows",
            {
                f"in cycle {cycle + 1}": Interval.of([sum(_first(rows, cycle)) for rows in runs])
                for cycle in (0, 1)
            },
            low=MOST - 0.5,
            high=MOST + 0.5,
            form=".0f",
        ),
        everywhere(
            "no more flows are accepted after that: the number of later requests admitted",
            "no more flows are accepted",
            {
                f"in cycle {cycle + 1}": Interval.of([sum(_later(rows, cycle)) for rows in runs])
                for cycle in (0, 1)
            },
            high=0.5,
            form=".0f",
        ),
        everywhere(
            "R_g rises with each admission by a profile: its rise from a second before a request "
            "to 4 s after it, over the profile",
            "increases by 15 % every 5 s",
            {
                f"at request {number + 1}": Interval.of([_rise(rows, number) for rows in runs])
                for number in range(MOST)
            },
            low=0.9,
            high=1.1,
        ),
        everywhere(
            "the router quickly discovers what is released: seconds until R_g is below half a "
            "profile after the flows have stopped",
            "quickly discovers the release",
            {"after 50 s": Interval.of([_released(rows) for rows in runs])},
            high=QUICK_S,
            taken=f"below {QUICK_S:.0f}, when the next request comes",
        ),
        everywhere(
            "best-effort traffic uses the rest efficiently: mean utilization",
            "efficiently used by best-effort traffic",
            {
                "from 2 s on": Interval.of(
                    [guaranteed.of(rows, "utilization", SINCE_S).mean() for rows in runs]
                )
            },
            low=0.95,
            form=".3f",
        ),
    ]


def _largest(rows: Frame, after: float) -> float:
    """The largest |R_g - committed| / committed while no flow has left."""
    error = guaranteed.settled(rows, after=after, since=0.0, until=2 * CYCLE_S)
    return float(numpy.abs(error).max())


def _twice(runs: list[Frame]) -> str:
    """How far R_g is above the reservations as a flow arrives that counts twice, and which way it
    errs later.
    """
    shown = []
    for after in (0.0, *AFTER_S):
        errors = [
            guaranteed.settled(rows, after=after, since=0.0, until=2 * CYCLE_S) for rows in runs
        ]
        least = numpy.mean([each.min() for each in errors])
        most = numpy.mean([each.max() for each in errors])
        shown.append(f"{least:+.3f} to {most:+.3f} from {after:g} s on")
    return (
        "R_g counts a new flow as admitted and by its first packets, and falls by four tenths of "
        f"an excess in an interval: it errs by {', '.join(shown)}"
    )


def _first(rows: Frame, cycle: int) -> list[bool]:
    found = guaranteed.admitted(rows, len(REQUESTS))[cycle * OF_CYCLE :]
    return found[:MOST]


def _later(rows: Frame, cycle: int) -> list[bool]:
    found = guaranteed.admitted(rows, len(REQUESTS))[cycle * OF_CYCLE :]
    return found[MOST:OF_CYCLE]


def _rise(rows: Frame, number: int) -> float:
    start = REQUESTS[number].start
    ends = [
        guaranteed.of(rows, "reserved", at - 0.5, at + 0.5).mean()
        for at in (start - 0.6, start + 4.0)
    ]
    return float((ends[1] - ends[0]) / PROFILE)


def _released(rows: Frame) -> float:
    found = rows.where(quantity="reserved")
    after = (found["time_s"] > CYCLE_S) & (found["value"] < PROFILE / 2)
    return float(found["time_s"][after].min(initial=2 * CYCLE_S) - CYCLE_S)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """R_g beside what is committed, and utilization."""
    rows = by_seed(table)[0]
    figure, ax = pyplot.subplots(figsize=(5.4, 3))
    guaranteed.lines(
        ax,
        rows,
        {
            "committed": "admitted profiles",
            "reserved": r"$R_g$",
            "utilization": "utilization",
        },
    )
    ax.axhline(guaranteed.LIMIT, color=style.GREY, lw=0.6, ls="dashed")
    ax.set_xlim(0, 2 * CYCLE_S)
    scales.linear(ax, "x", "time", "s")
    style.legend_above(figure, ax, columns=3)
    return figure


FIGURE = Figure(
    id="xcp-6-3",
    title="An estimate of reservations as flows come and go",
    doc=__doc__,
    run=SERVICE.run,
    table=SERVICE.table,
    check=check,
    plot=plot,
)
