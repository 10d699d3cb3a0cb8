"""The same as [xcp-5-3](#xcp-5-3) on a link of 150 Mb/s with a round trip of 80 ms, against the
number of long flows, with 50 in the other direction. All start in the first 100 round trips. With
1000 flows the fair window is a packet and a half, and no window is below one packet.
"""

from __future__ import annotations

import math
from functools import partial

from ...frame import Frame
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from . import comparison
from . import comparison_claims as common
from .axis import Axis
from .bottleneck import Place
from .comparison import SYSTEMS

AXIS = Axis(
    folder="xcp-5-5",
    column="flows",
    label=("long flows", ""),
    values=(10, 50, 200, 500, 750, 1000),
    quick=(10, 50),
    place=lambda flows: Place(150e6, 0.08, flows=int(flows)),
    words=lambda flows: f"{flows:.0f} flows",
    systems=SYSTEMS,
    from_the_first=["XCP"],
)
#: "Good" utilization, where the thesis has no number: AVQ's is 0.03 above it with the most flows.
GOOD = 0.9
#: Numbers of flows with which "the per-flow cwnd is a few packets (i.e., 2 or 3 packets)".
SMALL_WINDOWS = (500, 750)


def check(table: Frame) -> list[Claim]:
    """That XCP copes with any number of flows, and its queue grows as windows get small."""
    claims = [
        common.full(
            AXIS,
            table,
            "overall, good utilization",
            low=GOOD,
            says="XCP's utilization is good with any number of flows",
        ),
        *common.drops_nothing(AXIS, table, "no packet losses"),
    ]
    small = [flows for flows in common.values(AXIS, table) if flows in SMALL_WINDOWS]
    if small:
        claims += [_queue_grows(table), *_avq(table, small)]
    return claims


def _queue_grows(table: Frame) -> Claim:
    few = AXIS.rows(table, "XCP", 50)["queue_packets"]
    return everywhere(
        "XCP's queue grows past 500 flows, since windows are whole packets: its mean over that of "
        "50 flows",
        "the queue increases to absorb this disturbance",
        {
            f"with {flows:.0f} flows": Interval.of(
                AXIS.rows(table, "XCP", flows)["queue_packets"] / few
            )
            for flows in common.values(AXIS, table)
            if flows > min(SMALL_WINDOWS)
        },
        low=1,
    )


def _avq(table: Frame, small: list[float]) -> list[Claim]:
    """Where windows are two or three packets."""
    pairs = {
        f"with {flows:.0f} flows": tuple(AXIS.rows(table, name, flows) for name in ("XCP", "AVQ"))
        for flows in small
    }
    return [
        everywhere(
            "TCP over AVQ uses 0.03 more of the link than XCP where windows are two or three "
            "packets: the difference",
            "0.03 more",
            {
                at: Interval.of(avq["utilization"] - own["utilization"], minimum=-math.inf)
                for at, (own, avq) in pairs.items()
            },
            low=0.02,
            high=0.04,
            form="+.3f",
        ),
        everywhere(
            "and has almost half its mean queue: AVQ's over XCP's",
            "almost half the average queue size",
            {
                at: Interval.of(avq["queue_packets"] / own["queue_packets"])
                for at, (own, avq) in pairs.items()
            },
            low=0.4,
            high=0.6,
        ),
        everywhere(
            "but drops thousands of packets, after the warm-up",
            "drops thousands of packets, whereas XCP drops no packets at all",
            {at: Interval.of(avq["drops"]) for at, (_, avq) in pairs.items()},
            low=common.THOUSANDS,
            form=".0f",
        ),
    ]


FIGURE = Figure(
    id="xcp-5-5",
    title="XCP and TCP over queue disciplines against the number of flows",
    doc=__doc__,
    run=AXIS.run,
    table=AXIS.table,
    check=check,
    plot=partial(comparison.plot, AXIS),
)
