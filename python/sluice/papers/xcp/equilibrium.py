"""The equilibrium of XCP's fairness controller at a link that some flows cannot use in full.

Low, Andrew and Wydrowski, "Understanding XCP: Equilibrium and Fairness" (INFOCOM 2005) solve for
the point at which the feedback of each flow is zero. Here one link of capacity c has F free flows
and L flows that other links limit to a rate x. With no queue, phi = alpha (c - y), and by (4.4)
h = gamma y - phi. A free flow rests where what it gets of the positive feedback, (h + phi) / N, is
what it bears of the negative one, h r / y:

    r = y / N * gamma y / (gamma y - alpha (c - y)),    y = L x + F r,    N = L + F.

Limited flows get the same positive feedback and cannot use it. As L grows, y falls to
alpha c / (alpha + gamma), 80 % of the capacity with the thesis' parameters.
"""

from __future__ import annotations

from scipy import optimize

ALPHA, GAMMA = 0.4, 0.1


def utilization(
    free: int, limited: int, rate: float, *, alpha: float = ALPHA, gamma: float = GAMMA
) -> float:
    """y / c with ``free`` and ``limited`` flows; ``rate`` is x / c of each of the latter.

    >>> round(utilization(10, 10, 0.01), 3), round(utilization(1, 1000, 1e-6), 3)
    (0.901, 0.8)
    """

    def surplus(y: float) -> float:
        share = y / (free + limited) * gamma * y / (gamma * y - alpha * (1 - y))
        return limited * rate + free * share - y

    # Below it, the fraction has no positive value.
    least = alpha / (alpha + gamma) * (1 + 1e-12)
    return 1.0 if surplus(1.0) >= 0 else float(optimize.brentq(surplus, least, 1.0))
