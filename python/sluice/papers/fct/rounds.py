"""Flows that arrive together at the start of every round trip, round by round, without a SYN
exchange or a queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from ..traffic import fixed, flow_group

#: A flow with less than this many packets left is done: what rounding leaves is no packet.
NONE_LEFT = 1e-9


@dataclass(frozen=True)
class Rounds:
    """What each round had."""

    #: Flows under way, those that arrive with it included.
    flows: numpy.ndarray
    #: Packets that all of them send.
    sent: numpy.ndarray


def slow_start(sizes: Sequence[int], rounds: int) -> Rounds:
    """Flows of these sizes in packets arrive each round, and send 1 packet, then 2, then 4, ...

    >>> slow_start([3], 4).flows
    array([1, 2, 2, 2])
    """
    sent, flows = numpy.zeros(rounds), numpy.zeros(rounds, int)
    for size in sizes:
        left, window, age = size, 1, 0
        while left > 0 and age < rounds:
            # Of every round's flow of this size, those so old.
            sent[age:] += min(left, window)
            flows[age:] += 1
            left, window, age = left - window, 2 * window, age + 1
    return Rounds(flows, sent)


def shared(capacity: int, sizes: Sequence[int], rounds: int, *, whole: bool = False) -> Rounds:
    """Flows of these sizes in packets arrive each round, and all that are under way are told an
    equal share of the capacity, whether they have so much left or not; of whole packets, or fluid.

    >>> shared(100, [99, 1], 3).flows
    array([2, 3, 4])
    """
    left = numpy.empty(0)
    flows, sent = numpy.empty(rounds, int), numpy.empty(rounds)
    for each in range(rounds):
        left = numpy.append(left, sizes)
        share = capacity // len(left) if whole else capacity / len(left)
        sending = numpy.minimum(left, share)
        flows[each], sent[each] = len(left), sending.sum()
        left = left - sending
        left = left[left > NONE_LEFT]
    return Rounds(flows, sent)


def groups(sizes: Sequence[int], rtt_s: float) -> list[dict[str, Any]]:
    """Groups of a scenario: a flow of each of these sizes in packets every round trip."""
    return [
        flow_group(f"flow-{place}", incast={"every": f"{rtt_s} s", "sizes": fixed(size)})
        for place, size in enumerate(sizes)
    ]
