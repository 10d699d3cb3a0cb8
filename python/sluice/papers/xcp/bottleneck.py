"""The thesis' bottleneck (Figures 3-1 and 5-1): long flows each way over one link.

"The flows interarrival time is exponentially distributed with an average of 2 RTTs. The data packet
size is 1000 bytes, the flows are TCP Reno, and the buffer size is always set to the delay-bandwidth
product. All simulations run for at least 300 RTTs" (section 3.2). Given that a number of flows
start in a span, the times of such starts are independent and uniform in it, as they are here: 50
flows in 100 RTTs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...scenario import Scenario

FLOWS = 50
PACKET_BITS = 8_000
#: Round trips: warm-up, in which all long flows start, and end.
WARM_UP_RTTS, STOP_RTTS = 100, 300
#: The least round trip that these are of, in seconds: time-outs do not scale with it.
SHORTEST = 0.04
#: Capacity of access links, as a multiple of the bottleneck's: the thesis has none.
ACCESS = 4
Settings = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """A bottleneck and its flows."""

    #: In bit/s.
    capacity: float
    #: Round trip without queues, in seconds; of a spread of them, their mean.
    rtt: float
    #: Long flows, and long flows of the reverse direction.
    flows: int = FLOWS
    back: int = FLOWS
    #: Round trips of the first and of the last pair of hosts, if they differ: those of the others
    #: are evenly between.
    spread: tuple[float, float] | None = None
    #: Buffer, as time at the link's capacity; by default the round trip.
    buffer: float | None = None
    #: Further groups of flows.
    also: tuple[Settings, ...] = ()

    @property
    def buffer_bytes(self) -> float:
        """The buffer, by default the bandwidth-delay product."""
        return self.capacity * (self.buffer or self.rtt) / 8

    @property
    def longest(self) -> float:
        """The longest round trip without queues, in seconds."""
        return max(self.spread) if self.spread else self.rtt

    @property
    def bdp_packets(self) -> float:
        """The bandwidth-delay product in packets."""
        return self.capacity * self.rtt / PACKET_BITS

    @property
    def stop(self) -> float:
        """The end of the run, in seconds."""
        return STOP_RTTS * self._unit

    @property
    def warm_up(self) -> float:
        """The begin of the measurement, in seconds."""
        return WARM_UP_RTTS * self._unit

    @property
    def _unit(self) -> float:
        return max(self.rtt, SHORTEST)

    def scenario(self, queue: Settings, settings: Settings, access: float = ACCESS) -> Scenario:
        """The flows over this queue discipline; the seed draws their starts."""
        rtts = self.spread or (self.rtt,)
        dumbbell = {
            "pairs": self._pairs,
            "capacity": f"{self.capacity:.0f} bps",
            "access": f"{access * self.capacity:.0f} bps",
            "rtt": [seconds(rtt) for rtt in rtts] if self.spread else seconds(self.rtt),
            "buffer": bytes_of(self.buffer_bytes),
            "queue": queue,
        }
        return Scenario(
            name="bottleneck",
            warm_up=seconds(self.warm_up),
            stop=seconds(self.stop),
            limit=seconds(self.stop),
            ideals=[],
            topology={"dumbbell": dumbbell},
            group=[
                *self._long("forward", self.flows),
                *self._long("reverse", self.back),
                *self.also,
            ],
            **settings,
        )

    @property
    def _pairs(self) -> int:
        return max(self.flows, self.back)

    def _long(self, direction: str, count: int) -> list[Settings]:
        """Long flows, one between a pair of hosts: of all pairs, or of some evenly among them."""
        long = {"long": {"within": seconds(WARM_UP_RTTS * self.rtt)}}
        if count == self._pairs:
            return [{"name": direction, "pairs": "each", "direction": direction} | long]
        source, sink = "sd" if direction == "forward" else "ds"
        pairs = [number * self._pairs // count for number in range(count)]
        return [
            {"name": f"{direction}-{pair}", "from": f"{source}{pair}", "to": f"{sink}{pair}"} | long
            for pair in pairs
        ]


def seconds(value: float) -> str:
    """A time as a scenario's field.

    >>> seconds(0.08)
    '80000000 ns'
    """
    return f"{1e9 * value:.0f} ns"


def bytes_of(value: float) -> str:
    """A size as a scenario's field."""
    return f"{value:.0f} B"
