"""Senders that send more than their profiles (section 6.4.3): throughput over time of what is in
the profile of such a flow and what is above it, and of ten best-effort flows beside it.

The thesis describes it and shows no figure: "the sender can send more than its profile by
simulating two flows", one in the profile, and one that follows the feedback of its packets. Here
both are of one sender with one stream of data (`exceeds`); what is above the profile is paced at
XCP's window over the RTT. The link has 10 Mb/s, the round trip is 80 ms, a profile 15 % of the
link. One flow starts at 10 s, and four more at 30 s. What is in profiles is R_u at the link, which
is that of all guaranteed flows together; what is above them, the rest of their throughput.
Throughputs are those of 0.2 s. Loss recovery is RACK: packets above the profile wait longer than
those in it, and are overtaken by them ("packets may get out of order", footnote 6). Beside five
profiles a best-effort flow has less than two packets in a round trip, so that windows of a whole
number of packets, the thesis', divide the rest only roughly. Ten seeds draw when in a round trip
each flow starts; drawn is the first.
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
from .guaranteed import BEST_EFFORT, INTERVAL_S, MOST, PROFILE, RTT, Request, Service

START_S, MORE_S, END_S = 10.0, 30.0, 50.0
#: Flows have converged this long after others started.
AFTER_S = 5.0
REQUESTS = (Request(START_S, END_S), *(Request(MORE_S, END_S),) * (MOST - 1))
SERVICE = Service(
    "xcp-above-profile",
    REQUESTS,
    END_S,
    within=RTT,
    parameters={"exceeds": True, "recovery": "rack"},
)
#: While there is one flow with a profile, and five.
TIMES = {
    "with one profile": (START_S + AFTER_S, MORE_S),
    "with five": (MORE_S + AFTER_S, END_S),
}
FLOWS = {"with one profile": 1, "with five": MOST}
#: The profile is kept, and the rest is shared, to this part. The thesis has no number.
CLOSE, FAIR = 0.03, 0.1


def check(table: Frame) -> list[Claim]:
    """That what is in the profile is kept, and that the rest is a best-effort flow."""
    runs = by_seed(table)
    return [
        everywhere(
            "senders keep their profiles: throughput in profiles over the profiles",
            "an in-profile flow sending at the profile rate",
            {
                name: Interval.of([_in_profiles(rows, name) / PROFILE for rows in runs])
                for name in TIMES
            },
            low=1 - CLOSE,
            high=1 + CLOSE,
            form=".3f",
        ),
        everywhere(
            "what exceeds a profile is a best-effort flow: its throughput over the mean of the "
            "others'",
            "adjusts its sending rate to the feedback it receives",
            {name: Interval.of([_over_others(rows, name) for rows in runs]) for name in TIMES},
            low=1 - FAIR,
            high=1 + FAIR,
        ),
        everywhere(
            "a sender exceeds its profile: the throughput of the first over the profile",
            "can send more than its profile",
            {
                name: Interval.of([_mean(rows, "guaranteed-0", name) / PROFILE for rows in runs])
                for name in TIMES
            },
            low=1.05,
        ),
    ]


def _mean(rows: Frame, quantity: str, name: str) -> float:
    return float(guaranteed.of(rows, quantity, *TIMES[name]).mean())


def _in_profiles(rows: Frame, name: str) -> float:
    """What a flow sends in its profile."""
    return _mean(rows, "used", name) / FLOWS[name]


def _over_others(rows: Frame, name: str) -> float:
    """Of the flow above its profile whose share differs most from a best-effort flow's."""
    share = _mean(rows, "best-effort", name) / BEST_EFFORT
    in_profile = _in_profiles(rows, name)
    found = [
        (_mean(rows, f"guaranteed-{number}", name) - in_profile) / share
        for number in range(FLOWS[name])
    ]
    return max(found, key=lambda part: abs(part - 1))


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughputs over time."""
    rows = by_seed(table)[0]
    figure, ax = pyplot.subplots(figsize=(5.4, 3))
    own, best = (rows.where(quantity=name) for name in ("guaranteed-0", "best-effort"))
    times = own["time_s"]
    count = numpy.where(times < MORE_S, 1, MOST)
    used = rows.where(quantity="used")
    in_profile = numpy.interp(times, used["time_s"], used["value"]) / count
    # R_u is that of the interval before.
    in_profile[(times >= MORE_S) & (times < MORE_S + 2 * INTERVAL_S + RTT)] = numpy.nan
    lines = {
        "a sender above its profile": own["value"],
        "in its profile": in_profile,
        "a best-effort flow": best["value"][: len(times)] / BEST_EFFORT,
    }
    for number, (label, values) in enumerate(lines.items()):
        ax.plot(times, values, color=style.COLOURS[number], lw=0.8, label=label)
    ax.axhline(PROFILE, color=style.GREY, lw=0.6, ls="dashed")
    ax.set(xlim=(0, END_S), ylim=(0, None))
    scales.linear(ax, "x", "time", "s")
    scales.linear(ax, "y", "throughput", "b/s")
    style.legend_above(figure, ax, columns=3)
    return figure


FIGURE = Figure(
    id="xcp-above-profile",
    title="Senders that exceed their profiles",
    doc=__doc__,
    run=SERVICE.run,
    table=SERVICE.table,
    check=check,
    plot=plot,
)
