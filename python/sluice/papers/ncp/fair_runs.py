"""Runs at each place under each system, and what their flows and links did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

from ...frame import Frame
from ...results import Results
from ..closeness import CLASSES
from ..link import PACKET
from ..rows import frame
from ..scale import Scale
from .fair_places import SYSTEMS, Place, places
from .measured import Flows, measured

#: Seeds, quick and full.
SEEDS = (2, 10)
FLUID, SHORTEST = "max_min", "srpt"
#: All sizes together, in the column ``sizes``.
ALL = "all"
#: Fewest flows of a class in each run of a place; with fewer, the class has no rows there.
ENOUGH = 10

Runs = dict[str, dict[str, Results]]


def run(scale: Scale) -> Runs:
    """By place and parameters, ideals with those that have none."""
    together: dict[str, list[str]] = {}
    for name, system in SYSTEMS.items():
        together.setdefault(str(dict(system.parameters)), []).append(name)
    return {
        place.name: {
            name: results
            for number, names in enumerate(together.values())
            for results in [_run(scale, place, number, names)]
            for name in names
        }
        for place in places().values()
        if scale.full or place.quick
    }


def _run(scale: Scale, place: Place, number: int, names: list[str]) -> Results:
    """Systems with the same parameters. One of these runs computes the ideals for all."""
    parameters = dict(SYSTEMS[names[0]].parameters)
    ideals = [] if parameters else [FLUID, SHORTEST]
    return scale.run(
        place.scenario(scale.pick(*place.seconds)).set(parameters | {"ideals": ideals}),
        [SYSTEMS[name].protocol for name in names],
        name=f"ncp-fair/{place.name}-{number}",
        seeds=scale.pick(*SEEDS),
    )


def table(runs: Runs) -> Frame:
    """A row for each place, system, seed and class of sizes; links' drops and queues are in rows
    of all sizes."""
    rows = [
        row
        for name, by_system in runs.items()
        for row in _enough([*_rows(places()[name], by_system)])
    ]
    return frame(rows)


def _enough(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    few = {row["sizes"] for row in rows if row["flows"] < ENOUGH}
    return [row for row in rows if row["sizes"] not in few]


def _rows(place: Place, by_system: dict[str, Results]) -> Iterator[dict[str, Any]]:
    first = next(results for results in by_system.values() if results.ideals)
    for seed in first.seeds:
        ideal = measured(first.flows(FLUID, seed))
        runs = [(name, SYSTEMS[name].protocol, by_system[name]) for name in by_system]
        for name, protocol, results in [*runs, (SHORTEST, SHORTEST, first)]:
            of = {"place": place.name, "system": name, "seed": seed}
            own = measured(results.flows(protocol, seed))
            links = {} if name == SHORTEST else _links(place, results.links(protocol, seed))
            yield of | {"sizes": ALL} | relative(own, ideal, own.packets > 0) | links
            for sizes, these in classes(own.packets):
                yield of | {"sizes": sizes} | relative(own, ideal, these)


def classes(packets: numpy.ndarray) -> Iterator[tuple[str, numpy.ndarray]]:
    """The classes of sizes, and which flows are of each."""
    place = numpy.digitize(packets, list(CLASSES)[1:])
    for number, name in enumerate(CLASSES.values()):
        yield name, place == number


def relative(own: Flows, ideal: Flows, these: numpy.ndarray) -> dict[str, Any]:
    """The mean completion time of some flows, and over that of the same under an ideal."""
    if not numpy.array_equal(own.packets, ideal.packets):
        raise ValueError("the ideal has other flows")
    if not these.any():
        return {"flows": 0}
    mean, least = (float(each.seconds[these].mean()) for each in (own, ideal))
    return {
        "flows": int(these.sum()),
        "unfinished": int(own.unfinished[these].sum()),
        "mean_s": mean,
        "ratio": mean / least,
    }


def _links(place: Place, links: Frame) -> dict[str, float]:
    """The part of packets that all of the place's links drop together, and the longest of the
    queues that each exceeds for 1 % of the time, in bandwidth-delay products."""
    rows = [links.where(**{"from": begin, "to": end}) for begin, end in place.links]
    drops = sum(float(row["drops"][0]) for row in rows)
    sent = sum(float(row["sent_bytes"][0]) for row in rows) / PACKET
    queue = max(float(row["p99_queue_bytes"][0]) for row in rows)
    return {"dropped": drops / (drops + sent), "queue_bdp": queue / place.bdp_bytes}
