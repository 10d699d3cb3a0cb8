"""The control loop of RCP and XCP with its edges: a queue that cannot be negative, a rate with a
least and a greatest value. As delay differential equations in the units of ``linear``.

    q' = y - 1, but not below q = 0
    y' = alpha (1 - y(t - 1)) - beta q(t - 1)          XCP (thesis, B.1 and B.2)
    y' = y (alpha (1 - y(t - 1)) - beta q(t - 1))      RCP (equation (2), in continuous time)

One round trip is one for all: neither model has it grow with the queue.

The rest, y = 1 and q = 0, lies on the edge, so the linear loop holds on one side of it only. That
is why settings far outside the linear region converge: the queue empties before the swing that
would grow is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy
from numpy.typing import ArrayLike

from . import linear

Law = Literal["rcp", "xcp"]

#: Steps a round trip, by default.
STEPS = 50
#: Default starts of trajectories: loads y and queues q.
STARTS = ((0.05, 0.5, 1.5, 2.0, 4.0), (0.0, 0.2, 1.0, 3.0))


class Path(NamedTuple):
    """Trajectories from one or several starts: ``load[i]`` and ``queue[i]`` at ``time_rtts[i]``."""

    #: In round trips.
    time_rtts: numpy.ndarray
    #: Aggregate rate at the queue over the capacity.
    load: numpy.ndarray
    #: In bandwidth-delay products.
    queue: numpy.ndarray


def path(
    law: Law,
    alpha: ArrayLike,
    beta: ArrayLike,
    load: ArrayLike,
    queue: ArrayLike = 0.0,
    *,
    rtts: float = 100.0,
    limits: tuple[float, float] = (0.0, numpy.inf),
    steps: int = STEPS,
) -> Path:
    """The trajectory from a start that was held for a round trip.

    Args:
        law: ``"rcp"`` or ``"xcp"``.
        alpha: gain of spare capacity; like `beta`, `load` and `queue` a number or an array, which
            are broadcast against each other.
        beta: gain of the queue.
        load: aggregate rate at the start over the capacity, above 0.
        queue: queue at the start, in bandwidth-delay products.
        rtts: duration, in round trips.
        limits: bounds of the aggregate rate over the capacity; at most N for N flows.
        steps: steps per round trip.

    >>> path("rcp", 0.1, 1.0, load=[0.5, 2.0]).load[-1].round(2)
    array([1., 1.])
    """
    moves = _moves(law, alpha, beta, load, queue, limits, steps)
    states = [next(moves) for _ in range(round(rtts * steps) + 1)]
    loads, queues = (numpy.array(each) for each in zip(*states, strict=True))
    return Path(numpy.arange(len(states)) / steps, loads, queues)


def settling_rtts(found: Path, within: float = 0.05) -> numpy.ndarray:
    """For each start, the last time, in round trips, at which the load is not within ``within`` of
    the capacity; 0 if it always is.

    >>> settling_rtts(path("rcp", 0.4, 0.5, load=[1.0, 1.2, 2.0])).round(1)
    array([0. , 7. , 9.6])
    """
    apart = abs(found.load - 1) > within
    times = found.time_rtts.reshape(-1, *[1] * (apart.ndim - 1))
    return numpy.asarray((apart * times).max(axis=0))


@dataclass(frozen=True)
class Convergence:
    """Whether a loop converges, linear and non-linear, with the distances found."""

    law: Law
    alpha: float
    beta: float
    #: Of the linear loop.
    margins: linear.Margins
    #: The starts: load and queue of each.
    starts: tuple[numpy.ndarray, numpy.ndarray]
    #: For each start, the largest distance of load or queue from rest: in the second half, and in
    #: the last tenth.
    midway: numpy.ndarray
    late: numpy.ndarray

    @property
    def linear(self) -> bool:
        """Whether the linear loop is stable."""
        return self.margins.phase > 0

    @property
    def everywhere(self) -> bool:
        """Whether the loop came to rest from all starts."""
        return bool((self.late < SETTLED).all())


#: Distance from rest, in capacities and bandwidth-delay products, below which a loop is at rest.
SETTLED = 1e-3


def convergence(
    law: Law,
    alpha: float,
    beta: float,
    *,
    starts: tuple[ArrayLike, ArrayLike] = STARTS,
    rtts: float = 400.0,
    limits: tuple[float, float] = (0.0, numpy.inf),
    steps: int = STEPS,
) -> Convergence:
    """Simulates a loop from all combinations of these loads and queues.

    The other arguments are those of :func:`path`.

    >>> rcp = convergence("rcp", 0.1, 1.0)
    >>> rcp.linear, rcp.everywhere
    (False, True)
    """
    load, queue = (each.ravel() for each in numpy.meshgrid(*starts))
    moves = _moves(law, alpha, beta, load, queue, limits, steps)
    midway, late = _distances(moves, round(rtts * steps))
    return Convergence(
        law, alpha, beta, linear.margins(alpha, beta), (load, queue), midway=midway, late=late
    )


def region(
    law: Law,
    alpha: ArrayLike,
    beta: ArrayLike,
    *,
    starts: tuple[ArrayLike, ArrayLike] = STARTS,
    rtts: float = 400.0,
    limits: tuple[float, float] = (0.0, numpy.inf),
    steps: int = STEPS,
) -> numpy.ndarray:
    """Whether the loop comes to rest from all starts, for each combination of gains.

    ``[i, j]`` is for ``beta[i]`` and ``alpha[j]``.
    """
    betas, alphas, loads, queues = (
        each.ravel() for each in numpy.meshgrid(beta, alpha, *starts, indexing="ij")
    )
    moves = _moves(law, alphas, betas, loads, queues, limits, steps)
    _, late = _distances(moves, round(rtts * steps))
    settled = (late < SETTLED).reshape(numpy.size(beta), numpy.size(alpha), -1)
    return numpy.asarray(settled.all(axis=2))


State = tuple[numpy.ndarray, numpy.ndarray]


def _moves(
    law: Law,
    alpha: ArrayLike,
    beta: ArrayLike,
    load: ArrayLike,
    queue: ArrayLike,
    limits: tuple[float, float],
    steps: int,
) -> Iterator[State]:
    """Load and queue at each step, without end."""
    if law not in ("rcp", "xcp"):
        raise ValueError(f"law {law!r} must be 'rcp' or 'xcp'")
    a, b, y, q = numpy.broadcast_arrays(
        *(numpy.asarray(x, float) for x in (alpha, beta, load, queue))
    )
    if (y <= 0).any() or (q < 0).any():
        raise ValueError("start: needs a load above 0 and a queue of at least 0")
    # The feedback of the last round trip. A round trip is a whole number of steps, so that feedback
    # is known at both ends of a step and needs no interpolation.
    said = numpy.broadcast_to(a * (1 - y) - b * q, (steps + 1, *y.shape)).copy()
    step, now = 1 / steps, 0
    while True:
        yield y, q
        before, after = said[(now + 1) % (steps + 1)], said[(now + 2) % (steps + 1)]
        change = step * (before + after) / 2
        # The exact solution for a relative change, which keeps RCP's rate above 0.
        moved = y * numpy.exp(change) if law == "rcp" else y + change
        moved = numpy.clip(moved, *limits)
        q = numpy.maximum(q + step * ((y + moved) / 2 - 1), 0)
        y, now = moved, (now + 1) % (steps + 1)
        said[now] = a * (1 - y) - b * q


def _distances(moves: Iterator[State], count: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The largest distances from rest: in the second half of the steps, and in the last tenth."""
    midway = late = numpy.zeros(1)
    for index, (load, queue) in zip(range(count), moves, strict=False):
        if index >= count // 2:
            away = numpy.maximum(abs(load - 1), queue)
            midway = numpy.maximum(midway, away)
            if index >= count - count // 10:
                late = numpy.maximum(late, away)
    return midway, late
