"""Ledger's control loop near its rest: long flows over one link, or over a wide and a narrower one.

Time is in d0, the mean round trip that a router measures, and queues are parts of the
bandwidth-delay product C d0. ``docs/explanation/ledger.md`` derives the loop: what is shared, S =
C (1 + s), follows the queue expected a d0 ahead, and reaches the link after each flow's own round
trip:

    tau s' = -s - sum of w_i (1 + e) s(t - d_i) + s(t - 1) - e

for flows of round trips d_i with the parts w_i of the traffic, of which the router counts 1 in
1 + e. Of several links whose rates R differ, each has the loop of the flows that follow its R, for
itself, as long as no queue of a wider link lies before a narrower one. `least_capacity_ratio` is
about such a queue.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from scipy import optimize

#: The highest frequency looked at, in radians per d0. A root above it has a drain time of at most
#: (2 + error) / it.
_HIGHEST = 100.0
_POINTS = 200_000


def queue_bdp(error: float, drain_time: float = 1.0) -> float:
    """The queue above its target at rest, where the router counts 1 / (1 + ``error``) of the flows.

    The audit of the law takes such an error away within some ten d0; this is the queue without it.
    A router that counts too many flows (``error`` below 0) leaves the link in part idle where this
    is below minus the target, since there is no queue below 0.

    >>> queue_bdp(0.1), queue_bdp(0.0)
    (0.18181818181818182, 0.0)
    """
    _check_error(error)
    return error / (1 + error) * (drain_time + 1)


def least_drain_time(
    rtts: Sequence[float],
    weights: Sequence[float] | None = None,
    error: float = 0.0,
    *,
    d0: float | None = None,
) -> float:
    """The drain time, in d0, from which on the loop is stable; 0 if it is with any above
    (2 + ``error``) / 100, the least looked at.

    ``rtts`` are in any unit, and ``weights`` the parts of the traffic, equal by default. ``d0``, in
    the same unit, is what the router takes for their mean, which it is by default.

    >>> least_drain_time([0.1])
    0.0
    >>> round(least_drain_time([0.01, 0.3]), 3)
    0.063
    >>> round(least_drain_time([0.1], d0=0.05), 3)
    0.212
    """
    _check_error(error)
    delays, parts = _delays(rtts, weights, d0)
    w = numpy.linspace(_HIGHEST / _POINTS, _HIGHEST, _POINTS)

    # A root i w: real and imaginary part of
    # tau i w + 1 + (1 + e) sum of w_i e^(-i w d_i) - e^(-i w).
    def real(w: numpy.ndarray | float) -> numpy.ndarray:
        turned = numpy.cos(numpy.multiply.outer(w, delays)) @ parts
        return 1 + (1 + error) * turned - numpy.cos(w)

    def drain_time(w: float) -> float:
        return float((1 + error) * (numpy.sin(w * delays) @ parts) - numpy.sin(w)) / w

    values = real(w)
    crossings = numpy.flatnonzero(values[:-1] * values[1:] < 0)
    roots = [optimize.brentq(real, w[i], w[i + 1], xtol=1e-14) for i in crossings]
    return max([0.0, *map(drain_time, roots)])


def enough_drain_time(
    rtts: Sequence[float], weights: Sequence[float] | None = None, *, d0: float | None = None
) -> float:
    """A drain time that is enough, proved in a line, where the router counts all flows: the mean
    distance of the round trips from d0, in d0. Arguments are those of `least_drain_time`.

    >>> round(enough_drain_time([0.1, 0.3]), 3)
    0.5
    """
    delays, parts = _delays(rtts, weights, d0)
    return float(numpy.abs(delays - 1) @ parts)


def least_capacity_ratio(drain_time: float = 1.0, *, over: float | None = 0.5) -> float:
    """The least ratio of the capacities of a link and a narrower one behind it with which both are
    stable; 1 if they are with any.

    All flows have one round trip; those that cross both links follow the narrower one's R, and the
    wider one carries others. Its queue stretches the time between two packets, and its router
    states the factor (equation 9 of the law), measured ``over`` this time in d0. With None it does
    not, and the narrower link's router counts packets that the queue holds back as flows that left.

    >>> round(least_capacity_ratio(), 2), round(least_capacity_ratio(over=None), 2)
    (1.03, 3.42)
    """
    if not drain_time > 0:
        raise ValueError(f"drain_time {drain_time} must be above 0")
    if over is not None and not over > 0:
        raise ValueError(f"over {over} must be above 0")
    w = numpy.linspace(_HIGHEST / _POINTS, _HIGHEST, _POINTS)

    # A root i w: capacities of a ratio of G_N (1 - G_W), which has to be real.
    def ratio(w: numpy.ndarray | float) -> numpy.ndarray:
        counted = _mean_of(1.0, w)
        missed = counted if over is None else counted * (1 - _mean_of(over, w))
        return _gain(w, drain_time, missed) * (1 - _gain(w, drain_time, counted))

    def imaginary(w: numpy.ndarray | float) -> numpy.ndarray:
        return ratio(w).imag

    values = imaginary(w)
    crossings = numpy.flatnonzero(values[:-1] * values[1:] < 0)
    roots = [optimize.brentq(imaginary, w[i], w[i + 1], xtol=1e-14) for i in crossings]
    return max([1.0, *(float(ratio(root).real) for root in roots)])


def _gain(w: numpy.ndarray | float, drain_time: float, counted: numpy.ndarray) -> numpy.ndarray:
    """The part by which flows that follow R make up, after a d0, for what comes in addition, of
    which the router has ``counted`` a part as flows."""
    root, late = 1j * numpy.asarray(w), numpy.exp(-1j * numpy.asarray(w))
    return late * (1 + counted * (drain_time * root + 1 - late)) / (drain_time * root + 1)


def _mean_of(span: float, w: numpy.ndarray | float) -> numpy.ndarray:
    """The mean over the last ``span``, in d0."""
    root = 1j * numpy.asarray(w)
    return (1 - numpy.exp(-span * root)) / (span * root)


def _delays(
    rtts: Sequence[float], weights: Sequence[float] | None, d0: float | None
) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Round trips in d0, and parts of the traffic that add up to 1."""
    delays = numpy.asarray(rtts, float)
    parts = numpy.ones(len(delays)) if weights is None else numpy.asarray(weights, float)
    if len(delays) == 0 or len(parts) != len(delays):
        raise ValueError(f"{len(parts)} weights of {len(delays)} round trips")
    if not (delays > 0).all() or not (parts >= 0).all() or not parts.sum() > 0:
        raise ValueError("round trips must be above 0, and weights 0 or more and not all 0")
    parts = parts / parts.sum()
    unit = float(parts @ delays) if d0 is None else d0
    if not unit > 0:
        raise ValueError(f"d0 {unit} must be above 0")
    return delays / unit, parts


def _check_error(error: float) -> None:
    if not error > -1:
        raise ValueError(f"error {error} must be above -1")
