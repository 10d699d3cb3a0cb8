"""The longest G-queue of each link of a network of 50 nodes and 153 links, in which 100 flows with
a profile of 1.5 Mb/s ask for admission beside 500 XCP flows, all between random nodes.

The network is that of [xcp-5-16](#xcp-5-16), drawn in [xcp-6-7](#xcp-6-7), since the thesis'
is not published: 100 Mb/s in the WAN, 10 Mb/s in and to the LANs, buffers of 150 packets.
Flows start at random in the first 10 s, and throughput counts from then to 25 s, queues from the
beginning on. Senders pace, or have windows as in the thesis' simulations. A flow that is denied
sends nothing. Ten seeds draw the starts; drawn are means. The queue is what a guaranteed packet
finds waiting, without the packet in transmission.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET
from . import guaranteed_network as network
from .guaranteed import LIMIT
from .guaranteed_network import SENDERS

#: "Insignificant", beside propagation delays of 2 to 45 ms at each link. The thesis has no number.
INSIGNIFICANT_S = 0.01


def check(table: Frame) -> list[Claim]:
    """That G-queues stay short, and that no link reserves more than it may."""
    return [
        everywhere(
            "the worst delay of guaranteed packets in a queue is insignificant: the longest "
            "G-queue of any link, in ms",
            "insignificant",
            {name: Interval.of(_most(table, name, "delay_s", 1e3)) for name in SENDERS},
            high=1e3 * INSIGNIFICANT_S,
            form=".1f",
            why=_bursts(table),
        ),
        everywhere(
            "no link reserves more than G: the largest sum of the profiles that cross a link, over "
            "its capacity",
            "prevents over-committing the resources",
            {name: Interval.of(_most(table, name, "reserved")) for name in SENDERS},
            high=LIMIT + 1e-9,
        ),
    ]


def _links(table: Frame, name: str) -> list[Frame]:
    """The links of a sender's runs, by seed."""
    rows = table.where(kind="link", sender=name)
    return [rows.where(seed=seed) for seed in numpy.unique(rows["seed"])]


def _most(table: Frame, name: str, column: str, unit: float = 1.0) -> list[float]:
    return [float(rows[column].max()) * unit for rows in _links(table, name)]


def _bursts(table: Frame) -> str:
    """How many links have a longer one."""
    parts = []
    for name in SENDERS:
        found = [(rows["delay_s"] > INSIGNIFICANT_S).sum() for rows in _links(table, name)]
        parts.append(f"{numpy.mean(found):.1f} ({name})")
    used = numpy.mean([(rows["reserved"] > 0).sum() for rows in _links(table, "paced")])
    return f"of {used:.0f} links with guaranteed flows, {' and '.join(parts)} have a longer one"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The longest G-queue by link, in the order of the network."""
    figure, ax = pyplot.subplots(figsize=(5.4, 3))
    for number, name in enumerate(SENDERS):
        means = numpy.mean([rows["g_queue_bytes"] for rows in _links(table, name)], axis=0)
        look: dict[str, Any] = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        ax.plot(means / PACKET, linestyle="none", markersize=3, label=name, **look)
    ax.set(xlabel="link", ylabel="longest G-queue (packets)", ylim=(0, None))
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="xcp-6-8",
    title="Queues of guaranteed traffic in a network of 153 links",
    doc=__doc__,
    run=network.run,
    table=network.table,
    check=check,
    plot=plot,
)
