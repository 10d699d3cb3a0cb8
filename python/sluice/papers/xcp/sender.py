"""Runs of XCP's senders: one that asks for a rate, and receivers that delay acknowledgements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy

from ...results import Results
from ...scenario import Scenario
from ..link import Samples, link_metrics
from ..scale import Scale
from .bottleneck import Settings, seconds

CAPACITY, RTT = 100e6, 0.08
#: The default of XCP, by which a link's spare capacity is granted in an interval.
ALPHA = 0.4
#: Rates asked for, in bit/s. With as much in use, alpha times the spare capacity grants all but the
#: last at once.
RATES = (5e6, 10e6, 20e6, 40e6)
#: When the flow that is observed starts; the seed draws when in this round trip.
START_S, STOP_S = 2.0, 4.4
#: A rate is reached with this part of it.
REACHED = 0.95
#: Round trips that are drawn, and samples in one.
SHOWN, SAMPLES = 25, 20


def _scenario(protocol: Settings, groups: list[Settings]) -> Scenario:
    dumbbell = {
        "pairs": len(groups),
        "capacity": f"{CAPACITY:.0f} bps",
        "access": f"{4 * CAPACITY:.0f} bps",
        "rtt": seconds(RTT),
    }
    flows = [
        {"name": name, "from": f"s{pair}", "to": f"d{pair}", "long": times}
        for pair, group in enumerate(groups)
        for name, times in group.items()
    ]
    every = seconds(RTT / SAMPLES)
    return Scenario(
        name="sender",
        stop=seconds(STOP_S),
        limit=seconds(STOP_S),
        ideals=[],
        topology={"dumbbell": dumbbell},
        group=flows,
        metrics=[
            link_metrics(every),
            *({"flow": {"group": flow["name"]}, "every": every} for flow in flows),
        ],
        trace={"flows": "all"},
        xcp=protocol,
    )


LATER = {"start": seconds(START_S), "within": seconds(RTT)}


def asks(rate: float, used: bool) -> Scenario:
    """A flow asks for a rate; ``used`` has another that has asked for as much before."""
    groups: list[Settings] = [{"asks": LATER}, {"other": {}}]
    return _scenario({"desired_rate": f"{rate:.0f} bps"}, groups if used else groups[:1])


def joins(delayed: bool) -> Scenario:
    """A flow alone, which another joins; receivers acknowledge each packet or every second."""
    return _scenario({"delayed_ack": delayed}, [{"first": {}}, {"second": LATER}])


def run(scale: Scale) -> dict[str, dict[Any, Results]]:
    """Runs by what is asked for, on a link in use or not, and by acknowledgement."""
    seeds, many = scale.pick((2, 4), (5, 20))
    return {
        "asks": {
            (rate, used): scale.run(
                asks(rate, used), ["xcp"], name=f"xcp-4-5/{rate:g}-{used}", seeds=seeds
            )
            for rate in RATES
            for used in (True, False)
        },
        "joins": {
            delayed: scale.run(joins(delayed), ["xcp"], name=f"xcp-4-5/{delayed}", seeds=many)
            for delayed in (False, True)
        },
    }


def sampled(results: Results, seed: int, group: str, quantity: str) -> Samples:
    """A flow's quantity over round trips since its first data left."""
    rows = results.series("xcp", seed).where(group=group, quantity=quantity)
    first = results.senders("xcp", seed).where(group=group)["time_ns"][0]
    return Samples((rows["time_ns"] - first) / 1e9 / RTT, rows["value"])


def rows_of_rates(results: Results, rate: float, used: bool) -> Iterable[dict[str, Any]]:
    """When the rate is reached, and the rate over time."""
    for seed in results.seeds:
        rtts, rates = sampled(results, seed, "asks", "rate")
        after = rtts >= 0
        rtts, part = rtts[after], rates[after] / rate
        common = {"rate_bps": rate, "used": used, "seed": seed}
        reached = numpy.flatnonzero(part >= REACHED)
        yield {
            "kind": "reached",
            **common,
            "rtts": float(rtts[reached[0]]) if len(reached) else numpy.inf,
            "first": float(part[rtts >= 1.5][0]),
        }
        # One seed is drawn.
        if seed == results.seeds[0]:
            shown = rtts <= 6
            for at, value in zip(rtts[shown], part[shown], strict=True):
                yield {"kind": "rate", **common, "rtts": float(at), "part": float(value)}


def rows_of_windows(results: Results, delayed: bool) -> Iterable[dict[str, Any]]:
    """Acknowledgements for a packet, and windows over time."""
    for seed in results.seeds:
        for group in ("first", "second"):
            senders = results.senders("xcp", seed).where(group=group)
            rtts, windows = sampled(results, seed, group, "cwnd")
            places = numpy.searchsorted(rtts, numpy.arange(SHOWN) + 0.5)
            common = {"delayed": delayed, "seed": seed, "flow": group}
            yield {
                "kind": "acknowledged",
                **common,
                "acks": len(senders) / float(senders["acked_packets"][-1]),
            }
            for at, value in zip(numpy.arange(SHOWN) + 0.5, windows[places], strict=True):
                yield {"kind": "window", **common, "rtts": float(at), "cwnd": float(value)}


def spare_grant(rate: float) -> float:
    """What a link with as much in use grants in an interval, over what is asked for."""
    return ALPHA * (CAPACITY - rate) / rate
