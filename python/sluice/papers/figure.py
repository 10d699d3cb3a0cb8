"""A figure of a paper as an object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import matplotlib.figure

from ..frame import Frame
from .claim import Claim
from .scale import Scale

#: What :attr:`Figure.run` returns and :attr:`Figure.table` takes.
Runs = TypeVar("Runs")


@dataclass(frozen=True)
class Figure(Generic[Runs]):
    """A figure of a paper and the four steps that reproduce it.

    ``run`` simulates, ``table`` extracts the numbers, and ``check`` and ``plot`` take nothing but
    these numbers.
    """

    #: The figure's number in its paper, such as ``ps-7``. Its file is named ``ps_7.py``.
    id: str
    #: One line.
    title: str
    #: The docstring of its file.
    doc: str | None
    #: Runs the simulations. What it returns is up to the figure.
    run: Callable[[Scale], Runs]
    #: The numbers that are plotted and checked, as one table.
    table: Callable[[Runs], Frame]
    #: The paper's claims, each with its verdict.
    check: Callable[[Frame], list[Claim]]
    #: The plot.
    plot: Callable[[Frame], matplotlib.figure.Figure]
    #: Ids of further figures of the paper that this one includes.
    also: tuple[str, ...] = ()

    @property
    def about(self) -> str:
        """The set-up, and what the paper leaves open: Markdown, printed above the figure."""
        return (self.doc or "").strip()

    @property
    def ids(self) -> tuple[str, ...]:
        """All ids under which the figure is found."""
        return (self.id, *self.also)
