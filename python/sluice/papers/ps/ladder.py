"""A ladder diagram: the packets of a flow between the nodes of its path, with time downwards."""

from __future__ import annotations

from typing import Any

import numpy
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style


def draw(ax: Axes, own: Frame, nodes: list[str], until_ms: float) -> None:
    """Draws the packets of a flow between nodes, and the rate in the SYN on each link."""
    began = own["seconds"].min()
    look = style.look("rcp")
    drawn: dict[str, dict[str, Any]] = {
        "syn": {"color": "black", "linewidth": 1.6},
        "syn-ack": {"color": "black", "linewidth": 1.6, "linestyle": (0, (4, 1.5))},
        "data": {"color": look.colour, "linewidth": 1.0},
        "ack": {"color": style.GREY, "linewidth": 0.6},
    }
    for kind, how in drawn.items():
        rows = own.where(what=kind)
        begin, end = (1000 * (rows[column] - began) for column in ("seconds", "arrives_s"))
        ax.plot([rows["at"], rows["to"]], [begin, end], **how)
        ax.plot([], [], label=kind.upper() if kind != "data" else "data", **how)
    _rates(ax, own, began)
    syn = own.where(what="syn")
    routers = [
        f"router {nodes[int(at)]}\nR = {bps / 1e6:.2f} Mb/s"
        for at, bps in zip(syn["at"][1:], syn["bps"][1:], strict=True)
    ]
    names = [nodes[0], *routers, nodes[-1]]
    ax.xaxis.tick_top()
    ax.set_xticks(range(len(nodes)), names)
    # Room at the top for the first label.
    ax.set(
        ylim=(until_ms, -until_ms / 30), xlim=(0, len(nodes) - 1), ylabel="time since the SYN (ms)"
    )
    ax.spines[["top", "bottom"]].set_visible(False)
    ax.tick_params(axis="x", length=0)
    ax.legend(loc="lower left", ncols=4, bbox_to_anchor=(0, -0.12))


def _rates(ax: Axes, own: Frame, began: float) -> None:
    """Labels the SYN with its rate on each link, and the source with the rate it receives."""
    syn = own.where(what="syn")
    carried = numpy.fmin.accumulate(numpy.nan_to_num(syn["bps"], nan=numpy.inf)) / 1e6
    for at, begin, end, rate in zip(
        syn["at"], syn["seconds"], syn["arrives_s"], carried, strict=True
    ):
        text = "no limit" if numpy.isinf(rate) else f"{rate:.2f}"
        middle = 1000 * ((begin + end) / 2 - began)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
        ax.annotate(text, (at + 0.5, middle), (2, 4), textcoords="offset points", bbox=box)
    received = own.where(what="granted")
    wait = 1000 * (received["seconds"][0] - began)
    ax.annotate(
        f"{received['bps'][0] / 1e6:.2f} Mb/s",
        (0, wait),
        (3, 16),
        textcoords="offset points",
    )
