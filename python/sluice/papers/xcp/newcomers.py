"""Newcomers among flows that share already, and flows that cannot use more, with several ways to
shuffle: runs, rows, and the course of a newcomer's share as a fluid."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy

from ...results import Results
from ...scenario import Scenario
from ..link import bottleneck, link_metrics, samples
from ..scale import Scale
from . import over_time
from .bottleneck import Settings, seconds

CAPACITY, RTT_S = 100e6, 0.08
JOIN_S, STOP_S = 20.0, 32.0
#: A newcomer "has" its share from this part of it on, in a mean of three round trips.
SHARE = 0.9
LATEST_RTTS = 140.0
#: Flows present: quick, and in full.
PRESENT = ((9,), (1, 3, 9, 30))
#: Free and limited flows at a link of which the limited ones get a tenth: quick, and in full.
LIMITED = ((10,), (3, 10, 30))
NARROW = 10e6
#: Short flows beside long ones: of what load they are, quick and in full.
SHORT = ((0.6,), (0.3, 0.6))
LONG = 10
#: Full scale: seeds.
SEEDS = 8
#: Steps of the fluid in a round trip.
STEPS = 50

TENTH, THIRD, NEED, SMALL = "gamma 0.1", "gamma 0.36", "by need", "by need, gamma 0.02"
MAX_GAMMA = 0.36
SYSTEMS: dict[str, Settings] = {
    TENTH: {},
    THIRD: {"gamma": MAX_GAMMA},
    NEED: {"shuffle": "need"},
    SMALL: {"shuffle": "need", "gamma": 0.02},
}


def parts(system: str) -> tuple[float, float]:
    """The least and the greatest part of the traffic that it shuffles."""
    gamma = float(SYSTEMS[system].get("gamma", 0.1))
    return gamma, MAX_GAMMA if "shuffle" in SYSTEMS[system] else gamma


def need(share: float, present: int) -> float:
    """How unequal one flow with this part of its fair share and ``present`` others are.

    >>> round(need(1.0, 9), 6), round(need(0.25, 1), 3)
    (0.0, 1.134)
    """
    count = present + 1
    others = (count - share) / present
    return math.sqrt(max(0.0, (1 / share + present / others) / count - 1))


def fluid(system: str, present: int, start: float) -> float:
    """Round trips until a newcomer has 0.9 of its share, if only shuffling moves it: a part g of
    what its packets stated to lack, a round trip ago. g is from the need that a router measured
    over a round trip, and is in force in the next one, so that it is of two round trips ago. The
    first feedback comes two round trips after the start: those of the SYN and of a packet.

    >>> round(fluid(TENTH, 9, 0.1), 1)
    21.7
    """
    least, most = parts(system)
    shares = [start] * (2 * STEPS + 1)
    while shares[-1] < SHARE:
        part = min(max(need(shares[-1 - 2 * STEPS], present), least), most)
        shares.append(shares[-1] + part * (1 - shares[-1 - STEPS]) / STEPS)
    return 2 + (len(shares) - 2 * STEPS - 1) / STEPS


@dataclass(frozen=True)
class Joins:
    """A flow that joins others."""

    system: str
    present: int

    @property
    def start(self) -> float:
        """The first window over the fair one."""
        return 10 * (self.present + 1) * 8000 / (CAPACITY * RTT_S)

    def scenario(self) -> Scenario:
        """One link, one round trip."""
        joins = {"start": seconds(JOIN_S), "within": seconds(RTT_S)}
        groups = {"present": {"count": self.present, "within": "2 s"}, "newcomer": joins}
        return Scenario(
            name="newcomers",
            warm_up=seconds(JOIN_S / 2),
            stop=seconds(STOP_S),
            limit=seconds(STOP_S),
            ideals=[],
            topology={"dumbbell": {"capacity": f"{CAPACITY:.0f} bps", "rtt": seconds(RTT_S)}},
            group=[
                {"name": name, "from": "s0", "to": "d0", "long": long}
                for name, long in groups.items()
            ],
            metrics=[{"group": "newcomer", "every": seconds(RTT_S)}, link_metrics("20 ms")],
            xcp=SYSTEMS[self.system],
        )

    def rows(self, results: Results, seed: int) -> list[dict[str, Any]]:
        """The time that it takes, and what is shuffled when all have their shares; of the first
        seed its course, too."""
        flows = results.flows("xcp", seed).where(group="newcomer")
        series = results.series("xcp", seed).where(quantity="throughput_bps")
        after = (series["time_ns"] - int(flows["start_ns"][0])) / 1e9 / RTT_S
        share = series["value"] * (self.present + 1) / CAPACITY
        smooth = numpy.convolve(share, numpy.ones(3) / 3, "valid")
        took = over_time.until(after[1:-1], smooth >= SHARE, since=0, latest=LATEST_RTTS)
        shuffled = samples(results, "xcp", "h", seed)
        rested = (shuffled.seconds > JOIN_S / 2) & (shuffled.seconds < JOIN_S)
        own = {"system": self.system, "present": self.present, "seed": seed}
        row = {
            "kind": "joins",
            **own,
            "took": took,
            "rest": float(8 * shuffled.values[rested].mean() / CAPACITY),
            "p99_ms": 8e3
            * float(bottleneck(results, "xcp", seed)["p99_queue_bytes"][0])
            / CAPACITY,
        }
        course = [
            {"kind": "course", **own, "rtts": float(at), "share": float(value)}
            for at, value in zip(after, share, strict=True)
            if seed == results.seeds[0] and 0 < at <= LATEST_RTTS
        ]
        return [row, *course]


@dataclass(frozen=True)
class Limits:
    """Flows that a later link limits, beside one that is free."""

    system: str
    limited: int

    def scenario(self) -> Scenario:
        """A shared link, and two behind it."""

        def link(start: str, end: str, capacity: float) -> Settings:
            ends = {"from": start, "to": end}
            return ends | {"capacity": f"{capacity:.0f} bps", "delay": "20 ms"}

        return Scenario(
            name="limited",
            warm_up="40 s",
            stop="60 s",
            limit="60 s",
            ideals=[],
            topology={
                "link": [
                    link("a", "b", CAPACITY),
                    link("b", "c", NARROW),
                    link("b", "d", 10 * CAPACITY),
                ]
            },
            group=[
                {"name": name, "from": "a", "to": to, "long": {"count": count, "within": "2 s"}}
                for name, to, count in (("free", "d", 1), ("limited", "c", self.limited))
            ],
            xcp=SYSTEMS[self.system],
        )

    def rows(self, results: Results, seed: int) -> list[dict[str, Any]]:
        """How full the shared link is."""
        link = results.links("xcp", seed).where(**{"from": "a", "to": "b"})
        own = {"system": self.system, "limited": self.limited, "seed": seed}
        return [{"kind": "limits", **own, "utilization": float(link["utilization"][0])}]


@dataclass(frozen=True)
class Short:
    """Short flows beside long ones, on one link."""

    system: str
    load: float

    def scenario(self) -> Scenario:
        """Ten long flows, and Pareto sizes as in [xcp-9-n](#xcp-9-n)."""
        sizes = {"pareto": {"mean": "30 packets", "shape": 1.2}}
        traffic = {
            "long": {"long": {"count": LONG, "within": "2 s"}},
            "short": {"poisson": {"load": self.load, "sizes": sizes}},
        }
        return Scenario(
            name="short",
            warm_up="20 s",
            stop="60 s",
            limit="60 s",
            ideals=[],
            topology={"dumbbell": {"capacity": f"{CAPACITY:.0f} bps", "rtt": seconds(RTT_S)}},
            group=[{"name": name, "from": "s0", "to": "d0"} | own for name, own in traffic.items()],
            xcp=SYSTEMS[self.system],
        )

    def rows(self, results: Results, seed: int) -> list[dict[str, Any]]:
        """How full the link is, and how long short flows take."""
        flows = results.flows("xcp", seed).where(group="short")
        took = flows["completion_ns"] / 1e9
        own = {"system": self.system, "load": self.load, "seed": seed}
        used = float(bottleneck(results, "xcp", seed)["utilization"][0])
        return [{"kind": "short", **own, "utilization": used, "afct_s": float(numpy.nanmean(took))}]


Runs = dict[Joins | Limits | Short, Results]


def run(scale: Scale) -> Runs:
    """Each way to shuffle; the seed draws when flows start."""
    cases: list[Joins | Limits | Short] = [
        *(Joins(name, present) for present in scale.pick(*PRESENT) for name in SYSTEMS),
        *(Limits(name, limited) for limited in scale.pick(*LIMITED) for name in SYSTEMS),
        *(Short(name, load) for load in scale.pick(*SHORT) for name in SYSTEMS),
    ]
    return {
        case: scale.run(
            case.scenario(), ["xcp"], name=f"xcp-9-need/{number}", seeds=scale.pick(1, SEEDS)
        )
        for number, case in enumerate(cases)
    }
