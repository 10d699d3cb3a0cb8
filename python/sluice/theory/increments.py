"""XCP-like increments beside NCP's shares: equations (19) to (21) of *A Network Congestion control
Protocol (NCP)*, in rounds.

Rates are fractions of the capacity C, and the queue is one of C d0, so that a round is a control
interval d0, equal to each flow's round trip. alpha and beta are 1, as in the equations. A flow of
rate R_j sends d0 R_j packets, each of which adds 1/R_j to the sums.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy
from numpy.typing import ArrayLike

#: The rates of the next round, from those of this one and the queue.
Law = Callable[[numpy.ndarray, float], numpy.ndarray]


def share(rates: ArrayLike, queue: float = 0.0) -> float:
    """(8): NCP's rate for each flow, (C d0 - q) over the sum of 1/R_j, which is d0 for each flow.

    >>> share([0.1, 0.5, 0.2, 0.2])
    0.25
    """
    return (1 - queue) / numpy.size(rates)


def increment(rates: ArrayLike, queue: float = 0.0) -> float:
    """(20): what XCP adds to each rate, d0 S over the sum of 1/R_j, with S = C - Lambda - q/d0.

    >>> round(increment([0.1, 0.5, 0.2]), 3)
    0.067
    """
    return (1 - float(numpy.sum(rates)) - queue) / numpy.size(rates)


def ncp(rates: numpy.ndarray, queue: float) -> numpy.ndarray:
    """NCP: each flow takes the share."""
    return numpy.full(len(rates), share(rates, queue))


def xcp_like(rates: numpy.ndarray, queue: float) -> numpy.ndarray:
    """(21): each flow adds the increment. Equal to NCP if all rates are equal; else each keeps its
    distance from the mean. (XCP itself shuffles traffic, (4.4) of its thesis, which this lacks.)"""
    return rates + increment(rates, queue)


def rcp(alpha: float = 1.0, beta: float = 1.0) -> Law:
    """RCP, (1) with (2), N = C/R, once each d0. Its one rate is the mean of ``rates``."""

    def law(rates: numpy.ndarray, queue: float) -> numpy.ndarray:
        rate = rates.mean()
        spare = alpha * (1 - rates.sum()) - beta * queue
        return numpy.full(len(rates), rate * (1 + spare))

    return law


def rcp_of_known_number(rates: numpy.ndarray, queue: float) -> numpy.ndarray:
    """RCP, (1) with the number of flows in place of (2), alpha and beta 1. Its one rate is the mean
    of ``rates``; equal to NCP whatever that is."""
    return numpy.full(len(rates), rates.mean() + increment(rates, queue))


#: R in both variants of (21), from the rates and the queue. 8.2 has no R but R(t)^ncp, which is
#: :func:`share`; R in "proportional to its current rate" may be the mean rate, :func:`mean`. Both
#: are the same on a full link without a queue.
Reference = Callable[[numpy.ndarray, float], float]


def mean(rates: numpy.ndarray, queue: float) -> float:
    """The mean rate; the queue has no part in it."""
    return float(rates.mean())


def proportional(reference: Reference) -> Law:
    """The first variant, "multiply Equation 21 with R_j/R", as printed: the new rate times it."""
    return lambda rates, queue: xcp_like(rates, queue) * rates / reference(rates, queue)


def proportional_increments(reference: Reference) -> Law:
    """The first variant of the increment alone: R_j + (R_j/R) Delta R."""
    return lambda rates, queue: rates + increment(rates, queue) * rates / reference(rates, queue)


def equalising(reference: Reference) -> Law:
    """The second variant, "or with R/R_j if one wants to adjust the sending rates to the equal
    share", as printed: the new rate times R/R_j."""
    return lambda rates, queue: xcp_like(rates, queue) * reference(rates, queue) / rates


def equalising_increments(reference: Reference) -> Law:
    """The second variant of the increment alone: R_j + (R/R_j) Delta R."""
    return lambda rates, queue: rates + increment(rates, queue) * reference(rates, queue) / rates


#: Rates are kept within these parts of the capacity: the equations have no bounds, and with a queue
#: above C d0 give rates below 0.
BOUNDS = 1e-6, 1.0


@dataclass(frozen=True)
class Rounds:
    """Rates and queues, one row for each round, the first of which is the start."""

    #: Over the capacity: a row for each round, a column for each flow.
    rates: numpy.ndarray
    #: At the beginning of each round, in C d0.
    queue: numpy.ndarray

    @property
    def bounded(self) -> bool:
        """Whether a rate after the start is at one of ``BOUNDS``."""
        least, most = BOUNDS
        return bool(((self.rates[1:] <= least) | (self.rates[1:] >= most)).any())

    @property
    def load(self) -> numpy.ndarray:
        """The sum of the rates of each round."""
        return self.rates.sum(axis=1)

    @property
    def unfairness(self) -> numpy.ndarray:
        """The largest distance of a rate from the mean, over the mean, in each round."""
        mean = self.rates.mean(axis=1, keepdims=True)
        return (abs(self.rates - mean) / mean).max(axis=1)


def rounds(law: Law, start: ArrayLike, number: int, *, queue: float = 0.0) -> Rounds:
    """This many rounds of a law from these rates.

    >>> [rounds(law, [0.1, 0.1], 1).rates[1].tolist() for law in (ncp, xcp_like)]
    [[0.5, 0.5], [0.5, 0.5]]
    >>> rounds(xcp_like, [0.1, 0.3], 2).rates.round(3).tolist()
    [[0.1, 0.3], [0.4, 0.6], [0.4, 0.6]]
    """
    rates = numpy.array(start, float)
    if not (rates.ndim == 1 and len(rates) and (rates > 0).all() and queue >= 0):
        raise ValueError(
            f"needs rates above 0 and a queue of 0 or more, not {rates.tolist()}, {queue}"
        )
    found, queues = [rates], [queue]
    for _ in range(number):
        # What the router measures is of the round that ends: its arrivals, and what they left.
        queue = max(0.0, queue + float(rates.sum()) - 1)
        rates = numpy.clip(law(rates, queue), *BOUNDS)
        found.append(rates)
        queues.append(queue)
    return Rounds(numpy.array(found), numpy.array(queues))
