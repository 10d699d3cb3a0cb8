"""Distributions of slowdown and completion time over flows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from matplotlib.axes import Axes

from ..arguments import one_of
from . import choose, scales, style

if TYPE_CHECKING:
    from ..results import Results

#: By quantity: the column, its divisor, the title of the axis and its unit.
COLUMNS = {
    "slowdown": ("slowdown", 1.0, "slowdown", ""),
    "completion": ("completion_ns", 1e9, "completion time", "s"),
}
#: Maximum number of points of a line; omitted ones move it by less than a pixel.
POINTS = 4_000


def cdf(
    results: Results,
    of: str = "slowdown",
    *,
    sizes: tuple[float, float] | None = None,
    protocol: choose.Protocols = None,
    ax: Axes | None = None,
) -> Axes:
    """The part of the flows with at most so much slowdown or completion time.

    Args:
        results: what to draw.
        of: ``"slowdown"`` or ``"completion"``.
        sizes: only flows of at least the first and less than the second size, in bytes.
        protocol: a protocol or ideal, or several; all by default.
        ax: axes to draw into; those of a new figure by default.

    Returns:
        The axes. The flows are the measured ones that finished, of all seeds; how many did not is
        said in the legend.

    >>> ax = sluice.plot.cdf(results, sizes=(0, 100_000))
    >>> ax.get_ylabel()
    'part of the flows'
    """
    column, unit_size, title, unit = COLUMNS[one_of("of", of, COLUMNS)]
    sizes = choose.sizes(sizes)
    found = {
        name: _values(results, name, column, sizes) for name in choose.systems(results, protocol)
    }
    if all(len(values) == 0 for values, _ in found.values()):
        sized = f" of {sizes[0]:g} to {sizes[1]:g} bytes" if sizes else ""
        raise ValueError(f"no measured flow{sized} finished")
    looks = choose.looks(results)
    with style.axes(ax) as ax:
        for name, (values, unfinished) in found.items():
            look = looks[name]
            x, y = _steps(values / unit_size)
            label = look.label(unfinished)
            ax.plot(x, y, drawstyle="steps-post", label=label, **look.line())
        scales.logarithmic(ax, "x", title, unit)
        scales.linear(ax, "y", "part of the flows", "")
        ax.set_ylim(0, 1.02)
        style.legend(ax)
    return ax


def _values(
    results: Results, name: str, column: str, sizes: tuple[float, float] | None
) -> tuple[numpy.ndarray, int]:
    """Values of the flows that finished, in order, and how many others did not."""
    flows = results.flows(name)
    # A flow that sends until it is stopped has no size, and no end to wait for.
    size = flows["size_bytes"].astype(float)
    wanted = flows["measured"] & ~numpy.isnan(size)
    if sizes is not None:
        wanted &= (sizes[0] <= size) & (size < sizes[1])
    values = flows[column][wanted].astype(float)
    finished = ~numpy.isnan(values)
    return numpy.sort(values[finished]), int(numpy.sum(~finished))


def _steps(values: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Corners of the distribution of values in order, from 0 to 1."""
    if len(values) == 0:
        return values, values
    count = min(len(values), POINTS)
    places = numpy.arange(count) * (len(values) - 1) // max(count - 1, 1)
    return (
        numpy.concatenate([values[:1], values[places]]),
        numpy.concatenate([[0.0], (places + 1) / len(values)]),
    )
