"""Flows that cheat (section 7.3): twenty long flows over 20 Mb/s, some of which do not keep to law.

"The topology is that in Figure 5-1, the round trip propagation delay is 80 ms, and there are 20
flows along the reverse path. Other parameters comply with the description in section 5.1."
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy

from ...frame import Frame
from ...results import Results
from ...scenario import Scenario
from ..interval import Interval
from ..link import PACKET, bottleneck
from ..rows import frame
from ..scale import Scale
from .bottleneck import WARM_UP_RTTS, Place, Settings, seconds
from .comparison import SENDER
from .comparison import SYSTEMS as ALL
from .systems import System

PLACE = Place(20e6, 0.08, flows=0, back=20)
FLOWS = 20
#: "It does not allow the control interval to increase beyond 1 sec" (section 7.3.2).
INTERVAL: Settings = {"max_interval": "1 s"}
#: XCP's sender of chapter 5, whose losses TCP Reno's recovery repairs on hosts as of the time, and
#: the same law with today's recovery and hosts; and TCP Reno with ECN over RED.
SYSTEMS: dict[str, System] = {
    "XCP": replace(ALL["XCP"], parameters=lambda place: SENDER | INTERVAL),
    "XCP-RACK": System("xcp", parameters=lambda place: INTERVAL),
    "TCP": ALL["RED"],
}
#: Those of the thesis.
THESIS = ("XCP", "TCP")
SEEDS = 16
GAINS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
QUICK = (0.1, 1.0, 10.0)
#: Gains of abusers who increase too much, and of those who decrease too little.
INCREASES = tuple(gain for gain in GAINS if gain >= 1)
DECREASES = tuple(gain for gain in GAINS if gain <= 1)
#: A user's gains are those that a scenario accepts.
LEAST, MOST = 0.001, 1000.0


@dataclass(frozen=True)
class Cheats:
    """Runs with cheating flows, by gain."""

    #: The name of runs.
    folder: str
    #: The field of a group's conduct that has the gain.
    field: str
    #: Numbers of the twenty that cheat.
    numbers: Sequence[int] = (1,)
    gains: Sequence[float] = GAINS
    quick: Sequence[float] = QUICK
    systems: Sequence[str] = ("XCP",)
    #: Whether each cheat draws its gain from a normal distribution with this mean, and a standard
    #: deviation as large; "negative values are ignored".
    normal: bool = False

    def run(self, scale: Scale) -> Runs:
        """Each system, number of cheats and gain."""
        return {
            (name, number, gain): self._one(scale, name, number, gain)
            for name in self.systems
            for number in self.numbers
            for gain in scale.pick(self.quick, self.gains)
        }

    def _one(self, scale: Scale, name: str, number: int, gain: float) -> list[Results]:
        """With drawn gains, each seed is a scenario of its own."""
        seeds = scale.pick(1, SEEDS)
        if not self.normal:
            return [self._results(scale, name, [gain] * number, f"{number}-{gain:g}", 1, seeds)]
        return [
            self._results(
                scale, name, normal(gain, number, seed), f"{number}-{gain:g}-{seed}", seed, 1
            )
            for seed in range(1, seeds + 1)
        ]

    def _results(
        self, scale: Scale, name: str, gains: Sequence[float], point: str, first: int, seeds: int
    ) -> Results:
        return scale.run(
            scenario(name, [{self.field: gain} for gain in gains]),
            [SYSTEMS[name].protocol],
            name=f"{self.folder}/{name}-{point}",
            seeds=seeds,
            first=first,
        )

    def table(self, runs: Runs) -> Frame:
        """A row for each run."""
        return frame(
            [
                {"system": name, "cheats": number, "gain": gain, "seed": seed}
                | measures(each, SYSTEMS[name].protocol, seed)
                for (name, number, gain), found in runs.items()
                for each in found
                for seed in each.seeds
            ]
        )

    def mean(
        self, table: Frame, gain: float, column: str, *, system: str = "XCP", number: int = 0
    ) -> Interval:
        """A column over seeds; of the first number of cheats by default."""
        rows = table.where(system=system, cheats=number or self.numbers[0], gain=gain)
        return Interval.of(rows[column])


#: By system, number of cheats and gain.
Runs = dict[tuple[str, int, float], list[Results]]


def gains_of(table: Frame) -> list[float]:
    """The gains of a table, in order."""
    return [float(gain) for gain in numpy.unique(table["gain"])]


def normal(mean: float, count: int, seed: int) -> list[float]:
    """Gains of cheats: normal with this mean and standard deviation, without negative ones, and
    within what a scenario accepts.

    >>> gains = normal(2.0, 1000, 0)
    >>> min(gains) > 0, round(sum(gains) / 1000, 1)
    (True, 2.5)
    """
    generator = numpy.random.default_rng(seed)
    found: list[float] = []
    while len(found) < count:
        gain = float(generator.normal(mean, mean))
        if gain > 0:
            found.append(min(max(gain, LEAST), MOST))
    return found


def scenario(name: str, conducts: Sequence[Settings]) -> Scenario:
    """The first flows of twenty have these conducts, the others none."""
    system = SYSTEMS[name]
    long = {"long": {"within": seconds(WARM_UP_RTTS * PLACE.rtt)}}
    honest: list[Settings] = [{}] * (FLOWS - len(conducts))
    flows = tuple(
        {"name": f"flow-{number}", "from": f"s{number}", "to": f"d{number}"}
        | long
        | ({"conduct": conduct} if conduct else {})
        for number, conduct in enumerate([*conducts, *honest])
    )
    place = Place(PLACE.capacity, PLACE.rtt, flows=0, back=PLACE.back, also=flows)
    return system.scenario(place)


def measures(results: Results, protocol: str, seed: int) -> dict[str, float]:
    """Utilization, queue, drops, and throughputs over the fair share: of the first flow, and of the
    last.

    The fair share is a twentieth of what all have: acknowledgements of the other direction take a
    part of the link.
    """
    link, flows = bottleneck(results, protocol, seed), results.flows(protocol, seed)
    delivered = {
        str(group).removeprefix("flow-"): float(found)
        for group, found in zip(flows["group"], flows["delivered_bytes"], strict=True)
        if str(group).startswith("flow-")
    }
    fair = sum(delivered.values()) / FLOWS
    return {
        "first": delivered["0"] / fair,
        "last": delivered[f"{FLOWS - 1}"] / fair,
        "utilization": float(link["utilization"][0]),
        "queue_packets": float(link["mean_queue_bytes"][0]) / PACKET,
        "drops": int(link["drops"][0]),
    }
