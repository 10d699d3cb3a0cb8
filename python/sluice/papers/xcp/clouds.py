"""Two ingress and two egress routers around one core link, and what carries traffic across: drop
tail, CSFQ, or an XCP cloud (section 8.1).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy

from ...frame import Frame
from ...results import Results
from ...scenario import Scenario
from ..interval import Interval
from ..link import PACKET
from .bottleneck import Settings

#: Of the core link; the others are five times as fast.
CAPACITY, FAST = 20e6, 100e6
#: Round trips of the cloud and of flows, in seconds.
CLOUD_RTT_S, RTT_S = 0.04, 0.06
#: Of each link between routers, in kB: a bandwidth-delay product of the flows.
BUFFER_KB = CAPACITY * RTT_S / 8e3
#: The time measured, from and to, in seconds.
MEASURED = (10.0, 40.0)
#: The core link and the one back, and the first links of macro-flows there and back.
CORE, RETURN = ("c1", "c2"), ("c2", "c1")
INTO, INTO_RETURN = (("in1", "c1"), ("in2", "c1")), (("out1", "c2"), ("out2", "c2"))
#: Where flows begin and end: by either ingress, by the first over a longer round trip, and back
#: by the second.
ONE, TWO, FAR, BACK = ("s1", "d1"), ("s2", "d2"), ("s3", "d1"), ("d2", "s2")
#: Between s3 and its ingress, in seconds; round trips from there are thrice as long.
FAR_S = 0.065
#: Between an ingress and the core link, in seconds.
INGRESS_S = 0.005
#: CSFQ's time constants of twice the largest queueing delay, as section 3.2 has it.
_CONSTANT = f"{2e3 * RTT_S:g} ms"
_CSFQ: Settings = {"csfq": {"k": _CONSTANT, "k_alpha": _CONSTANT, "k_c": _CONSTANT}}
_CLOUD: Settings = {"edges": ["in1", "in2", "out1", "out2"]}
TAIL, OTHER, CLOUD, MIXED = "drop tail", "CSFQ", "XCP cloud", "XCP cloud, mixed"
#: The systems that figures compare.
NAMES = (TAIL, OTHER, CLOUD)
#: By name: the discipline of the links between border routers, and the cloud.
SYSTEMS: dict[str, tuple[str | Settings, list[Settings]]] = {
    TAIL: ("drop_tail", []),
    OTHER: (_CSFQ, []),
    CLOUD: ("drop_tail", [_CLOUD]),
    MIXED: ("drop_tail", [_CLOUD | {"mixed": True}]),
}
#: A share is within this of its proportion, and a link is used to that part.
CLOSE, FULL = 0.1, 0.95


def scenario(
    system: str,
    groups: Iterable[Settings],
    ingress_kb: float = BUFFER_KB,
    *,
    core_kb: float = BUFFER_KB,
    second_s: float = INGRESS_S,
    timeout_ms: float | None = None,
    measured: tuple[float, float] = MEASURED,
) -> Scenario:
    """Groups of TCP flows and streams between hosts s1 to s3 and d1, d2 behind these routers;
    the queue of each macro-flow and the core link have this room, the second ingress is as far from
    the core link, and flows count for ``timeout_ms`` after their last packet, if given.
    """
    queue, clouds = SYSTEMS[system]
    also = {} if timeout_ms is None else {"flow_timeout": f"{timeout_ms:g} ms"}
    clouds = [cloud | {"buffer": f"{1e3 * ingress_kb:.0f} B"} | also for cloud in clouds]

    def link(
        start: str, end: str, capacity: float, delay: float = INGRESS_S, kb: float = BUFFER_KB
    ) -> Settings:
        ends = {"from": start, "to": end, "capacity": f"{capacity:.0f} bps"}
        room = {"delay": f"{1e3 * delay:g} ms", "buffer": f"{1e3 * kb:.0f} B"}
        return ends | room | {"queue": queue}

    def access(start: str, end: str, delay: float = 0.005) -> Settings:
        ends = {"from": start, "to": end, "capacity": f"{FAST:.0f} bps"}
        return ends | {"delay": f"{1e3 * delay:g} ms", "buffer": "unlimited"}

    return Scenario(
        name="cloud",
        protocols=["tcp"],
        warm_up=f"{measured[0]} s",
        stop=f"{measured[1]} s",
        limit=f"{measured[1]} s",
        ideals=[],
        topology={
            "link": [
                access("s1", "in1"),
                access("s2", "in2"),
                access("s3", "in1", FAR_S),
                link("in1", "c1", FAST),
                link("in2", "c1", FAST, second_s),
                link("c1", "c2", CAPACITY, 0.01, core_kb),
                link("c2", "out1", FAST),
                link("c2", "out2", FAST),
                access("out1", "d1"),
                access("out2", "d2"),
            ]
        },
        cloud=clouds,
        metrics=[
            {"link": [*link], "every": "1 s"} for link in (CORE, RETURN, *INTO, INTO_RETURN[1])
        ],
        group=list(groups),
    )


def flows(name: str, ends: tuple[str, str], count: int, weight: float = 1) -> Settings:
    """Long flows of TCP between these hosts, each of this weight in the cloud and under CSFQ."""
    long = {"count": count, "within": "2 s"}
    return {"name": name, "from": ends[0], "to": ends[1], "long": long, "queue_weight": weight}


def stream(name: str, ends: tuple[str, str], bps: float, count: int = 1) -> Settings:
    """Streams of datagrams, each at this rate, between these hosts."""
    udp = {"rate": f"{bps:.0f} bps", "size": f"{PACKET} B", "phase": "random", "count": count}
    return {"name": name, "from": ends[0], "to": ends[1], "udp": udp}


def less(own: numpy.ndarray, other: numpy.ndarray) -> Interval:
    """A measure of the cloud less that of another system, over the same seeds."""
    return Interval.of(own - other, minimum=-math.inf)


def throughputs(results: Results, seed: int, group: str) -> numpy.ndarray:
    """What each flow of a group received, in bit/s; for runs measured as usual."""
    rows = results.flows("tcp", seed).where(group=group)
    return rows["delivered_bytes"].astype(float) * 8 / (MEASURED[1] - MEASURED[0])


def delay_ms(results: Results, seed: int, group: str) -> float:
    """The mean one-way delay of a stream, in milliseconds."""
    rows = results.flows("tcp", seed).where(group=group)
    return 1e-6 * float(rows["delay_mean_ns"][0])


def counted(results: Results, seed: int, link: tuple[str, str] = CORE) -> float:
    """The weight of all micro-flows by (9.1) at the router of a core link, on average; NaN without
    a cloud.
    """
    return _mean(_sampled(results, seed, "N", link))


def stated(results: Results, seed: int, link: tuple[str, str] = INTO[0], place: int = 0) -> float:
    """The weight that a macro-flow of a link states, by its place, on average; NaN without one."""
    return _mean(_sampled(results, seed, f"macro_flow_{place}_weight", link))


def empty(results: Results, seed: int, link: tuple[str, str] = INTO[0]) -> float:
    """The part of samples in which the queue of the first macro-flow of a link is empty; NaN
    without a cloud.
    """
    return _mean(_sampled(results, seed, "macro_flow_0_queue_bytes", link) == 0)


def _sampled(results: Results, seed: int, quantity: str, link: tuple[str, str]) -> numpy.ndarray:
    rows = results.series("tcp", seed).where(quantity=quantity, link=">".join(link))
    warm_up_s = float(str(results.scenario["warm_up"]).removesuffix(" s"))
    return rows["value"][rows["time_ns"] > 1e9 * warm_up_s]


def _mean(values: numpy.ndarray) -> float:
    return float(values.mean()) if len(values) else math.nan


def part(results: Results, seed: int, links: tuple[tuple[str, str], ...], place: int) -> float:
    """What one of these links sent of the bytes of all of them."""
    sent = [_link(results, seed, link)["sent_bytes"][0] for link in links]
    return float(sent[place] / sum(sent))


def utilization(results: Results, seed: int, link: tuple[str, str]) -> float:
    """That of the core link, or of the one back."""
    return float(_link(results, seed, link)["utilization"][0])


def _link(results: Results, seed: int, link: tuple[str, str]) -> Frame:
    return results.links("tcp", seed).where(**{"from": link[0], "to": link[1]})


def core(results: Results, seed: int) -> dict[str, float]:
    """The core link and the ingress queues: utilization; drops in the cloud and with those at
    ingresses, over packets sent and dropped; the mean time in the core queue, and with that at
    ingresses, in milliseconds. Of TCP alone: packets sent again over those delivered, and that
    time of flows by the second ingress, where no stream waits; NaN without long flows.
    """
    links = results.links("tcp", seed)
    link = links.where(**{"from": CORE[0], "to": CORE[1]})
    sent = float(link["sent_bytes"][0]) / PACKET
    drops = float(links["drops"].astype(float).sum())
    entries = [links.where(**{"from": start, "to": end}) for start, end in INTO]
    refused = sum(_or_none(entry, "ingress_drops") for entry in entries)
    waits = [1e-9 * _or_none(entry, "ingress_wait_ns") for entry in entries]
    waited = numpy.average(waits, weights=[float(entry["sent_bytes"][0]) for entry in entries])
    queued = float(link["mean_queue_bytes"][0]) * 8 / CAPACITY
    flows = results.flows("tcp", seed).where(kind="long")
    delivered = _sum(flows, "delivered_bytes") / PACKET
    return {
        "utilization": float(link["utilization"][0]),
        "core_drops": drops / (sent + drops),
        "all_drops": (drops + refused) / (sent + drops + refused),
        "tcp_drops": _sum(flows, "resent_measured") / delivered if delivered else math.nan,
        "core_ms": 1e3 * queued,
        "all_ms": 1e3 * (queued + float(waited)),
        "tcp_ms": 1e3 * (queued + waits[1]),
    }


def _sum(rows: Frame, column: str) -> float:
    return float(rows[column].astype(float).sum())


def _or_none(rows: Frame, column: str) -> float:
    """The value of the only row, 0 where it has none."""
    value = float(rows[column].astype(object)[0] or 0)
    return 0.0 if math.isnan(value) else value
