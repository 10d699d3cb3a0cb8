"""Mean completion time of short flows against load, with buffers of BDP, 10 % and 5 % of it; then,
for 10 % and for BDP, with the paper's theory: Theorem 1 with the loss of Theorem 3.

The paper gives neither C, nor round trip, nor mean size. Ours: 1 Gb/s, 40 ms, exponential sizes of
25 kB, a 200th of BDP; alpha 0.4, beta 0.5, retransmission in rounds; eight runs of 8 s after a
warm-up of 2 s. Bars are 95 % intervals. The mean of each run is divided by that of the same flows
as a fluid, which removes most of the variation of sizes and arrivals. Completion times end with the
last acknowledgement.
"""

from __future__ import annotations

from ...theory import buffers
from ..figure import Figure
from .completion_against_load import RTT, Kind

CAPACITY = 1e9
MEAN = 25_000


def overflow(load: float, buffer: float) -> float:
    """Theorem 3."""
    return buffers.overflow_short(load, buffer * CAPACITY / 8 * RTT, MEAN)


KIND = Kind(
    "buf-9",
    "short flows",
    CAPACITY,
    MEAN,
    overflow,
    until_s=(3.0, 10.0),
)

FIGURE = Figure(
    id="buf-9",
    also=("buf-10", "buf-11"),
    title="Mean completion time of short flows against load, by buffer",
    doc=__doc__,
    run=KIND.run,
    table=KIND.table,
    check=KIND.check,
    plot=KIND.plot,
)
