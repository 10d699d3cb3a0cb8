"""Places at which NCP is compared with other systems: one of reference, and others that differ from
it in one dimension."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...scenario import Scenario
from ..link import FROM, TO
from ..traffic import flow_group, pareto

#: The place of reference: the link and the mean size of the figures of RCP's papers.
CAPACITY_BPS, RTT_S, LOAD = 150e6, 0.1, 0.8
MEAN, SHAPE = "30 packets", 1.4
WARM_UP_S = 5.0
#: For flows to finish after the last of them has arrived: at least, and over the time measured.
DRAIN_S, DRAIN = 20.0, 2
#: Time measured in seconds, at the quick and at the full scale.
MEASURED_S = (4.0, 10.0)
#: When a crowd starts, in seconds: half a second into the time measured.
CROWD_S = WARM_UP_S + 0.5
#: One way, of the link between a host and a router of the parking lot.
ACCESS_S = 0.001
#: Senders of mixed round trips.
PAIRS = 10


@dataclass(frozen=True)
class Place:
    """A network with its traffic."""

    name: str
    topology: Mapping[str, Any]
    groups: Sequence[Mapping[str, Any]]
    #: Time measured in seconds, at the quick and at the full scale.
    seconds: tuple[float, float] = MEASURED_S
    #: The links that can be congested, as pairs of nodes in the direction of data.
    links: Sequence[tuple[str, str]] = ((FROM, TO),)
    #: Their buffer in bandwidth-delay products, and the round trip of that product in seconds.
    buffer: float = 1.0
    rtt_s: float = RTT_S
    #: Whether arrivals end with the time measured; else they go on until its flows have finished.
    ends: bool = False
    #: Whether the place is in the quick scale.
    quick: bool = False

    def scenario(self, seconds: float) -> Scenario:
        """Flows that arrive for ``seconds`` after the warm-up, and time to finish."""
        stop = WARM_UP_S + seconds
        groups = [dict(group) for group in self.groups]
        if self.ends:
            for group in groups:
                group["poisson"] = group["poisson"] | {"stop": f"{stop:g} s"}
        return Scenario(
            name="fair",
            warm_up=f"{WARM_UP_S:g} s",
            stop=f"{stop:g} s",
            limit=f"{stop + max(DRAIN_S, DRAIN * seconds):g} s",
            transport={"recovery": "sack"},
            topology=dict(self.topology),
            group=groups,
        )

    @property
    def bdp_bytes(self) -> float:
        """The bandwidth-delay product of a link that can be congested."""
        return CAPACITY_BPS * self.rtt_s / 8


@dataclass(frozen=True)
class Dimension:
    """Places that differ in one respect."""

    title: str
    #: All of them but that of reference, in a claim.
    others: str
    #: Description of a place in a claim, with a placeholder for its label.
    where: str
    #: Places by their labels, in order; one of them is that of reference, but where it has no
    #: value of this dimension.
    places: Mapping[str, Place]


def _rates(load: float = LOAD, sizes: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    return {"load": load, "sizes": dict(sizes or pareto(MEAN, SHAPE))}


def _dumbbell(
    name: str,
    *,
    load: float = LOAD,
    sizes: Mapping[str, Any] | None = None,
    rtt_s: float = RTT_S,
    buffer: float = 1.0,
    crowd: int = 0,
    **fields: Any,
) -> Place:
    groups = [flow_group("flows", poisson=_rates(load, sizes))]
    if crowd:
        once = {"every": "1000 s", "start": f"{CROWD_S} s", "senders": crowd}
        groups.append(flow_group("crowd", incast=once | {"sizes": pareto(MEAN, SHAPE)}))
    topology = _link(rtt_s, buffer, rtt=f"{1e3 * rtt_s:g} ms")
    return Place(name, topology, groups, buffer=buffer, rtt_s=rtt_s, **fields)


def _link(rtt_s: float, buffer: float, **fields: Any) -> Mapping[str, Any]:
    room = {"buffer": f"{buffer * CAPACITY_BPS * rtt_s / 8:.0f} B"}
    return {"dumbbell": {"capacity": f"{CAPACITY_BPS:.0f} bps"} | room | fields}


def _mixed(name: str, shortest_s: float, longest_s: float) -> Place:
    """Pairs of hosts with round trips between these; the buffer is a BDP of their mean."""
    mean = (shortest_s + longest_s) / 2
    rtts = [f"{1e3 * rtt:g} ms" for rtt in (shortest_s, longest_s)]
    group = {"name": "flows", "pairs": "each", "poisson": _rates()}
    topology = _link(mean, 1.0, rtt=rtts, pairs=PAIRS)
    return Place(name, topology, [group], rtt_s=mean, quick=True)


def _lot(name: str, hops: int) -> Place:
    """A parking lot. Half of the load of each link crosses all links, in a round trip of 100 ms;
    the other half crosses that link alone, in one of 36 ms with three hops."""
    delay = (RTT_S / 2 - 2 * ACCESS_S) / hops
    room = f"{CAPACITY_BPS * RTT_S / 8:.0f} B"
    hop = {"capacity": f"{CAPACITY_BPS:.0f} bps", "delay": f"{1e9 * delay:.0f} ns", "buffer": room}
    access = {
        "capacity": f"{10 * CAPACITY_BPS:.0f} bps",
        "delay": f"{1e3 * ACCESS_S:g} ms",
        "buffer": "unlimited",
        "router": False,
    }
    half = {"poisson": _rates(LOAD / 2)}
    return Place(
        name,
        {"parking_lot": {"hops": hops, "hop": hop, "access": access}},
        [
            {"name": "through", "from": "s", "to": "d", **half},
            {"name": "cross", "pairs": "each", **half},
        ],
        links=[(f"r{hop}", f"r{hop + 1}") for hop in range(hops)],
        quick=True,
    )


def _loads() -> Iterator[tuple[str, Place]]:
    for load in (0.1, 0.5, LOAD, 0.9, 0.95, 1.2):
        if load == LOAD:
            yield f"{load:g}", REFERENCE
        else:
            quick = load > 0.9
            yield f"{load:g}", _dumbbell(f"load-{load:g}", load=load, quick=quick, ends=load > 1)


def _buffers() -> Iterator[tuple[str, Place]]:
    for part in (0.05, 0.1, 0.25, 0.5):
        yield f"{part:.0%}", _dumbbell(f"buffer-{part:g}", buffer=part, quick=part == 0.1)
    yield "100%", REFERENCE


def _shapes() -> Iterator[tuple[str, Place]]:
    for shape in (1.1, SHAPE, 2.0):
        if shape == SHAPE:
            yield f"{shape:g}", REFERENCE
        else:
            yield f"{shape:g}", _dumbbell(f"shape-{shape:g}", sizes=pareto(MEAN, shape))
    yield "fixed", _dumbbell("fixed", sizes={"fixed": MEAN}, quick=True)


def _workloads() -> Iterator[tuple[str, Place]]:
    # Longer for large flows, of which few arrive, and shorter for small ones.
    lengths = {
        "websearch": (10.0, 40.0),
        "datamining": (40.0, 80.0),
        "hadoop": MEASURED_S,
        "alistorage": MEASURED_S,
        "googlerpc": (2.0, 3.0),
    }
    for name, seconds in lengths.items():
        sizes = {"workload": name}
        yield name, _dumbbell(name, sizes=sizes, seconds=seconds, quick=name == "websearch")


REFERENCE = _dumbbell("reference", quick=True)
DIMENSIONS = {
    "load": Dimension("load", "at other loads", "at a load of {}", dict(_loads())),
    "crowd": Dimension(
        "flows at one instant",
        "with a crowd, whatever its size",
        "with a crowd of {}",
        {"0": REFERENCE}
        | {f"{n}": _dumbbell(f"crowd-{n}", crowd=n, quick=n == 100) for n in (100, 1000)},
    ),
    "trips": Dimension(
        "round trip (ms)",
        "with other round trips",
        "with round trips of {} ms",
        {
            "10": _dumbbell("rtt-10", rtt_s=0.01),
            "100": REFERENCE,
            "300": _dumbbell("rtt-300", rtt_s=0.3),
            "10 to 300": _mixed("rtt-mixed", 0.01, 0.3),
        },
    ),
    "sizes": Dimension(
        "shape of sizes", "with other distributions of sizes", "with shape {}", dict(_shapes())
    ),
    "links": Dimension(
        "bottlenecks",
        "with several bottlenecks",
        "with bottlenecks: {}",
        {"1": REFERENCE, "3": _lot("lot-3", 3)},
    ),
    "workload": Dimension(
        "measured sizes", "with measured sizes", "with sizes of {}", dict(_workloads())
    ),
    "buffer": Dimension(
        "buffer (of BDP)", "with smaller buffers", "with a buffer of {}", dict(_buffers())
    ),
}


def places() -> dict[str, Place]:
    """Every place once, by name."""
    return {each.name: each for of in DIMENSIONS.values() for each in of.places.values()}


def described(dimension: Dimension, names: Sequence[str]) -> dict[str, str]:
    """Descriptions of the places of a dimension that are among ``names``, with their names."""
    return {
        dimension.where.format(label): place.name
        for label, place in dimension.places.items()
        if place.name in names
    }


@dataclass(frozen=True)
class System:
    """A protocol with parameters."""

    protocol: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    #: Which shade of the protocol's colour it is drawn in.
    shade: int = 0


NCP, SIMPLE, COUNTED = "NCP", "NCP-S", "NCP, counted"
RCP, AUTHORS = "RCP", "RCP 0.4"
XCP, TCP, CUBIC, BBR = "XCP", "TCP", "CUBIC", "BBR v3"
SYSTEMS = {
    NCP: System("ncp"),
    SIMPLE: System("ncp", {"ncp.counted": "eq6"}, shade=1),
    COUNTED: System("ncp", {"ncp.counted": "eq12"}, shade=2),
    RCP: System("rcp"),
    AUTHORS: System("rcp", {"rcp.alpha": 0.4, "rcp.beta": 0.4}, shade=1),
    XCP: System("xcp"),
    TCP: System("tcp"),
    CUBIC: System("cubic"),
    BBR: System("bbr3"),
}
