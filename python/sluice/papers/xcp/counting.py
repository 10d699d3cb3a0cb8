"""A router's count of its flows by (9.1), over their number, their round trips and the load: runs
and rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

from ...results import Results
from ...scenario import Scenario
from ..link import bottleneck, link_metrics, samples
from ..scale import Scale
from .bottleneck import Settings, seconds

CAPACITY, RTT_S, FLOWS = 150e6, 0.08, 50
WARM_UP_S, STOP_S = 10.0, 40.0
#: A sample of the estimate, no two of them of one interval.
EVERY_S = 0.25
#: Full scale: seeds.
SEEDS = 4

NUMBER, SPREAD, LOAD, SHORT = "number", "spread", "load", "short"
#: By what varies: quick, and in full. The spread is the longest round trip over the shortest.
VALUES: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    NUMBER: ((10, 300), (1, 3, 10, 30, 100, 300, 1000)),
    SPREAD: ((1, 10), (1, 3, 10, 30, 100)),
    LOAD: ((0.3, 1.0), (0.1, 0.3, 0.6, 0.9, 1.0)),
    SHORT: ((0.6,), (0.3, 0.6, 0.9)),
}


@dataclass(frozen=True)
class Case:
    """Flows of which one property varies, the others as above."""

    kind: str
    at: float

    @property
    def flows(self) -> int:
        """Long flows."""
        return int(self.at) if self.kind == NUMBER else FLOWS

    def scenario(self) -> Scenario:
        """Flows over a link with a long buffer."""
        return Scenario(
            name="counting",
            warm_up=seconds(WARM_UP_S),
            stop=seconds(STOP_S),
            limit=seconds(STOP_S),
            ideals=[],
            topology={"dumbbell": self._dumbbell()},
            group=self._groups(),
            metrics=[link_metrics(seconds(EVERY_S))],
            xcp=self._xcp(),
        )

    def _dumbbell(self) -> Settings:
        return {
            "capacity": f"{CAPACITY:.0f} bps",
            "access": f"{10 * CAPACITY:.0f} bps",
            "rtt": seconds(0.004),
            "bottleneck_delay": "1 ms",
            "buffer": "unlimited",
        }

    def _groups(self) -> list[Settings]:
        if self.kind == SHORT:
            sizes = {"pareto": {"mean": "30 packets", "shape": 1.2}}
            traffic = {"poisson": {"load": self.at, "sizes": sizes}}
            return [{"name": "short", "rtt": seconds(RTT_S)} | traffic]
        spread = self.at if self.kind == SPREAD else 1.0
        # Ten round trips, evenly on a logarithmic scale around that of the others.
        trips = RTT_S * numpy.geomspace(spread**-0.5, spread**0.5, 10) if spread > 1 else [RTT_S]
        each = self.flows // len(trips)
        return [
            {
                "name": f"of{number}",
                "rtt": seconds(float(rtt)),
                "long": {"count": each, "within": "2 s"},
            }
            for number, rtt in enumerate(trips)
        ]

    def _xcp(self) -> Settings:
        if self.kind == LOAD and self.at < 1:
            return {"desired_rate": f"{self.at * CAPACITY / FLOWS:.0f} bps"}
        return {}

    def row(self, results: Results, seed: int) -> dict[str, Any]:
        """The mean of the estimate over the number of flows, and its standard deviation."""
        found = samples(results, "xcp", "N", seed)
        late = found.values[found.seconds > WARM_UP_S]
        flows = self._active(results, seed) if self.kind == SHORT else float(self.flows)
        return {
            "kind": self.kind,
            "at": self.at,
            "seed": seed,
            "over": float(late.mean()) / flows,
            "sd": float(late.std()) / flows,
            "flows": flows,
            "rtts": self._under_way(results, seed, flows) if self.kind == SHORT else 0.0,
            "utilization": float(bottleneck(results, "xcp", seed)["utilization"][0]),
        }

    def _under_way(self, results: Results, seed: int, active: float) -> float:
        """How many round trips a flow is under way, on average."""
        starts = results.flows("xcp", seed)["start_ns"] / 1e9
        began = ((starts > WARM_UP_S) & (starts < STOP_S)).sum()
        return float(active * (STOP_S - WARM_UP_S) / began / RTT_S)

    def _active(self, results: Results, seed: int) -> float:
        """The mean number of flows under way, from their starts and ends."""
        flows = results.flows("xcp", seed)
        starts = flows["start_ns"] / 1e9
        ends = starts + numpy.nan_to_num(flows["completion_ns"] / 1e9, nan=numpy.inf)
        inside = numpy.clip(ends, WARM_UP_S, STOP_S) - numpy.clip(starts, WARM_UP_S, STOP_S)
        return float(inside.sum() / (STOP_S - WARM_UP_S))


Runs = dict[Case, Results]


def run(scale: Scale) -> Runs:
    """Each property; the seed draws when flows start."""
    cases = [Case(kind, at) for kind, values in VALUES.items() for at in scale.pick(*values)]
    return {
        case: scale.run(
            case.scenario(),
            ["xcp"],
            name=f"xcp-9-n/{case.kind}-{case.at:g}",
            seeds=scale.pick(1, SEEDS),
        )
        for case in cases
    }
