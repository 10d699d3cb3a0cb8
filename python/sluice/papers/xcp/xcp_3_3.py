"""The same as [xcp-3-2](#xcp-3-2) on a link of 155 Mb/s, against the round trip. Runs with 10 ms
are as long as those with 40 ms, since time-outs of TCP do not scale. BBR's probes for the round
trip, of at least 200 ms in each 10 s (v1) or 5 s (v3), do not, either.
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
    folder="xcp-3-3",
    column="rtt_s",
    label=("round trip", "s"),
    values=(0.01, 0.04, 0.16, 0.5),
    quick=(0.01, 0.04),
    place=lambda rtt: Place(155e6, rtt),
    words=lambda rtt: f"{1000 * rtt:.0f} ms",
    systems=SYSTEMS,
)


def check(table: Frame) -> list[Claim]:
    """That TCP's utilization falls, and other senders' does not."""
    return claims.check(
        table, AXIS, optimal="high utilization independently of delay (section 5.2.2)"
    )


FIGURE = Figure(
    id="xcp-3-3",
    title="Utilization against delay: TCP over each queue discipline, and each sender",
    doc=__doc__,
    run=AXIS.run,
    table=AXIS.table,
    check=check,
    plot=partial(grouped.plot, AXIS),
)
