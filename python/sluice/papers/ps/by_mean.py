"""Runs with increasing mean flow sizes, which Figures 9 and 10 of PS share."""

from __future__ import annotations

from ... import theory
from ...results import Results
from ...scenario import Scenario
from ..link import PACKET
from ..scale import Scale
from ..traffic import flow_group, pareto
from ..transport import NS2
from . import apart

#: Mean flow sizes in packets: those of the paper are the first and the last.
MEANS = [30, 120, 500, 2000, 8000, 30_000]
CAPACITY, LOAD, SHAPE, RTT = 2.4e9, 0.8, 1.2, 0.1


def means(scale: Scale) -> list[int]:
    """The mean sizes at this scale."""
    return scale.pick([MEANS[0], MEANS[3], MEANS[-1]], MEANS)


def run(scale: Scale, mean: int) -> Results:
    """RCP, XCP, TCP and processor sharing with the same flows."""
    return _run(scale, mean, ["rcp", "xcp", "tcp"], {}, "")


def quicker(scale: Scale, mean: int) -> Results:
    """RCP with other gains and the same flows."""
    return _run(scale, mean, ["rcp"], apart.GAINS, "-quicker")


def link(mean: int) -> theory.Link:
    """The link and its traffic for the formula."""
    return theory.Link(CAPACITY, load=LOAD, sizes=theory.pareto(mean * PACKET, SHAPE), rtt_s=RTT)


def _run(
    scale: Scale, mean: int, protocols: list[str], rcp: dict[str, float], suffix: str
) -> Results:
    sizes = pareto(f"{mean} packets", SHAPE)
    scenario = Scenario(
        transport=NS2,
        name=f"ps-9-{mean}",
        warm_up=scale.pick("5 s", "10 s"),
        stop=scale.pick("25 s", "50 s"),
        # A flow of 10^7 packets takes 33 s alone.
        limit="1000 s",
        ideals=["max_min"],
        topology={"dumbbell": {"capacity": f"{CAPACITY:.0f} bps", "rtt": f"{RTT} s"}},
        group=[flow_group("flows", poisson={"load": LOAD, "sizes": sizes})],
        tcp={"recovery": "reno"},
        rcp=rcp,
    )
    seeds = scale.pick(1, 5)
    return scale.run(scenario, protocols, name=f"ps-9-{mean}{suffix}", seeds=seeds)
