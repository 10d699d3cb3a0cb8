"""Utilization, mean queue and drops of a link against its capacity, from 20 Mb/s to 4 Gb/s, with a
round trip of 80 ms and 50 long flows each way: XCP, and TCP Reno with ECN over RED, CSFQ, REM and
AVQ. The set-up is that of [xcp-3-2](#xcp-3-2), but for CSFQ, whose constants are 100 ms (5.1). AVQ
has an alpha of 0.15 throughout, where the thesis computes it for low capacities by an equation that
it does not print. XCP is on the same hosts as TCP, ns-2's of the time with an initial window of 2,
and is the thesis' sender: its windows are whole packets, and losses are repaired by Reno's rules.
Means over four seeds; bars are 95 % intervals. Drops are those after the warm-up; where there are
none, they are drawn at 0 of an axis that is logarithmic above 1.

The first flows of both directions fill the link alone, with windows of hundreds of packets, whose
acknowledgements wait behind the other's data and release them in bursts. Queues then reach the
buffer, in [ns-2's XCP as well](../validation.md#starts-one-after-another).
"""

from __future__ import annotations

import math
from functools import partial

import numpy

from ...frame import Frame
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import by_seed
from . import claims, comparison
from . import comparison_claims as common
from .axis import Axis
from .bottleneck import Place
from .comparison import SYSTEMS, TCP

AXIS = Axis(
    folder="xcp-capacity",
    column="capacity_bps",
    label=("capacity", "b/s"),
    values=(20e6, 80e6, 320e6, 1e9, 4e9),
    quick=(20e6, 80e6),
    place=lambda capacity: Place(capacity, 0.08),
    words=lambda capacity: f"{capacity / 1e6:.0f} Mb/s",
    systems=SYSTEMS,
    from_the_first=["XCP"],
)
#: The queueing delay "does not increase" if its slope per decade of capacity is below this, in
#: seconds: 2 % of the round trip.
FLAT = 0.0016


def check(table: Frame) -> list[Claim]:
    """That XCP fills a link of any capacity and drops nothing, and TCP does not."""
    return [
        common.full(AXIS, table, "always near optimal, independent of the link capacity"),
        claims.falls(
            table,
            AXIS,
            TCP,
            "TCP's utilization falls as the capacity grows, over each discipline: its slope per "
            "decade",
            "a significant degradation, irrespective of the queuing scheme",
        ),
        common.above_tcp(AXIS, table, "significantly outperforms TCP", AXIS.ends(table)[1]),
        *common.drops_nothing(AXIS, table, "never drops any packet"),
        *common.tcp_drops(
            AXIS, table, "with all AQMs but AVQ, drops thousands of packets despite its use of ECN"
        ),
        common.drop_rates(
            AXIS,
            table,
            "on average three orders of magnitude smaller than the other schemes (5.2.6)",
        ),
        _delay(table),
    ]


def _delay(table: Frame) -> Claim:
    slopes = [
        numpy.polyfit(numpy.log10(rows["capacity_bps"]), rows["queue_s"], 1)[0]
        for rows in by_seed(table.where(system="XCP"))
    ]
    first, last = (1e3 * AXIS.mean(table, "XCP", end, "queue_s").mean for end in AXIS.ends(table))
    return everywhere(
        "XCP's queueing delay does not increase with the capacity: its slope per decade, in ms",
        "the queuing delay does not increase",
        {"of XCP": Interval.of([1e3 * slope for slope in slopes], minimum=-math.inf)},
        high=1e3 * FLAT,
        note=f"; the mean is {first:.2f} ms at the least capacity and {last:.2f} ms at the largest",
        taken=f"below {1e3 * FLAT:.1f} ms, 2 % of the round trip",
    )


FIGURE = Figure(
    id="xcp-5-3",
    title="XCP and TCP over queue disciplines against capacity",
    doc=__doc__,
    run=AXIS.run,
    table=AXIS.table,
    check=check,
    plot=partial(comparison.plot, AXIS),
)
