"""Theorems 1 to 3 of *Buffer Sizing results for RCP Congestion Control under Connection Arrivals
and Departures*: completion times under loss, and the loss at a buffer.

``..._printed`` are formulas exactly as printed, where they have errors; ``docs/theory.md`` explains
them. Loads are fractions of the capacity, in (0, 1).
"""

from __future__ import annotations

import numpy
from numpy.typing import ArrayLike
from scipy import special

#: Terms of a series summed directly; beyond, its integral is as accurate.
_TERMS = 1_000_000


def rounds(packets: int, loss: float) -> float:
    """The mean number of rounds until all packets have arrived.

    Each transmission is lost with probability ``loss``, in [0, 1), and all missing packets are
    retransmitted in the next round. Raises ValueError for fewer than one packet or another loss.

    >>> round(rounds(100, 0.1), 3)
    2.74
    """
    if packets < 1 or not 0 <= loss < 1:
        raise ValueError(f"packets {packets} must be at least 1, loss {loss} in [0, 1)")
    if loss == 0:
        return 1.0
    # E[max of K geometric] = sum over r >= 0 of P(max > r) = 1 - (1 - p^r)^K. The theorem's
    # alternating sum is the same number, but has no digits left from K = 65 (p 0.9) or 390 (0.1).
    last = int(numpy.log(1e-18 / packets) / numpy.log(loss)) + 2
    if last > _TERMS:
        # The integral over all r >= 0, and half of the first term (Euler and Maclaurin).
        harmonic = special.digamma(packets + 1) + numpy.euler_gamma
        return float(harmonic / -numpy.log(loss) + 0.5)
    missing = loss ** numpy.arange(1, last, dtype=float)
    return 1.0 + float(-numpy.expm1(packets * numpy.log1p(-missing)).sum())


def lossless_s(packets: ArrayLike, rate_pps: float, load: float, rtt_s: float) -> numpy.ndarray:
    """Completion time without loss, in seconds (the paper's Remark 1).

    Processor sharing of a link with a capacity of ``rate_pps`` packets per second, and two round
    trips to begin and end.
    """
    return 2 * rtt_s + numpy.asarray(packets, float) / (rate_pps * (1 - load))


def completion_s(packets: int, loss: float, rate_pps: float, load: float, rtt_s: float) -> float:
    """Theorem 1: an upper bound on the mean completion time under loss, in seconds.

    >>> [round(completion_s(100, loss, 12500, 0.8, 0.1), 4) for loss in (0, 0.1)]
    [0.24, 0.5925]
    """
    sent_s = lossless_s(packets / (1 - loss), rate_pps, load, rtt_s)
    return float(sent_s) + 2 * rtt_s * (rounds(packets, loss) - 1)


def completion_s_printed(
    packets: int, loss: float, rate_pps: float, load: float, rtt_s: float
) -> float:
    """Theorem 1 with the sign of its sum as in equation (2), by which loss shortens a flow."""
    sent_s = lossless_s(packets / (1 - loss), rate_pps, load, rtt_s)
    return float(sent_s) - 2 * rtt_s * (rounds(packets, loss) - 1)


def overflow_long(load: float, nu: float, kappa: float, alpha: float) -> float:
    """Theorem 2: the probability that a queue of long flows overflows its buffer.

    Args:
        load: offered load.
        nu: bandwidth-delay product over mean flow size, much below 1.
        kappa: buffer over bandwidth-delay product.
        alpha: RCP's gain.

    >>> round(overflow_long(0.76, nu=0.0125, kappa=0.02, alpha=0.2), 4)
    0.0161
    """
    # nu rho^2 E[(1 / (alpha N) - kappa)^+ | N > 0], N geometric: only n <= N* = 1 / (kappa alpha).
    _check(load)
    last = 1 / (kappa * alpha) if kappa > 0 else numpy.inf
    whole = numpy.floor(last)
    excess = (1 - load) / load * _logarithm(load, whole) / alpha - kappa * (1 - load**whole)
    return float(nu * load**2 * excess)


def overflow_long_printed(load: float, nu: float, kappa: float, alpha: float) -> float:
    """Theorem 2's second form: log(1 - load) lacks its minus sign, so that the result is negative.

    The sum of the logarithm has all terms, the other sum only those up to N*.
    """
    _check(load)
    excess = (1 - load) / load * numpy.log1p(-load) / alpha
    excess -= kappa * (1 - load ** (1 / (kappa * alpha)))
    return float(nu * load**2 * excess)


def lost_long(load: float, nu: float, kappa: float, alpha: float) -> float:
    """The fraction of packets lost as long flows arrive, after the proof of Theorem 2.

    The excess of an arrival, divided by the packets between two arrivals. The proof divides by what
    the link could carry meanwhile, this function by what it does carry, ``load`` times as much.
    """
    return overflow_long(load, nu, kappa, alpha) / load


def excess(flows: int, alpha: float, settled: float = 1e-12) -> float:
    """The excess of a flow that joins others until RCP has adapted, in bandwidth-delay products.

    Computed by law (1) round by round, without queue and delay. The proof of Theorem 2 has
    1 / (flows alpha).

    >>> round(excess(1, 0.2), 2)
    3.27
    """
    rate, total = 1 / flows, 0.0
    while (over := (flows + 1) * rate - 1) > settled:
        total += over
        rate *= 1 - alpha * over
    return total


def overflow_short(load: float, buffer_bytes: float, mean_bytes: float) -> float:
    """Theorem 3: the probability that a queue of short flows, of exponential sizes, exceeds a
    buffer.

    >>> round(overflow_short(0.9, buffer_bytes=2.5e6, mean_bytes=50_000), 4)
    0.0039
    """
    _check(load)
    return float(numpy.exp(-buffer_bytes / mean_bytes * (1 - load) / load))


def buffer_short(load: float, probability: float, mean_bytes: float) -> float:
    """Theorem 3 as printed: the buffer, in bytes, that short flows exceed with this probability."""
    _check(load)
    return float(mean_bytes * load / (1 - load) * -numpy.log(probability))


def _logarithm(x: float, terms: float) -> float:
    """The sum of x^n / n from 1 to `terms`; -log(1 - x) without an end."""
    if terms <= _TERMS:
        n = numpy.arange(1, int(terms) + 1)
        return float((x**n / n).sum())
    # The rest as an integral of exp(n log x) / n from the middle between two terms on.
    return float(-numpy.log1p(-x) - special.exp1(-(terms + 0.5) * numpy.log(x)))


def _check(load: float) -> None:
    if not 0 < load < 1:
        raise ValueError(f"load {load} must be in (0, 1)")
