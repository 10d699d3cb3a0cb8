"""Systems that share a link by weight (section 6.3): XCP, MulTCP, CSFQ and WFQ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .bottleneck import Place, Settings, bytes_of
from .comparison import SENDER
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
    #: Whether the buffer is a bandwidth-delay product for each flow, instead of one for all.
    each: bool = False

    def buffer(self, place: Place, flows: int) -> str:
        """The buffer as a scenario's field."""
        return bytes_of(place.buffer_bytes * (flows if self.each else 1))


def _csfq(place: Place) -> Settings:
    """ "The averaging constants are set to twice as much as the maximum queuing delay [...], and
    the queue threshold is set to 0.4 the buffer size."
    """
    parameters = queue("csfq", place)["csfq"]
    return {"csfq": parameters | {"congested_from": bytes_of(0.4 * place.buffer_bytes)}}


#: By name. TCP has SACK, without ECN; the thesis' time-outs of WFQ come with Reno. WFQ has a
#: bandwidth-delay product for each flow, as the thesis' FQ of ns-2; here flows share it.
SYSTEMS = {
    "XCP": Weighted("xcp", "weight", lambda place: {"drop_tail": {}}, SENDER),
    "MulTCP": Weighted("tcp", "weight", lambda place: queue("red", place), SACK),
    "CSFQ": Weighted("tcp", "queue_weight", _csfq, SACK),
    "WFQ": Weighted("tcp", "queue_weight", lambda place: {"wfq": {}}, SACK, each=True),
    "WFQ, Reno": Weighted("tcp", "queue_weight", lambda place: {"wfq": {}}, RENO, each=True),
}


def folder(name: str) -> str:
    """A system's name as that of a folder."""
    return name.replace(", ", "-")
