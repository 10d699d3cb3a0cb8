"""Slowdown by flow size in a data centre of 320 hosts at 100 Gb/s under HPCC and DCTCP, with
Hadoop's flow sizes at a load of 30 %, with 60-to-1 incasts of 500 kB at 2 % of the capacity (the
paper's (a)) and without. Classes are the 70 % of flows of up to 7 kB, then each 5 % more. Lines are
95th percentiles and, thinner, medians; bars are 95 % intervals over three seeds. Circles are the
values that the authors published for the same set-up; with incasts they published none but the
paper's figure.

Slowdown is theirs: the time until the sender has the last acknowledgement, over that of the flow
alone without telemetry in its packets. As in their simulations connections are open when flows
begin, hosts send packets of their flows in turn, the window is scaled with each acknowledgement
(`max_stage` 0), and DCTCP begins at the rate of the host, is paced, and adds a packet per round
trip without a mark; marks are above 300 kB, and 1.2 MB at 400 Gb/s. Their switches pause senders
(PFC) at full buffers, where ours have 32 MB for each link and drop nothing here. Their HPCC adjusts
a rate of at least 1 Gb/s. DCQCN and TIMELY are not simulated. The network is empty at first, and
flows count that start from 1.5 to 2.5 ms, 10,000 for each seed.
"""

from __future__ import annotations

from ...frame import Frame
from ..claim import Claim, everywhere
from ..figure import Figure
from . import slowdown
from .slowdown import Case, Kind

KIND = Kind("hpcc-11", {"30 % and incasts": Case(0.3, incasts=True), "30 %": Case(0.3)})
#: Bound of the slowdown with incasts over that without for "little congestion". The authors give
#: none.
LITTLE = 1.5


def check(table: Frame) -> list[Claim]:
    """Claims about the published values, DCTCP, and incasts."""
    tail = slowdown.tail_of_small(table, "hpcc")
    crowded, alone = (tail.where(case=case) for case in KIND.cases)
    return [
        *slowdown.same(table, "30 %"),
        slowdown.shorter(table, KIND.cases, "1.7 without incasts"),
        everywhere(
            "incasts cause little congestion under HPCC: 95th percentile of the slowdown of flows "
            "of up to 7 kB over that without incasts",
            "little congestion even under large-scale incasts",
            {"at 30 %": slowdown.ratio(crowded, alone)},
            high=LITTLE,
        ),
    ]


FIGURE = Figure(
    id="hpcc-11",
    title="Slowdown by flow size in a data centre, with and without incasts: HPCC and DCTCP",
    doc=__doc__,
    run=KIND.run,
    table=KIND.table,
    check=check,
    plot=KIND.plot,
)
