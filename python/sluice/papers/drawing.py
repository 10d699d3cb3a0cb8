"""Plots of means over seeds with confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from matplotlib.axes import Axes

from .interval import Interval

Places = Sequence[float] | numpy.ndarray


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
