"""A sender that lies about its throughput to XCP's routers: throughput of one of twenty flows over
its fair share, against its gain, the ratio of its true throughput to the one that it declares. It
simulates as many flows as its gain, so that its share is 20 g / (19 + g) of the fair one (line), as
long as its window is above a packet (dotted). 20 Mb/s, 80 ms, 20 flows in the other direction. With
most of the link, a liar drops packets from time to time, which costs it little with today's
recovery (XCP-RACK), and much with Reno's. Means over sixteen seeds; bars are 95 % intervals.
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
from .cheats import FLOWS, GAINS, PLACE, Cheats, gains_of

CHEATS = Cheats(
    "xcp-7-1",
    "throughput_gain",
    gains=(*GAINS, 0.2, 2.0, 8.0),
    quick=(0.03, 0.3, 1.0, 8.0, 30.0),
    systems=("XCP", "XCP-RACK"),
)
#: "For a wide range of gain (i.e., gain in [0.2, 8])", and the gain below which it "reaches its
#: minimum throughput".
LEAST_GAIN, MOST_GAIN, MINIMUM = 0.2, 8.0, 0.1
CLOSE = 0.1
#: One packet in a round trip, over the fair window.
ONE_PACKET = FLOWS / PLACE.bdp_packets


def expected(gain: float) -> float:
    """The throughput over the fair share of a flow that counts as ``gain`` flows among 19 others.

    >>> round(expected(8.0), 2)
    5.93
    """
    return FLOWS * gain / (FLOWS - 1 + gain)


def check(table: Frame) -> list[Claim]:
    """That a liar gets the share of as many flows, and what it gets at the ends."""
    gains = gains_of(table)
    within = [gain for gain in gains if LEAST_GAIN <= gain <= MOST_GAIN]
    above = [gain for gain in gains if gain > MOST_GAIN]
    below = [gain for gain in gains if gain < MINIMUM]
    return [
        everywhere(
            "a T-liar has its fair share times its gain g from 0.2 to 8: its throughput over g "
            "fair shares",
            "its fair share multiplied by its gain",
            {f"at {gain:g}": _over(table, gain, gain) for gain in within},
            low=1 - CLOSE,
            high=1 + CLOSE,
            why=f"g flows among 19 others have 20 g / (19 + g), {expected(MOST_GAIN):.2f} at 8",
        ),
        everywhere(
            "it simulates a number of flows equal to its gain: its throughput over 20 g / (19 + g) "
            "fair shares",
            "simulates a number of flows equal to its gain",
            {f"at {gain:g}": _over(table, gain, expected(gain)) for gain in within},
            low=1 - CLOSE,
            high=1 + CLOSE,
        ),
        everywhere(
            "beyond, it levels off since other flows are at their least window: a compliant flow's "
            "throughput over a packet in a round trip",
            "other flows continue to have at least a window of one packet",
            {f"at {gain:g}": _over_minimum(table, gain, "last") for gain in above},
            high=1 + 2 * CLOSE,
            why=f"{gains[-1]:g} flows among 19 have {expected(gains[-1]):.1f} fair shares, all but "
            f"a packet for each of 19 others are {most():.1f}",
        ),
        everywhere(
            "below 0.1 it has its minimum, one packet a round trip: its throughput over that",
            "corresponds to one packet per RTT",
            {f"at {gain:g}": _over_minimum(table, gain, "first") for gain in below},
            low=1 - CLOSE,
            high=1 + CLOSE,
        ),
    ]


def _over(table: Frame, gain: float, shares: float) -> Interval:
    return Interval.of(table.where(system="XCP", gain=gain)["first"] / shares)


def most() -> float:
    """What is left where the 19 others have a packet in a round trip, in fair shares."""
    return FLOWS - (FLOWS - 1) * ONE_PACKET


def _over_minimum(table: Frame, gain: float, flow: str) -> Interval:
    """Round trips are longer by the queues, of which the other direction has one as long."""
    rows = table.where(system="XCP", gain=gain)
    longer = 1 + 2 * rows["queue_packets"] / PLACE.bdp_packets
    return Interval.of(rows[flow] * longer / ONE_PACKET)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput over the fair share against the gain."""
    figure, ax = pyplot.subplots()
    gains = gains_of(table)
    line = numpy.geomspace(gains[0], gains[-1], 100)
    ax.plot(line, [expected(gain) for gain in line], color=style.GREY, label="20 g / (19 + g)")
    ax.axhline(ONE_PACKET, color=style.GREY, linestyle=style.DOTS, label="one packet")
    for number, name in enumerate(CHEATS.systems):
        found = [CHEATS.mean(table, gain, "first", system=name) for gain in gains]
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        with_bars(ax, gains, found, label=name, linestyle="none", **look)
    scales.logarithmic(ax, "x", "gain", "")
    scales.logarithmic(ax, "y", "throughput over fair share", "")
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="xcp-7-1",
    title="A flow that understates its throughput",
    doc=__doc__,
    run=CHEATS.run,
    table=CHEATS.table,
    check=check,
    plot=plot,
)
