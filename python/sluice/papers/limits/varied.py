"""Figures of RCP and TCP against one parameter of a link: capacity, round trip or load."""

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
from .. import places
from ..claim import Claim, everywhere
from ..closeness import (
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
from ..scale import Scale


@dataclass(frozen=True)
class Varied:
    """RCP, TCP Reno and TCP with SACK on links that differ in one parameter."""

    #: The parameter of :func:`places.place` that differs.
    name: str
    #: Its column in the table.
    column: str
    values: Sequence[float]
    #: The unit of values in the names of runs and in claims.
    unit: float
    #: Description of a point, with a placeholder for the value.
    where: str
    #: Title and unit of the axis.
    label: tuple[str, str]
    axis: Callable[[Axes, str, str, str], None] = scales.logarithmic
    #: Minimum measured time in seconds, at the quick and at the full scale.
    at_least: tuple[float, float] = (0.0, 0.0)

    def run(self, scale: Scale) -> list[tuple[Results, Results]]:
        """For each value, RCP and TCP as in the papers, and TCP with SACK."""
        flows, seeds = scale.pick((10_000, 3), (40_000, 10))
        found = []
        for value in self.values:
            varied: dict[str, Any] = {self.name: value}
            place = places.place(flows, at_least=scale.pick(*self.at_least), **varied)
            name = f"limits-{self.name}/{self._number(value)}"
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
        """RCP against processor sharing and against both kinds of TCP."""
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

    def _number(self, value: float) -> str:
        return f"{value / self.unit:g}"

    def _where(self, value: float) -> str:
        return self.where.format(self._number(value))

    def _points(self) -> dict[str, dict[str, float]]:
        """All values and classes of sizes: the columns of their rows by description."""
        return {
            f"{self._where(value)}, {title} packets": {self.column: value, "size_from": size}
            for value in self.values
            for size, title in CLASSES.items()
        }

    def _close(self, table: Frame) -> Claim:
        """RCP is close to processor sharing for all values and classes of sizes."""
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
        """Flows take less time than under another protocol, for all values and classes."""
        title = style.looks([other])[other].title
        own, its = (table.where(protocol=name) for name in ("rcp", other))
        return everywhere(
            f"flows take less time than under {title}: RCP's mean completion time over its",
            "much faster" if other == "tcp" else "not stated",
            {at: over(own, its, **of) for at, of in self._points().items()},
            high=1,
        )
