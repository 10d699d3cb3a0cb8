"""The data centre of section 5.1: 320 hosts in 20 racks, with 20 aggregation and 16 core switches.

Settings that the paper leaves open are those of its authors' code and of the answers to its users.
"""

from __future__ import annotations

from typing import Any

import numpy

from ...scenario import Scenario

HOSTS, RACKS = 320, 20
ACCESS, FABRIC = 100e9, 400e9
DELAY_NS = 1_000
PAYLOAD = 1_000
#: Bytes of headers in a packet, and those of telemetry.
HEADER, TELEMETRY = 48, 42
#: T, the round trip without queues, and the packets that fill it at the rate of a host.
BASE_RTT = "13 us"
BASE_PACKETS = 153
#: Incasts: this share of the capacity of all hosts, as 60 flows of 500 kB to one host each.
INCAST_LOAD, SENDERS, INCAST_BYTES = 0.02, 60, 500_000

#: Parameters of the protocols. ``flows`` makes W_AI the authors' 40 Mb/s, and without ``max_stage``
#: the window is scaled with each acknowledgement, as in their simulations.
PROTOCOLS: dict[str, dict[str, Any]] = {
    "hpcc": {
        "header": f"{HEADER + TELEMETRY} B",
        "packet": f"{PAYLOAD + HEADER + TELEMETRY} B",
        "hpcc": {"base_rtt": BASE_RTT, "flows": 125, "max_stage": 0},
    },
    "dctcp": {
        "header": f"{HEADER} B",
        "packet": f"{PAYLOAD + HEADER} B",
        # A flow begins at the rate of its host, and then adds a packet per round trip.
        "dctcp": {
            "initial_window": BASE_PACKETS,
            "initial_ssthresh": BASE_PACKETS,
            "pacing": True,
        },
    },
}


def data_centre(protocol: str, groups: list[dict[str, Any]], **fields: Any) -> Scenario:
    """A scenario with these groups of flows.

    Connections are open before flows begin, and hosts send packets of their flows in turn, as RDMA
    does; telemetry begins at the first switch.
    """
    marked = {"dctcp": ("300 kB", "1200 kB")}.get(protocol)
    shared: dict[str, Any] = {
        "name": "data-centre",
        "protocols": [protocol],
        "control": "60 B",
        "ideals": [],
        "transport": {
            "handshake": False,
            "jitter": 0.0,
            "min_rto": "1 ms",
            "initial_rto": "1 ms",
        },
        "topology": {
            "fat_tree": {
                "k": 8,
                "pods": 5,
                "hosts": HOSTS // RACKS,
                "cores": 4,
                "access": _cable(ACCESS, marked and marked[0]),
                "fabric": _cable(FABRIC, marked and marked[1]),
            }
        },
        "link": [
            {
                "from": f"h0..h{HOSTS - 1}",
                "to": f"edge0..edge{RACKS - 1}",
                "both_ways": False,
                "queue": "drr",
                "router": False,
            }
        ],
        "group": groups,
    }
    return Scenario(**(shared | PROTOCOLS[protocol] | fields))


def _cable(bps: float, mark_above: str | None) -> dict[str, Any]:
    cable: dict[str, Any] = {"capacity": f"{bps:.0f} bps", "delay": f"{DELAY_NS} ns"}
    cable["buffer"] = "32 MB"
    if mark_above:
        cable["queue"] = {"threshold": {"mark_above": mark_above}}
    return cable


def hadoop(load: float) -> dict[str, Any]:
    """Flows between all pairs of hosts, of the sizes of Facebook's Hadoop cluster."""
    sizes = {"workload": "hadoop"}
    poisson = {"load": load, "sizes": sizes}
    return {"name": "hadoop", "pairs": "all_to_all", "poisson": poisson}


def incasts(until_s: float) -> list[dict[str, Any]]:
    """Incasts at random times (Poisson), each from hosts and to a host drawn at random."""
    draw = numpy.random.default_rng(1)
    per_second = INCAST_LOAD * HOSTS * ACCESS / 8 / (SENDERS * INCAST_BYTES)
    groups: list[dict[str, Any]] = []
    start = 0.0
    while (start := start + draw.exponential(1 / per_second)) < until_s:
        hosts = draw.choice(HOSTS, SENDERS + 1, replace=False)
        sizes = {"fixed": f"{INCAST_BYTES} B"}
        groups.append(
            {
                "name": f"incast-{len(groups)}",
                "from": [f"h{host}" for host in hosts[1:]],
                "to": f"h{hosts[0]}",
                "incast": {"every": "1 h", "start": f"{start:.9f} s", "sizes": sizes},
            }
        )
    return groups


def alone_ns(sizes: numpy.ndarray, links: numpy.ndarray) -> numpy.ndarray:
    """The least time from the start of a flow to its last acknowledgement, as the authors' code has
    it: the propagation both ways, a full packet at each link, and all bytes but those of telemetry
    at the rate of a host.

    >>> [round(float(ns)) for ns in alone_ns(numpy.array([1_000]), numpy.array([6]))]
    [12324]
    """
    propagation = 2 * DELAY_NS * links
    packet = 8e9 * PAYLOAD * (2 / ACCESS + (links - 2) / FABRIC)
    wire = sizes + numpy.ceil(numpy.maximum(sizes, 1) / PAYLOAD) * HEADER
    return propagation + packet + 8e9 * wire / ACCESS
