"""How much of a figure is simulated, and where its runs are stored."""

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
    """The scale of a figure's simulations, and the folder for their results."""

    #: Whether to simulate the full set-up, or a smaller one for a first look.
    full: bool
    #: Folder of runs by name. A run with the same inputs, of any figure, is not repeated.
    folder: Path
    #: Whether to show a progress bar.
    progress: bool = True

    def pick(self, quick: T, full: T) -> T:
        """The argument for this scale."""
        return full if self.full else quick

    def run(
        self,
        scenario: Scenario,
        protocols: Iterable[str],
        *,
        name: str,
        seeds: int = 1,
        first: int = 1,
    ) -> Results:
        """Runs a scenario with ``seeds`` seeds from ``first`` on."""
        out = self.folder / name
        numbers = range(first, first + seeds)
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
        """Runs a scenario at all combinations, with seeds 1 to ``seeds``."""
        out = self.folder / name
        numbers = range(1, seeds + 1)
        return sweep(
            scenario, over, protocols=protocols, seeds=numbers, out=out, progress=self.progress
        )
