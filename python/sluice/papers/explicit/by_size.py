"""Completion time by flow size on a network, under each system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...results import Results
from ...scenario import Scenario
from .. import closeness
from ..claim import Claim, everywhere
from ..figure import Figure
from ..rows import frame
from ..scale import Scale
from .legend import above
from .systems import EXPLICIT, OTHERS, SYSTEMS, Path, lines

#: Classes of flow sizes: the smallest size in packets, and the name.
CLASSES = {1: "up to 10", 10: "10 to 100", 100: "100 to 1000", 1000: "over 1000"}
EDGES = (*CLASSES, numpy.inf)
#: Data in a packet without a law's header.
PAYLOAD = 1460
#: Fewest flows of a class in each run; fewer are too few for a mean.
ENOUGH = 10


@dataclass(frozen=True)
class Network:
    """A figure of all systems on a ready scenario."""

    #: The figure's id.
    name: str
    #: The ready scenario.
    scenario: str
    path: Path
    #: End of the time measured in seconds, at the quick and at the full scale.
    stop: tuple[float, float]
    fields: Mapping[str, Any] = field(default_factory=dict)

    def figure(self, title: str, doc: str | None) -> Figure[dict[str, Results]]:
        """The figure, with the docstring of its file."""
        return Figure(self.name, title, doc, self.run, self.table, self.check, self.plot)

    def run(self, scale: Scale) -> dict[str, Results]:
        """By system, with the same flows."""
        stop = {"stop": f"{scale.pick(*self.stop)} s"}
        base = Scenario.load(self.scenario).set(stop | dict(self.fields))
        return {
            name: scale.run(
                base.set(self.path.settings(system)),
                [system.protocol],
                name=f"{self.name}/{number}",
                seeds=scale.pick(1, 5),
            )
            for number, (name, system) in enumerate(SYSTEMS.items())
        }

    def table(self, runs: dict[str, Results]) -> Frame:
        """A row for each system, seed and class of sizes that has enough flows in all runs."""
        rows = [
            row
            for name, results in runs.items()
            for row in closeness.by_size(results, EDGES, PAYLOAD, system=name)
        ]
        few = {row["size_from"] for row in rows if row["flows"] < ENOUGH}
        return frame([row for row in rows if row["size_from"] not in few])

    def check(self, table: Frame) -> list[Claim]:
        """Each explicit system against all others."""
        return [self._sooner(table, own) for own in EXPLICIT]

    def _sooner(self, table: Frame, own: str) -> Claim:
        """Flows of all sizes take less time than under any of the others."""
        rows = table.where(system=own)
        found = {
            f"{title} packets, over {other}": closeness.over(
                rows, table.where(system=other), size_from=size
            )
            for size, title in CLASSES.items()
            if len(rows.where(size_from=size))
            for other in OTHERS
        }
        return everywhere(
            f"flows of every size take less time under {own} than under each of the others: its "
            "mean completion time over theirs",
            "not stated",
            found,
            high=1,
            note=closeness.unfinished(rows),
        )

    def plot(self, table: Frame) -> matplotlib.figure.Figure:
        """Means on the left, 99th percentiles on the right."""
        figure, axes = pyplot.subplots(1, 2, figsize=(7, 3.2), sharey=True)
        classes = [size for size in CLASSES if size in table["size_from"]]
        for ax, column in zip(axes, ("ratio", "p99"), strict=True):
            lines(ax, table, "size_from", column)
            ax.set(xscale="log", xlabel="flow size (packets)")
            ax.set_xticks(classes, [CLASSES[size] for size in classes])
            ax.minorticks_off()
        # With all that is drawn on the common axis.
        for ax in axes:
            closeness.ratios(ax)
        axes[0].set_ylabel("mean time / max-min's")
        axes[1].set_ylabel("99th percentile of time / max-min's")
        above(figure, axes[0])
        return figure
