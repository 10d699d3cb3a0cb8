"""Metrics over time: queues, rates, windows and the state of laws."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy
from matplotlib.axes import Axes

from ..arguments import one_of
from . import choose, samples, scales, style
from .quantities import title
from .samples import Flow, Line, Link

if TYPE_CHECKING:
    from ..results import Results

#: Of more links or flows of a protocol than this, only the first and the last are in a legend.
NAMED = 5


def series(
    results: Results,
    quantity: str,
    *,
    link: Link = None,
    flow: Flow = None,
    protocol: choose.Protocols = None,
    seed: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """A sampled quantity over time.

    Args:
        results: what to draw.
        quantity: its name in ``results.series()``: ``"R"``, ``"d0"``, ``"N"``, ``"load"``, ...
        link: a single link, as ``("left", "right")`` or ``"left>right"``; all by default.
        flow: a single flow by its group and index, as ``("long", 0)``; all by default.
        protocol: a protocol, or several; by default all that have the quantity.
        seed: the seed of the run; the first by default.
        ax: axes to draw into; those of a new figure by default.

    Returns:
        The axes. Data are in seconds and in the unit of the quantity (bytes, packets, bit/s for
        rates, or bytes per second for XCP's feedback).

    Several links or flows of a protocol are shades of its colour, the first of them the darkest.

    >>> ax = sluice.plot.series(results, "R", protocol="rcp")
    >>> ax.get_ylabel()
    'rate granted, $R$ (Mb/s)'
    """
    found = samples.lines(results, quantity, link=link, flow=flow, protocol=protocol, seed=seed)
    return _draw(results, found, *title(quantity), ax)


def queue(
    results: Results,
    *,
    unit: str = "bytes",
    link: Link = None,
    protocol: choose.Protocols = None,
    seed: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The queue at a link over time.

    Arguments and axes are those of :func:`series`. ``unit`` is ``"bytes"`` or ``"packets"`` of full
    size. ``link`` may be omitted if only one was sampled.

    >>> ax = sluice.plot.queue(results, unit="packets")
    >>> ax.get_ylabel()
    'queue (packets)'
    """
    one_of("unit", unit, ("bytes", "packets"))
    found = samples.lines(results, "queue_bytes", link=link, protocol=protocol, seed=seed)
    found = samples.only(found, "link")
    if unit == "bytes":
        return _draw(results, found, "queue", "B", ax)
    packet = scales.size(results.scenario["packet"])
    found = [replace(line, values=line.values / packet) for line in found]
    return _draw(results, found, "queue", "packets", ax)


def rate(
    results: Results,
    *,
    flow: Flow = None,
    protocol: choose.Protocols = None,
    seed: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The rate of senders over time, in bit/s: their pacing rate, or the rate that XCP grants.

    Arguments and axes are those of :func:`series`. Senders are those of sampled flows or, without
    such samples, traced ones. TCP and CUBIC have no rate but a window, BBR has both: see
    :func:`cwnd`.

    >>> ax = sluice.plot.rate(results, flow=("long", 0), protocol="rcp")
    >>> ax.get_ylabel()
    'sending rate (Mb/s)'
    """
    return _senders(results, ("rate", "rate_bps"), flow, protocol, seed, ax)


def cwnd(
    results: Results,
    *,
    flow: Flow = None,
    protocol: choose.Protocols = None,
    seed: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The congestion window of senders over time, in packets.

    Arguments and axes are those of :func:`rate`. RCP has a rate and no window.

    >>> ax = sluice.plot.cwnd(results, protocol="tcp")
    >>> ax.get_ylabel()
    'congestion window (packets)'
    """
    return _senders(results, ("cwnd", "cwnd_packets"), flow, protocol, seed, ax)


def _senders(
    results: Results,
    names: tuple[str, str],
    flow: Flow,
    protocol: choose.Protocols,
    seed: int | None,
    ax: Axes | None,
) -> Axes:
    sampled, traced = names
    try:
        found = samples.lines(results, sampled, flow=flow, protocol=protocol, seed=seed)
    except ValueError:
        found = samples.traced(results, traced, flow=flow, protocol=protocol, seed=seed)
        if not found:
            raise
    return _draw(results, found, *title(sampled), ax)


def _draw(results: Results, found: list[Line], name: str, unit: str, ax: Axes | None) -> Axes:
    with style.axes(ax) as ax:
        shaded(ax, results, found)
        scales.linear(ax, "x", "time", "s")
        if min(numpy.nanmin(line.values) for line in found) >= 0:
            ax.set_ylim(bottom=0)
        scales.linear(ax, "y", name, unit)
        style.legend(ax)
    return ax


def shaded(ax: Axes, results: Results, found: list[Line]) -> None:
    """Draws lines: protocols in their colours, links or flows of one in shades of it."""
    looks = choose.looks(results)
    for protocol in dict.fromkeys(line.protocol for line in found):
        lines = [line for line in found if line.protocol == protocol]
        for place, shade in enumerate(style.shades(looks[protocol].colour, len(lines))):
            label = looks[protocol].title
            if len(lines) > 1:
                label += f" {lines[place].name}"
            ax.plot(
                lines[place].times,
                lines[place].values,
                color=shade,
                linestyle=looks[protocol].dashes,
                label=label if len(lines) <= NAMED or place in (0, len(lines) - 1) else None,
            )
