"""Phase portraits: two quantities of a link against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from matplotlib.axes import Axes

from . import choose, samples, scales, style
from .quantities import title
from .samples import Line, Link

if TYPE_CHECKING:
    from ..results import Results


def phase(
    results: Results,
    x: str = "queue_bytes",
    y: str = "R",
    *,
    link: Link = None,
    protocol: choose.Protocols = None,
    seed: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """One sampled quantity of a link against another, such as rate against queue.

    Args:
        results: what to draw.
        x: the quantity in ``results.series()`` for the horizontal axis.
        y: the quantity for the vertical axis.
        link: the link, as ``("left", "right")`` or ``"left>right"``; may be omitted if only one was
            sampled.
        protocol: a protocol, or several; by default all that have both quantities.
        seed: the seed of the run; the first by default.
        ax: axes to draw into; those of a new figure by default.

    Returns:
        The axes. A circle marks the start of a line, a square its end.

    >>> ax = sluice.plot.phase(results, protocol="rcp")
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('queue (kB)', 'rate granted, $R$ (Mb/s)')
    """
    along = _lines(results, x, link, protocol, seed)
    up = _lines(results, y, link, protocol, seed)
    both = [name for name in along if name in up]
    if not both:
        has_x, has_y = ", ".join(along), ", ".join(up)
        raise ValueError(f"no protocol has both: {x!r} is known of {has_x}, {y!r} of {has_y}")
    looks = choose.looks(results)
    with style.axes(ax) as ax:
        for name in both:
            _, in_x, in_y = numpy.intersect1d(
                along[name].times, up[name].times, return_indices=True
            )
            xs, ys, colour = along[name].values[in_x], up[name].values[in_y], looks[name].colour
            ax.plot(xs, ys, color=colour, linewidth=0.8, label=looks[name].title)
            ax.plot(xs[0], ys[0], "o", color=colour, markerfacecolor="white", zorder=3)
            ax.plot(xs[-1], ys[-1], "s", color=colour, zorder=3)
        ax.plot([], [], "o", color=style.GREY, markerfacecolor="white", label="start")
        ax.plot([], [], "s", color=style.GREY, label="end")
        scales.linear(ax, "x", *title(x))
        scales.linear(ax, "y", *title(y))
        style.legend(ax)
    return ax


def _lines(
    results: Results, quantity: str, link: Link, protocol: choose.Protocols, seed: int | None
) -> dict[str, Line]:
    found = samples.lines(results, quantity, link=link, protocol=protocol, seed=seed)
    return {line.protocol: line for line in samples.only(found, "link")}
