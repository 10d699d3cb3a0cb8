"""Utilization of the bottleneck under groups of systems, a panel for each."""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ..drawing import with_bars
from .axis import Axis
from .systems import GROUPS


def plot(axis: Axis, table: Frame) -> matplotlib.figure.Figure:
    """A panel for each group of systems."""
    figure, panels = pyplot.subplots(2, 2, figsize=(7, 5.6), sharex=True, sharey=True)
    for (title, systems), ax in zip(GROUPS.items(), panels.flat, strict=True):
        _panel(ax, axis, table, title, list(systems))
    # Intervals of Student's t pass a full link.
    panels[0, 0].set_ylim(top=1.02)
    for ax in panels[1]:
        scales.logarithmic(ax, "x", *axis.label)
    for ax in panels[:, 0]:
        ax.set_ylabel("utilization")
    return figure


def _panel(ax: Axes, axis: Axis, table: Frame, title: str, names: list[str]) -> None:
    values = numpy.unique(table[axis.column])
    for place, name in enumerate(names):
        found = [axis.mean(table, name, value) for value in values]
        look = {"color": style.COLOURS[place], "marker": style.MARKERS[place]}
        with_bars(ax, values, found, label=name, elinewidth=0.7, **look)
    style.legend(ax)
    if legend := ax.get_legend():
        legend.set_title(title)
