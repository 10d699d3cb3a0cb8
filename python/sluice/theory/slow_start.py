"""Slow start by formula, for a flow that never leaves it and is alone on its link.

From *Why Flow-Completion Time is the Right Metric for Congestion Control*: an initial window of 1
packet that doubles each round trip, after the SYN exchange. ``docs/equations.md`` compares it with
a schedule by hand and with a simulated flow.
"""

from __future__ import annotations

import numpy
from numpy.typing import ArrayLike


def rounds(packets: ArrayLike) -> numpy.ndarray:
    """Round trips for which a flow of this many packets waits.

    Raises ValueError for less than 1 packet.

    >>> rounds([1, 15, 4095])
    array([ 2,  5, 13])
    """
    packets = numpy.asarray(packets)
    if (packets < 1).any():
        raise ValueError("packets: a flow has at least one")
    # ceil(log2(L + 1) + 1/2).
    return numpy.ceil(numpy.log2(packets + 1) + 0.5).astype(int)


def completion_s(
    packets: ArrayLike, capacity_bps: float, rtt_s: float, packet_bytes: float = 1000
) -> numpy.ndarray:
    """The completion time of flows of this many packets, in seconds.

    >>> completion_s([15], 1e6, 0.2)
    array([1.12])
    """
    packets = numpy.asarray(packets)
    return rounds(packets) * rtt_s + packets * (8 * packet_bytes / capacity_bps)
