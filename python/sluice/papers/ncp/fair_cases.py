"""Traffic over links that share by labels, and its max-min fair rates: cases of ``ncp-10-csfq``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ...scenario import Scenario

#: Links of Stoica, Shenker and Zhang, section 3: 10 Mb/s, 1 ms, 64 kB; packets of 1000 bytes.
CAPACITY, BUFFER, PACKET = 10e6, "64000 B", 1000
#: Streams of the main experiment, and the share of each.
STREAMS = 32
SHARE = CAPACITY / STREAMS
WARM_UP_S = 5
Settings = Mapping[str, Any]
#: The link at which N is sampled.
SHARED = ("a", "b")


@dataclass(frozen=True)
class Flows:
    """Flows of one kind, and the max-min fair rate of each, in bit/s."""

    settings: Settings
    fair: float
    #: At the first link that labels, in bit/s; 0 for flows that adapt.
    arriving: float = 0.0

    @property
    def name(self) -> str:
        """That of their group."""
        return str(self.settings["name"])

    def over_fair(self, delivered: float, seconds: float) -> float:
        """What a flow received over its fair rate. Packets have no headers."""
        return 8 * delivered / seconds / self.fair

    def noise(self, seconds: float) -> float:
        """The standard deviation of that where what is too much is dropped packet by packet, by
        draws with the right probability: of n fair packets, sqrt((1 - fair/arriving) / n).
        """
        dropped = max(0.0, 1 - self.fair / self.arriving) if self.arriving else 0.0
        return math.sqrt(dropped * 8 * PACKET / (self.fair * seconds))


@dataclass(frozen=True)
class Case:
    """Flows over links that share, and perhaps others before them."""

    flows: Sequence[Flows]
    shared: Sequence[tuple[str, str]] = (SHARED,)
    before: Sequence[Settings] = ()
    buffer: str = BUFFER
    delay: str = "1 ms"
    #: The group of a stream that is judged by itself, too.
    stream: str = ""

    def scenario(self, queue: Any, stop_s: float, protocol: str = "tcp") -> Scenario:
        """The case under this discipline."""
        links = [
            {"from": start, "to": end, "capacity": f"{CAPACITY:.0f} bps", "delay": self.delay}
            | {"buffer": self.buffer, "queue": queue}
            for start, end in self.shared
        ]
        start, end = self.shared[0]
        return Scenario(
            name="shares",
            protocols=[protocol],
            warm_up=f"{WARM_UP_S} s",
            stop=f"{stop_s} s",
            limit=f"{stop_s} s",
            ideals=[],
            topology={"link": [*links, *self.before]},
            group=[dict(flows.settings) for flows in self.flows],
            metrics=[{"link": [start, end], "every": "200 ms"}],
        )


def _streams(
    name: str,
    bps: float,
    fair: float,
    count: int = 1,
    ends: tuple[str, str] = SHARED,
    **udp: str,
) -> Flows:
    stream = {"rate": f"{bps:.0f} bps", "size": f"{PACKET} B", "count": count}
    random = {} if "on" in udp else {"phase": "random"}
    settings = {"name": name, "from": ends[0], "to": ends[1], "udp": stream | random | udp}
    return Flows(settings, fair, bps / 2 if "on" in udp else bps)


def _long(name: str, count: int, fair: float) -> Flows:
    long = {"count": count, "within": "1 s"}
    return Flows({"name": name, "from": "a", "to": "b", "long": long}, fair)


def _ladder() -> list[Flows]:
    """Stream i of 32 sends i + 1 times its share (their section 3.1)."""
    return [_streams(f"s{i}", (i + 1) * SHARE, SHARE) for i in range(STREAMS)]


def _row(links: int = 5) -> Case:
    """A stream over five links, each with ten others of 2 Mb/s (their section 3.2)."""
    nodes = [f"n{place}" for place in range(links + 1)]
    shared = list(pairwise(nodes))
    fair = CAPACITY / 11
    across = _streams("across", 2e6, fair, ends=(nodes[0], nodes[-1]))
    others = [_streams(f"over{place}", 2e6, fair, 10, ends) for place, ends in enumerate(shared)]
    return Case([across, *others], shared, stream="across")


def _behind(is_congested: bool) -> Case:
    """Four streams of 1.25 Mb/s beside eight of 2.5 Mb/s; or the four send 2.5 Mb/s, and a link
    before the first that labels leaves them 1.25 Mb/s each.
    """
    fair = CAPACITY / 12
    entry = {"from": "x", "to": "a", "capacity": "5 Mbps", "delay": "1 ms"}
    before = [entry | {"buffer": BUFFER, "queue": "drr"}] if is_congested else []
    ends, bps = (("x", "b"), 2.5e6) if is_congested else (SHARED, 1.25e6)
    four = replace(_streams("four", bps, fair, 4, ends), arriving=1.25e6)
    return Case([four, _streams("eight", 2.5e6, fair, 8)], before=before)


LADDER, BELOW, UNDER, TENFOLD = "ladder", "some below", "all below", "tenfold"
ON_OFF, SLOW, TCP, ROW, TINY = "on-off", "slow", "beside TCP", "five links", "4 packets"
INGRESS, AS_MUCH, HOSTS = "congested ingress", "free ingress", "long flows"
CASES: dict[str, Case] = {
    LADDER: Case(_ladder()),
    # 16 streams leave three quarters of their shares to the others.
    BELOW: Case(
        [
            _streams("low", SHARE / 4, SHARE / 4, STREAMS // 2),
            _streams("high", 4 * SHARE, 1.75 * SHARE, STREAMS // 2),
        ]
    ),
    UNDER: Case([_streams("all", 0.9 * SHARE, 0.9 * SHARE, STREAMS)]),
    TENFOLD: Case([_streams("all", CAPACITY, CAPACITY / 10, 10)]),
    # Each sends twice its share on average, and half of the time nothing.
    ON_OFF: Case([_streams("all", 4 * SHARE, SHARE, STREAMS, on="100 ms", off="100 ms")]),
    # A packet each 200 ms or, after the link, each 400 ms.
    SLOW: Case([_streams("all", 40e3, 20e3, 500)]),
    TCP: Case([_streams("udp", CAPACITY, SHARE), _long("tcp", STREAMS - 1, SHARE)], stream="udp"),
    ROW: _row(),
    TINY: Case(_ladder(), buffer="4 packets"),
    INGRESS: _behind(is_congested=True),
    AS_MUCH: _behind(is_congested=False),
    HOSTS: Case([_long("all", 8, CAPACITY / 8)], delay="20 ms"),
}
