"""Runs of a sender of XCP whose application pauses, alone or beside another flow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...results import Results
from ...scenario import Scenario
from ..link import bottleneck, link_metrics
from ..scale import Scale
from .bottleneck import seconds
from .sender import CAPACITY, RTT, sampled

#: How long the application has data, and the whole round trips that its sender then has none in
#: flight.
ON_S = 2.4
IDLE = (0, 1, 2, 3, 4, 6, 8)
#: A tail index with which Pareto times are their mean to the microsecond.
CONSTANT = 1e6
#: Samples in a round trip; windows are those of samples next to the pause.
SAMPLES = 20


def off_s(idle: int) -> float:
    """A pause. Packets in flight as it begins are answered a round trip later, or a little more."""
    return (idle + 1.5) * RTT


def pauses(idle: int, beside: bool) -> Scenario:
    """A flow pauses so long, alone or ``beside`` one that does not."""
    application = {"on": seconds(ON_S), "off": seconds(off_s(idle)), "shape": CONSTANT}
    long = {"pauses": application, "within": seconds(RTT)}
    stop = seconds(ON_S + off_s(idle) + 5 * RTT)
    groups = {"pauses": long} | ({"other": {"within": seconds(RTT)}} if beside else {})
    every = seconds(RTT / SAMPLES)
    return Scenario(
        name="idle",
        stop=stop,
        limit=stop,
        ideals=[],
        topology={
            "dumbbell": {
                "pairs": 2,
                "capacity": f"{CAPACITY:.0f} bps",
                "access": f"{4 * CAPACITY:.0f} bps",
                "rtt": seconds(RTT),
            }
        },
        group=[
            {"name": name, "from": f"s{pair}", "to": f"d{pair}", "long": group}
            for pair, (name, group) in enumerate(groups.items())
        ],
        metrics=[link_metrics(every), {"flow": {"group": "pauses"}, "every": every}],
        trace={"flows": "all"},
    )


def run(scale: Scale) -> dict[Any, Results]:
    """Runs by idle round trips, alone or beside another flow."""
    seeds = scale.pick(2, 5)
    return {
        (idle, beside): scale.run(
            pauses(idle, beside), ["xcp"], name=f"xcp-4-5/idle-{idle}-{beside}", seeds=seeds
        )
        for idle in scale.pick(IDLE[::3], IDLE)
        for beside in (False, True)
    }


def rows(results: Results, idle: int, beside: bool) -> Iterable[dict[str, Any]]:
    """The window before the pause and as the sender sends again, and what the link dropped."""
    for seed in results.seeds:
        rtts, windows = sampled(results, seed, "pauses", "cwnd")
        # The application has data from the flow's start, a round trip before its first packet.
        again = ON_S / RTT - 1 + off_s(idle) / RTT
        before = windows[rtts < again - off_s(idle) / RTT][-1]
        after = windows[(rtts > again + 1 / SAMPLES) & (rtts < again + 0.5)]
        yield {
            "kind": "idle",
            "idle": idle,
            "beside": beside,
            "seed": seed,
            "before": float(before),
            "after": float(after[0]),
            "part": float(after[0] / before),
            "drops": int(bottleneck(results, "xcp", seed)["drops"].sum()),
        }
