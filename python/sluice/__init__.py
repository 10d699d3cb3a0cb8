"""Explicit congestion control, simulated: RCP, XCP and NCP beside TCP.

>>> import sluice
>>> scenario = sluice.Scenario.load("ps7-rcp").set({"seed": 7})
>>> results = sluice.run(scenario, protocols=["rcp"], progress=False)
>>> results.protocols
['rcp']

The fields of a scenario are those of scenario files (:func:`schema`, :func:`explain`), with the
same checks as on the command line. Results are stored in a folder, in the files that ``sluice run``
writes.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._core import BUILD, LinkContext, LinkSample, RunError, ScenarioError
from .costs import Cost
from .estimates import Estimate, estimate, estimate_sweep
from .frame import Frame
from .laws import Law
from .manual import explain, names, schema
from .results import Results, load
from .runs import cost, run
from .scenario import Scenario
from .sweeps import Sweep, sweep, sweep_cost

if TYPE_CHECKING:
    from . import cluster, plot, theory

__all__ = [
    "BUILD",
    "Cost",
    "Estimate",
    "Frame",
    "Law",
    "LinkContext",
    "LinkSample",
    "Results",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Sweep",
    "cluster",
    "cost",
    "estimate",
    "estimate_sweep",
    "explain",
    "load",
    "names",
    "plot",
    "run",
    "schema",
    "sweep",
    "sweep_cost",
    "theory",
]


def __getattr__(name: str) -> Any:
    # Imported on first use: they are slow to import.
    if name in ("cluster", "plot", "theory"):
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
