"""Parameters of queue disciplines at a bottleneck, by registered name.

Those of the thesis are in section 3.2. The others have the defaults of their RFCs, except where a
source derives a value from the round trip.
"""

from __future__ import annotations

from collections.abc import Callable

from .bottleneck import PACKET_BITS, Place, Settings, bytes_of, seconds


def _default(place: Place) -> Settings:
    return {}


def _red(place: Place) -> Settings:
    """Thresholds of one and two thirds of the buffer. ns-2's RED waits between drops."""
    third = place.buffer_bytes / 3
    return {
        "min_th": bytes_of(third),
        "max_th": bytes_of(2 * third),
        "max_p": 0.1,
        "weight": 0.002,
        "gentle": True,
        "wait": True,
    }


def _rem(place: Place) -> Settings:
    """Updates each 10 packets, and a target of a third of the buffer."""
    return {
        "phi": 1.001,
        "gamma": 0.001,
        "period": seconds(10 * PACKET_BITS / place.capacity),
        "target": bytes_of(place.buffer_bytes / 3),
    }


def _csfq(place: Place) -> Settings:
    """Constants of twice the largest queueing delay, which is a round trip."""
    constant = seconds(2 * place.rtt)
    return {"k": constant, "k_alpha": constant, "k_c": constant}


def _avq(place: Place) -> Settings:
    return {"gamma": 0.98, "alpha": 0.15}


def _codel(place: Place) -> Settings:
    """An interval of the largest RTT, and 5 % of it as target (RFC 8289, sections 4.3 and 4.4)."""
    interval = max(0.1, place.rtt)
    return {"interval": seconds(interval), "target": seconds(0.05 * interval)}


def _dualpi2(place: Place) -> Settings:
    """A target of 0.44 of the typical RTT, and the largest RTT (RFC 9332, section A.1)."""
    return {
        "target": seconds(max(0.015, 0.44 * place.rtt)),
        "rtt_max": seconds(max(0.1, place.rtt)),
    }


def _threshold(place: Place) -> Settings:
    """Above a seventh of the bandwidth-delay product, a link stays full under DCTCP (SIGCOMM 2010,
    section 3.4).
    """
    return {"mark_above": bytes_of(place.buffer_bytes / 5)}


PARAMETERS: dict[str, Callable[[Place], Settings]] = {
    "drop_tail": _default,
    "red": _red,
    "rem": _rem,
    "csfq": _csfq,
    "avq": _avq,
    "codel": _codel,
    "fq_codel": _codel,
    "pie": _default,
    "dualpi2": _dualpi2,
    "threshold": _threshold,
    "drr": _default,
    "wfq": _default,
}
#: Those that mark packets of TCP with ECN.
MARKING = ("red", "rem", "avq", "codel", "fq_codel", "pie", "dualpi2", "threshold")
#: Those that are not drawn, and why.
EXEMPT = {
    "cbwfq": "divides a link between classes of traffic; here there is one",
    "ncp_csfq": "is NCP's share with CSFQ's labels: ncp-10-csfq",
    "priority": "orders classes of traffic; here there is one",
    "tcp_friendly": "is RED for TCP, with a queue for XCP beside it",
}


def queue(name: str, place: Place) -> Settings:
    """A discipline as a scenario's field."""
    return {name: PARAMETERS[name](place)}
