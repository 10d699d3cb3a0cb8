"""Ledger and other systems at places that differ from one of reference in one respect: 150 Mb/s, a
round trip of 100 ms and a load of 0.7."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ...frame import Frame
from ...results import Results
from .. import places
from ..closeness import CLASSES, by_size
from ..rows import frame
from ..scale import Scale
from ..system import System
from .beside import Points, link_rows
from .systems import settings, simulate


@dataclass(frozen=True)
class Place:
    """A link with its load."""

    capacity_bps: float = places.CAPACITY
    rtt_s: float = places.RTT
    load: float = places.LOAD

    @property
    def bdp_bytes(self) -> float:
        """The bandwidth-delay product."""
        return places.bdp_bytes(self.capacity_bps, self.rtt_s)


REFERENCE = "at 150 Mb/s, 100 ms, a load of 0.7"
PLACES = {
    "at 10 Mb/s": Place(capacity_bps=10e6),
    "at 40 Mb/s": Place(capacity_bps=40e6),
    REFERENCE: Place(),
    "at 600 Mb/s": Place(capacity_bps=600e6),
    "at 2.4 Gb/s": Place(capacity_bps=2400e6),
    "at 1 ms": Place(rtt_s=0.001),
    "at 10 ms": Place(rtt_s=0.01),
    "at 30 ms": Place(rtt_s=0.03),
    "at 300 ms": Place(rtt_s=0.3),
    "at a load of 0.3": Place(load=0.3),
    "at a load of 0.9": Place(load=0.9),
    "at a load of 0.95": Place(load=0.95),
}
QUICK = ("at 10 Mb/s", REFERENCE, "at 10 ms", "at a load of 0.9")
#: Expected flows of a run, and the least time measured in seconds, at the quick and full scale.
FLOWS, AT_LEAST_S = (1_500, 6_000), (1.0, 3.0)


def simulate_at(
    scale: Scale, system: System, at: str, run: str, seeds: int | None = None
) -> Results:
    """A system at a place, in the folder ``run``. All systems have the same flows, and the hosts
    that are Sluice's defaults."""
    place = PLACES[at]
    scenario = places.place(
        scale.pick(*FLOWS),
        capacity=place.capacity_bps,
        rtt=place.rtt_s,
        load=place.load,
        at_least=scale.pick(*AT_LEAST_S),
        transport={},
        tcp={},
    )
    return simulate(
        scale,
        system,
        scenario.set(settings(system, place.bdp_bytes)),
        f"own-places/{run}-{list(PLACES).index(at)}",
        seeds,
    )


def rows(runs: dict[tuple[str, str], Results]) -> Frame:
    """Rows of two kinds, by system and place: completion times by class of sizes, and links."""
    return frame([row for (name, at), results in runs.items() for row in _rows(name, at, results)])


def _rows(name: str, at: str, results: Results) -> Iterator[dict[str, Any]]:
    place = PLACES[at]
    of: dict[str, Any] = {
        "system": name,
        "place": at,
        "capacity_bps": place.capacity_bps,
        "rtt_s": place.rtt_s,
        "load": place.load,
    }
    yield from by_size(results, kind="flows", **of)
    yield from link_rows(results, place.bdp_bytes, kind="link", **of)


def points(at: Iterable[str]) -> Points:
    """All classes of sizes at these places."""
    return {
        f"{place}, {title} packets": {"place": place, "size_from": size}
        for place in at
        for size, title in CLASSES.items()
    }
