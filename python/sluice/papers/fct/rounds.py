"""A model in rounds: flows arrive with each round trip, without SYN exchange and queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy

from ..traffic import fixed, flow_group

#: Packets left below which a flow has finished, to allow for rounding.
NONE_LEFT = 1e-9


@dataclass(frozen=True)
class Rounds:
    """Flows and packets of each round."""

    #: Active flows, including those that arrive with the round.
    flows: numpy.ndarray
    #: Packets sent by all flows.
    sent: numpy.ndarray


def slow_start(sizes: Sequence[int], rounds: int) -> Rounds:
    """Slow start: flows of these sizes arrive with each round, and send 1, 2, 4, ... packets.

    >>> slow_start([3], 4).flows
    array([1, 2, 2, 2])
    """
    sent, flows = numpy.zeros(rounds), numpy.zeros(rounds, int)
    for size in sizes:
        left, window, age = size, 1, 0
        while left > 0 and age < rounds:
            # The flows of this age, in all later rounds.
            sent[age:] += min(left, window)
            flows[age:] += 1
            left, window, age = left - window, 2 * window, age + 1
    return Rounds(flows, sent)


def shared(capacity: int, sizes: Sequence[int], rounds: int, *, whole: bool = False) -> Rounds:
    """Equal shares: flows of these sizes arrive with each round, and each active flow is granted
    an equal share of the capacity, whether or not it has as much left.

    Shares are rounded down to packets if ``whole``.

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
    """Groups of a scenario: a flow of each of these sizes, in packets, in each round trip."""
    return [
        flow_group(f"flow-{place}", incast={"every": f"{rtt_s} s", "sizes": fixed(size)})
        for place, size in enumerate(sizes)
    ]
