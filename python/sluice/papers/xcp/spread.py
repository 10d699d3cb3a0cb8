"""Flows whose round trips spread widely, with one group of them at the router or several: runs and
rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

from ...results import Results
from ...scenario import Scenario
from ..link import bottleneck, link_metrics, samples
from ..scale import Scale
from .bottleneck import Settings, bytes_of, seconds

CAPACITY = 150e6
FLOWS, SHORT_S = 50, 0.01
#: Of the flows of "few": those with the longest round trip.
FEW = 5
#: The longest round trip: quick, and in full.
LONGEST_S = ((1.0,), (0.01, 0.1, 0.3, 1.0, 3.0))
LEAST_S = 20.0
#: A sample of the load.
EVERY_S = 0.1
#: Full scale: seeds.
SEEDS = 4

ONE, THESIS, TENFOLD = "one group", "each 500 ms", "at 30, 100, 300 ms, 1 s"
#: RTTs that divide groups.
SYSTEMS: dict[str, list[str]] = {
    ONE: [],
    THESIS: ["500 ms", "1 s", "1500 ms", "2 s", "2500 ms"],
    TENFOLD: ["30 ms", "100 ms", "300 ms", "1 s"],
}
#: How round trips spread.
POPULATIONS = ("few", "even")
#: All flows have one round trip, just below 100 ms, where a group of the last system begins.
BELOW, BELOW_S = "below a bound", 0.0995

#: A link that the flows of one group share with those of another, which a later link limits.
SHARED, NARROW, EACH = 100e6, 10e6, 10
LIMITED_S = 0.6


def round_trips(population: str, longest: float) -> list[tuple[float, int]]:
    """Round trips in seconds, and how many flows have each: a few flows with the longest; as many
    flows at ten round trips, evenly on a logarithmic scale; or all with one.

    >>> round_trips("few", 1.0)
    [(0.01, 45), (1.0, 5)]
    >>> [round(rtt, 3) for rtt, _ in round_trips("even", 1.0)][:3]
    [0.01, 0.017, 0.028]
    """
    if population == BELOW:
        return [(longest, FLOWS)]
    if population == "few":
        return [(SHORT_S, FLOWS - FEW), (longest, FEW)]
    return [(float(rtt), FLOWS // 10) for rtt in numpy.geomspace(SHORT_S, longest, 10)]


@dataclass(frozen=True)
class Case:
    """A spread with one way to group."""

    population: str
    longest: float
    system: str

    @property
    def warm_up(self) -> float:
        """The begin of the measurement, in seconds."""
        return max(40 * self.longest, LEAST_S)

    @property
    def stop(self) -> float:
        """The end of it."""
        return self.warm_up + max(60 * self.longest, LEAST_S)

    def scenario(self) -> Scenario:
        """Long flows over a buffer of the bandwidth-delay product of the mean round trip."""
        trips = round_trips(self.population, self.longest)
        mean = sum(rtt * count for rtt, count in trips) / FLOWS
        return _scenario(
            self.warm_up,
            self.stop,
            self.system,
            topology={
                "dumbbell": {
                    "capacity": f"{CAPACITY:.0f} bps",
                    "rtt": seconds(SHORT_S),
                    "bottleneck_delay": "1 ms",
                    "buffer": bytes_of(CAPACITY * mean / 8),
                }
            },
            group=[
                {
                    "name": f"of{number}",
                    "rtt": seconds(rtt),
                    "long": {"count": count, "within": seconds(10 * rtt)},
                }
                for number, (rtt, count) in enumerate(trips)
            ],
            metrics=[link_metrics(seconds(EVERY_S))],
        )

    def row(self, results: Results, seed: int) -> dict[str, Any]:
        """How full and steady the link is, and what the flows of the longest round trip have."""
        link, flows = bottleneck(results, "xcp", seed), results.flows("xcp", seed)
        load = samples(results, "xcp", "load", seed)
        data = {
            group: flows.where(group=group)["delivered_bytes"].mean()
            for group in numpy.unique(flows["group"])
        }
        last = f"of{len(data) - 1}"
        longest = data.pop(last)
        others = list(data.values()) or [longest]
        return {
            "kind": "below" if self.population == BELOW else "spread",
            "population": self.population,
            "longest_s": self.longest,
            "system": self.system,
            "seed": seed,
            "utilization": float(link["utilization"][0]),
            "load_sd": float(load.values[load.seconds > self.warm_up].std()),
            "p99_s": 8 * float(link["p99_queue_bytes"][0]) / CAPACITY,
            "share": float(longest / numpy.mean(others)),
            "drops": int(link["drops"][0]),
        }


def _scenario(warm_up: float, stop: float, system: str, **fields: Any) -> Scenario:
    return Scenario(
        name="spread",
        protocols=["xcp"],
        warm_up=seconds(warm_up),
        stop=seconds(stop),
        limit=seconds(stop),
        ideals=[],
        xcp={"rtt_groups": SYSTEMS[system]},
        **fields,
    )


@dataclass(frozen=True)
class Limited:
    """Flows of a long round trip that a later link limits, beside free ones of a short."""

    system: str

    def scenario(self) -> Scenario:
        """As many of each."""

        def link(start: str, end: str, capacity: float, delay: float) -> Settings:
            ends = {"from": start, "to": end}
            return ends | {"capacity": f"{capacity:.0f} bps", "delay": seconds(delay)}

        return _scenario(
            40.0,
            80.0,
            self.system,
            topology={
                "link": [
                    link("a", "b", SHARED, 0.01),
                    link("b", "c", NARROW, LIMITED_S / 2 - 0.01),
                    link("b", "d", 10 * SHARED, 0.01),
                ]
            },
            group=[
                {"name": name, "from": "a", "to": to, "long": {"count": EACH, "within": "2 s"}}
                for name, to in (("free", "d"), ("limited", "c"))
            ],
        )

    def row(self, results: Results, seed: int) -> dict[str, Any]:
        """How full the shared link is."""
        links = results.links("xcp", seed).where(**{"from": "a", "to": "b"})
        return {
            "kind": "limited",
            "system": self.system,
            "seed": seed,
            "utilization": float(links["utilization"][0]),
        }


Runs = dict[Case | Limited, Results]


def run(scale: Scale) -> Runs:
    """Each spread with each way to group, and limited flows; the seed draws when flows start."""
    cases: list[Case | Limited] = [
        Case(population, longest, system)
        for population in POPULATIONS
        for longest in scale.pick(*LONGEST_S)
        for system in SYSTEMS
    ]
    cases += [Case(BELOW, BELOW_S, system) for system in (ONE, TENFOLD)]
    cases += [Limited(system) for system in (ONE, THESIS)]
    return {
        case: scale.run(
            case.scenario(),
            ["xcp"],
            name=f"xcp-9-rtt/{number}",
            seeds=scale.pick(1, SEEDS),
        )
        for number, case in enumerate(cases)
    }
