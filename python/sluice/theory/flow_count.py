"""How many flows RCP and NCP count: equations (2) and (16) to (18) of *A Network Congestion control
Protocol (NCP)*.

Loads and drains are fractions of the capacity C: ``load`` is y/C, the rate of arrivals; ``drain``
is q/(d0 C), the rate that would drain the queue in one control interval d0. ``alpha`` and ``beta``
are the gains of RCP's equation (1) and, in (16) as printed, those of NCP's (5) too, although they
differ in meaning: RCP's alpha scales spare capacity, NCP's scales the capacity itself.

(16) says that it puts (1) into (7); its sum of 1/w_j is that of (5).
"""

from __future__ import annotations

import math

#: The gains of the paper's examples of (18), those of RCP's paper.
ALPHA, BETA = 0.1, 1.0


def estimated(share: float) -> float:
    """(2): the number of flows by RCP, C / R, where ``share`` is R/C, above 0.

    >>> [estimated(share) for share in (1 / 200, 1 / 4)]
    [200.0, 4.0]
    """
    if not share > 0:
        raise ValueError(f"share {share} must be above 0")
    return 1 / share


def exact(
    windows: float,
    load: float,
    drain: float,
    share: float,
    *,
    alpha: float = ALPHA,
    beta: float = BETA,
) -> float:
    """(16): the N with which RCP's (1) gives the rate of NCP's (5). Infinite where NCP leaves the
    rate as it is, and NaN where RCP does so too.

    Args:
        windows: the sum of 1/w_j over the packets of an interval: the flows that NCP counts.
        load: y/C.
        drain: q/(d0 C).
        share: R(t - d0)/C.
        alpha: RCP's gain on spare capacity, and NCP's on the capacity, as printed.
        beta: both gains on the queue.

    At a full link without a queue N is 0 as printed, for any number of flows. With both gains 1, it
    is the number of flows, if each sends at R:

    >>> exact(20, 1.0, 0.0, 1 / 20) == 0
    True
    >>> round(exact(20, 0.5, 0.2, 0.5 / 20, alpha=1), 3)
    20.0
    """
    above = (alpha * (1 - load) - beta * drain) * windows
    below = alpha - beta * drain - share * windows
    if below == 0:
        return math.nan if above == 0 else math.inf
    return above / below


def estimated_over_exact(
    load: float, drain: float = 0.0, *, alpha: float = ALPHA, beta: float = BETA
) -> float:
    """RCP's N by (2) over that of (16) with w_j = d0 R(t - d0), as (18) has it: 1 where (18) holds.

    The sum of 1/w_j is then y/R, so that R and the number of flows cancel. Infinite where (16) is
    0, and negative where it is.

    >>> root, _ = loads(0.0)
    >>> round(estimated_over_exact(root), 9)
    1.0
    """
    if not load > 0:
        raise ValueError(f"load {load} must be above 0")
    # Any share will do; the number of flows that it goes with is load / share.
    number = exact(load, load, drain, 1.0, alpha=alpha, beta=beta)
    return math.inf if number == 0 else 1 / number


def loads(drain: float, *, alpha: float = ALPHA, beta: float = BETA) -> tuple[float, float]:
    """(18): both values of y/C at which (2) equals (16), the lower first. NaN if none is real,
    which takes an alpha above 1.

    With alpha and beta 1 the roots are C, and C - q/d0, where neither protocol changes the rate.

    The paper prints y = 0.092 C and 10.908 C without a queue, and for alpha 0.1, beta 1, q/d0 = 5
    and C = 10 y = 25.62. The first two are right. The third is not a root: those are -6.06 and
    66.06. (25.62 would be one if the queue's term stood twice in the coefficient of y.)

    >>> [round(root, 3) for root in loads(0.0)]
    [0.092, 10.908]
    >>> [round(10 * root, 2) for root in loads(5 / 10)]
    [-6.06, 66.06]
    """
    # alpha x^2 + (beta drain - (1 + alpha)) x + alpha - beta drain = 0, with x = y/C.
    linear, constant = beta * drain - (1 + alpha), alpha - beta * drain
    under_root = linear * linear - 4 * alpha * constant
    if under_root < 0:
        return math.nan, math.nan
    # Without cancellation: one root by the sum of like signs, the other by their product.
    large = -(linear + math.copysign(math.sqrt(under_root), linear)) / (2 * alpha)
    low, high = sorted((large, constant / (alpha * large)))
    return low, high


def reachable(drain: float, *, alpha: float = ALPHA, beta: float = BETA) -> list[float]:
    """The roots of (18) that a load can have: those above 0. One above 1 lasts for an instant
    only, since the queue then grows by (y - C) d0 in each interval.

    >>> [[round(root, 3) for root in reachable(drain)] for drain in (0.0, 0.1, 0.5)]
    [[0.092, 10.908], [10.0], [6.606]]
    """
    return [root for root in loads(drain, alpha=alpha, beta=beta) if root > 0]
