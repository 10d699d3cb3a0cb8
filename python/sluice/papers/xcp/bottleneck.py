"""The thesis' bottleneck (Figure 3-1): 50 long flows each way over one link.

"The flows interarrival time is exponentially distributed with an average of 2 RTTs. The data packet
size is 1000 bytes, the flows are TCP Reno, and the buffer size is always set to the delay-bandwidth
product. All simulations run for at least 300 RTTs" (section 3.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

from ...scenario import Scenario

FLOWS = 50
PACKET_BITS = 8_000
#: Round trips: warm-up, in which nearly all flows start, and end.
WARM_UP_RTTS, STOP_RTTS = 100, 300
#: The least round trip that these are of, in seconds: time-outs do not scale with it.
SHORTEST = 0.04
#: Capacity of access links, as a multiple of the bottleneck's: the thesis has none.
ACCESS = 4
Settings = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """A bottleneck."""

    #: In bit/s.
    capacity: float
    #: Round trip without queues, in seconds.
    rtt: float

    @property
    def bdp_bytes(self) -> float:
        """The bandwidth-delay product, and the buffer."""
        return self.capacity * self.rtt / 8

    @property
    def bdp_packets(self) -> float:
        """The same in packets."""
        return self.capacity * self.rtt / PACKET_BITS

    def scenario(
        self, seed: int, queue: Settings, settings: Settings, access: float = ACCESS
    ) -> Scenario:
        """The flows over this queue discipline; ``seed`` draws their starts."""
        dumbbell = {
            "pairs": FLOWS,
            "capacity": f"{self.capacity:.0f} bps",
            "access": f"{access * self.capacity:.0f} bps",
            "rtt": seconds(self.rtt),
            "buffer": bytes_of(self.bdp_bytes),
            "queue": queue,
        }
        unit = max(self.rtt, SHORTEST)
        return Scenario(
            name="bottleneck",
            warm_up=seconds(WARM_UP_RTTS * unit),
            stop=seconds(STOP_RTTS * unit),
            limit=seconds(STOP_RTTS * unit),
            ideals=[],
            topology={"dumbbell": dumbbell},
            group=self._groups(seed),
            **settings,
        )

    def _groups(self, seed: int) -> list[Settings]:
        """A group for each flow."""
        draw = numpy.random.default_rng(seed)
        return [
            {
                "name": f"{direction}-{pair}",
                "from": f"{source}{pair}",
                "to": f"{sink}{pair}",
                "long": {"start": seconds(start)},
            }
            for direction, source, sink in (("forward", "s", "d"), ("reverse", "d", "s"))
            for pair, start in enumerate(draw.exponential(2 * self.rtt, FLOWS).cumsum())
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
