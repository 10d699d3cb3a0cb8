"""Long flows over one link: scenarios, and what each group of flows received."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...results import Results
from ...scenario import Scenario

CAPACITY = 100e6
#: Seeds of full scale.
SEEDS = 4
Settings = Mapping[str, Any]


def seconds(value: float) -> str:
    """A time as a scenario's field.

    >>> seconds(0.08)
    '80000000 ns'
    """
    return f"{1e9 * value:.0f} ns"


def scenario(
    groups: Sequence[Settings],
    *,
    warm_up: float,
    stop: float,
    buffer: float,
    settings: Settings,
    metrics: Sequence[Settings] = (),
) -> Scenario:
    """Groups of flows, each with its round trip, over a link that buffers so many seconds."""
    return Scenario(
        name="link",
        warm_up=seconds(warm_up),
        stop=seconds(stop),
        limit=seconds(stop),
        ideals=[],
        topology={
            "dumbbell": {
                "capacity": f"{CAPACITY:.0f} bps",
                "access": f"{10 * CAPACITY:.0f} bps",
                "rtt": "4 ms",
                "bottleneck_delay": "1 ms",
                "buffer": f"{buffer * CAPACITY / 8:.0f} B",
            }
        },
        group=[dict(group) for group in groups],
        metrics=[dict(metric) for metric in metrics],
        **settings,
    )


def long_flows(name: str, rtt_s: float, count: int = 1, **when: str) -> Settings:
    """Long flows of one round trip, which start at random within ``within``, or at ``start``."""
    return {"name": name, "rtt": seconds(rtt_s), "long": {"count": count, **when}}


def throughput(results: Results, protocol: str, seed: int, group: str, span: float) -> list[float]:
    """What each flow of a group received in the last ``span`` seconds, in bit/s."""
    flows = results.flows(protocol, seed).where(group=group)
    return [8 * float(delivered) / span for delivered in flows["delivered_bytes"]]
