"""The places of [ncp-fair](#ncp-fair) under more systems: mean completion time over that of the
same flows under max-min fairness, computed as a fluid, for all flows together. NCP-S is (6), which
swings and drops; NCP counted is (12), with an exact counter and the rate at which flows send; RCP
0.4 has the gains of its authors' code, 0.4 and 0.4. TCP is Reno with SACK. TCP, CUBIC and BBR v3
begin with ten packets; the others wait for a rate from the routers. SRPT is the other ideal, the
shortest remaining processing time first, also a fluid. The place of reference occurs in each panel
that has its value.

The axis is cut: an arrow at an edge is a ratio beyond it. Bars are 95 % intervals over seeds, where
they are wider than a marker. Unfinished flows count with their age: such ratios are lower bounds.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.markers import CARETDOWN, CARETUP

from ...frame import Frame
from ...plot import style
from ..claim import Claim, everywhere
from ..closeness import CLOSE, ratio, ratios
from ..drawing import means
from ..figure import Figure
from ..interval import Interval
from .fair_claims import can, missing, no_longer, points, present
from .fair_places import (
    AUTHORS,
    BBR,
    COUNTED,
    CUBIC,
    DIMENSIONS,
    NCP,
    RCP,
    SIMPLE,
    SYSTEMS,
    TCP,
    XCP,
    Dimension,
    System,
)
from .fair_runs import ALL, SHORTEST, run, table

COLUMNS = 2
#: The ends of the axis.
LOW, HIGH = 0.8, 4.0
#: The part of a place's width over which systems are drawn side by side.
WIDTH = 0.7
#: The ratio of the ends of an interval that a marker does not cover.
WIDE = 1.15


def check(table: Frame) -> list[Claim]:
    """NCP beside the others and processor sharing; then its variants."""
    return [
        *(can(table, NCP, other) for other in (XCP, TCP)),
        *(no_longer(table, NCP, other) for other in (XCP, TCP, AUTHORS, CUBIC, BBR)),
        everywhere(
            "NCP achieves processor sharing at every place: NCP's mean completion time over "
            "max-min's",
            '"NCP (which achieves PS as shown above)" (section 11.2)',
            {
                at: ratio(table, place=name, system=NCP, sizes=ALL)
                for at, name in points(table).items()
            },
            high=CLOSE,
            note=missing(table, [NCP], ALL),
            counted="ncp-26",
        ),
        # "NCP-S outperforms them all" is about Figures 3 to 6, and the advantage of (12) about
        # flows that are limited elsewhere (`ncp-elsewhere`).
        no_longer(table, SIMPLE, NCP),
        *(no_longer(table, COUNTED, other) for other in (RCP, XCP)),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each dimension."""
    shown = [
        (dimension, labels)
        for dimension in DIMENSIONS.values()
        if len(labels := _labels(dimension, table)) > 1
    ]
    rows = -(-len(shown) // COLUMNS)
    figure, grid = pyplot.subplots(rows, COLUMNS, figsize=(7, 0.5 + 1.8 * rows), sharey=True)
    panels = grid.flat
    for (dimension, labels), ax in zip(shown, panels, strict=False):
        _panel(ax, dimension, labels, table)
    for ax in panels[len(shown) :]:
        ax.set_visible(False)
    for ax in panels[: len(shown)]:
        ax.set_ylim(LOW, HIGH)
        ratios(ax)
    for row in grid.reshape(rows, COLUMNS):
        row[0].set_ylabel("mean time / max-min")
        for ax in row[1:]:
            ax.tick_params(left=False)
    style.legend_above(figure, panels[0], columns=5)
    return figure


def _labels(dimension: Dimension, table: Frame) -> dict[str, str]:
    names = present(table)
    return {label: each.name for label, each in dimension.places.items() if each.name in names}


def _panel(ax: Axes, dimension: Dimension, labels: dict[str, str], table: Frame) -> None:
    at = numpy.arange(len(labels))
    names = (*SYSTEMS, SHORTEST)
    beside = numpy.linspace(-WIDTH / 2, WIDTH / 2, len(names))
    for system, aside in zip(names, beside, strict=True):
        rows = table.where(system=system, sizes=ALL)
        found = [ratio(rows, place=name) for name in labels.values()]
        _draw(ax, at + aside, found, _look(system))
    for edge in at[1:]:
        ax.axvline(edge - 0.5, color=style.GREY, linewidth=0.5, zorder=0)
    words = [*labels]
    ax.set_xticks(at, words)
    ax.set_xlim(-0.5, len(at) - 0.5)
    ax.tick_params(axis="x", length=0)
    ax.set_xlabel(dimension.title)
    ax.grid(visible=False, axis="x")


def _draw(ax: Axes, at: numpy.ndarray, found: list[Interval], look: dict[str, Any]) -> None:
    """Markers, with intervals that are wider than these; arrows where a ratio is off the axis."""
    mean = means(found)
    inside = (mean >= LOW) & (mean <= HIGH)
    ax.plot(at, numpy.where(inside, mean, numpy.nan), linestyle="", markersize=3.5, **look)
    wide = [n for n, each in enumerate(found) if inside[n] and each.high > WIDE * each.low]
    ends = [[max(found[n].low, LOW), min(found[n].high, HIGH), numpy.nan] for n in wide]
    if wide:
        # A single path for all intervals of a system.
        ax.plot(numpy.repeat(at[wide], 3), numpy.ravel(ends), color=look["color"], linewidth=0.8)
    for off, edge, arrow in (
        (mean > HIGH, HIGH, CARETUP),
        (mean < LOW, LOW, CARETDOWN),
    ):
        level = numpy.full(int(off.sum()), edge)
        ax.plot(at[off], level, color=look["color"], linestyle="", marker=arrow, markersize=5)


def _look(system: str) -> dict[str, Any]:
    own = SYSTEMS.get(system, System(system))
    look = style.look(own.protocol)
    marker = style.MARKERS[-own.shade] if own.shade else look.marker or "_"
    label = system if system in SYSTEMS else look.title
    return {"color": look.shades(4)[own.shade], "marker": marker, "label": label}


FIGURE = Figure(
    id="ncp-fair-laws",
    title="NCP, its variants and other systems beside max-min fairness, one dimension at a time",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
