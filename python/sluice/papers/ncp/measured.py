"""Measured flows, those that did not finish included."""

from __future__ import annotations

from typing import NamedTuple

import numpy

from ...frame import Frame
from ..closeness import seconds_or_age
from ..link import PACKET


class Flows(NamedTuple):
    """Measured flows of a run."""

    #: Size in packets.
    packets: numpy.ndarray
    #: Completion time in seconds; of an unfinished flow, its age when the last one finished.
    seconds: numpy.ndarray
    unfinished: numpy.ndarray


def measured(flows: Frame) -> Flows:
    """The measured flows of a run, by start and size: in the same order under each system."""
    size = flows["size_bytes"]
    order = numpy.lexsort((size, flows["start_ns"]))
    chosen = order[flows["measured"][order]]
    unfinished = numpy.isnan(flows["completion_ns"])
    return Flows(size[chosen] / PACKET, seconds_or_age(flows)[chosen], unfinished[chosen])
