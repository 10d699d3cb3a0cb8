"""Efficiency of the link against the gain of cheats: its drawing."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.figure
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ..drawing import with_bars
from .cheats import Cheats, gains_of

#: Columns of the panels, and their titles.
EFFICIENCY = {"utilization": "utilization", "queue_packets": "mean queue (packets)"}


def plot(
    cheats: Cheats,
    table: Frame,
    lines: Mapping[str, tuple[str, int]],
    columns: Mapping[str, str] = EFFICIENCY,
) -> matplotlib.figure.Figure:
    """A panel for each column; ``lines`` are systems and numbers of cheats by label."""
    figure, panels = pyplot.subplots(1, len(columns), figsize=(3.5 * len(columns), 2.9))
    gains = gains_of(table)
    for (column, title), ax in zip(columns.items(), panels, strict=True):
        for place, (label, (system, number)) in enumerate(lines.items()):
            found = [
                cheats.mean(table, gain, column, system=system, number=number) for gain in gains
            ]
            look = {"color": style.COLOURS[place], "marker": style.MARKERS[place]}
            with_bars(ax, gains, found, label=label, elinewidth=0.7, **look)
        scales.logarithmic(ax, "x", "gain", "")
        ax.set_ylabel(title)
        ax.set_ylim(0, 1.03 if column == "utilization" else None)
    if len(lines) > 1:
        style.legend_above(figure, panels[0], columns=len(lines))
    return figure
