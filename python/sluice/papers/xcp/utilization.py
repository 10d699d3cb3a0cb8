"""Utilization of the bottleneck against capacity or delay: runs, table and drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..drawing import with_bars
from ..interval import Interval
from ..link import bottleneck
from ..rows import frame
from ..scale import Scale
from .bottleneck import Place
from .systems import GROUPS, SYSTEMS, System

#: By system, value and seed.
Runs = dict[tuple[str, float, int], Results]


@dataclass(frozen=True)
class Axis:
    """The quantity that varies."""

    #: The figure's id.
    figure: str
    #: Its column in the table.
    column: str
    #: Title and unit of the axis.
    label: tuple[str, str]
    #: Full scale, in order.
    values: Sequence[float]
    #: Quick scale.
    quick: Sequence[float]
    place: Callable[[float], Place]
    #: A value in words, "20 Mb/s".
    words: Callable[[float], str]

    def run(self, scale: Scale) -> Runs:
        """Each system at each value; the seed draws when flows start."""
        return {
            (name, value, seed): self._one(scale, name, system, value, seed)
            for name, system in SYSTEMS.items()
            for value in scale.pick(self.quick, self.values)
            for seed in range(1, scale.pick(1, 3) + 1)
        }

    def _one(self, scale: Scale, name: str, system: System, value: float, seed: int) -> Results:
        scenario = system.scenario(self.place(value), seed)
        return scale.run(scenario, [system.protocol], name=f"{self.figure}/{name}-{value:g}-{seed}")

    def table(self, runs: Runs) -> Frame:
        """A row for each system, value and seed."""
        rows = []
        for (name, value, seed), results in runs.items():
            link = bottleneck(results, SYSTEMS[name].protocol)
            rows.append(
                {
                    "system": name,
                    self.column: value,
                    "seed": seed,
                    "utilization": float(link["utilization"][0]),
                    "queue_bdp": float(link["mean_queue_bytes"][0]) / self.place(value).bdp_bytes,
                    "drops": int(link["drops"][0]),
                }
            )
        return frame(rows)

    def ends(self, table: Frame) -> tuple[float, float]:
        """The smallest and the largest value of a table."""
        return float(table[self.column].min()), float(table[self.column].max())

    def mean(self, table: Frame, name: str, value: float, column: str = "utilization") -> Interval:
        """A column of a system at a value, over seeds."""
        return Interval.of(table.where(**{"system": name, self.column: value})[column])

    def plot(self, table: Frame) -> matplotlib.figure.Figure:
        """A panel for each group of systems."""
        figure, panels = pyplot.subplots(2, 2, figsize=(7, 5.6), sharex=True, sharey=True)
        for (title, systems), ax in zip(GROUPS.items(), panels.flat, strict=True):
            self._panel(ax, table, title, list(systems))
        # Intervals of Student's t pass a full link.
        panels[0, 0].set_ylim(top=1.02)
        for ax in panels[1]:
            scales.logarithmic(ax, "x", *self.label)
        for ax in panels[:, 0]:
            ax.set_ylabel("utilization")
        return figure

    def _panel(self, ax: Axes, table: Frame, title: str, names: list[str]) -> None:
        values = numpy.unique(table[self.column])
        for place, name in enumerate(names):
            found = [self.mean(table, name, value) for value in values]
            look = {"color": style.COLOURS[place], "marker": style.MARKERS[place]}
            with_bars(ax, values, found, label=name, elinewidth=0.7, **look)
        style.legend(ax)
        if legend := ax.get_legend():
            legend.set_title(title)
