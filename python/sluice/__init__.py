"""Explicit congestion control, simulated: RCP, XCP and NCP beside TCP.

>>> import sluice
>>> scenario = sluice.Scenario.load("ps7-rcp").set({"seed": 7})
>>> results = sluice.run(scenario, protocols=["rcp"], progress=False)
>>> results.protocols
['rcp']

A scenario is written with the words of its file (:func:`schema`, :func:`explain`), and is checked
where the command line checks it. Results are files in a folder, the same that ``sluice run``
writes.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._core import BUILD, LinkSetup, RunError, ScenarioError, View
from .frame import Frame
from .laws import Law
from .manual import explain, names, schema
from .results import Results, load
from .runs import run
from .scenario import Scenario
from .sweeps import Sweep, sweep

if TYPE_CHECKING:
    from . import cluster, plot, theory

__all__ = [
    "BUILD",
    "Frame",
    "Law",
    "LinkSetup",
    "Results",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Sweep",
    "View",
    "cluster",
    "explain",
    "load",
    "names",
    "plot",
    "run",
    "schema",
    "sweep",
    "theory",
]


def __getattr__(name: str) -> Any:
    # What takes long to import is imported when it is asked for.
    if name in ("cluster", "plot", "theory"):
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
