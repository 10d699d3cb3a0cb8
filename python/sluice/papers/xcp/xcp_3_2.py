"""Utilization of a link against its capacity, with a round trip of 80 ms and 50 long flows each
way: TCP Reno over the thesis' queue disciplines and over the others, and each other sender. Means
over four seeds, which draw the starts of flows; bars are 95 % intervals. The thesis' text gives no
values of the printed curves, and no range of capacities: ours is from four packets in a round trip
for each flow to two hundred.

As in section 3.2, flows start at random, two round trips apart on average (uniform in the first 100
round trips, where the thesis has exponential intervals), packets have 1000 bytes, the buffer is a
bandwidth-delay product (BDP), and a run takes 300 round trips, of which those 100 do not count.
Utilization includes the acknowledgements of the other direction. Access links have four times the
capacity, which the thesis leaves open.

*Disciplines* have the parameters of section 3.2: RED w 0.002, p_max 0.1, thresholds of one and two
thirds of the buffer, gentle; REM phi 1.001, gamma 0.001, updates each 10 packets, a target of a
third of the buffer; AVQ gamma 0.98, alpha 0.15; CSFQ constants of twice the largest queueing delay.
TCP has ECN where a discipline marks: section 3.2 does not mention it, section 5.1 has it on for the
same disciplines. CoDel and FQ-CoDel have an interval of a round trip, at least 100 ms, and 5 % of
it as target (RFC 8289); DualPI2 has a target of 0.44 round trips, at least 15 ms (RFC 9332);
`threshold` marks above a fifth of BDP. PIE, DRR and WFQ have their defaults. `cbwfq`, `priority`
and `tcp_friendly` are not drawn: they are for several classes of traffic. `ncp_csfq`, which shares
as CSFQ does, is in `ncp-10-csfq`.

*TCP Reno* is on hosts as ns-2's of the time of the thesis: an initial window of 2, time-outs of at
least 1 s and 100 ms above the smoothed round trip, a SYN repeated after 6 s, no jitter. *The other
senders* are on hosts as today's, with a SYN repeated after 3 s, over drop-tail, except DCTCP over
`threshold`, whose fifth of BDP exceeds the seventh that it needs, and Prague over DualPI2. TCP-RACK
is TCP with the defaults. Swift aims at a delay of 1.2 round trips, of up to one more for small
windows, and its flows together add a tenth of BDP in a round trip: its defaults are for data
centres. HPCC divides its additive increase by the number of flows, and its access links have the
bottleneck's capacity, since it begins with a window at their rate. All else is the default: BBR's
windows of two BDPs, TFRC's equation, the gains of RCP, NCP, XCP and alpha-fair RCP.
"""

from __future__ import annotations

from functools import partial

from ...frame import Frame
from ..claim import Claim
from ..figure import Figure
from . import claims, grouped
from .axis import Axis
from .bottleneck import Place
from .systems import SYSTEMS

AXIS = Axis(
    folder="xcp-capacity",
    column="capacity_bps",
    label=("capacity", "b/s"),
    values=(20e6, 80e6, 320e6, 1e9),
    quick=(20e6, 40e6),
    place=lambda capacity: Place(capacity, 0.08),
    words=lambda capacity: f"{capacity / 1e6:.0f} Mb/s",
    systems=SYSTEMS,
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
    plot=partial(grouped.plot, AXIS),
)
