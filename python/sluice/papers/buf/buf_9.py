"""Mean completion time against load where flows are short, through buffers of BDP, 10 % and 5 % of
it; then beside the paper's theory, Theorem 1 with the loss of Theorem 3, for 10 % and for BDP.

The paper prints neither C nor round trip nor mean. Ours: 1 Gb/s, 40 ms, exponential sizes of 25 kB,
a 200th of BDP; alpha 0.4, beta 0.5, senders that send again in rounds; eight runs of 8 s after 2 s,
bars are 95 % intervals. Each run's mean is set beside that of the same flows as a fluid, which
takes out the luck of the draw.
Times end with the last acknowledgement.
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
