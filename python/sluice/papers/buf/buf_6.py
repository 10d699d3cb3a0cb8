"""Mean completion time of long flows against load, with buffers of BDP, 10 % and 5 % of it; then,
for 10 % and for BDP, with the paper's theory: Theorem 1 with the loss of Theorem 2.

The paper gives neither C, nor round trip, nor mean size. Ours: 100 Mb/s, 40 ms, exponential sizes
of 5 MB, ten BDP; alpha 0.4, beta 0.5, retransmission in rounds; eight runs of 96 s after a warm-up
of 24 s. Bars are 95 % intervals. The mean of each run is divided by that of the same flows as a
fluid, which removes most of the variation of sizes and arrivals. Completion times end with the last
acknowledgement.
"""

from __future__ import annotations

from ...theory import buffers
from ..figure import Figure
from .completion_against_load import RTT, Kind
from .rcp import ALPHA

CAPACITY = 100e6
MEAN = 5_000_000


def overflow(load: float, buffer: float) -> float:
    """Theorem 2's first form."""
    return buffers.overflow_long(load, CAPACITY / 8 * RTT / MEAN, buffer, ALPHA)


KIND = Kind(
    "buf-6",
    "long flows",
    CAPACITY,
    MEAN,
    overflow,
    until_s=(60.0, 120.0),
)

FIGURE = Figure(
    id="buf-6",
    also=("buf-7", "buf-8"),
    title="Mean completion time of long flows against load, by buffer",
    doc=__doc__,
    run=KIND.run,
    table=KIND.table,
    check=KIND.check,
    plot=KIND.plot,
)
