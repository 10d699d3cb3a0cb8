"""The set-ups that this kernel and Sluice run, and the start times of their flows."""

import random
from dataclasses import dataclass
from itertools import product

#: Sluice's name of each of the kernel's congestion controls, and what the documentation calls it.
LAWS = {"reno": ("tcp", "Reno"), "cubic": ("cubic", "CUBIC"), "bbr": ("bbr1", "BBR v1")}
BITS_PER_S = 20e6
PACKET_BYTES = 1500
ACK_BYTES = 52


@dataclass(frozen=True)
class SetUp:
    """Long flows over one link; `buffer` is in bandwidth-delay products."""

    law: str
    flows: int
    buffer: float
    rtt_s: float = 0.04
    #: The measured time; flows start within `starts_s` before.
    window_s: tuple[float, float] = (5.0, 25.0)
    starts_s: float = 1.0
    every_s: float = 0.02

    @property
    def name(self) -> str:
        return f"{self.law}-{self.flows}-{self.buffer:g}-{1000 * self.rtt_s:g}"

    @property
    def buffer_bytes(self) -> int:
        return round(self.buffer * BITS_PER_S * self.rtt_s / 8)

    @property
    def span_s(self) -> float:
        return self.window_s[1] - self.window_s[0]

    def starts(self, seed: int) -> list[float]:
        """Start times in seconds, the same for the kernel and Sluice."""
        draw = random.Random(f"{self.law} {self.flows} {seed}")
        return sorted(draw.uniform(0, self.starts_s) for _ in range(self.flows))


LINKS = [(1, 1.0), (1, 0.5), (2, 1.0), (4, 1.0)]
STEADY = [SetUp(law, flows, buffer) for law, (flows, buffer) in product(LAWS, LINKS)]
#: One CUBIC flow whose window grows over many round trips, sampled often.
CURVES = [
    SetUp("cubic", 1, 1.0, rtt_s, window_s=(15.0, 75.0), every_s=0.005) for rtt_s in (0.1, 0.2)
]
SET_UPS = {each.name: each for each in (*STEADY, *CURVES)}
