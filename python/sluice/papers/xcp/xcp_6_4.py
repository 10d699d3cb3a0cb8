"""R_g over time where flows do not use what they reserve: five flows with a profile of 15 % of a
link of 10 Mb/s ask for admission around 10 s and stop at 90 s, and pause in between. Ten XCP flows
run beside them all the time; otherwise as [xcp-6-3](#xcp-6-3).

Idle times are Pareto with a mean of 10 s. Their shape is 1.5, and times with data have the same
distribution (the thesis states neither). The flows "start together", in the same round trip. While
a flow is idle, it sends a packet without data in each round trip, which states its profile and a
throughput of one packet in a round trip. Ten seeds draw the times; drawn is the first.
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
from .guaranteed import INTERVAL_S, MOST, RTT, Request, Service

START_S, STOP_S, END_S = 10.0, 90.0, 100.0
REQUESTS = (Request(START_S, STOP_S),) * MOST
PAUSES = {"on": "10 s", "off": "10 s", "shape": 1.5}
SERVICE = Service("xcp-6-4", REQUESTS, END_S, within=RTT, pauses=PAUSES)
#: "Both Figures 6-3 and 6-4 indicate that our estimate of R_g is within 10%".
CLOSE = 0.1
#: When all have been admitted, and R_g has forgotten that it counted them twice.
SINCE_S = START_S + 2.0


def check(table: Frame) -> list[Claim]:
    """That R_g is what is reserved, whatever is used of it."""
    runs = by_seed(table)
    errors = [_errors(rows) for rows in runs]
    return [
        everywhere(
            "the router accepts all five: their number",
            "the router accepts them",
            {"around 10 s": Interval.of([sum(guaranteed.admitted(rows, MOST)) for rows in runs])},
            low=MOST - 0.5,
            high=MOST + 0.5,
            form=".0f",
        ),
        everywhere(
            "they do not use all that they reserve: R_u over R_g, means from 12 s to 90 s",
            "R_u < R_g",
            {"of on-off flows": Interval.of([_used(rows) for rows in runs])},
            high=0.9,
        ),
        everywhere(
            "the router maintains reservations: the largest distance of R_g from the sum of the "
            "profiles, over that sum, from 12 s to 90 s",
            "maintains the reservations; within 10 %",
            {"of on-off flows": Interval.of([float(numpy.abs(each).max()) for each in errors])},
            high=CLOSE,
            form=".3f",
            why=_spread(errors),
        ),
        everywhere(
            "R_g slightly overestimates them: the mean of R_g less their sum, over that sum",
            "slightly overestimates the reservations",
            {"of on-off flows": Interval.of([float(each.mean()) for each in errors], minimum=-1.0)},
            low=0,
            high=CLOSE,
            form=".4f",
        ),
        everywhere(
            "best-effort flows use reserved bandwidth while it is idle: mean utilization from 12 s "
            "to 90 s",
            "can use any reserved bandwidth not in use",
            {
                "beside on-off flows": Interval.of(
                    [guaranteed.of(rows, "utilization", SINCE_S, STOP_S).mean() for rows in runs]
                )
            },
            low=0.95,
            form=".3f",
        ),
    ]


def _errors(rows: Frame) -> numpy.ndarray:
    return guaranteed.settled(rows, after=0.0, since=SINCE_S, until=STOP_S)


def _spread(errors: list[numpy.ndarray]) -> str:
    """How often R_g is further away, and the packets that could explain it."""
    beyond = numpy.mean([(numpy.abs(each) > CLOSE).mean() for each in errors])
    least = numpy.mean([each.min() for each in errors])
    most = numpy.mean([each.max() for each in errors])
    packet = RTT / INTERVAL_S / MOST
    return (
        f"R_g is further away in {100 * beyond:.1f} % of samples, by {least:+.3f} to {most:+.3f}; "
        f"a packet of one idle flow more or less in an interval is {packet:.3f} of the sum"
    )


def _used(rows: Frame) -> float:
    used, reserved = (
        guaranteed.of(rows, quantity, SINCE_S, STOP_S).mean() for quantity in ("used", "reserved")
    )
    return float(used / reserved)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """R_g, R_u and what is committed."""
    rows = by_seed(table)[0]
    figure, ax = pyplot.subplots(figsize=(5.4, 3))
    labels = {"committed": "admitted profiles", "reserved": r"$R_g$", "used": r"$R_u$"}
    guaranteed.lines(ax, rows, labels)
    ax.axhline(guaranteed.LIMIT, color=style.GREY, lw=0.6, ls="dashed")
    ax.set_xlim(0, END_S)
    scales.linear(ax, "x", "time", "s")
    style.legend_above(figure, ax, columns=3)
    return figure


FIGURE = Figure(
    id="xcp-6-4",
    title="Reservations of flows that pause",
    doc=__doc__,
    run=SERVICE.run,
    table=SERVICE.table,
    check=check,
    plot=plot,
)
