"""What the figures of RCP and TCP against one thing of a link share: its capacity, its round trip
or its load.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.figure
import pyarrow
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..scale import Scale
from . import places
from .closeness import (
    CLASSES,
    CLOSE,
    SACK,
    WITH_SACK,
    by_size,
    line,
    over,
    ratio,
    ratios,
    unfinished,
)


@dataclass(frozen=True)
class Varied:
    """RCP, TCP Reno and TCP with SACK on links that differ in one thing, with as many flows."""

    #: What differs, as :func:`places.place` has it.
    name: str
    #: Its column in the table.
    column: str
    values: Sequence[float]
    #: A value over this is what runs are called by, and what claims tell of it.
    unit: float
    #: Where a claim is about, with a gap for the value.
    where: str
    #: What the axis says, and its unit.
    label: tuple[str, str]
    axis: Callable[[Axes, str, str, str], None] = scales.logarithmic
    #: Seconds that are measured at least, at the quick scale and at the full one.
    at_least: tuple[float, float] = (0.0, 0.0)

    def run(self, scale: Scale) -> list[tuple[Results, Results]]:
        """At each value, the two that are like the papers', and TCP with SACK."""
        flows, seeds = scale.pick((10_000, 3), (40_000, 10))
        found = []
        for value in self.values:
            varied: dict[str, Any] = {self.name: value}
            place = places.place(flows, at_least=scale.pick(*self.at_least), **varied)
            name = f"limits-{self.name}/{self._told(value)}"
            plain = scale.run(place, ["rcp", "tcp"], name=name, seeds=seeds)
            with_sack = place.set(WITH_SACK)
            sack = scale.run(with_sack, ["tcp"], name=f"{name}-sack", seeds=seeds)
            found.append((plain, sack))
        return found

    def table(self, runs: list[tuple[Results, Results]]) -> Frame:
        """A row for each value, protocol, seed and class of sizes."""
        rows = []
        for value, (plain, sack) in zip(self.values, runs, strict=True):
            of: dict[str, Any] = {self.column: value}
            rows += by_size(plain, **of)
            rows += [row | {"protocol": SACK} for row in by_size(sack, **of)]
        return Frame(pyarrow.Table.from_pylist(rows))

    def check(self, table: Frame) -> list[Claim]:
        """Of each value; and against TCP, of all."""
        return [self._close(table), *(self._sooner(table, other) for other in ("tcp", SACK))]

    def plot(self, table: Frame) -> matplotlib.figure.Figure:
        """A panel for each protocol, a line for each class of sizes."""
        names = list(dict.fromkeys(table["protocol"]))
        figure, axes = pyplot.subplots(1, len(names), figsize=(7, 2.8), sharey=True)
        for name, ax in zip(names, axes, strict=True):
            look = style.looks(names)[name]
            # The longest flows are the darkest.
            shades = style.shades(look.colour, len(CLASSES))[::-1]
            for (size, title), shade, marker in zip(
                CLASSES.items(), shades, style.MARKERS, strict=False
            ):
                rows = table.where(protocol=name, size_from=size)
                # Short names, so that the legend of a narrow panel takes two rows.
                unit = " packets" if size == max(CLASSES) else ""
                line(ax, rows, self.column, color=shade, marker=marker, label=f"{title}{unit}")
            ax.set_ylabel(f"{look.title} / processor sharing")
        for ax in axes:
            ratios(ax)
            self.axis(ax, "x", *self.label)
            style.legend(ax)
        return figure

    def _told(self, value: float) -> str:
        return f"{value / self.unit:g}"

    def _where(self, value: float) -> str:
        return self.where.format(self._told(value))

    def _points(self) -> dict[str, dict[str, float]]:
        """Every value and class of sizes: the columns of its rows by where it is."""
        return {
            f"{self._where(value)}, {title} packets": {self.column: value, "size_from": size}
            for value in self.values
            for size, title in CLASSES.items()
        }

    def _close(self, table: Frame) -> Claim:
        """That RCP is close to processor sharing, at every value and class of sizes."""
        rows = table.where(protocol="rcp")
        found = {
            at: ratio(rows, **of) for at, of in self._points().items() if len(rows.where(**of))
        }
        return everywhere(
            "RCP is close to processor sharing at every place: RCP's mean completion time over "
            "processor sharing's",
            "close",
            found,
            high=CLOSE,
            note=unfinished(rows),
        )

    def _sooner(self, table: Frame, other: str) -> Claim:
        """That flows take less time than under another protocol, at every value and class."""
        title = style.looks([other])[other].title
        own, its = (table.where(protocol=name) for name in ("rcp", other))
        return everywhere(
            f"flows take less time than under {title}: RCP's mean completion time over its",
            "much faster" if other == "tcp" else "not stated",
            {at: over(own, its, **of) for at, of in self._points().items()},
            high=1,
        )
