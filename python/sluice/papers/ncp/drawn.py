"""Scenarios drawn at random, to try models on that were not made for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy

from ...scenario import Scenario
from ..link import PACKET
from ..traffic import fixed, flow_group, pareto

SHAPES = (
    "one link",
    "two round trips",
    "three links",
    "both directions",
    "beside long flows",
    "beside a stream",
)
#: The part of the load that each group brings, by shape.
GROUPS: Mapping[str, Mapping[str, float]] = {
    "one link": {"flows": 1.0},
    "two round trips": {"near": 0.5, "far": 0.5},
    "three links": {"through": 0.5, "cross": 0.5},
    "both directions": {"flows": 1.0, "opposite": 1.0},
    "beside long flows": {"flows": 1.0},
    "beside a stream": {"flows": 1.0},
}
#: The shortest measurement in round trips.
ROUND_TRIPS = 200
#: Seed of all draws.
SEED = 20


def _exponential(packets: float) -> dict[str, Any]:
    return {"exponential": f"{packets * PACKET:.0f} B"}


def _hyper(packets: float) -> dict[str, Any]:
    return {"hyper_exponential": {"mean": f"{packets * PACKET:.0f} B", "scv": 10.0}}


SIZES: Mapping[str, Callable[[float], dict[str, Any]]] = {
    "one size": lambda packets: fixed(max(round(packets), 1)),
    "exponential": _exponential,
    "hyper-exponential": _hyper,
    "Pareto": lambda packets: pareto(f"{packets * PACKET:.0f} B", 1.5),
}


@dataclass(frozen=True)
class Drawn:
    """A network and its flows."""

    number: int
    shape: str
    capacity_bps: float
    rtt_s: float
    #: Of each bottleneck, by flows with a size.
    load: float
    buffer_bdp: float
    sizes: str
    packets: float
    #: Long flows, where there are any, and the stream's part of the link.
    long: int
    stream: float

    @classmethod
    def of(cls, number: int) -> Drawn:
        """The scenario of this number: any grid begins with the same ones."""
        draw = numpy.random.default_rng([SEED, number])
        stream = draw.uniform(0.1, 0.3)
        shape = SHAPES[number % len(SHAPES)]
        beside = {"beside long flows": 0.6, "beside a stream": 0.9 - stream}
        return cls(
            number=number,
            shape=shape,
            capacity_bps=round(_log_uniform(draw, 10e6, 300e6)),
            rtt_s=round(_log_uniform(draw, 5e-3, 0.2), 6),
            load=round(draw.uniform(0.2, beside.get(shape, 0.9)), 3),
            buffer_bdp=round(_log_uniform(draw, 0.25, 2.0), 3),
            sizes=str(draw.choice(list(SIZES))),
            packets=_log_uniform(draw, 10, 300),
            long=int(draw.integers(1, 11)),
            stream=round(stream, 3),
        )

    @property
    def groups(self) -> Mapping[str, float]:
        """The groups of flows with a size, and their parts of the load."""
        return GROUPS[self.shape]

    def scenario(self, flows: int, **fields: Any) -> Scenario:
        """The network under all flows; ``flows`` of each group arrive on average.
        ``fields`` are further ones of the scenario."""
        arrivals = min(self.groups.values()) * self.load * self.capacity_bps
        seconds = max(flows * 8 * PACKET * self.packets / arrivals, ROUND_TRIPS * self.rtt_s)
        warm_up = 0.2 * seconds
        return Scenario(
            name="drawn",
            warm_up=f"{warm_up:.6f} s",
            stop=f"{warm_up + seconds:.6f} s",
            limit=f"{4 * seconds:.6f} s",
            ideals=["max_min"],
            topology=self._chain() if self.shape == "three links" else self._dumbbell(),
            group=self._groups(),
            **fields,
        )

    def _dumbbell(self) -> dict[str, Any]:
        return {
            "dumbbell": {
                "capacity": f"{self.capacity_bps:.0f} bps",
                "rtt": f"{1e9 * self.rtt_s:.0f} ns",
                "buffer": f"{self.buffer_bdp:g} bdp",
            }
        }

    def _chain(self) -> dict[str, Any]:
        """Three bottlenecks, which all of the round trip is spent on."""
        hop = {
            "capacity": f"{self.capacity_bps:.0f} bps",
            "delay": f"{1e9 * self.rtt_s / 6:.0f} ns",
            "buffer": f"{self.buffer_bdp:g} bdp",
        }
        access = {"capacity": f"{10 * self.capacity_bps:.0f} bps", "delay": "0 s"}
        return {"parking_lot": {"hops": 3, "hop": hop, "access": access}}

    def _groups(self) -> list[dict[str, Any]]:
        """All groups, with the flows that have no size."""
        groups = [self._sized(name, part) for name, part in self.groups.items()]
        if self.shape == "beside long flows":
            groups.append(flow_group("long", long={"count": self.long, "within": "1 s"}))
        if self.shape == "beside a stream":
            groups.append(flow_group("stream", udp={"load": self.stream, "size": f"{PACKET} B"}))
        return groups

    def _sized(self, name: str, part: float) -> dict[str, Any]:
        load = part * self.load
        poisson = {"load": round(load, 6), "sizes": SIZES[self.sizes](self.packets)}
        ends = {
            "near": {"rtt": f"{1e9 * self.rtt_s:.0f} ns"},
            "far": {"rtt": f"{3e9 * self.rtt_s:.0f} ns"},
            "through": {"from": "s", "to": "d"},
            "cross": {"pairs": "each"},
            "opposite": {"from": "d0", "to": "s0"},
        }
        if name in ends:
            return {"name": name, "poisson": poisson, **ends[name]}
        return flow_group(name, poisson=poisson)


def _log_uniform(draw: numpy.random.Generator, low: float, high: float) -> float:
    return float(numpy.exp(draw.uniform(numpy.log(low), numpy.log(high))))
