"""Carries packets between two TUN devices over a link with a rate, a queue and a delay.

Kernels without the `netem` discipline can thus be measured, and queue and drops are known exactly.
"""

import contextlib
import os
import select
import time
from array import array
from collections.abc import Iterable

from link import Direction

#: Packets read from a device before deliveries are looked at.
AT_ONCE = 64
LONGEST_PACKET = 2048


class Relay:
    """`ways[i]` takes the packets of `ends[i]`, and delivers them to the other end."""

    def __init__(self, ends: tuple[int, int], ways: tuple[Direction, Direction]):
        self.ends = ends
        self.ways = ways
        #: By how much each delivery was late, in seconds.
        self.lateness = array("d")

    def run(self, until: float) -> None:
        while (now := time.monotonic()) < until:
            soonest = min(way.due() for way in self.ways)
            ready, _, _ = select.select(
                self.ends, [], [], min(max(soonest - now, 0.0), until - now)
            )
            for place, (end, way) in enumerate(zip(self.ends, self.ways, strict=True)):
                if end in ready:
                    read_all(end, way)
                self.deliver(way, self.ends[1 - place])

    def deliver(self, way: Direction, end: int) -> None:
        now = time.monotonic()
        while way.due() <= now:
            due, packet = way.wire.popleft()
            os.write(end, packet)
            self.lateness.append(now - due)


def read_all(end: int, way: Direction) -> None:
    with contextlib.suppress(BlockingIOError):
        for _ in range(AT_ONCE):
            way.take(os.read(end, LONGEST_PACKET), time.monotonic())


def quantile(values: Iterable[float], part: float) -> float:
    """The value that this part of `values` does not exceed; 0 if there are none."""
    ordered = sorted(values)
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)] if ordered else 0.0
