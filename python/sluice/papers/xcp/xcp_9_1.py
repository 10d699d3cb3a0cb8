"""The two controllers of a router as black boxes (Figure 9-1), with what passes between them in
packets. The efficiency controller takes the input rate y, the persistent queue Q and the average
round trip d, and gives the aggregate feedback phi, (4.3). The fairness controller divides it
between packets, and shuffles h of the traffic, (4.4).

*Right*, phi and the flows' shares at a link of 50 Mb/s with a round trip of 80 ms, which flows join
after 0, 3 and 6 s, with three ways to divide: that of the thesis, one without shuffling (gamma 0),
and one by weights 1, 2 and 4 (section 6.3). The thesis' figure is a sketch without values. States
of the router are read each 0.5 ms, and compared where a decision was made since the one before;
shares are those of the last 3 of 12 s. Three seeds draw the jitter of hosts, and starts, each
uniform in 10 ms.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from ...frame import Frame
from ...plot import style
from ..claim import Claim, everywhere
from ..drawing import bars, means
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from .controllers import DIVISIONS, FAIR, STARTS, STOP, Runs, rows_of, run

#: Of the capacity: an equation holds if its two sides are this close.
CLOSE = 0.01


def table(runs: Runs) -> Frame:
    """Decisions of routers, shares of flows, and the sides of equations."""
    return frame([row for name, results in runs.items() for row in rows_of(name, results)])


def check(table: Frame) -> list[Claim]:
    """What each controller depends on, and what it decides."""
    sides, shares = table.where(kind="sides"), table.where(kind="share")
    return [
        everywhere(
            "the efficiency controller takes aggregates alone: the largest difference between phi "
            "and alpha (C - y) - beta Q / d, of the capacity",
            "(4.3)",
            _by_division(sides, "efficiency"),
            high=CLOSE,
            form=".1e",
        ),
        everywhere(
            "the fairness controller shuffles what phi leaves: the largest difference between h "
            "and max(0, gamma y - |phi|), of the capacity",
            "(4.4)",
            _by_division(sides, "fairness"),
            high=CLOSE,
            form=".1e",
        ),
        everywhere(
            "how feedback is divided does not affect efficiency: utilization over that with the "
            "thesis' division",
            "affects only fairness (4.7.1)",
            {
                f"{name}": Interval.of(_used(sides, name) / _used(sides, FAIR[0]))
                for name in DIVISIONS
                if name != FAIR[0]
            },
            low=0.99,
            high=1.01,
            form=".3f",
        ),
        everywhere(
            "it decides the shares: a flow's share over its weight's",
            "fair, or proportional to weights",
            {
                f"of flow {flow + 1}, {name}": Interval.of(
                    shares.where(division=name, flow=flow)["over"]
                )
                for name in FAIR
                for flow in range(len(STARTS))
            },
            low=0.95,
            high=1.05,
        ),
        everywhere(
            "without shuffling convergence stalls when efficiency is near the optimum: the share "
            "of the last flow over a third",
            "stalls (4.7.2)",
            {
                "without shuffling": Interval.of(
                    shares.where(division="without shuffling", flow=len(STARTS) - 1)["over"]
                )
            },
            high=0.5,
        ),
    ]


def _by_division(sides: Frame, column: str) -> dict[str, Interval]:
    """The largest over seeds: the sides of an equation differ by no chance."""
    return {
        name: Interval.exactly(float(sides.where(division=name)[column].max()))
        for name in DIVISIONS
    }


def _used(sides: Frame, name: str) -> numpy.ndarray:
    return sides.where(division=name)["utilization"]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The boxes, and what they give."""
    figure = pyplot.figure(figsize=(7, 3.6))
    panels = figure.subplot_mosaic([["boxes", "phi"], ["boxes", "shares"]], width_ratios=[1, 1.3])
    _boxes(panels["boxes"])
    _feedback(panels["phi"], table.where(kind="phi"))
    _shares(panels["shares"], table.where(kind="share"))
    figure.legend(
        *panels["phi"].get_legend_handles_labels(), loc="outside upper center", ncols=len(DIVISIONS)
    )
    return figure


def _boxes(ax: Axes) -> None:
    """Two boxes, and arrows between them, from above to below."""
    ax.set(xlim=(0, 10), ylim=(0, 10))
    ax.axis("off")
    titles = {
        6.0: "efficiency controller\n$\\phi = \\alpha (C - y) - \\beta Q / d$",
        2.0: "fairness controller\n$h = \\max(0, \\gamma y - |\\phi|)$",
    }
    for bottom, title in titles.items():
        box = FancyBboxPatch(
            (0.8, bottom), 8.4, 1.8, boxstyle="round,pad=0.15", fc="#eceff2", lw=0.8
        )
        ax.add_patch(box)
        ax.text(5, bottom + 0.9, title, ha="center", va="center")
    arrows = {
        (9.7, 8.1): "input rate y, queue Q, round trip d",
        (5.8, 4.1): "aggregate feedback $\\phi$",
        (1.8, 0.3): "H_feedback of each packet",
    }
    for (start, end), text in arrows.items():
        ax.annotate("", (1.6, end), (1.6, start), arrowprops={"arrowstyle": "-|>", "lw": 0.8})
        ax.text(2.1, (start + end) / 2, text, va="center", fontsize=7)


def _feedback(ax: Axes, rows: Frame) -> None:
    for number, name in enumerate(DIVISIONS):
        own = rows.where(division=name)
        look: dict[str, Any] = {"color": style.COLOURS[number], "ls": style.TURNS[number]}
        ax.plot(own["seconds"], own["phi"], lw=1, label=name, **look)
    ax.set(xlabel="time (s)", ylabel="$\\phi$ over the capacity", xlim=(0, STOP))


def _shares(ax: Axes, rows: Frame) -> None:
    places = numpy.arange(len(STARTS))
    for number, name in enumerate(DIVISIONS):
        own = rows.where(division=name)
        found = [Interval.of(own.where(flow=flow)["share"]) for flow in places]
        at = places + 0.25 * (number - 1)
        ax.bar(at, means(found), 0.22, yerr=bars(found), color=style.COLOURS[number])
    ax.set_xticks(places, [f"flow {flow + 1}" for flow in places])
    ax.set(ylabel="share", ylim=(0, 1))


FIGURE = Figure(
    id="xcp-9-1",
    title="The efficiency and the fairness controller as boxes",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
