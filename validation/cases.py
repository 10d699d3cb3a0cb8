"""The set-ups that both simulators run, and when their flows start."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One set-up; `name` is also that of its scenario file, `window_s` when it is measured.

    `unsettled` says why its intervals may lie apart without `--check` failing.
    """

    name: str
    script: str
    window_s: tuple[float, float]
    arguments: tuple = ()
    unsettled: str = ""

    @property
    def protocol(self) -> str:
        return self.name.partition("-")[0]

    @property
    def directions(self) -> tuple[str, ...]:
        return ("forward", "reverse") if self.script == "xcp-capacity.tcl" else ("forward",)

    @property
    def pairs(self) -> int:
        """Pairs of hosts; each holds one flow a direction."""
        return 50 if self.script == "xcp-capacity.tcl" else 5

    def starts(self, seed: int) -> list[float]:
        """Start times in seconds, forward flows first; the same for both simulators."""
        draw = random.Random(f"{self.name} {seed}")
        if self.script == "xcp-convergence.tcl":
            # Thesis 5.3.1: 0, 2, 4, 6, 8 s, here each plus up to one RTT of 40 ms.
            return [2.0 * flow + draw.uniform(0, 0.040) for flow in range(self.pairs)]
        # Thesis, Figure 3-2: exponential with mean two RTTs of 80 ms.
        mean = 0.160 if self.protocol == "xcp" else 1.0
        return [draw.expovariate(1 / mean) for _ in range(self.pairs * len(self.directions))]


CASES = [
    Case("xcp-convergence", "xcp-convergence.tcl", (0, 12), ("-stop", 12)),
    *(
        Case(
            f"xcp-capacity-{mbps}{suffix}",
            "xcp-capacity.tcl",
            (10, 30),
            ("-mbps", mbps, "-warmup", 10, "-stop", 30, "-spread", spread_s),
        )
        # Equal RTTs are the thesis' set-up; RTTs over 75 to 85 ms make the sharper comparison (see
        # the README).
        for suffix, spread_s in (("", 0), ("-spread", 0.010))
        for mbps in (20, 155, 622)
    ),
    *(
        Case(
            f"tcp-{kind}",
            "tcp.tcl",
            (60, 260),
            ("-tcp", kind, "-warmup", 60, "-stop", 260),
            "TCP is known to differ, for reasons found in part (docs/validation.md)",
        )
        for kind in ("reno", "newreno", "sack")
    ),
    Case(
        "tcp-sack-red",
        "tcp.tcl",
        (60, 260),
        ("-tcp", "sack", "-queue", "RED", "-warmup", 60, "-stop", 260),
        "TCP is known to differ, for reasons found in part (docs/validation.md)",
    ),
]
