"""Convergence of flows to their shares of a link, and fairness."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from matplotlib.axes import Axes

from . import choose, over_time, scales, style, throughput
from .samples import Line

if TYPE_CHECKING:
    from ..results import Results


def convergence(
    results: Results,
    *,
    protocol: str | None = None,
    seed: int | None = None,
    window: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Throughput of each sampled flow over time, and the fair share as a dashed line.

    Args:
        results: what to draw; its flows must be sampled (``[[metrics]]``, ``flow = ...``).
        protocol: a protocol; may be omitted if there is only one.
        seed: the seed of the run; the first by default.
        window: seconds over which throughput is averaged; by default, and at least, the interval
            between samples.
        ax: axes to draw into; those of a new figure by default.

    Returns:
        The axes. Data are in seconds and in bit/s of data, without headers. The fair share is that
        of the flows present; it is drawn if every flow of the run was sampled, crosses the
        bottleneck and has a weight of 1.

    >>> ax = sluice.plot.convergence(results, protocol="rcp", window=0.2)
    >>> ax.get_ylabel()
    'throughput (Mb/s)'
    """
    protocol = choose.one(results, protocol)
    found = throughput.of_run(results, protocol, seed, window)
    lines = [
        Line(protocol, flow, found.times, rates)
        for flow, rates in zip(found.flows, found.rates, strict=True)
    ]
    share = throughput.fair_share(results, found, protocol, seed)
    with style.axes(ax) as ax:
        over_time.shaded(ax, results, lines)
        if share is not None:
            ax.plot(
                found.times,
                share,
                color="black",
                linestyle=style.DASHES[0],
                linewidth=0.8,
                drawstyle="steps-pre",
                label="fair share",
            )
        ax.set_ylim(bottom=0)
        scales.linear(ax, "x", "time", "s")
        scales.linear(ax, "y", "throughput", "b/s")
        style.legend(ax)
    return ax


def fairness(
    results: Results,
    *,
    protocol: choose.Protocols = None,
    seed: int | None = None,
    window: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Jain's index of the throughputs of the sampled flows, over time.

    It is 1 if all flows have the same throughput, and 1 / n if one of n has all. Times with fewer
    than two flows are not drawn. Arguments are those of :func:`convergence`, except that
    ``protocol`` may be several, and is all by default.

    >>> ax = sluice.plot.fairness(results)
    >>> ax.get_ylabel()
    "Jain's index"
    """
    found = {
        name: throughput.of_run(results, name, seed, window)
        for name in choose.protocols(results, protocol)
    }
    if all(numpy.isnan(flows.jain).all() for flows in found.values()):
        raise ValueError("no two sampled flows were present at the same time")
    looks = choose.looks(results)
    with style.axes(ax) as ax:
        for name, flows in found.items():
            ax.plot(flows.times, flows.jain, label=looks[name].title, **looks[name].line())
        ax.set_ylim(0, 1.02)
        scales.linear(ax, "x", "time", "s")
        scales.linear(ax, "y", "Jain's index", "")
        style.legend(ax)
    return ax
