"""Guaranteed flows in a network of 50 nodes and 153 links beside 500 best-effort flows (part D of
section 6.4.6): runs, and rows of links and flows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy

from ...frame import Frame
from ...results import Results
from ...scenario import Scenario
from ..rows import frame
from ..scale import Scale
from .bottleneck import Settings, seconds
from .comparison import SENDER
from .guaranteed import GUARANTEED, LAWS, QUEUE, SEEDS
from .systems import NS2
from .xcp_5_16 import topology

REQUESTS = 100
PROFILE = 1.5e6
#: Ten destinations of each of 50 nodes.
DESTINATIONS = 10
#: Guaranteed flows have these ends, whatever the seed of a run.
NODES = [*(f"wan{number}" for number in range(20)), *(f"lan{number}" for number in range(30))]
ENDS = numpy.array(
    [numpy.random.default_rng(request).choice(NODES, 2, False) for request in range(REQUESTS)]
)
#: Starts are before the first; throughput counts from then up to the second.
FULL_S, QUICK_S = (10.0, 25.0), (3.0, 7.0)
#: Intervals over which throughput varies.
BIN_S = 1.0
SENDERS: dict[str, Settings] = {"paced": {}, "in windows": {"sender": "window"}}
Runs = dict[str, Results]


def run(scale: Scale) -> Runs:
    """By sender."""
    starts, stop = scale.pick(QUICK_S, FULL_S)
    without = tiny(scale)
    links = _links(without, without.seeds[0])
    return {
        name: scale.run(
            _scenario(parameters, starts, stop, links),
            ["xcp"],
            name=f"xcp-6-8/{name.replace(' ', '-')}",
            seeds=scale.pick(1, SEEDS),
        )
        for name, parameters in SENDERS.items()
    }


def tiny(scale: Scale) -> Results:
    """A run of milliseconds, whose links are those of any run."""
    return scale.run(_scenario({}, 1e-3, 2e-3, []), ["xcp"], name="xcp-6-8/links", seeds=1)


def _scenario(parameters: Settings, starts: float, stop: float, links: list[str]) -> Scenario:
    def link(capacity: str) -> Settings:
        return {
            "capacity": capacity,
            "delay": "2 ms",
            "buffer": "150 packets",
            "queue": QUEUE,
            "router": LAWS,
        }

    settings: Settings = {"transport": NS2, "xcp": SENDER, "xcp_guaranteed": parameters}
    long = {"long": {"within": seconds(starts)}}
    requests = [
        {"name": f"guaranteed-{number}", "from": str(source), "to": str(sink)}
        | GUARANTEED
        | {"profile": f"{PROFILE:.0f} bps"}
        | long
        for number, (source, sink) in enumerate(ENDS)
    ]
    return Scenario(
        name="tiers",
        warm_up=seconds(starts),
        stop=seconds(stop),
        limit=seconds(stop),
        ideals=[],
        topology=topology(link),
        group=[
            {"name": "best-effort", "pairs": {"random": {"destinations": DESTINATIONS}}} | long,
            *requests,
        ],
        metrics=[
            *({"link": each.split(">"), "every": seconds(stop)} for each in links),
            *({"group": each["name"], "every": seconds(BIN_S)} for each in requests if links),
        ],
        **settings,
    )


def _links(results: Results, seed: int) -> list[str]:
    found = results.links("xcp", seed)
    return [f"{a}>{b}" for a, b in zip(found["from"], found["to"], strict=True)]


def table(runs: Runs) -> Frame:
    """A row for each sender, seed and link, and for each guaranteed flow that was admitted."""
    rows: list[dict[str, Any]] = []
    for name, results in runs.items():
        for seed in results.seeds:
            common = {"sender": name, "seed": seed}
            flows = _flows(results, seed)
            reserving = flows_by_link([each["path"] for each in flows])
            rows += [common | row for row in _link_rows(results, seed, reserving)]
            rows += [common | row for row in flows]
    return frame(rows)


def _link_rows(results: Results, seed: int, reserving: dict[str, int]) -> list[dict[str, Any]]:
    links = results.links("xcp", seed)
    most = results.series("xcp", seed).where(quantity="class_1_most_bytes")
    longest = dict(zip(most["link"], most["value"].tolist(), strict=True))
    return [
        {
            "kind": "link",
            "link": link,
            "capacity_bps": float(links["capacity_bps"][at]),
            "reserved": reserving.get(link, 0) * PROFILE / float(links["capacity_bps"][at]),
            "g_queue_bytes": longest[link],
            "delay_s": longest[link] * 8 / float(links["capacity_bps"][at]),
            "utilization": float(links["utilization"][at]),
        }
        for at, link in enumerate(_links(results, seed))
    ]


def links_of(path: str) -> list[str]:
    """The links of a path, by their ends."""
    return [">".join(ends) for ends in pairwise(path.split(">"))]


def flows_by_link(paths: Sequence[str]) -> dict[str, int]:
    """The number of flows whose data cross each link."""
    counts: dict[str, int] = {}
    for path in paths:
        for link in links_of(path):
            counts[link] = counts.get(link, 0) + 1
    return counts


def _flows(results: Results, seed: int) -> list[dict[str, Any]]:
    """Those that were admitted: others send nothing."""
    flows = results.flows("xcp", seed)
    series = results.series("xcp", seed).where(quantity="throughput_bps")
    paths = dict(zip(flows["group"], flows["path"], strict=True))
    started = float(flows["start_ns"].max()) / 1e9
    links = results.links("xcp", seed)
    delays = dict(zip(_links(results, seed), links["delay_ns"].tolist(), strict=True))
    rows = []
    for number in range(REQUESTS):
        group = f"guaranteed-{number}"
        found = series.where(group=group)
        after = found["time_ns"] / 1e9 > started + BIN_S
        rates = found["value"][after] / PROFILE
        if found["value"].any():
            rows.append(
                {
                    "kind": "flow",
                    "flow": number,
                    "path": paths[group],
                    "delay_s": sum(delays[link] for link in links_of(paths[group])) / 1e9,
                    "over_profile": float(rates.mean()),
                    "deviation": float(rates.std()),
                }
            )
    return rows
