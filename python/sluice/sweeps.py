"""Sweeps: a scenario at many points."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _core, _json, costs, ratios, tidy
from .arguments import (
    flag,
    listed,
    mapped,
    path_of,
    protocol_list,
    seed_list,
    whole,
)
from .costs import Cost
from .frame import Frame
from .laws import MakeLaw, with_laws
from .options import options
from .progress import shown
from .results import Results, warn, warn_of_damage
from .scenario import Scenario, Value, loaded, toml

if TYPE_CHECKING:
    from distributed import Client


class Sweep:
    """The results of a sweep: a sequence of :class:`sluice.Results`, one for each point."""

    def __init__(self, folder: str | PathLike[str]) -> None:
        #: The folder of the results.
        self.folder = path_of("folder", folder)
        path = self.folder / "sweep.json"
        if not path.is_file():
            raise FileNotFoundError(f"{folder} has no sweep.json: not the results of a sweep")
        self._written: list[dict[str, Any]] = _json.read(path)["points"]

    @cached_property
    def points(self) -> list[dict[str, Any]]:
        """The values of the swept fields at each point: numbers, or text such as ``"20 ms"``."""
        return [point_values(point["set"]) for point in self._written]

    def frame(self) -> Frame:
        """The summaries as one tidy table.

        There is a row for each point, protocol or ideal, and bin of flow sizes. The first columns
        are the swept fields; the others are those of :meth:`sluice.Results.frame`.
        """
        return tidy.frame(zip(self.points, (each.summary for each in self), strict=True))

    def ratios(self, *, by_group: bool = False) -> Frame:
        """How much longer flows take than under an ideal, at each point.

        The first columns are the swept fields; the others are those of
        :meth:`sluice.Results.ratios`.
        """
        points = zip(self.points, (each.summary for each in self), strict=True)
        return ratios.frame(points, by_group=flag("by_group", by_group))

    def __getitem__(self, index: int) -> Results:
        """The results of the point with this index; a negative one counts from the end.

        Raises IndexError if there is no such point.
        """
        index = _index(index, len(self))
        return Results(self.folder / self._written[index]["folder"])

    def __len__(self) -> int:
        return len(self._written)

    def __iter__(self) -> Iterator[Results]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        points = [
            ([(field, value) for field, value in point["set"]], self.folder / point["folder"])
            for point in self._written
        ]
        return _core.sweep_table(points).rstrip("\n")


def sweep(
    scenario: Scenario | str | PathLike[str],
    over: Mapping[str, Value] | None = None,
    *,
    how: Literal["grid", "list", "random"] | None = None,
    points: int | None = None,
    draw_seed: int | None = None,
    protocols: Iterable[str] | None = None,
    seeds: Iterable[int] | None = None,
    laws: Mapping[str, MakeLaw] | None = None,
    out: str | PathLike[str] | None = None,
    threads: int = 0,
    again: bool = False,
    force: bool = False,
    progress: bool = True,
    client: Client | str | None = None,
) -> Sweep:
    """Runs a scenario at many points as ``sluice sweep`` does, on all cores or on a cluster.

    Args:
        scenario: a scenario, the path of a scenario file, or the name of a ready scenario.
        over: fields or variables, each with a list of values or a range
            (``{"from": "1 ms", "to": "1 s", "steps": 4, "log": True}``); in addition to those of
            the scenario's ``[sweep]``.
        how: how the fields are combined: all combinations (``"grid"``), the first values of all,
            then the second values, and so on (``"list"``), or random draws from the values and
            ranges (``"random"``).
        points: with ``how="random"``, number of points; 10 by default.
        draw_seed: with ``how="random"``, seed of the draws; 1 by default.
        protocols, seeds, laws, threads, again, force, progress: as for :func:`sluice.run`.
        out: folder for the results; by default ``results/NAME-sweep``.
        client: a ``distributed.Client`` or the address of a Dask scheduler, whose workers execute
            the runs (``pip install 'sluicesim[cluster]'``). The results have the same bytes as
            without. ``laws`` still run in this process.

    What is doubtful before anything runs, such as traffic above the capacity of a link, is a
    UserWarning with the points that it applies to.

    Each run is stored as soon as it has finished, and is not repeated unless ``again``. After
    Ctrl-C or a kill, the same call resumes from there.

    >>> swept = sweep("ps7-rcp", {"rcp.alpha": [0.1, 0.4]}, protocols=["rcp"], progress=False)
    >>> swept.points
    [{'rcp.alpha': 0.1}, {'rcp.alpha': 0.4}]
    >>> swept.frame().columns[:3]
    ['rcp.alpha', 'protocol', 'size_from']

    Raises ValueError if no field is swept, if ``points`` or ``draw_seed`` is given without random
    draws, or ``again`` with ``client``, and the exceptions of :func:`sluice.run`.
    """
    chosen = options(threads, again, force=force)
    progress = flag("progress", progress)
    if client is not None and chosen.again:
        raise ValueError("`again` has no effect with `client`: remove the folder instead")
    planned = planned_points(scenario, over, how, points, draw_seed, protocols, seeds)
    planned = [(point, with_laws(plan, laws)) for point, plan in planned]
    name = planned[0][1].name
    folder = _folder(name, out)
    warn(_core.sweep_warnings(planned))
    expected = _core.cost_of_sweep(planned, folder, chosen, client is not None)
    costs.admit(costs.made(expected), force=force, shown=progress)
    if client is not None:
        from . import cluster

        plans = [(_core.point_folder(folder, at), plan) for at, (_, plan) in enumerate(planned)]
        cluster.make(client, plans, progress=progress)
    with shown(progress, name) as on_progress:
        damages = _core.sweep(planned, folder, chosen, on_progress)
    warn_of_damage(damages)
    return Sweep(folder)


def sweep_cost(
    scenario: Scenario | str | PathLike[str],
    over: Mapping[str, Value] | None = None,
    *,
    how: Literal["grid", "list", "random"] | None = None,
    points: int | None = None,
    draw_seed: int | None = None,
    protocols: Iterable[str] | None = None,
    seeds: Iterable[int] | None = None,
    laws: Mapping[str, MakeLaw] | None = None,
    out: str | PathLike[str] | None = None,
    threads: int = 0,
    again: bool = False,
) -> Cost:
    """Estimates what :func:`sweep` with these arguments will cost. Runs and writes nothing.

    >>> sweep_cost("ps7-rcp", {"rcp.alpha": [0.1, 0.4]}, protocols=["rcp"], out="there").runs
    6

    Raises the exceptions of :func:`sweep`, but none for runs beyond the machine.
    """
    chosen = options(threads, again)
    planned = planned_points(scenario, over, how, points, draw_seed, protocols, seeds)
    planned = [(point, with_laws(plan, laws)) for point, plan in planned]
    folder = _folder(planned[0][1].name, out)
    return costs.made(_core.cost_of_sweep(planned, folder, chosen))


def _index(index: int, count: int) -> int:
    try:
        given = operator.index(index)
    except TypeError:
        raise TypeError(f"a point is chosen by a whole number, not {index!r}") from None
    if not -count <= given < count:
        raise IndexError(f"no point {given}; there are {count}, from 0")
    return given


def planned_points(
    scenario: Scenario | str | PathLike[str],
    over: Mapping[str, Value] | None,
    how: str | None,
    points: int | None,
    draw_seed: int | None,
    protocols: Iterable[str] | None,
    seeds: Iterable[int] | None,
) -> list[tuple[list[tuple[str, str]], _core.Plan]]:
    """The points of a sweep, each with the fields that it sets."""
    _check_draws(how, points, draw_seed)
    given = mapped("over", over).items()
    fields = [(str(field), toml(_values(field, values))) for field, values in given]
    ways = {"how": how, "points": points, "seed": draw_seed}
    chosen = any(way is not None for way in ways.values())
    core = loaded(scenario)._core.vary(fields, toml(ways) if chosen else None)
    planned = core.points(protocol_list(protocols), seed_list(seeds))
    if not planned:
        raise ValueError("nothing to sweep: give fields and their values in `over`")
    return planned


def _folder(name: str, out: str | PathLike[str] | None) -> Path:
    return Path("results", f"{name}-sweep") if out is None else path_of("out", out)


def _check_draws(how: str | None, points: int | None, draw_seed: int | None) -> None:
    """Checks the options of random draws."""
    for name, value in {"points": points, "draw_seed": draw_seed}.items():
        if value is not None and how != "random":
            given = "`how` is not given" if how is None else f"`how` is {how!r}"
            raise ValueError(
                f"`{name}` is for random draws, but {given}: set how='random', or remove `{name}`"
            )
    if points is not None:
        whole("points", points, _core.MAX_POINTS, least=1)
    if draw_seed is not None:
        whole("draw_seed", draw_seed, _core.MAX_SEED)


def _values(field: str, values: Value) -> Value:
    is_range = isinstance(values, (Mapping, str))
    return values if is_range else listed(f"over[{field!r}]", values)


def point_values(point: Iterable[tuple[str, str]]) -> dict[str, float | str]:
    """The values of a point's fields: numbers, or text such as ``"20 ms"``."""
    return {field: _number(value) for field, value in point}


def _number(value: str) -> float | str:
    try:
        return float(value)
    except ValueError:
        return value
