"""Distributions of flow sizes, with the functionals that queueing theory needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy
from numpy.typing import ArrayLike
from scipy import stats
from scipy.stats.distributions import rv_frozen

Function = Callable[[numpy.ndarray], numpy.ndarray]

#: The tail beyond the last edge holds less than this part of all bytes.
TAIL = 1e-10
#: Gauss-Legendre's points and weights on (0, 1): exact for polynomials up to degree 15.
_POINTS, _WEIGHTS = numpy.polynomial.legendre.leggauss(8)
_POINTS, _WEIGHTS = (1 + _POINTS) / 2, _WEIGHTS / 2


@dataclass(frozen=True)
class Sizes:
    """A distribution of flow sizes in bytes: single sizes that have a probability of their own, and
    a density between edges.

    Make one by :func:`fixed`, :func:`sample`, :func:`points`, :func:`pareto` or
    :func:`distribution`.

    >>> pareto(25_000, 1.2).mean_bytes
    25000.0
    """

    mean_bytes: float
    #: E[S^2], which may be infinite.
    square_bytes2: float
    #: P(S > x).
    tail: Function
    #: P(S = x) of each atom, in bytes.
    atoms: tuple[numpy.ndarray, numpy.ndarray]
    #: Probability a byte, smooth between two edges.
    density: Function
    #: From 0 up, in bytes; all that is not smooth is at an edge.
    edges: numpy.ndarray

    def expect(self, of: Function) -> float:
        """The mean of a function of the size."""
        where, chance = self.atoms
        weighted = integral(lambda x: of(x) * self.density(x), self.edges, self.edges[-1:])
        return float(numpy.sum(of(where) * chance) + weighted[0])


def fixed(size_bytes: float) -> Sizes:
    """All flows are of one size."""
    return sample([size_bytes])


def sample(sizes_bytes: ArrayLike) -> Sizes:
    """Each of these sizes, in bytes and above 0, with equal probability: measured flows.

    >>> sample([1000, 1000, 4000]).mean_bytes
    2000.0
    """
    values, counts = numpy.unique(numpy.asarray(sizes_bytes, float), return_counts=True)
    if not len(values) or not (numpy.isfinite(values).all() and values[0] > 0):
        raise ValueError("sizes: give at least one; each must be above 0 bytes")
    chance = counts / counts.sum()
    above = numpy.append(1.0, 1 - numpy.cumsum(chance))
    above[-1] = 0.0
    return Sizes(
        mean_bytes=float(values @ chance),
        square_bytes2=float(values**2 @ chance),
        tail=lambda x: above[numpy.searchsorted(values, x, side="right")],
        atoms=(values, chance),
        density=numpy.zeros_like,
        edges=numpy.append(0.0, values),
    )


def points(sizes_bytes: ArrayLike, fractions: ArrayLike) -> Sizes:
    """A cumulative distribution by its points, linear between them: of flows, the fraction that is
    no larger. As in a scenario's ``points``, both rise, the fractions to 1; a first fraction above
    0 is that of flows of the first size, and a size given twice has flows of just that size.

    >>> points([0, 2000], [0, 1]).mean_bytes
    1000.0
    """
    x, y = numpy.asarray(sizes_bytes, float), numpy.asarray(fractions, float)
    rises = len(x) == len(y) > 0 and (numpy.diff(x) >= 0).all() and (numpy.diff(y) >= 0).all()
    if not rises or x[0] < 0 or y[0] < 0 or y[-1] != 1 or (y[x == 0] > 0).any():
        raise ValueError("points: sizes rise from 0 bytes or more, fractions from 0 or more to 1")
    edges, first, counts = numpy.unique(x, return_index=True, return_counts=True)
    before, upto = y[first], y[first + counts - 1]
    before[0] = 0.0
    # Before the first point, between two, and after the last.
    slopes = numpy.concatenate([[0.0], (before[1:] - upto[:-1]) / numpy.diff(edges), [0.0]])
    start, level = numpy.append(0.0, edges), numpy.append(0.0, upto)

    def tail(at: numpy.ndarray) -> numpy.ndarray:
        cell = numpy.searchsorted(edges, at, side="right")
        return 1 - level[cell] - slopes[cell] * (at - start[cell])

    def moment(order: int) -> float:
        """Of flows of single sizes, and of those between two."""
        powers = numpy.diff(edges ** (order + 1)) / (order + 1)
        return float(edges**order @ (upto - before) + slopes[1:-1] @ powers)

    return Sizes(
        mean_bytes=moment(1),
        square_bytes2=moment(2),
        tail=tail,
        atoms=(edges, upto - before),
        density=lambda at: slopes[numpy.searchsorted(edges, at)],
        edges=numpy.union1d(0.0, edges),
    )


def pareto(mean_bytes: float, shape: float) -> Sizes:
    """The Pareto distribution with this mean and shape, which must be above 1."""
    if not (shape > 1 and mean_bytes > 0):
        raise ValueError(f"pareto: shape {shape} must be above 1, mean {mean_bytes} above 0 bytes")
    return distribution(stats.pareto(shape, scale=mean_bytes * (shape - 1) / shape))


def distribution(frozen: rv_frozen) -> Sizes:
    """A continuous distribution of ``scipy.stats`` with its parameters, in bytes: above 0, with a
    finite mean.

    >>> from scipy import stats
    >>> distribution(stats.expon(scale=50_000)).mean_bytes
    50000.0
    """
    mean, (low, high) = float(frozen.mean()), frozen.support()
    if not (numpy.isfinite(mean) and low >= 0):
        raise ValueError(f"distribution: mean {mean} must be finite, least size {low} 0 or more")
    # Quantiles resolve a narrow peak, doublings reach far into a heavy tail.
    tails = 10.0 ** -numpy.arange(3, 13)
    quantiles = numpy.concatenate(
        [frozen.ppf(tails), frozen.ppf(numpy.linspace(0.01, 0.99, 99)), frozen.isf(tails)]
    )
    first, last = max(quantiles.min(), quantiles.max() * 2.0**-100), quantiles.max()
    while last < high and frozen.sf(last) * last > TAIL * mean and last < 1e150:
        last *= 2
    doublings = numpy.geomspace(first, last, int(2 * numpy.log2(last / first)) + 2)
    within = numpy.concatenate([quantiles, doublings[doublings < high]])
    ends = [0.0, low, min(high, last)]
    return Sizes(
        mean_bytes=mean,
        square_bytes2=float(frozen.var()) + mean**2,
        tail=frozen.sf,
        atoms=(numpy.empty(0), numpy.empty(0)),
        density=frozen.pdf,
        edges=numpy.unique(numpy.concatenate([ends, within])),
    )


def integral(of: Function, edges: numpy.ndarray, upto: numpy.ndarray) -> numpy.ndarray:
    """The integral of a function from the first edge up to each of these, which is smooth between
    edges."""
    cells = numpy.union1d(edges, upto)
    widths = numpy.diff(cells)
    nodes = cells[:-1, None] + widths[:, None] * _POINTS
    parts = (of(nodes.ravel()).reshape(nodes.shape) @ _WEIGHTS) * widths
    return numpy.append(0.0, numpy.cumsum(parts))[numpy.searchsorted(cells, upto)]
