"""What best-effort flows get beside guaranteed ones: utilization of the bottleneck and the queue
of best-effort traffic, in the runs of [xcp-6-5](#xcp-6-5).

Utilization is that of 0.2 s, with guaranteed traffic, as in the thesis. XCP's law over best-effort
traffic sees as its capacity what guaranteed traffic leaves. Every sixth sample of the queue is
drawn. The first seconds are those in which
ten flows of one packet each fill the link; claims are from 5 s on.
"""

from __future__ import annotations

from functools import partial

import matplotlib.figure
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET
from ..rows import by_seed
from . import guaranteed, over_time
from .guaranteed import DRAWN, MOST
from .xcp_6_5 import APART_S, END_S, SERVICES, run, table

SINCE_S = 5.0
#: "Optimal", and "just a few packets". The thesis has no numbers.
OPTIMAL, FEW = 0.95, 10


def check(table: Frame) -> list[Claim]:
    """That the link is full, with a short queue and without drops."""
    return [
        everywhere(
            "the utilization of the bottleneck is optimal: its mean",
            "optimal",
            {
                f"{name}, {words}": Interval.of(
                    over_time.each(table, name, partial(_utilization, since=since))
                )
                for name in SERVICES
                for words, since in (
                    (f"from {SINCE_S:g} s on", SINCE_S),
                    ("with five guaranteed flows", MOST * APART_S),
                )
            },
            low=OPTIMAL,
            form=".3f",
        ),
        everywhere(
            "the best-effort queue is just a few packets: its mean",
            "just a few packets",
            {name: Interval.of(over_time.each(table, name, _queue)) for name in SERVICES},
            high=FEW,
            form=".1f",
        ),
        everywhere(
            "there are no drops: packets dropped in the run",
            "no drops",
            {name: Interval.of(over_time.each(table, name, _drops)) for name in SERVICES},
            high=0.5,
            form=".0f",
        ),
    ]


def _utilization(rows: Frame, since: float) -> float:
    return float(guaranteed.of(rows, "utilization", since).mean())


def _queue(rows: Frame) -> float:
    return float(guaranteed.of(rows, "queue", SINCE_S).mean()) / PACKET


def _drops(rows: Frame) -> float:
    return float(guaranteed.of(rows, "drops").sum())


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Utilization and the best-effort queue beside paced flows."""
    rows = by_seed(table.where(system="paced"))[0]
    figure, (above, below) = pyplot.subplots(2, 1, figsize=(5.4, 4.4), sharex=True)
    used = rows.where(quantity="utilization")
    above.plot(used["time_s"], used["value"], color=style.COLOURS[0], lw=0.8)
    above.set(ylabel="utilization", ylim=(0, 1.05))
    queue = rows.where(quantity="queue")
    times, values = queue["time_s"][::DRAWN], queue["value"][::DRAWN] / PACKET
    below.plot(times, values, color=style.COLOURS[0], lw=0.5)
    below.set(ylabel="best-effort queue (packets)", ylim=(0, None), xlim=(0, END_S))
    scales.linear(below, "x", "time", "s")
    return figure


FIGURE = Figure(
    id="xcp-6-6",
    title="What best-effort flows get beside guaranteed ones",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
