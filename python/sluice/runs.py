"""Runs of a scenario."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

from . import _core, costs
from .arguments import flag, path_of, protocol_list, seed_list
from .costs import Cost
from .laws import MakeLaw, with_laws
from .options import options
from .progress import shown
from .results import Results, warn, warn_of_damage
from .scenario import Scenario, loaded
from .watch import watcher


def run(
    scenario: Scenario | str | PathLike[str],
    protocols: Iterable[str] | None = None,
    *,
    seeds: Iterable[int] | None = None,
    laws: Mapping[str, MakeLaw] | None = None,
    out: str | PathLike[str] | None = None,
    threads: int = 0,
    again: bool = False,
    force: bool = False,
    progress: bool = True,
    watch: bool = False,
) -> Results:
    """Runs a scenario as ``sluice run`` does, and returns its results.

    Args:
        scenario: a scenario, the path of a scenario file, or the name of a ready scenario.
        protocols: protocols to run in place of the scenario's.
        seeds: seeds to run in place of the scenario's.
        laws: router laws in Python (:class:`sluice.Law`) by name, run in addition to the protocols.
        out: folder for the results; by default ``results/NAME``.
        threads: number of threads; 0 is one per core. The results do not depend on it.
        again: whether to repeat runs whose results are already in the folder.
        force: whether to run even if memory or disk space will hardly suffice (:func:`cost`),
            and with no limit of memory.
        progress: whether to show a progress bar, and first the cost of runs that take more than
            a minute or a gigabyte, on standard error.
        watch: whether to show completion times as runs finish: in a notebook or a terminal a table
            that fills in, else a line for each run.

    Ctrl-C keeps finished runs and raises KeyboardInterrupt; the same call resumes from there. A
    stored run of which a file is missing or altered is made again, with a UserWarning. What is
    doubtful before anything runs, such as traffic above the capacity of a link, is a UserWarning,
    too.

    Any number of threads and processes may run in one folder at once. Each call returns the results
    of its own scenario; the folder keeps the summary of the last one.

    >>> results = run("ps7-rcp", ["rcp"], seeds=[3], progress=False)
    >>> results.seeds
    [3]

    Raises :class:`sluice.ScenarioError` if the scenario is invalid, :class:`sluice.RunError` if a
    run fails, or needs or takes more memory or disk space than there is, ValueError for a negative
    seed or number of threads, OSError if a file cannot be read or written, and any exception of a
    law.
    """
    chosen = options(threads, again, force=force)
    progress, on_finished = flag("progress", progress), watcher(flag("watch", watch))
    plan, folder = _planned(scenario, protocols, seeds, laws, out)
    warn(plan.warnings())
    expected = costs.made(_core.cost_of_run(plan, folder, chosen))
    costs.admit(expected, force=force, shown=progress)
    with shown(progress, plan.name) as on_progress:
        summary, damages = _core.run(plan, folder, chosen, on_progress, on_finished)
    warn_of_damage(damages)
    return Results(folder, json.loads(summary))


def cost(
    scenario: Scenario | str | PathLike[str],
    protocols: Iterable[str] | None = None,
    *,
    seeds: Iterable[int] | None = None,
    laws: Mapping[str, MakeLaw] | None = None,
    out: str | PathLike[str] | None = None,
    threads: int = 0,
    again: bool = False,
) -> Cost:
    """Estimates what :func:`run` with these arguments will cost. Runs and writes nothing.

    >>> cost("ps7-rcp", ["rcp"], out="there").seconds < 60
    True

    Raises the exceptions of :func:`run`, but none for runs beyond the machine.
    """
    chosen = options(threads, again)
    plan, folder = _planned(scenario, protocols, seeds, laws, out)
    return costs.made(_core.cost_of_run(plan, folder, chosen))


def _planned(
    scenario: Scenario | str | PathLike[str],
    protocols: Iterable[str] | None,
    seeds: Iterable[int] | None,
    laws: Mapping[str, MakeLaw] | None,
    out: str | PathLike[str] | None,
) -> tuple[_core.Plan, Path]:
    """What is to be run, and the folder for its results."""
    plan = loaded(scenario)._core.plan(protocol_list(protocols), seed_list(seeds))
    plan = with_laws(plan, laws)
    return plan, Path("results", plan.name) if out is None else path_of("out", out)
