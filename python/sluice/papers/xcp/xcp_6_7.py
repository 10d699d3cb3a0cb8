"""The network of [xcp-6-8](#xcp-6-8) and [xcp-t6-2](#xcp-t6-2): nodes, and links by their capacity.

The thesis drew its network at random and does not publish it. Ours is another draw with its numbers
of nodes and links, and its capacities and delays; it is the network of [xcp-5-16](#xcp-5-16). A
line is a link each way, or one way only where it has an arrow. Distances in the picture are by the
number of links between nodes.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from . import guaranteed_network as network

NODES, LINKS = 50, 153
CAPACITIES_BPS = (10e6, 100e6)
DELAYS_MS = (2.0, 45.0)
#: Steps of the layout, which is settled long before.
STEPS = 300


def run(scale: Scale) -> Frame:
    """The links of the network."""
    results = network.tiny(scale)
    return results.links("xcp", results.seeds[0])


def table(links: Frame) -> Frame:
    """A row for each link."""
    return frame(
        [
            {
                "from": str(links["from"][at]),
                "to": str(links["to"][at]),
                "capacity_bps": float(links["capacity_bps"][at]),
                "delay_ms": float(links["delay_ns"][at]) / 1e6,
            }
            for at in range(len(links))
        ]
    )


def check(table: Frame) -> list[Claim]:
    """That the network has the thesis' numbers."""
    delays = table["delay_ms"]
    other = ~numpy.isin(table["capacity_bps"], CAPACITIES_BPS)
    return [
        everywhere(
            "it has 50 nodes",
            f"{NODES} nodes",
            {"in the network": Interval.exactly(len(_nodes(table)))},
            low=NODES - 0.5,
            high=NODES + 0.5,
            form=".0f",
            taken=str(NODES),
        ),
        everywhere(
            "it has 153 simplex links",
            f"{LINKS} simplex links",
            {"in the network": Interval.exactly(len(table))},
            low=LINKS - 0.5,
            high=LINKS + 0.5,
            form=".0f",
            taken=str(LINKS),
        ),
        everywhere(
            "capacities are 10 Mb/s or 100 Mb/s: links of another capacity",
            "either 10 Mb/s or 100 Mb/s",
            {"in the network": Interval.exactly(float(other.sum()))},
            high=0.5,
            form=".0f",
            taken="none",
        ),
        everywhere(
            "propagation delays are 2 ms to 45 ms: the least and the most",
            "between 2 ms and 45 ms",
            {
                "of the shortest link": Interval.exactly(float(delays.min())),
                "of the longest": Interval.exactly(float(delays.max())),
            },
            low=DELAYS_MS[0] - 1e-6,
            high=DELAYS_MS[1] + 1e-6,
            form=".0f",
            taken="2 ms to 45 ms",
        ),
    ]


def _nodes(table: Frame) -> list[str]:
    return sorted({*table["from"].tolist(), *table["to"].tolist()})


def layout(hops: numpy.ndarray) -> numpy.ndarray:
    """Places of nodes whose distances are near these numbers of links: stress majorization from a
    circle (Gansner, Koren and North, "Graph drawing by stress majorization", 2004).
    """
    count = len(hops)
    angles = 2 * numpy.pi * numpy.arange(count) / count
    places = numpy.stack([numpy.cos(angles), numpy.sin(angles)], axis=1) * hops.max() / 2
    weights = 1 / numpy.maximum(hops, 1) ** 2
    numpy.fill_diagonal(weights, 0)
    for _ in range(STEPS):
        apart = places[:, None] - places[None]
        length = numpy.maximum(numpy.linalg.norm(apart, axis=2), 1e-9)
        wanted = places[None] + apart * (hops / length)[:, :, None]
        places = (weights[:, :, None] * wanted).sum(axis=1) / weights.sum(axis=1)[:, None]
    return numpy.asarray(places)


def hops_between(nodes: list[str], table: Frame) -> numpy.ndarray:
    """The number of links between each two nodes, whatever their direction."""
    place = {node: at for at, node in enumerate(nodes)}
    hops = numpy.full((len(nodes), len(nodes)), numpy.inf)
    numpy.fill_diagonal(hops, 0)
    for a, b in zip(table["from"], table["to"], strict=True):
        hops[place[a], place[b]] = hops[place[b], place[a]] = 1
    for via in range(len(nodes)):
        hops = numpy.minimum(hops, hops[:, via, None] + hops[None, via])
    return hops


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The network, with the colour of links by their capacity."""
    nodes = _nodes(table)
    places = dict(zip(nodes, layout(hops_between(nodes, table)), strict=True))
    figure, ax = pyplot.subplots(figsize=(5.4, 5.0))
    ends = set(zip(table["from"].tolist(), table["to"].tolist(), strict=True))
    labelled: set[float] = set()
    for a, b, bps in zip(table["from"], table["to"], table["capacity_bps"], strict=True):
        both = (b, a) in ends
        if both and a > b:
            continue
        (x, y), (to_x, to_y) = places[a], places[b]
        color = style.COLOURS[CAPACITIES_BPS.index(bps)]
        label = None if bps in labelled else f"{bps / 1e6:.0f} Mb/s"
        labelled.add(bps)
        ax.plot([x, to_x], [y, to_y], color=color, lw=0.7, label=label, zorder=1)
        if not both:
            middle = ((x + to_x) / 2, (y + to_y) / 2)
            arrow = {"arrowstyle": "->", "color": color, "lw": 0.7}
            ax.annotate("", middle, (x, y), arrowprops=arrow)
    spots = numpy.array(list(places.values()))
    ax.plot(*spots.T, "o", color=style.GREY, markersize=4, zorder=2)
    ax.set_aspect("equal")
    ax.axis("off")
    style.legend_above(figure, ax, columns=2)
    return figure


FIGURE = Figure(
    id="xcp-6-7",
    title="A network of 153 links and 50 nodes",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
