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
)
#: "Good" utilization, where the thesis has no number: AVQ's is 0.03 above it with the most flows.
GOOD = 0.9
#: Above this number of flows the fair window is below three packets.
SMALL_WINDOWS = 500


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
    most = AXIS.ends(table)[1]
    if most > SMALL_WINDOWS:
        claims += [_queue_grows(table, most), *_avq(table, most)]
    return claims


def _queue_grows(table: Frame, most: float) -> Claim:
    few = AXIS.rows(table, "XCP", 50)["queue_packets"]
    return everywhere(
        "XCP's queue grows past 500 flows, since sent windows are whole packets: its mean over "
        "that of 50 flows",
        "the queue increases to absorb this disturbance",
        {
            f"with {flows:.0f} flows": Interval.of(
                AXIS.rows(table, "XCP", flows)["queue_packets"] / few
            )
            for flows in common.values(AXIS, table)
            if flows > SMALL_WINDOWS
        },
        low=1,
    )


def _avq(table: Frame, most: float) -> list[Claim]:
    own, other = (AXIS.rows(table, name, most) for name in ("XCP", "AVQ"))
    more = Interval.of(other["utilization"] - own["utilization"], minimum=-math.inf)
    queue = Interval.of(other["queue_packets"] / own["queue_packets"])
    return [
        everywhere(
            f"TCP over AVQ uses 0.03 more of the link than XCP at {AXIS.words(most)}: the "
            "difference",
            "0.03 more",
            {"over XCP": more},
            low=0.02,
            high=0.04,
            form="+.3f",
        ),
        everywhere(
            f"and has almost half its mean queue at {AXIS.words(most)}: AVQ's over XCP's",
            "almost half",
            {"over XCP": queue},
            low=0.4,
            high=0.6,
        ),
        everywhere(
            f"but drops thousands of packets at {AXIS.words(most)}, after the warm-up",
            "thousands of packets, whereas XCP drops none",
            {"over AVQ": Interval.of(other["drops"])},
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
