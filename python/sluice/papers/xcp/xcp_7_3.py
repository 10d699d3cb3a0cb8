"""A sender that lies about its RTT: throughput of one of twenty flows over its fair share, against
its gain, the ratio of its true RTT to the one that it declares. 20 Mb/s, 80 ms, 20 flows in the
other direction. Means over sixteen seeds; bars are 95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from .cheats import Cheats, gains_of

CHEATS = Cheats("xcp-7-3", "rtt_gain")
#: Gains for which the throughput "is the same as its fair share", and how close; below, "within 20
#: %".
FROM, TO, SAME, CLOSE = 0.2, 100.0, 0.05, 0.2


def check(table: Frame) -> list[Claim]:
    """That a lie about the RTT gains nothing."""
    gains = gains_of(table)
    return [
        everywhere(
            "a D-liar has its fair share with gains from 0.2 to 100: its throughput over it",
            "the same as its fair share",
            {
                f"at {gain:g}": CHEATS.mean(table, gain, "first")
                for gain in gains
                if FROM <= gain <= TO
            },
            low=1 - SAME,
            high=1 + SAME,
        ),
        everywhere(
            "with smaller gains it stays close to it: its throughput over it",
            "within 20 %",
            {f"at {gain:g}": CHEATS.mean(table, gain, "first") for gain in gains if gain < FROM},
            low=1 - CLOSE,
            high=1 + CLOSE,
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput over the fair share against the gain."""
    figure, ax = pyplot.subplots()
    gains = gains_of(table)
    found = [CHEATS.mean(table, gain, "first") for gain in gains]
    with_bars(ax, gains, found, color=style.COLOURS[0], marker=style.MARKERS[0])
    ax.set_ylabel("throughput over fair share")
    ax.set_ylim(0, 2)
    scales.logarithmic(ax, "x", "gain", "")
    return figure


FIGURE = Figure(
    id="xcp-7-3",
    title="A flow that lies about its RTT",
    doc=__doc__,
    run=CHEATS.run,
    table=CHEATS.table,
    check=check,
    plot=plot,
)
