"""Parking lots: chains of links with flows over one, some or all of them. Runs and rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...results import Results
from ...scenario import Scenario
from ..scale import Scale
from . import fair_shares
from .bottleneck import Settings, seconds

#: Of a link, in seconds.
DELAY_S = 0.01
WARM_UP_S, STOP_S = 30.0, 60.0
#: Full scale: seeds.
SEEDS = 4

XCP, PROPORTIONAL, NEARLY = "XCP", "proportional", "alpha 6"
#: All of them are behind XCP's efficiency controller.
_BEHIND: Settings = {"efficiency": "xcp"}
SYSTEMS: dict[str, tuple[str, Settings]] = {
    XCP: ("xcp", {}),
    PROPORTIONAL: ("alpha_fair", {"alpha_fair": _BEHIND}),
    NEARLY: ("alpha_fair", {"alpha_fair": {**_BEHIND, "fairness": 6}}),
}


@dataclass(frozen=True)
class Lot:
    """Links in a chain, with capacities in Mb/s, and flows from a link to another."""

    capacities: tuple[int, ...]
    #: First and last link of each flow.
    flows: tuple[tuple[int, int], ...]

    @property
    def _routes(self) -> list[list[int]]:
        return [list(range(first, last + 1)) for first, last in self.flows]

    def fair(self, system: str) -> list[float]:
        """The rates in Mb/s that are fair as this system has it."""
        of = fair_shares.proportional if system == PROPORTIONAL else fair_shares.max_min
        return of(self.capacities, self._routes).tolist()

    def scenario(self, system: str, *, begins: bool = False) -> Scenario:
        """A long flow for each; measured in a steady state, or as flows begin."""
        stop = seconds(WARM_UP_S if begins else STOP_S)
        return Scenario(
            name="parking-lot",
            warm_up=seconds(0.0 if begins else WARM_UP_S),
            stop=stop,
            limit=stop,
            ideals=[],
            topology={
                "link": [
                    {
                        "from": f"n{number}",
                        "to": f"n{number + 1}",
                        "capacity": f"{capacity} Mbps",
                        "delay": seconds(DELAY_S),
                    }
                    for number, capacity in enumerate(self.capacities)
                ]
            },
            group=[
                {
                    "name": f"flow{number}",
                    "from": f"n{first}",
                    "to": f"n{last + 1}",
                    "long": {"within": "1 s"},
                }
                for number, (first, last) in enumerate(self.flows)
            ],
            **SYSTEMS[system][1],
        )


def _equal(links: int) -> Lot:
    return Lot((50,) * links, ((0, links - 1), *((link, link) for link in range(links))))


LOTS = {
    "two equal links": _equal(2),
    "five equal links": _equal(5),
    "unequal links": Lot(
        (100, 60, 80), ((0, 2), (0, 2), (0, 1), (0, 0), (0, 0), (1, 1), (2, 2), (2, 2), (2, 2))
    ),
}
#: Those of the quick scale.
QUICK = ("two equal links", "unequal links")
#: By network and system, in a steady state and as flows begin.
Runs = dict[tuple[str, str], tuple[Results, Results]]


def run(scale: Scale) -> Runs:
    """Each system on each network; the seed draws when flows start."""

    def runs(number: int, lot: str, system: str, *, begins: bool) -> Results:
        return scale.run(
            LOTS[lot].scenario(system, begins=begins),
            [SYSTEMS[system][0]],
            name=f"xcp-9-fc/{number}-{system.replace(' ', '-')}{'-begins' if begins else ''}",
            seeds=scale.pick(1, SEEDS),
        )

    return {
        (lot, system): (
            runs(number, lot, system, begins=False),
            runs(number, lot, system, begins=True),
        )
        for number, lot in enumerate(scale.pick(QUICK, LOTS))
        for system in SYSTEMS
    }


def rows_of(lot: str, system: str, results: Results, begin: Results) -> Iterator[dict[str, Any]]:
    """The throughput of each flow over what is fair, what each link carried, and what was dropped
    as flows began.
    """
    protocol = SYSTEMS[system][0]
    for seed in begin.seeds:
        drops = float(begin.links(protocol, seed)["drops"].sum())
        yield {"kind": "begin", "lot": lot, "system": system, "seed": seed, "drops": drops}
    for seed in results.seeds:
        own = {"lot": lot, "system": system, "seed": seed}
        flows, links = results.flows(protocol, seed), results.links(protocol, seed)
        for number, fair in enumerate(LOTS[lot].fair(system)):
            data = float(flows.where(group=f"flow{number}")["delivered_bytes"].sum())
            rate = 8e-6 * data / (STOP_S - WARM_UP_S)
            row = {"kind": "flow", **own, "number": number, "rate": rate, "fair": fair}
            yield row | {"over": rate / fair}
        for number, capacity in enumerate(LOTS[lot].capacities):
            link = links.where(**{"from": f"n{number}", "to": f"n{number + 1}"})
            yield {
                "kind": "link",
                **own,
                "number": number,
                "utilization": float(link["utilization"][0]),
                "p99_ms": 8e-3 * float(link["p99_queue_bytes"][0]) / capacity,
                "drops": int(link["drops"][0]),
            }
