"""A link with Poisson arrivals, which several folders' figures share.

Flows arrive at random (Poisson), with Pareto sizes of mean 30 packets and shape 1.2, as in PS-5.
"""

from __future__ import annotations

from typing import Any

from ..scenario import Scenario
from .link import PACKET
from .traffic import fixed, flow_group, pareto
from .transport import NS2

#: PS-5's link: capacity in bit/s, round trip in seconds, load.
CAPACITY = 150e6
RTT = 0.1
LOAD = 0.7
MEAN_PACKETS = 30
SHAPE = 1.2
#: The settings of section 3.1 are RCP's defaults.
TCP = {"recovery": "reno"}
#: The warm-up: in round trips, and at least in seconds.
WARM_UP_RTTS = 50
WARM_UP_S = 2.0
#: Limit of a run as a multiple of ``stop``, for flows that start late.
PATIENCE = 3
#: A crowd: packets of each of its flows, the load that it joins, and in seconds when it starts, how
#: long flows of that load are measured, and when a run ends at the latest.
CROWD_PACKETS = 100
CROWD_LOAD = 0.3
CROWD_BEGINS_S, BYSTANDERS_S, CROWD_LIMIT_S = 10, 10, 200


def bdp_bytes(capacity: float, rtt: float) -> float:
    """The bandwidth-delay product."""
    return capacity * rtt / 8


def sizes(mean_packets: float) -> dict[str, Any]:
    """Pareto sizes with this mean."""
    return pareto(f"{mean_packets * PACKET:.0f} B", SHAPE)


def place(
    flows: int,
    *,
    capacity: float = CAPACITY,
    rtt: float = RTT,
    load: float = LOAD,
    mean_packets: float = MEAN_PACKETS,
    at_least: float = 0.0,
    **fields: Any,
) -> Scenario:
    """A link with a buffer of a bandwidth-delay product.

    Runs measure until ``flows`` flows have arrived on average, and for ``at_least`` seconds.
    ``fields`` are further fields of the scenario.
    """
    warm_up = max(WARM_UP_RTTS * rtt, WARM_UP_S)
    measured = max(flows * mean_packets * PACKET * 8 / (load * capacity), at_least)
    stop = warm_up + measured
    shared = {
        "name": "place",
        "warm_up": f"{warm_up:g} s",
        "stop": f"{stop:g} s",
        "limit": f"{PATIENCE * stop:g} s",
        "ideals": ["max_min"],
        "transport": NS2,
        "tcp": TCP,
        "topology": {
            "dumbbell": {
                "capacity": f"{capacity:.0f} bps",
                "rtt": f"{1000 * rtt:g} ms",
                "buffer": "1 bdp",
            }
        },
        "group": [flow_group("flows", poisson={"load": load, "sizes": sizes(mean_packets)})],
    }
    return Scenario(**(shared | fields))


def with_crowd(crowd: int, **fields: Any) -> Scenario:
    """A crowd of flows that start together (group ``crowd``) beside others (group ``load``).

    ``fields`` are further fields of the scenario.
    """
    once = {
        "every": f"{CROWD_LIMIT_S} s",
        "start": f"{CROWD_BEGINS_S} s",
        "senders": crowd,
        "sizes": fixed(CROWD_PACKETS),
    }
    load = {"load": CROWD_LOAD, "sizes": sizes(MEAN_PACKETS)}
    return place(1, **fields).set(
        {
            "warm_up": f"{CROWD_BEGINS_S} s",
            "stop": f"{CROWD_BEGINS_S + BYSTANDERS_S} s",
            "limit": f"{CROWD_LIMIT_S} s",
            "group": [
                flow_group("load", poisson=load),
                flow_group("crowd", incast=once),
            ],
        }
    )
