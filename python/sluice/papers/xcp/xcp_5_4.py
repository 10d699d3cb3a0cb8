"""The same as [xcp-5-3](#xcp-5-3) on a link of 150 Mb/s, against the round trip without queues,
from 10 ms to 1.4 s. Runs with 10 ms are as long as those with 40 ms, since time-outs of TCP do not
scale. At 1.4 s time-outs are at least 2.8 s, under XCP and TCP.

Appendix A and ns-2.35 take round trips above 1 s as 1 s; here the control interval has no such
bound ([decision 3](../decisions/003-xcp.md)). With the bound, ns-2's XCP uses 0.86 of a link with
1.4 s and Sluice's 0.79 ([validation](../validation.md)), where the thesis draws a full link.
"""

from __future__ import annotations

from functools import partial

from ...frame import Frame
from ..claim import Claim
from ..figure import Figure
from . import claims, comparison
from . import comparison_claims as common
from .axis import Axis
from .bottleneck import Place
from .comparison import SYSTEMS, TCP

AXIS = Axis(
    folder="xcp-5-4",
    column="rtt_s",
    label=("round trip", "s"),
    values=(0.01, 0.04, 0.16, 0.5, 1.4),
    quick=(0.01, 0.04),
    place=lambda rtt: Place(150e6, rtt),
    words=lambda rtt: f"{1000 * rtt:.0f} ms",
    systems=SYSTEMS,
    from_the_first=["XCP"],
)


def check(table: Frame) -> list[Claim]:
    """That XCP fills a link of any delay and drops nothing, and TCP does not."""
    return [
        common.full(AXIS, table, "maintains high utilization independently of delay"),
        claims.falls(
            table,
            AXIS,
            TCP,
            "TCP's utilization falls as the round trip grows, over each discipline: its slope per "
            "decade",
            "degrades considerably regardless of the queuing scheme",
        ),
        common.above_tcp(AXIS, table, "significantly outperforms TCP", AXIS.ends(table)[1]),
        *common.drops_nothing(AXIS, table, "no drops (drawn)"),
    ]


FIGURE = Figure(
    id="xcp-5-4",
    title="XCP and TCP over queue disciplines against delay",
    doc=__doc__,
    run=AXIS.run,
    table=AXIS.table,
    check=check,
    plot=partial(comparison.plot, AXIS),
)
