"""Completion time and slowdown against the size of flows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy
from matplotlib.axes import Axes

from ..arguments import one_of
from . import choose, scales, style

if TYPE_CHECKING:
    from ..results import Results

#: Figures of a distribution, as axes name them.
FIGURES = {
    "mean": "mean {}",
    "p50": "median {}",
    "p99": "99th percentile {}",
    "p999": "99.9th percentile {}",
}


def completion(
    results: Results,
    *,
    figure: str = "mean",
    protocol: choose.Protocols = None,
    ax: Axes | None = None,
) -> Axes:
    """Completion time against flow size: a line for each protocol, ideals in grey.

    Args:
        results: what to draw.
        figure: of the flows of a size: ``"mean"``, ``"p50"``, ``"p99"`` or ``"p999"``.
        protocol: a protocol or ideal, or several; all by default.
        ax: axes to draw into; those of a new figure by default.

    Returns:
        The axes. Data are in bytes and seconds. Sizes are those of the summary, a decade each,
        drawn at their middle, for flows that finished; the legend says how many did not. Bands are
        the summary's confidence intervals; where there are none, the summary has none (see
        ``results.summary["warnings"]``). With the mean comes what queueing theory says, where it
        says anything.

    >>> ax = sluice.plot.completion(results, figure="p99")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('flow size', '99th percentile completion time')
    """
    return _by_size(results, ("completion", "completion time", "s"), figure, protocol, ax)


def slowdown(
    results: Results,
    *,
    figure: str = "mean",
    protocol: choose.Protocols = None,
    ax: Axes | None = None,
) -> Axes:
    """Slowdown against flow size: completion time over that of the flow alone on an empty path.

    Arguments and axes are those of :func:`completion`.

    >>> ax = sluice.plot.slowdown(results, protocol=["rcp", "tcp"])
    >>> [line.get_label() for line in ax.get_lines()]
    ['RCP', 'TCP']
    """
    return _by_size(results, ("slowdown", "slowdown", ""), figure, protocol, ax)


def _by_size(
    results: Results,
    measure: tuple[str, str, str],
    figure: str,
    protocol: choose.Protocols,
    ax: Axes | None,
) -> Axes:
    one_of("figure", figure, FIGURES)
    key, title, unit = measure
    drawn = [results.of(name) for name in choose.systems(results, protocol)]
    if not any(system["by_size"] for system in drawn):
        raise ValueError("no measured flow finished, so there is nothing to draw by size")
    looks = choose.looks(results)
    with style.axes(ax) as ax:
        for system in drawn:
            look, sizes = looks[system["protocol"]], system["by_size"]
            values = [found[key][figure] for found in sizes]
            label = look.label(system["unfinished"])
            ax.plot(_middles(sizes), values, label=label, **look.marked(len(sizes)))
        if key == "completion" and figure == "mean":
            _theory(ax, results)
        scales.logarithmic(ax, "x", "flow size", "B")
        scales.logarithmic(ax, "y", FIGURES[figure].format(title), unit)
        bands(
            ax,
            [
                (
                    looks[system["protocol"]],
                    _middles(system["by_size"]),
                    [found[key]["intervals"][figure] for found in system["by_size"]],
                )
                for system in drawn
                if system["protocol"] in results.protocols
            ],
        )
        if key == "slowdown":
            # No flow is quicker than alone on an empty path.
            ax.set_ylim(bottom=max(0.9, ax.get_ylim()[0]))
        style.legend(ax)
    return ax


def _theory(ax: Axes, results: Results) -> None:
    theory = results.summary["analytic"]
    if theory is not None:
        values = [found["completion"] for found in theory["by_size"]]
        look = style.THEORY
        ax.plot(_middles(theory["by_size"]), values, label=look.title, **look.marked(len(values)))


def _middles(sizes: Iterable[dict[str, Any]]) -> list[float]:
    """Where the flows of a bin are drawn: at the middle of its decade, in the logarithm."""
    return [math.sqrt(10) * (found["from"] or found["to"] / 10) for found in sizes]


#: The look of a protocol, the positions of its points, and the intervals there.
Bands = Iterable[tuple[style.Look, Sequence[float], Sequence[Sequence[float] | None]]]


def bands(ax: Axes, drawn: Bands) -> None:
    """Draws confidence intervals as bands.

    The axes extend to show them, by at most a factor of two: wider bands are clipped, so that the
    lines remain distinguishable.
    """
    low_end, greatest = limits = ax.get_ylim()
    for look, x, intervals in drawn:
        known = [(math.nan, math.nan) if ends is None else ends for ends in intervals]
        low, high = numpy.reshape(known, (-1, 2)).T
        if ax.get_yscale() == "log":
            # Zero and below are beyond the lower edge.
            low = numpy.where(low <= 0, limits[0] / 10, low)
            low_end = max(limits[0] / 2, numpy.nanmin([*low, low_end]))
        greatest = min(limits[1] * 2, numpy.nanmax([*high, greatest]))
        ax.fill_between(x, low, high, color=look.colour, alpha=0.1, linewidth=0)
    ax.set_ylim(low_end, greatest)
