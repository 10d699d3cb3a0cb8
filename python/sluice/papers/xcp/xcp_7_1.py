"""A sender that lies about its throughput to XCP's routers: throughput of one of twenty flows over its
fair share, against its gain, the ratio of its true throughput to the one that it declares. It
simulates as many flows as its gain, so that its share is 20 g / (19 + g) of the fair one (line), as
long as windows are above a packet (dotted: 0.1 of the fair window for the liar). 20 Mb/s, 80 ms, 20
flows in the other direction. Means over four seeds; bars are 95 % intervals.
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

CHEATS = Cheats("xcp-7-1", "throughput_gain", gains=(*GAINS, 2.0, 8.0), quick=(0.3, 1.0, 8.0))
#: Gains in which no window is at its least, one packet: the thesis has "the T-liar simulates a
#: number of flows equal to its gain".
LEAST_GAIN, MOST_GAIN = 0.2, 10.0
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
    """That a liar gets the share of as many flows, and neither more nor less at the ends."""
    gains = gains_of(table)
    return [
        everywhere(
            "a T-liar simulates a number of flows equal to its gain g: its throughput over "
            "20 g / (19 + g) fair shares",
            "the ratio is that of the gain",
            {
                f"at {gain:g}": _over_expected(table, gain)
                for gain in gains
                if LEAST_GAIN <= gain <= MOST_GAIN
            },
            low=1 - CLOSE,
            high=1 + CLOSE,
        ),
        everywhere(
            "beyond, its throughput levels off: over 20 g / (19 + g) fair shares",
            "other flows continue to have at least a window of one packet",
            {f"at {gain:g}": _over_expected(table, gain) for gain in gains if gain > MOST_GAIN},
            high=1,
        ),
    ]


def _over_expected(table: Frame, gain: float) -> Interval:
    return Interval.of(table.where(gain=gain)["first"] / expected(gain))


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput over the fair share against the gain."""
    figure, ax = pyplot.subplots()
    gains = gains_of(table)
    found = [CHEATS.mean(table, gain, "first") for gain in gains]
    line = numpy.geomspace(gains[0], gains[-1], 100)
    ax.plot(line, [expected(gain) for gain in line], color=style.GREY, label="20 g / (19 + g)")
    ax.axhline(ONE_PACKET, color=style.GREY, linestyle=style.DOTS, label="one packet")
    look = {"color": style.COLOURS[0], "marker": style.MARKERS[0], "linestyle": "none"}
    with_bars(ax, gains, found, label="T-liar", **look)
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
