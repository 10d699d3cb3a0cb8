"""The control loop of RCP and XCP near its rest: one link, long flows of one round trip.

Time is in round trips, rates are parts of the capacity and queues parts of the bandwidth-delay
product, so that neither capacity, nor delay, nor the number of flows is left. With the aggregate
rate y and the queue q, both laws are linear in the same way:

    q' = y - 1,    y' = alpha (1 - y(t - 1)) - beta q(t - 1)

(XCP: thesis, B.1 and B.2. RCP: equation (2) for a rate R = C y(t + 1) / N, whose change is relative
to itself: at rest that is 1.) The open loop is G(s) = (alpha s + beta) e^-s / s^2, the closed one
has the roots of s^2 + (alpha s + beta) e^-s = 0.
"""

from __future__ import annotations

from typing import NamedTuple

import control
import numpy
from numpy.typing import ArrayLike
from scipy import optimize


class Margins(NamedTuple):
    """The stability margins of a loop."""

    #: Factor on the gain up to which the loop is stable. Below 1 the loop is unstable; 0 if it is
    #: unstable with any gain.
    gain: float
    #: In radians; below 0 the loop is unstable.
    phase: float
    #: Additional delay of feedback that is tolerated, in round trips; below 0 the loop is unstable.
    delay_rtts: float
    #: Frequency at which the open loop has a gain of 1, in radians per round trip.
    crossover: float


def boundary(count: int = 200) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The edge of the stable region as ``count`` alphas and betas, from (0, 0) to (pi / 2, 0).

    Loops inside are stable.

    >>> alpha, beta = boundary(3)
    >>> alpha.round(3), beta.round(3)
    (array([0.   , 0.555, 1.571]), array([0.   , 0.436, 0.   ]))
    """
    # A root s = i w: real and imaginary part of -w^2 + (i alpha w + beta) e^(-i w).
    w = numpy.linspace(0, numpy.pi / 2, count)
    return w * numpy.sin(w), w**2 * numpy.cos(w)


def greatest_beta(alpha: float) -> float:
    """The largest beta for which a loop with this alpha, in (0, pi / 2), is stable.

    >>> round(greatest_beta(0.1), 3), round(greatest_beta(0.4), 3)
    (0.097, 0.341)
    """
    if not 0 < alpha < numpy.pi / 2:
        raise ValueError(f"alpha {alpha} must be in (0, pi / 2): no other has a stable beta")
    w = optimize.brentq(lambda w: w * numpy.sin(w) - alpha, 0, numpy.pi / 2, xtol=1e-15)
    return float(w**2 * numpy.cos(w))


def margins(alpha: float, beta: float) -> Margins:
    """Gain, phase and delay margin, exact: the delay is not approximated.

    >>> xcp = margins(0.4, 0.226)
    >>> round(xcp.gain, 2), round(xcp.phase, 2)
    (2.43, 0.22)
    """
    _check(alpha, beta)
    # |G(i w)| = 1: w^4 = alpha^2 w^2 + beta^2.
    crossover = numpy.sqrt((alpha**2 + numpy.sqrt(alpha**4 + 4 * beta**2)) / 2)
    lead = numpy.arctan2(crossover * alpha, beta)
    phase = float(lead - crossover)
    gain = 0.0
    if alpha > beta:
        # The phase is -pi where the zero's lead is the delay's lag: tan w = w alpha / beta.
        w = optimize.brentq(lambda w: w / numpy.tan(w) - beta / alpha, 1e-9, 2)
        gain = float(w**2 / numpy.hypot(alpha * w, beta))
    return Margins(gain, phase, phase / float(crossover), float(crossover))


def stable(alpha: float, beta: float) -> bool:
    """Whether the loop comes to rest after a small disturbance, if its queue never empties.

    >>> stable(0.4, 0.226), stable(0.1, 1.0)
    (True, False)
    """
    return margins(alpha, beta).phase > 0


def rightmost_root(alpha: float, beta: float, nodes: int = 40) -> complex:
    """The root of the closed loop that decays last or grows fastest, a round trip; of a pair the
    one above the real axis. Found without margins, so that either can check the other.

    >>> rightmost_root(0.4, 0.226).real < 0 < rightmost_root(0.1, 1.0).real
    True
    """
    _check(alpha, beta)
    # Breda, Maset and Vermiglio, Pseudospectral differencing methods for characteristic roots of
    # delay differential equations, 2005: the state is (q, y) over the last round trip, at Chebyshev
    # points from now to then; it moves along itself, and now as the law says.
    points = (numpy.cos(numpy.pi * numpy.arange(nodes + 1) / nodes) - 1) / 2
    generator = numpy.kron(_derivative(points), numpy.eye(2))
    generator[:2] = 0
    generator[0, 1] = 1
    generator[1, -2:] = -beta, -alpha
    roots = numpy.linalg.eigvals(generator)
    last = roots[numpy.argmax(roots.real)]
    return complex(last.real, abs(last.imag))


def response(alpha: float, beta: float, frequency: ArrayLike) -> numpy.ndarray:
    """The open loop at these frequencies, in radians a round trip: complex numbers."""
    s = 1j * numpy.asarray(frequency, float)
    return (alpha * s + beta) * numpy.exp(-s) / s**2


def loop(alpha: float, beta: float, frequency: ArrayLike) -> control.FrequencyResponseData:
    """The open loop for python-control (Bode, Nyquist, margins), the delay exact.

    >>> import control, numpy
    >>> gain, phase, *_ = control.margin(loop(0.4, 0.226, numpy.geomspace(0.01, 10, 1000)))
    >>> round(float(gain), 2), round(float(phase))
    (2.43, 13)
    """
    frequency = numpy.asarray(frequency, float)
    return control.FRD(response(alpha, beta, frequency), frequency, smooth=True)


def xcp_beta(alpha: ArrayLike) -> numpy.ndarray:
    """The beta of XCP's rule, which puts the zero at the crossover: alpha^2 sqrt(2) (thesis, B.2).
    Stable for alpha below :data:`XCP_ALPHA`."""
    return numpy.asarray(alpha, float) ** 2 * numpy.sqrt(2)


#: pi / (4 sqrt(2)).
XCP_ALPHA = float(numpy.pi / (4 * numpy.sqrt(2)))


def _derivative(points: numpy.ndarray) -> numpy.ndarray:
    """The matrix that differentiates a polynomial known at these Chebyshev points."""
    weights = (-1.0) ** numpy.arange(len(points))
    weights[[0, -1]] /= 2
    apart = points[:, None] - points + numpy.eye(len(points))
    matrix = weights / weights[:, None] / apart
    numpy.fill_diagonal(matrix, 0)
    return matrix - numpy.diag(matrix.sum(axis=1))


def _check(alpha: float, beta: float) -> None:
    if not (alpha > 0 and beta >= 0):
        raise ValueError(f"alpha {alpha} must be above 0, beta {beta} 0 or more")
