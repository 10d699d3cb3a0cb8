"""How much of a figure is simulated, and where its runs are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ..results import Results
from ..runs import run
from ..scenario import Scenario, Value
from ..sweeps import Sweep, sweep

T = TypeVar("T")


@dataclass(frozen=True)
class Scale:
    """What a figure's ``run`` is told."""

    #: Whether the paper's set-up is run as a whole; else less of it, for a first look.
    full: bool
    #: Where runs are kept, by name: the same run again, of this figure or another, takes no time.
    folder: Path
    #: Whether a bar shows how far they are.
    progress: bool = True

    def pick(self, quick: T, full: T) -> T:
        """One of the two, as the scale is."""
        return full if self.full else quick

    def run(
        self, scenario: Scenario, protocols: Iterable[str], *, name: str, seeds: int = 1
    ) -> Results:
        """Runs a scenario with so many seeds from 1 up."""
        out = self.folder / name
        numbers = range(1, seeds + 1)
        return run(scenario, protocols, seeds=numbers, out=out, progress=self.progress)

    def sweep(
        self,
        scenario: Scenario,
        over: Mapping[str, Value],
        protocols: Iterable[str],
        *,
        name: str,
        seeds: int = 1,
    ) -> Sweep:
        """Runs a scenario at every combination, with so many seeds from 1 up."""
        out = self.folder / name
        numbers = range(1, seeds + 1)
        return sweep(
            scenario, over, protocols=protocols, seeds=numbers, out=out, progress=self.progress
        )
