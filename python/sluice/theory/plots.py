"""Figures of the control loop, in the style of :mod:`sluice.plot`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ..plot import style
from . import fluid, linear

#: A loop's alpha and beta.
Gains = tuple[float, float]
#: Of alphas and of betas.
GRID = numpy.linspace(0.05, 1.75, 35)
SHADE = "#d5e3ef"


def bode(loops: Iterable[Gains], *, axes: tuple[Axes, Axes] | None = None) -> tuple[Axes, Axes]:
    """Gain above phase of open loops over frequency; where the gain is 1, the phase of a stable one
    is above -180 degrees.

    >>> from sluice import theory
    >>> gain, phase = theory.plots.bode([(0.4, 0.226), (0.1, 1.0)])
    >>> phase.get_ylabel()
    'phase (degrees)'
    """
    with _pair(axes) as (upper, lower):
        frequency = numpy.geomspace(0.05, 5, 400)
        for alpha, beta, look in _looks(loops):
            points = linear.response(alpha, beta, frequency)
            upper.loglog(frequency, abs(points), **look)
            # The lead of the zero alone has no jumps.
            lead = numpy.arctan2(alpha * frequency, beta)
            lower.semilogx(frequency, numpy.degrees(lead - frequency) - 180, **look)
        upper.axhline(1, color=style.GREY, linewidth=0.6)
        lower.axhline(-180, color=style.GREY, linewidth=0.6)
        upper.set_ylabel("gain")
        lower.set(xlabel="frequency (radians a round trip)", ylabel="phase (degrees)")
        style.legend(upper)
    return upper, lower


def nyquist(loops: Iterable[Gains], *, ax: Axes | None = None) -> Axes:
    """Open loops in the complex plane, near -1, which the curve of a stable one leaves on its left.

    >>> from sluice import theory
    >>> theory.plots.nyquist([(0.4, 0.226)]).get_xlabel()
    'real part'
    """
    with style.axes(ax) as ax:
        for alpha, beta, look in _looks(loops):
            points = linear.response(alpha, beta, numpy.geomspace(0.05, 20, 2000))
            ax.plot(points.real, points.imag, **look)
        ax.plot(-1, 0, "+", color=style.ALARM, markersize=6, label="-1")
        ax.set(xlim=(-3, 1), ylim=(-2, 2), xlabel="real part", ylabel="imaginary part")
        style.legend(ax)
    return ax


def region(
    law: fluid.Law,
    settings: dict[str, Gains] | None = None,
    *,
    alphas: ArrayLike = GRID,
    betas: ArrayLike = GRID,
    ax: Axes | None = None,
    rtts: float = 400.0,
) -> Axes:
    """Where the loop comes to rest: the linear region by its edge, the non-linear one by a grid of
    simulated settings, shaded; and settings by name.

    >>> from sluice import theory
    >>> grid = {"alphas": [0.1, 1], "betas": [0.1, 1], "rtts": 20}
    >>> theory.plots.region("rcp", {"paper": (0.1, 1.0)}, **grid).get_xlabel()
    '$\\\\alpha$'
    """
    settled = fluid.region(law, alphas, betas, rtts=rtts)
    with style.axes(ax) as ax:
        ax.contourf(alphas, betas, settled, levels=[0.5, 1.5], colors=[SHADE])
        ax.plot(*linear.boundary(), color=style.COLOURS[0], label="linear")
        ax.fill([], [], color=SHADE, label="non-linear")
        for index, (name, (alpha, beta)) in enumerate((settings or {}).items()):
            ax.plot(alpha, beta, style.MARKERS[index], color=style.COLOURS[-1], label=name)
        ax.set(xlabel=r"$\alpha$", ylabel=r"$\beta$")
        style.legend(ax)
    return ax


def portrait(paths: Iterable[fluid.Path], *, ax: Axes | None = None) -> Axes:
    """Queue against load along trajectories; a circle where each starts, a cross at rest.

    >>> from sluice import theory
    >>> ax = theory.plots.portrait([theory.fluid.path("rcp", 0.1, 1.0, [0.5, 2.0])])
    >>> ax.get_xlabel()
    'load'
    """
    with style.axes(ax) as ax:
        for index, path in enumerate(paths):
            colour = style.COLOURS[index % len(style.COLOURS)]
            ax.plot(path.load, path.queue, color=colour, linewidth=0.8)
            ax.plot(path.load[0], path.queue[0], "o", color=colour, markerfacecolor="white")
        ax.plot(1, 0, "x", color=style.ALARM, zorder=3)
        ax.set(xlabel="load", ylabel="queue (bandwidth-delay products)")
    return ax


@contextmanager
def _pair(axes: tuple[Axes, Axes] | None) -> Iterator[tuple[Axes, Axes]]:
    """These axes as they are; if there are none, those of a new figure, one above the other."""
    if axes is not None:
        yield axes
        return
    with style.context():
        yield tuple(pyplot.subplots(2, sharex=True, FigureClass=style.PrintFigure)[1])


def _looks(loops: Iterable[Gains]) -> Iterator[tuple[float, float, dict[str, Any]]]:
    """Each loop with what its line looks like."""
    for index, (alpha, beta) in enumerate(loops):
        colour = style.COLOURS[index % len(style.COLOURS)]
        yield alpha, beta, {"color": colour, "label": rf"$\alpha$ {alpha:g}, $\beta$ {beta:g}"}
