"""Fair shares of flows on a network, from its links alone: proportional and max-min fairness."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from scipy import optimize

#: The links that each flow crosses.
Routes = Sequence[Sequence[int]]


def proportional(capacities: Sequence[float], routes: Routes) -> numpy.ndarray:
    """The rates with the greatest sum of logarithms that fit the links (Kelly, 1997).

    Their dual: each link has a price, and a flow's rate is the inverse of the prices on its route.
    Prices minimize the sum over links of price times capacity less the sum over flows of the
    logarithm of theirs, which is convex, and are not negative.

    >>> proportional([1, 1], [[0, 1], [0], [1]]).round(4)
    array([0.3333, 0.6667, 0.6667])
    >>> proportional([1, 9], [[0, 1], [1]]).round(4)
    array([1., 8.])
    """
    crosses = _crosses(capacities, routes)
    sizes = numpy.asarray(capacities, float)
    scale = sizes.mean()

    def dual(prices: numpy.ndarray) -> tuple[float, numpy.ndarray]:
        paths = crosses @ prices
        value = prices @ sizes / scale - numpy.log(paths).sum()
        return float(value), sizes / scale - crosses.T @ (1 / paths)

    found = optimize.minimize(
        dual,
        numpy.ones(len(sizes)),
        jac=True,
        bounds=[(1e-12, None)] * len(sizes),
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 10_000},
    )
    return numpy.asarray(scale / (crosses @ found.x))


def max_min(capacities: Sequence[float], routes: Routes) -> numpy.ndarray:
    """The rates of which none can rise without a smaller one falling, by filling all at once.

    >>> max_min([1, 1], [[0, 1], [0], [1]])
    array([0.5, 0.5, 0.5])
    >>> max_min([1, 9], [[0, 1], [1]])
    array([1., 8.])
    """
    crosses = _crosses(capacities, routes)
    left = numpy.asarray(capacities, float).copy()
    rates = numpy.zeros(len(routes))
    rising = numpy.ones(len(routes), bool)
    while rising.any():
        counts = crosses[rising].sum(axis=0)
        with numpy.errstate(divide="ignore", invalid="ignore"):
            room = numpy.where(counts > 0, left / counts, numpy.inf)
        step, full = room.min(), room <= room.min() * (1 + 1e-12)
        rates[rising] += step
        left -= step * counts
        rising &= ~crosses[:, full].any(axis=1)
    return rates


def _crosses(capacities: Sequence[float], routes: Routes) -> numpy.ndarray:
    """Whether each flow, a row, crosses each link."""
    found = numpy.zeros((len(routes), len(capacities)), bool)
    for flow, links in enumerate(routes):
        found[flow, list(links)] = True
    return found
