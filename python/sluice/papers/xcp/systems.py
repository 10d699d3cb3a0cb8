"""What is compared: TCP Reno over each queue discipline, and each sender."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ...scenario import Scenario
from .bottleneck import ACCESS, FLOWS, Place, Settings, seconds
from .disciplines import MARKING, queue

#: Hosts as ns-2's of the time of the thesis: until October 2004, time-outs were at least 1 s, and
#: until 2006 a SYN was repeated after 6 s; its clock had ticks of 100 ms.
NS2: Settings = {
    "initial_window": 2,
    "min_rto": "1 s",
    "initial_rto": "6 s",
    "rto_margin": "100 ms",
    "jitter": 0.0,
}


def ns2_hosts(longest: float) -> Settings:
    """Such hosts where the longest round trip without queues is this, in seconds.

    Their time-outs have no margin above the round trip but 100 ms: with a minimum of 1 s, every
    queue would be a time-out of a round trip of 1.4 s.
    """
    return NS2 | {"min_rto": seconds(max(1.0, 2 * longest))}


#: Hosts as today's. A SYN is repeated after 3 s: round trips with a queue are up to a second.
TODAY: Settings = {"initial_rto": "3 s"}
#: Of the bandwidth-delay product: the queue in each direction that Swift aims at, and the window
#: that all of its flows add in a round trip.
SWIFT_QUEUE = 0.1


def _default(place: Place) -> Settings:
    return {}


def _swift(place: Place) -> Settings:
    """A target above the round trip, by the queues of both directions; up to a further round trip
    for small windows, in a buffer of one.

    The defaults are those of a data centre, where a packet in a round trip is a larger part of a
    flow's share.
    """
    return {
        "base_target": seconds((1 + 2 * SWIFT_QUEUE) * place.rtt),
        "fs_range": seconds(place.rtt),
        "ai": SWIFT_QUEUE * place.bdp_packets / FLOWS,
    }


def _hpcc(place: Place) -> Settings:
    """The number of flows that share the headroom of the link (section 3.3)."""
    return {"flows": FLOWS}


@dataclass(frozen=True)
class System:
    """A protocol over a queue discipline."""

    protocol: str
    discipline: str = "drop_tail"
    #: The protocol's table.
    parameters: Callable[[Place], Settings] = _default
    #: Whether hosts are as ns-2's, instead of as today's.
    ns2: bool = False
    #: Capacity of access links, as a multiple of the bottleneck's.
    access: float = ACCESS
    #: The fraction of the link that it aims at.
    target: float = 1.0
    #: Parameters of the discipline that differ from those of ``disciplines``.
    differs: Settings = field(default_factory=dict)

    def scenario(self, place: Place) -> Scenario:
        """The flows at this bottleneck."""
        return place.scenario(self.queue(place), self.settings(place), self.access)

    def queue(self, place: Place) -> Settings:
        """The queue discipline as a scenario's field."""
        return {self.discipline: queue(self.discipline, place)[self.discipline] | self.differs}

    def settings(self, place: Place) -> Settings:
        """The tables of the hosts and of the protocol."""
        hosts = ns2_hosts(place.longest) if self.ns2 else TODAY
        return {"transport": hosts, self.protocol: self.parameters(place)}


def _reno(discipline: str) -> System:
    """TCP Reno on hosts as ns-2's, with ECN where the discipline marks (section 5.1)."""
    own = {"recovery": "reno", "ecn": discipline in MARKING}
    return System("tcp", discipline, lambda place: own, ns2=True)


#: TCP Reno over the disciplines of the thesis, as it names them.
OF_THE_THESIS = {
    name: _reno(discipline)
    for name, discipline in {
        "DropTail": "drop_tail",
        "RED": "red",
        "REM": "rem",
        "CSFQ": "csfq",
        "AVQ": "avq",
    }.items()
}
#: TCP Reno over the others.
OTHERS = {
    name: _reno(discipline)
    for name, discipline in {
        "CoDel": "codel",
        "FQ-CoDel": "fq_codel",
        "PIE": "pie",
        "DualPI2": "dualpi2",
        "threshold": "threshold",
        "DRR": "drr",
        "WFQ": "wfq",
    }.items()
}
#: Senders that routers give no rate.
END_TO_END = {
    "TCP-RACK": System("tcp"),
    "CUBIC": System("cubic"),
    "BBR1": System("bbr1"),
    "BBR3": System("bbr3"),
    "TFRC": System("tfrc"),
    "DCTCP": System("dctcp", "threshold"),
    "Prague": System("prague", "dualpi2"),
    "Swift": System("swift", parameters=_swift),
}
#: Senders that compute from what routers write into packets.
EXPLICIT = {
    "XCP": System("xcp"),
    "RCP": System("rcp"),
    "NCP": System("ncp", target=0.95),
    "alpha-fair": System("alpha_fair", target=0.9),
    # It begins with a window at the rate of its access link, which in its data centres is no faster
    # than other links.
    "HPCC": System("hpcc", parameters=_hpcc, access=1, target=0.95),
}
#: By the title of a panel.
GROUPS = {
    "TCP Reno, the thesis' disciplines": OF_THE_THESIS,
    "TCP Reno, other disciplines": OTHERS,
    "end-to-end senders": END_TO_END,
    "senders with feedback from routers": EXPLICIT,
}
SYSTEMS = {name: system for systems in GROUPS.values() for name, system in systems.items()}
