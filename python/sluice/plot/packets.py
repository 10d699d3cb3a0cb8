"""Time/sequence plots: the packets of a flow over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
from matplotlib.axes import Axes

from .. import _core
from ..arguments import text, whole
from . import choose, samples, scales, style

if TYPE_CHECKING:
    from ..results import Results


def sequence(
    results: Results,
    group: str,
    index: int = 0,
    *,
    protocol: choose.Protocols = None,
    seed: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Sequence numbers of a flow over time.

    Args:
        results: what to draw.
        group: the flow's group; ``"web.3"`` for pair 3 of a group with ``pairs = "each"``.
        index: the flow's index in the group, from 0.
        protocol: a protocol, or several; all by default.
        seed: the seed of the run; the first by default.
        ax: axes to draw into; those of a new figure by default.

    Returns:
        The axes. Data are in seconds and packets. If packets were traced (``[trace]``), each is
        drawn: data on arrival at the first traced link, with retransmissions and losses marked, and
        acknowledgements on departure from the last. Otherwise, the numbers of packets sent and
        acknowledged that was sampled.

    >>> ax = sluice.plot.sequence(results, "long", protocol="rcp")
    >>> ax.get_ylabel()
    'sequence number (packets)'
    """
    seed = choose.seed(results, seed)
    flow = text("group", group), whole("index", index, _core.MAX_SEED)
    found = {
        name: _traced(results, name, seed, flow) or _sampled(results, name, seed, flow)
        for name in choose.protocols(results, protocol)
    }
    looks = choose.looks(results)
    with style.axes(ax) as ax:
        for name, kinds in found.items():
            for kind, (times, numbers) in kinds.items():
                ax.plot(times, numbers, **_drawn(kind, looks[name].colour))
        _key(ax, found, looks)
        scales.linear(ax, "x", "time", "s")
        scales.linear(ax, "y", "sequence number", "packets")
        style.legend(ax)
    return ax


#: Of each kind of packet, when it was there and its number in the flow.
Kinds = dict[str, tuple[numpy.ndarray, numpy.ndarray]]


def _drawn(kind: str, colour: str) -> dict[str, Any]:
    """How a kind of packet is drawn."""
    pale = style.shades(colour, 2)[1]
    drawn: dict[str, dict[str, Any]] = {
        "acknowledged": {"color": pale, "linewidth": 0.8, "drawstyle": "steps-post"},
        "sent up to": {"color": colour, "linewidth": 0.8},
        "data": {"color": colour, "linestyle": "none", "marker": ".", "markersize": 2},
        "sent again": {
            "color": colour,
            "linestyle": "none",
            "marker": "o",
            "markerfacecolor": "none",
        },
        "lost": {"color": style.ALARM, "linestyle": "none", "marker": "x"},
    }
    return drawn[kind]


def _key(ax: Axes, found: dict[str, Kinds], looks: dict[str, style.Look]) -> None:
    """Entries of the legend: each protocol, if there are several, and each kind of packet."""
    for name in found if len(found) > 1 else ():
        ax.plot([], [], label=looks[name].title, **looks[name].line())
    colour = style.GREY if len(found) > 1 else looks[next(iter(found))].colour
    for kind in dict.fromkeys(kind for kinds in found.values() for kind in kinds):
        ax.plot([], [], label=kind, **_drawn(kind, colour))


def _traced(results: Results, name: str, seed: int, flow: tuple[str, int]) -> Kinds:
    """What traced links saw of a flow; nothing if they were not traced or saw nothing."""
    try:
        rows = results.packets(name, seed).where(group=flow[0], index=flow[1])
    except ValueError:
        return {}
    times, links, numbers = rows["time_ns"] / 1e9, rows["link"], rows["seq"]
    kinds, events = rows["kind"], rows["event"]
    data = (kinds == "data") & numpy.isin(events, ["enqueue", "drop"])
    data &= links == _first(links[data])
    again = data & ~_firsts(numbers, data)
    acks = (kinds == "ack") & (events == "deliver")
    # What reaches the sender has crossed the last link, and all others before.
    acks &= links == _first(links[acks][::-1])
    lost = (kinds == "data") & numpy.isin(events, ["drop", "lose"])
    every = {"acknowledged": acks, "data": data & ~again, "sent again": again, "lost": lost}
    return {kind: (times[these], numbers[these]) for kind, these in every.items() if these.any()}


def _first(links: numpy.ndarray) -> str | None:
    return links[0] if len(links) else None


def _firsts(numbers: numpy.ndarray, these: numpy.ndarray) -> numpy.ndarray:
    """Which of these are the first with their number."""
    first = numpy.zeros(len(numbers), dtype=bool)
    places = numpy.flatnonzero(these)
    first[places[numpy.unique(numbers[places], return_index=True)[1]]] = True
    return first


def _sampled(results: Results, name: str, seed: int, flow: tuple[str, int]) -> Kinds:
    """How far a sampled sender was."""
    return {
        kind: (line.times, line.values)
        for kind, quantity in (
            ("acknowledged", "acked_packets"),
            ("sent up to", "sequence_packets"),
        )
        for line in samples.lines(results, quantity, flow=flow, protocol=name, seed=seed)
    }
