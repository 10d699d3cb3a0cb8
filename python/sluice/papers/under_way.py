"""Numbers of active flows.

A flow is active from its first SYN to the arrival of its last byte; one that did not finish stays
active. Times are in seconds.
"""

from __future__ import annotations

from itertools import pairwise

import numpy

from ..frame import Frame


def spans(flows: Frame) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The start and the end of each flow; the end is infinite if it did not finish."""
    begin = flows["start_ns"] / 1e9
    return begin, begin + numpy.nan_to_num(flows["completion_ns"] / 1e9, nan=numpy.inf)


def between(begin: numpy.ndarray, end: numpy.ndarray, times: numpy.ndarray) -> numpy.ndarray:
    """The number of flows that have begun and not ended at each time.

    >>> between(numpy.array([0, 1]), numpy.array([1, numpy.inf]), numpy.array([0.5, 1, 2]))
    array([1, 1, 1])
    """
    begun, ended = (
        numpy.searchsorted(numpy.sort(each), times, side="right") for each in (begin, end)
    )
    return begun - ended


def at(flows: Frame, times: numpy.ndarray) -> numpy.ndarray:
    """The number of active flows at each time."""
    return between(*spans(flows), times)


def mean(flows: Frame, edges: numpy.ndarray) -> numpy.ndarray:
    """The mean number of active flows between consecutive edges."""
    begin, end = spans(flows)
    there = [
        (numpy.minimum(end, to) - numpy.maximum(begin, since)).clip(min=0).sum()
        for since, to in pairwise(edges)
    ]
    return numpy.array(there) / numpy.diff(edges)
