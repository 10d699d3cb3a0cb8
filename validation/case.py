"""A set-up of both simulators, and its flows."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Flow:
    """One flow of a pair of hosts; without `packets`, a long one."""

    direction: str
    pair: int
    start: float
    stop: float | None = None
    packets: int | None = None


@dataclass(frozen=True)
class Case:
    """One set-up: `ns2/NETWORK.tcl` and `scenarios/NETWORK.toml` with their arguments.

    `window_s` is the measured time. `ns2` holds further arguments of the script, `sluice` values of
    the scenario's fields. `unsettled` is the reason why `--check` ignores this set-up, if it does.
    `cbr_mbps` is the rate of a stream of datagrams in the last pair, if there is one.
    `conduct` is how Sluice's senders depart from their law; `ns2` has the same. With `bins`, the
    metrics are those of `"link"` or of `"flows"` in bins of 100 ms from time zero.
    """

    name: str
    network: str
    window_s: tuple[float, float]
    ns2: tuple = ()
    sluice: tuple[str, ...] = ()
    unsettled: str = ""
    cbr_mbps: float = 0
    conduct: str = ""
    bins: str = ""

    @property
    def protocol(self) -> str:
        return self.name.partition("-")[0]

    @property
    def two_way(self) -> bool:
        return self.network == "tcp-two-way"

    @property
    def links(self) -> dict[str, tuple[str, str]]:
        """The links measured, by label, as Sluice names their ends."""
        links = {"forward": ("left", "right"), "reverse": ("right", "left")}
        return links if self.two_way else {"forward": links["forward"]}

    @property
    def pairs(self) -> int:
        """Pairs of hosts, with one flow per direction each."""
        return 50 if self.two_way else 5 + (self.cbr_mbps > 0)

    @property
    def marks(self) -> bool:
        """Whether packets are marked."""
        return "tcp.ecn=true" in self.sluice

    def flows(self, seed: int) -> list[Flow]:
        """The flows, forward ones first; equal for both simulators."""
        draw = random.Random(f"{self.name} {seed}")
        # Thesis, Figure 3-2: exponential with mean two RTTs of 80 ms.
        mean = 0.160 if self.two_way else 1.0
        return [
            Flow(direction, pair, draw.expovariate(1 / mean))
            for direction in self.links
            for pair in range(self.pairs)
        ]

    def ns2_input(self, seed: int) -> tuple[str, str]:
        """The option of the script that names a file with the flows, and the file's content."""
        return "-starts", "".join(f"{flow.start:.9f}\n" for flow in self.flows(seed))

    def ends(self, flow: Flow) -> tuple[str, str]:
        """A flow's hosts, as Sluice names them."""
        ends = (f"s{flow.pair}", f"d{flow.pair}")
        return ends if flow.direction == "forward" else ends[::-1]
