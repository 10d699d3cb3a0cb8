"""What guaranteed flows get: throughput and queue over time of flows with a profile of 15 % of a
link of 10 Mb/s, which ask for admission every 10 s from 10 s on, up to 90 s, beside ten XCP flows;
otherwise as [xcp-6-3](#xcp-6-3). Senders pace, as the service requires, or have a window of
profile x round trip, as the thesis' simulations.

Throughputs are those of 0.2 s. The G-queue is sampled every 6.25 ms, in bytes that wait behind the
packet in transmission, and is empty where there are none; every sixth sample is drawn. Ten seeds
draw when within T_e each flow starts, on which depends how packets of paced flows meet; drawn is
the first.
"""

from __future__ import annotations

from functools import partial

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET
from ..rows import by_seed
from ..scale import Scale
from . import guaranteed, over_time
from .guaranteed import CAPACITY, DRAWN, MOST, PROFILE, RTT, Request, Service

APART_S, END_S = 10.0, 100.0
REQUESTS = tuple(Request(start, END_S) for start in numpy.arange(APART_S, END_S, APART_S))
SERVICES = {
    "paced": Service("xcp-6-5/paced", REQUESTS, END_S),
    "in windows": Service("xcp-6-5/window", REQUESTS, END_S, parameters={"sender": "window"}),
}
#: The throughput of a flow counts from this long after its request.
AFTER_S = 1.0
#: "The throughput they were promised". A window is a whole number of packets.
CLOSE = 0.03
#: A queueing delay is negligible up to this part of the round trip. The thesis has no number.
NEGLIGIBLE = 0.05
#: "Almost always". The thesis has no number.
SELDOM = 0.1


def run(scale: Scale) -> dict[str, Results]:
    """By sender."""
    return guaranteed.run_each(SERVICES, scale)


def table(runs: dict[str, Results]) -> Frame:
    """Quantities over time of each sender."""
    return guaranteed.table_of(SERVICES, runs)


def check(table: Frame) -> list[Claim]:
    """That admitted flows get their profiles, with hardly a delay."""
    return [
        everywhere(
            "the router makes reservations for five flows: their number",
            "for 5 flows",
            {
                f"{name}, of nine requests": Interval.of(over_time.each(table, name, _admitted))
                for name in SERVICES
            },
            low=MOST - 0.5,
            high=MOST + 0.5,
            form=".0f",
        ),
        everywhere(
            "all of them obtain what they were promised: throughput over the profile, of the worst "
            "served of them",
            "obtained the throughput they were promised",
            {name: Interval.of(over_time.each(table, name, _least)) for name in SERVICES},
            low=1 - CLOSE,
            high=1 + CLOSE,
            form=".3f",
        ),
        everywhere(
            "the delay of guaranteed flows is almost always the round trip: the 99th percentile of "
            "the time that the G-queue takes to send, over the round trip",
            "almost always the RTT",
            {name: Interval.of(over_time.each(table, name, _p99)) for name in SERVICES},
            high=NEGLIGIBLE,
            form=".3f",
        ),
        everywhere(
            "the G-queue has been almost always empty: the part of samples in which it is not, "
            "from 10 s on",
            "almost always empty",
            {name: Interval.of(over_time.each(table, name, _waiting)) for name in SERVICES},
            high=SELDOM,
            form=".3f",
            taken=f"below {SELDOM:g}, our reading of almost always",
            note=f"; it was {_most(table)} packets long at most",
            why=_phases(table),
        ),
    ]


def _admitted(rows: Frame) -> float:
    return float(sum(guaranteed.admitted(rows, len(REQUESTS))))


def _least(rows: Frame) -> float:
    found = guaranteed.throughputs(rows, REQUESTS, after=AFTER_S, until=END_S)
    return min(found.values(), default=0.0)


def _p99(rows: Frame) -> float:
    queue = guaranteed.of(rows, "g_queue", APART_S)
    return float(numpy.quantile(queue * 8 / CAPACITY / RTT, 0.99))


def _waiting(
    rows: Frame, above: float = 0.0, since: float = APART_S, until: float = END_S
) -> float:
    """The part of samples in which more than these bytes wait."""
    return float((guaranteed.of(rows, "g_queue", since, until) > above).mean())


def _most(table: Frame) -> str:
    """The longest G-queue of each sender."""
    longest = {
        name: float(table.where(system=name, quantity="g_queue")["value"].max()) / PACKET
        for name in SERVICES
    }
    return " and ".join(f"{packets:.0f} ({name})" for name, packets in longest.items())


def _phases(table: Frame) -> str:
    """How the part rises with the number of paced flows, and how much of it is one packet."""
    parts = []
    for number in (1, 3, MOST):
        since = number * APART_S + AFTER_S
        until = since + APART_S - 2
        any_, several = (
            over_time.each(
                table, "paced", partial(_waiting, above=above, since=since, until=until)
            ).mean()
            for above in (0, PACKET)
        )
        parts.append(f"{any_:.3f} with {number} of them ({several:.3f} of more than one packet)")
    sending = 8 * PACKET / CAPACITY
    met = PROFILE * MOST / CAPACITY / 2
    return (
        f"a packet waits for the one in transmission, whatever its class, {1e3 * sending:.1f} ms "
        f"at most, which alone would be {met:.2f} of samples with five flows; paced flows do not "
        f"avoid each other either, and packets wait in {', '.join(parts)}"
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput of each paced flow, and the G-queue."""
    rows = by_seed(table.where(system="paced"))[0]
    figure, (above, below) = pyplot.subplots(2, 1, figsize=(5.4, 4.4), sharex=True)
    for number, admitted in enumerate(guaranteed.admitted(rows, len(REQUESTS))):
        if admitted:
            found = rows.where(quantity=f"guaranteed-{number}")
            above.plot(found["time_s"], found["value"], color=style.COLOURS[number], lw=0.8)
    scales.linear(above, "y", "throughput", "b/s")
    for number, name in enumerate(SERVICES):
        queue = by_seed(table.where(system=name))[0].where(quantity="g_queue")
        times, values = queue["time_s"][::DRAWN], queue["value"][::DRAWN] / PACKET
        below.plot(times, values, color=style.COLOURS[number], lw=0.5, label=name)
    style.legend(below)
    below.set(ylabel="G-queue (packets)", ylim=(0, None), xlim=(0, END_S))
    scales.linear(below, "x", "time", "s")
    return figure


FIGURE = Figure(
    id="xcp-6-5",
    title="What guaranteed flows get",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
