"""One direction of the relayed link: a drop-tail queue, a transmitter and a delay.

Pure arithmetic on times that the caller passes, without sockets or clocks.
"""

from collections import deque
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Counters:
    """Totals of a direction up to some time."""

    packets: int
    sent_bytes: float
    queue_byte_s: float
    drops: int

    def since(self, before: "Counters") -> "Counters":
        return Counters(
            self.packets - before.packets,
            self.sent_bytes - before.sent_bytes,
            self.queue_byte_s - before.queue_byte_s,
            self.drops - before.drops,
        )


@dataclass
class Direction:
    """A link's direction. The queue includes the unsent part of the packet in transmission."""

    bits_per_s: float
    delay_s: float
    buffer_bytes: float
    #: The queue in bytes, and the time for which it holds.
    backlog: float = 0.0
    at: float = 0.0
    #: Integral of the queue over time.
    queue_byte_s: float = 0.0
    taken_bytes: int = 0
    packets: int = 0
    drops: int = 0
    #: Packets with the times at which they reach the other end.
    wire: deque[tuple[float, bytes]] = field(default_factory=deque)

    def take(self, packet: bytes, now: float) -> None:
        """A packet arrives at the queue; one that finds it empty always fits."""
        self.drain(now)
        if self.backlog > 0 and self.backlog + len(packet) > self.buffer_bytes:
            self.drops += 1
            return
        self.backlog += len(packet)
        self.taken_bytes += len(packet)
        self.packets += 1
        self.wire.append((now + 8 * self.backlog / self.bits_per_s + self.delay_s, packet))

    def drain(self, now: float) -> None:
        """Transmits what leaves until `now`."""
        rate = self.bits_per_s / 8
        gone = min(self.backlog, max(now - self.at, 0.0) * rate)
        self.queue_byte_s += (self.backlog - gone / 2) * gone / rate
        self.backlog -= gone
        self.at = now

    def due(self) -> float:
        """The time of the next delivery; infinite if there is none."""
        return self.wire[0][0] if self.wire else float("inf")

    def counters(self, now: float) -> Counters:
        self.drain(now)
        sent = self.taken_bytes - self.backlog
        return Counters(self.packets, sent, self.queue_byte_s, self.drops)
