"""The set-ups that both simulators run, and when their flows start."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One set-up; `name` is also that of its scenario file."""

    name: str
    script: str
    arguments: tuple = ()

    @property
    def has_reverse(self) -> bool:
        return self.script == "xcp-capacity.tcl"

    def starts(self, seed: int) -> list[float]:
        """Start times in seconds, forward flows first; the same for both simulators."""
        draw = random.Random(f"{self.name} {seed}")
        if self.has_reverse:
            # Thesis, Figure 3-2: exponential with mean two RTTs of 80 ms.
            return [draw.expovariate(1 / 0.160) for _ in range(100)]
        # Thesis 5.3.1: 0, 2, 4, 6, 8 s, here each plus up to one RTT of 40 ms.
        return [2.0 * flow + draw.uniform(0, 0.040) for flow in range(5)]


WARMUP_S = 10
STOP_S = 30

CASES = [
    Case("xcp-convergence", "xcp-convergence.tcl"),
    *(
        Case(
            f"xcp-capacity-{mbps}{suffix}",
            "xcp-capacity.tcl",
            ("-mbps", mbps, "-warmup", WARMUP_S, "-stop", STOP_S, "-spread", spread_s),
        )
        # Equal RTTs are the thesis' set-up. RTTs over 75 to 85 ms are the sharper comparison: see
        # "Two regimes" in the README.
        for suffix, spread_s in (("", 0), ("-spread", 0.010))
        for mbps in (20, 155, 622)
    ),
]
