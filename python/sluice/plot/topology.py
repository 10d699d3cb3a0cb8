"""The network, with the utilization of its links."""

from __future__ import annotations

import bisect
import itertools
import json
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from .. import _core
from . import choose, style

if TYPE_CHECKING:
    from ..results import Results

#: The colour, as in the report, and the width in points of each class of utilization.
STYLES = (
    ("#b9c2cb", 0.6),
    ("#dcb967", 0.9),
    ("#e39a35", 1.2),
    ("#d4641f", 1.5),
    ("#ab2a1d", 1.9),
    ("#5f0b23", 2.3),
)
#: The largest number of nodes, and of hosts, that have their names beside them.
NAMED, NAMED_HOSTS = 40, 16


def network(results: Results, *, protocol: str | None = None, ax: Axes | None = None) -> Axes:
    """The network, with the utilization of each direction of each link.

    Each half of a link has the colour and width of the direction that leaves its node, mean over
    runs. Squares are switches, circles hosts. Places are those of the report.

    Args:
        results: what to draw.
        protocol: the protocol or ideal; may be omitted if only one ran.
        ax: axes to draw into; those of a new figure by default.

    Returns:
        The axes, without ticks; coordinates have no unit.

    >>> ax = sluice.plot.network(results, protocol="rcp")
    >>> len(ax.get_legend().get_texts())
    6
    """
    name = choose.one(results, protocol)
    system = (results.protocols + results.ideals).index(name)
    found = json.loads(_core.network(results.folder))
    drawing = found["drawing"]
    if drawing is None:
        raise ValueError(
            f"{found['nodes']} nodes and {found['links']} links are too many to draw; "
            "see `results.links()`"
        )
    with style.axes(ax) as ax:
        for (colour, width), lines in zip(STYLES, _halves(drawing, system), strict=True):
            # Busier classes lie on top.
            ax.add_collection(LineCollection(lines, colors=colour, linewidths=width))
        _nodes(ax, drawing["nodes"])
        ax.set_aspect("equal")
        ax.set_axis_off()
        ax.margins(0.08)
        if not ax.yaxis_inverted():
            ax.invert_yaxis()
        ax.legend(
            handles=[Line2D([], [], color=colour, linewidth=width) for colour, width in STYLES],
            labels=_ranges(drawing["classes"]),
            loc="upper center",
            bbox_to_anchor=(0.5, 0.0),
            ncols=3,
        )
    return ax


#: A line from one place to another.
_Line = tuple[tuple[float, float], tuple[float, float]]


def _halves(drawing: dict[str, Any], system: int) -> list[list[_Line]]:
    """What to draw of each link, by class."""
    places = [(node["x"], node["y"]) for node in drawing["nodes"]]
    ends = {(link["from"], link["to"]) for link in drawing["links"]}
    classes: list[list[_Line]] = [[] for _ in STYLES]
    for link in drawing["links"]:
        if link["systems"][system] is None:
            continue
        _capacity, _delay, used, *_ = link["systems"][system]
        (x, y), (to_x, to_y) = places[link["from"]], places[link["to"]]
        if (link["to"], link["from"]) in ends:
            to_x, to_y = (x + to_x) / 2, (y + to_y) / 2
        level = bisect.bisect(drawing["classes"], used) - 1
        classes[level].append(((x, y), (to_x, to_y)))
    return classes


def _nodes(ax: Axes, nodes: list[dict[str, Any]]) -> None:
    for is_host, marker, size in [(False, "s", 4.0), (True, "o", 3.0)]:
        shown = [node for node in nodes if node["is_host"] == is_host]
        ax.plot(
            [node["x"] for node in shown],
            [node["y"] for node in shown],
            linestyle="none",
            marker=marker,
            markersize=size if len(nodes) <= NAMED else size / 2,
            color="white",
            markeredgecolor="black",
            markeredgewidth=0.6,
            zorder=3,
        )
    if len(nodes) <= NAMED:
        _names(ax, nodes)


def _names(ax: Axes, nodes: list[dict[str, Any]]) -> None:
    """Names of hosts below them, of switches above."""
    hosts = sum(node["is_host"] for node in nodes)
    for node in nodes:
        if node["is_host"] and hosts > NAMED_HOSTS:
            continue
        ax.annotate(
            node["name"],
            (node["x"], node["y"]),
            xytext=(0, -3 if node["is_host"] else 3),
            textcoords="offset points",
            ha="center",
            va="top" if node["is_host"] else "bottom",
            fontsize=5,
            path_effects=[withStroke(linewidth=1.5, foreground="white")],
            zorder=4,
        )


def _ranges(classes: list[float]) -> list[str]:
    """The utilization of each class."""
    edges = [round(100 * least) for least in classes] + [100]
    return [f"{low}–{high} %" for low, high in itertools.pairwise(edges)]
