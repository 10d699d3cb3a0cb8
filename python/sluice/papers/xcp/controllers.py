"""Runs of a link whose feedback is divided in several ways, and what its router decides in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

from ...results import Results
from ...scenario import Scenario
from ..link import bottleneck, link_metrics, samples
from ..scale import Scale
from .bottleneck import Settings

CAPACITY, RTT = 50e6, 0.08
ALPHA, BETA, GAMMA = 0.4, 0.226, 0.1
STARTS, LAST, STOP = (0, 3, 6), 3, 12
#: Ways to divide: XCP's parameters, and the weights of flows.
DIVISIONS: dict[str, tuple[Settings, tuple[int, ...]]] = {
    "the thesis'": ({}, (1, 1, 1)),
    "without shuffling": ({"gamma": 0.0}, (1, 1, 1)),
    "by weights 1, 2, 4": ({}, (1, 2, 4)),
}
FAIR = ("the thesis'", "by weights 1, 2, 4")
Runs = dict[str, Results]


def scenario(name: str) -> Scenario:
    """Flows that join one by one."""
    settings, weights = DIVISIONS[name]
    dumbbell = {"pairs": len(STARTS), "capacity": f"{CAPACITY:.0f} bps", "rtt": f"{RTT} s"}
    return Scenario(
        name="controllers",
        warm_up=f"{STOP - LAST} s",
        stop=f"{STOP} s",
        limit=f"{STOP} s",
        ideals=[],
        topology={"dumbbell": dumbbell},
        group=[
            {
                "name": f"flow{pair}",
                "from": f"s{pair}",
                "to": f"d{pair}",
                "weight": weight,
                "long": {"start": f"{start} s", "within": "10 ms"},
            }
            for pair, (start, weight) in enumerate(zip(STARTS, weights, strict=True))
        ],
        metrics=[link_metrics("500 us")],
        xcp={"alpha": ALPHA, "beta": BETA, **settings},
    )


def run(scale: Scale) -> Runs:
    """By name of the division; the same at both scales."""
    return {
        name: scale.run(scenario(name), ["xcp"], name=f"xcp-9-1/{number}", seeds=3)
        for number, name in enumerate(DIVISIONS)
    }


def rows_of(name: str, results: Results) -> Iterator[dict[str, Any]]:
    """The sides of both equations, shares of flows, and decisions, of one division."""
    settings, weights = DIVISIONS[name]
    for seed in results.seeds:
        own = {"division": name, "seed": seed}
        made = decisions(results, seed)
        phi = ALPHA * (1 - made["y"]) - BETA * made["queue"]
        gamma = settings.get("gamma", GAMMA)
        shuffled = numpy.maximum(0, gamma * made["y"] - abs(made["phi"]))
        used = float(bottleneck(results, "xcp", seed)["utilization"][0])
        yield {
            "kind": "sides",
            **own,
            "efficiency": float(abs(made["phi"] - phi).max()),
            "fairness": float(abs(made["h"] - shuffled).max()),
            "utilization": used,
        }
        flows = results.flows("xcp", seed)
        data = flows["delivered_bytes"] / flows["delivered_bytes"].sum()
        for pair, (share, weight) in enumerate(zip(data, weights, strict=True)):
            fair = weight / sum(weights)
            yield {"kind": "share", **own, "flow": pair, "share": share, "over": share / fair}
        if seed == results.seeds[0]:
            for seconds, value in zip(made["seconds"], made["phi"], strict=True):
                yield {"kind": "phi", **own, "seconds": float(seconds), "phi": float(value)}


def decisions(results: Results, seed: int) -> dict[str, numpy.ndarray]:
    """The router's state at each decision, in parts of the capacity. Q is that of the sample before
    it, as it has a timer of its own."""
    found = {name: samples(results, "xcp", name, seed) for name in ("y", "Q", "d", "phi", "h")}
    values = {name: each.values for name, each in found.items()}
    made = numpy.flatnonzero(numpy.diff(values["y"])) + 1
    capacity = CAPACITY / 8
    return {
        "seconds": found["y"].seconds[made],
        "y": values["y"][made] / capacity,
        "queue": values["Q"][made - 1] / values["d"][made] / capacity,
        "phi": values["phi"][made] / capacity,
        "h": values["h"][made] / capacity,
    }
