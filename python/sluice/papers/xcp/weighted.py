"""Systems that share a link by weight (section 6.3): XCP, MulTCP, CSFQ and WFQ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .bottleneck import Place, Settings, bytes_of
from .disciplines import queue
from .systems import NS2

#: As ns-2's of the time, but with jitter: without it, two or three flows meet the same queues in
#: the same order for ever.
HOSTS = NS2 | {"jitter": 0.5}
RENO: Settings = {"recovery": "reno"}
SACK: Settings = {"recovery": "sack"}


@dataclass(frozen=True)
class Weighted:
    """A protocol and queue discipline, and the field of a group that has the weight."""

    protocol: str
    field: str
    discipline: Callable[[Place], Settings]
    parameters: Settings
    #: Buffer, in bandwidth-delay products.
    buffer: float = 1.0


def _csfq(place: Place) -> Settings:
    """ "The averaging constants are set to twice as much as the maximum queuing delay [...], and
    the queue threshold is set to 0.4 the buffer size."
    """
    parameters = queue("csfq", place)["csfq"]
    return {"csfq": parameters | {"congested_from": bytes_of(0.4 * place.buffer_bytes)}}


#: By name. TCP has SACK; the thesis' time-outs of WFQ come with Reno. WFQ has a buffer of three
#: bandwidth-delay products, as the thesis' FQ of ns-2 has one for each flow; here flows share it.
SYSTEMS = {
    "XCP": Weighted("xcp", "weight", lambda place: {"drop_tail": {}}, RENO),
    "MulTCP": Weighted("tcp", "weight", lambda place: queue("red", place), SACK),
    "CSFQ": Weighted("tcp", "queue_weight", _csfq, SACK),
    "WFQ": Weighted("tcp", "queue_weight", lambda place: {"wfq": {}}, SACK, buffer=3.0),
    "WFQ, Reno": Weighted("tcp", "queue_weight", lambda place: {"wfq": {}}, RENO, buffer=3.0),
}


def folder(name: str) -> str:
    """A system's name as that of a folder."""
    return name.replace(", ", "-")
