"""How many flows are under way: from the first SYN until the last byte arrives. One that did not
finish stays. Times are in seconds."""

from __future__ import annotations

from itertools import pairwise

import numpy

from ..frame import Frame


def spans(flows: Frame) -> tuple[numpy.ndarray, numpy.ndarray]:
    """From when to when each flow is under way; infinity is no end."""
    begin = flows["start_ns"] / 1e9
    return begin, begin + numpy.nan_to_num(flows["completion_ns"] / 1e9, nan=numpy.inf)


def between(begin: numpy.ndarray, end: numpy.ndarray, times: numpy.ndarray) -> numpy.ndarray:
    """How many have begun and not ended at each time.

    >>> between(numpy.array([0, 1]), numpy.array([1, numpy.inf]), numpy.array([0.5, 1, 2]))
    array([1, 1, 1])
    """
    begun, ended = (
        numpy.searchsorted(numpy.sort(each), times, side="right") for each in (begin, end)
    )
    return begun - ended


def at(flows: Frame, times: numpy.ndarray) -> numpy.ndarray:
    """How many there are at each time."""
    return between(*spans(flows), times)


def mean(flows: Frame, edges: numpy.ndarray) -> numpy.ndarray:
    """How many there are on average between each two edges."""
    begin, end = spans(flows)
    there = [
        (numpy.minimum(end, to) - numpy.maximum(begin, since)).clip(min=0).sum()
        for since, to in pairwise(edges)
    ]
    return numpy.array(there) / numpy.diff(edges)
