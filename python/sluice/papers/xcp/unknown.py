"""Links whose capacity varies, or is not what their routers are configured with: runs and rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...results import Results
from ...scenario import Scenario
from ..link import bottleneck, link_metrics, samples
from ..scale import Scale
from .bottleneck import Place, Settings, bytes_of, seconds

PLACE = Place(100e6, 0.08)
FLOWS = 10
#: Of the capacity: what the link has in the second half of each period.
LOW = 0.5
#: Round trips before a measurement, and the least that one takes.
WARM_UP, LEAST = 100, 200
#: Full scale: seeds.
SEEDS = 4

KNOWS, FIXED, MEASURES, QUEUE = "knows it", "configured", "measures it", "queue alone"
#: Parameters of XCP, besides the capacity that its routers are configured with.
SYSTEMS: dict[str, Settings] = {
    KNOWS: {},
    FIXED: {},
    MEASURES: {"measure_capacity": True},
    QUEUE: {"efficiency": "queue"},
}
#: Periods of the capacity in round trips: quick, and in full.
PERIODS = ((10, 50), (4, 10, 20, 50, 100, 200))
#: The configured capacity over the true one.
STATED = ((0.8, 1.25), (0.5, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0))
#: Increases of the controller that sees the queue alone.
INCREASES = ((0.1,), (0.01, 0.02, 0.05, 0.1, 0.2))


@dataclass(frozen=True)
class Case:
    """A system at one point."""

    #: ``"varies"``, ``"stated"``, ``"cycle"`` or ``"two-way"``.
    kind: str
    system: str
    #: Period in round trips, configured capacity over the true one, or increase.
    at: float

    @property
    def settings(self) -> Settings:
        """XCP's parameters."""
        stated = self.at if self.kind == "stated" else 1.0
        own = {"increase": self.at} if self.system == QUEUE and self._has_increase else {}
        known = {} if self.system == KNOWS else {"configured_capacity": stated}
        return {**SYSTEMS[self.system], **known, **own}

    @property
    def _has_increase(self) -> bool:
        return self.kind in ("cycle", "two-way")

    @property
    def warm_up(self) -> float:
        """The begin of the measurement, in seconds: the slowest increase has filled the link."""
        trips = 3 / self.at if self._has_increase else 0.0
        return PLACE.rtt * max(WARM_UP, trips)

    def scenario(self) -> Scenario:
        """Long flows over a buffer of a bandwidth-delay product."""
        rtt, nominal = PLACE.rtt, PLACE.capacity
        warm_up = self.warm_up
        measured = float(LEAST)
        links = []
        if self.kind == "varies":
            period = self.at * rtt
            # Whole periods, so that each half has the same weight.
            measured = self.at * max(4, round(LEAST / self.at))
            steps = [[seconds(period / 2), f"{LOW * nominal:.0f} bps"]]
            links = [
                {
                    "from": "left",
                    "to": "right",
                    "both_ways": False,
                    "schedule": {"steps": steps, "every": seconds(period)},
                }
            ]
        stop = seconds(warm_up + measured * rtt)
        return Scenario(
            name="unknown-capacity",
            warm_up=seconds(warm_up),
            stop=stop,
            limit=stop,
            ideals=[],
            topology={
                "dumbbell": {
                    "capacity": f"{nominal:.0f} bps",
                    "access": f"{4 * nominal:.0f} bps",
                    "rtt": seconds(rtt),
                    "buffer": bytes_of(PLACE.buffer_bytes),
                }
            },
            link=links,
            group=[
                {
                    "name": name,
                    "from": source,
                    "to": sink,
                    "long": {"count": FLOWS, "within": seconds(10 * rtt)},
                }
                for name, source, sink in (("long", "s0", "d0"), ("back", "d0", "s0"))
                if name == "long" or self.kind == "two-way"
            ],
            metrics=[link_metrics(seconds(rtt / 4))],
            xcp=self.settings,
        )

    def row(self, results: Results, seed: int) -> dict[str, Any]:
        """What the link carried, and its queue."""
        link = bottleneck(results, "xcp", seed)
        drops, sent = int(link["drops"][0]), float(link["sent_bytes"][0])
        input_rate = samples(results, "xcp", "y", seed)
        late = input_rate.seconds >= self.warm_up
        return {
            "kind": self.kind,
            "system": self.system,
            "at": self.at,
            "seed": seed,
            "utilization": float(link["utilization"][0]),
            "queue": float(link["mean_queue_bytes"][0]) / PLACE.buffer_bytes,
            "p99": float(link["p99_queue_bytes"][0]) / PLACE.buffer_bytes,
            "peak": float(link["max_queue_bytes"][0]) / PLACE.buffer_bytes,
            "drop_rate": drops / (drops + sent / 1000),
            "load_sd": float((8 * input_rate.values[late] / PLACE.capacity).std()),
        }


Runs = dict[Case, Results]


def run(scale: Scale) -> Runs:
    """All cases; the seed draws when flows start."""
    cases = [
        *(Case("varies", name, at) for at in scale.pick(*PERIODS) for name in SYSTEMS),
        *(Case("stated", name, at) for at in scale.pick(*STATED) for name in (FIXED, QUEUE)),
        # Whatever it is configured with, a router that has measured the capacity goes by that.
        Case("stated", MEASURES, max(scale.pick(*STATED))),
        *(Case("cycle", QUEUE, at) for at in scale.pick(*INCREASES)),
        *(Case("two-way", QUEUE, at) for at in scale.pick(*INCREASES)),
    ]
    return {
        case: scale.run(
            case.scenario(),
            ["xcp"],
            name=f"xcp-9-ma/{case.kind}-{list(SYSTEMS).index(case.system)}-{case.at:g}",
            seeds=scale.pick(1, SEEDS),
        )
        for case in cases
    }
