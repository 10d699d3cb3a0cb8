"""Utilization of a link against its capacity, with a round trip of 80 ms and 50 long flows each
way: TCP Reno over the thesis' queue disciplines and over all others that need no classes of
traffic, and every other sender. Means over three seeds, which draw the starts; bars are 95 %
intervals. The printed figures have no axes in the text: the range is ours.

As in section 3.2, starts are exponential with a mean of two round trips between them, packets have
1000 bytes, the buffer is a bandwidth-delay product (BDP), and runs last 300 round trips; the first
100, in which most flows start, do not count, and longer runs would. Utilization includes the
acknowledgements of the other direction. Access links have four times the capacity.

*Disciplines* have the parameters of section 3.2: RED w 0.002, p_max 0.1, thresholds of one and two
thirds of the buffer, gentle; REM phi 1.001, gamma 0.001, updates each 10 packets, a target of a
third of the buffer; AVQ gamma 0.98, alpha 0.15, a virtual buffer of the same size; CSFQ constants
of twice the largest queueing delay. TCP has ECN where a discipline marks, as in section 5.1, which
has the same disciplines; section 3.2 is silent. CoDel and FQ-CoDel have an interval of the round
trip, from 100 ms on, and 5 % of it as target (RFC 8289); DualPI2 a target of 0.44 round trips, from
15 ms on (RFC 9332); `threshold` marks above a fifth of BDP. PIE, DRR and WFQ have their defaults.
Strict priority and class-based weighted fair queueing are left out: they are for several classes.

*TCP Reno* is on hosts as ns-2's (initial window 2, no jitter). *Other senders* are on hosts as
today's, over drop-tail, except DCTCP over `threshold`, whose fifth is above the seventh of BDP that
it needs, and Prague over DualPI2. TCP has RACK-TLP. Swift aims at a delay of 1.1 round trips, more
by up to one for small windows, and its flows add a tenth of BDP in a round trip together: its
defaults are for data centres. HPCC divides its additive increase by the number of flows. BBR's
windows of two BDPs, TFRC's equation, and all others have their defaults.
"""

from __future__ import annotations

from ...frame import Frame
from ..claim import Claim
from ..figure import Figure
from . import claims
from .bottleneck import Place
from .utilization import Axis

AXIS = Axis(
    figure="xcp-3-2",
    column="capacity_bps",
    label=("capacity", "b/s"),
    values=(20e6, 80e6, 320e6, 1e9),
    quick=(20e6, 80e6),
    place=lambda capacity: Place(capacity, 0.08),
    words=lambda capacity: f"{capacity / 1e6:.0f} Mb/s",
)


def check(table: Frame) -> list[Claim]:
    """That TCP's utilization falls, and other senders' does not."""
    return claims.check(
        table, AXIS, optimal="always near optimal, independent of the link capacity (section 5.2.1)"
    )


FIGURE = Figure(
    id="xcp-3-2",
    title="Utilization against capacity: TCP over each queue discipline, and each sender",
    doc=__doc__,
    run=AXIS.run,
    table=AXIS.table,
    check=check,
    plot=AXIS.plot,
)
