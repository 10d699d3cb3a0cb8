"""Slow start by formula: a flow that never leaves it, on a link that nobody else uses.

From *Why Flow-Completion Time is the Right Metric for Congestion Control*: an initial window of 1
packet that doubles each round trip, and the SYN exchange before it. ``docs/equations.md`` lays it
beside a schedule by hand and the simulated flow.
"""

from __future__ import annotations

import numpy
from numpy.typing import ArrayLike


def rounds(packets: ArrayLike) -> numpy.ndarray:
    """Round trips that a flow of so many packets waits, at least 1 packet.

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
    """The completion time in seconds, on a link of so many bits a second.

    >>> completion_s([15], 1e6, 0.2)
    array([1.12])
    """
    packets = numpy.asarray(packets)
    return rounds(packets) * rtt_s + packets * (8 * packet_bytes / capacity_bps)
