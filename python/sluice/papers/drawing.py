"""Plots of means over seeds with confidence intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from matplotlib.axes import Axes

from .interval import Interval

Places = Sequence[float] | numpy.ndarray
Looks = Mapping[str, Mapping[str, Any]]


def means(found: Sequence[Interval]) -> numpy.ndarray:
    """The means of intervals."""
    return numpy.array([each.mean for each in found])


def bars(found: Sequence[Interval]) -> numpy.ndarray:
    """The lengths of error bars below and above the means, as ``errorbar`` takes them: two rows.

    A single run has no interval, and bars of length 0.
    """
    lengths = numpy.array([[each.mean - each.low, each.high - each.mean] for each in found]).T
    return numpy.where(numpy.isfinite(lengths), lengths, 0.0)


def with_bars(ax: Axes, at: Places, found: Sequence[Interval], **look: Any) -> None:
    """Draws means against ``at`` with error bars; ``look`` is that of ``errorbar``."""
    ax.errorbar(at, means(found), bars(found), **look)


def with_lines(
    ax: Axes,
    at: Places,
    found: Sequence[Interval],
    *,
    color: str,
    **look: Any,
) -> None:
    """Draws means against ``at`` with a vertical line for each interval."""
    ax.plot(at, means(found), color=color, **look)
    ax.vlines(at, [each.low for each in found], [each.high for each in found], color)


def clusters(
    ax: Axes, names: Sequence[str], found: Mapping[str, Sequence[Interval | None]], looks: Looks
) -> None:
    """Draws a cluster for each name: in it, side by side, the means of each series with bars.

    ``found`` has an interval, or `None`, for each name by series; ``looks`` are arguments of
    ``errorbar``.
    """
    step = 0.8 / len(found)
    for number, (series, intervals) in enumerate(found.items()):
        at = numpy.arange(len(names)) + (number - (len(found) - 1) / 2) * step
        look = dict(looks[series]) | {"linestyle": "none", "elinewidth": 0.7}
        drawn = [(place, each) for place, each in zip(at, intervals, strict=True) if each]
        with_bars(ax, [place for place, _ in drawn], [each for _, each in drawn], **look)
    ax.set_xticks(range(len(names)), names)
    ax.tick_params(axis="x", length=0)
    ax.grid(visible=False, axis="x")
