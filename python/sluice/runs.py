"""Running a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path

from . import _core
from .laws import MakeLaw, with_laws
from .progress import shown
from .results import Results
from .scenario import Scenario, listed


def run(
    scenario: Scenario | str | PathLike[str],
    protocols: Iterable[str] | None = None,
    *,
    seeds: Iterable[int] | None = None,
    laws: Mapping[str, MakeLaw] | None = None,
    out: str | PathLike[str] | None = None,
    threads: int = 0,
    again: bool = False,
    progress: bool = True,
) -> Results:
    """Runs a scenario, or a file or ready scenario by its name, as ``sluice run`` does.

    ``protocols`` and ``seeds`` stand in the scenario's stead. ``laws`` run beside the protocols, by
    the names given (:class:`sluice.Law`). Results go to the folder ``out``, by default
    ``results/NAME``; runs that lie there already are not made again unless ``again``. ``threads``
    of 0 is one a core; results are the same for any number. Ctrl-C keeps what is finished and
    raises KeyboardInterrupt; the same call goes on from there.

    >>> results = run("ps7-rcp", ["rcp"], seeds=[3], progress=False)
    >>> results.seeds
    [3]

    Raises :class:`sluice.ScenarioError` if the scenario is wrong, OSError if a file cannot be
    written, and whatever a law raises.
    """
    if not isinstance(scenario, Scenario):
        scenario = Scenario.load(scenario)
    plan = scenario._core.plan(listed(protocols), listed(seeds))
    plan = with_laws(plan, laws)
    folder = Path("results", plan.name) if out is None else Path(out)
    with shown(progress, plan.name) as tell:
        _core.run(plan, folder, threads, again, tell)
    return Results(folder)
