"""What models predict of results, without packets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from typing import Any, Literal

from . import _core
from .arguments import protocol_list
from .frame import Frame
from .scenario import Scenario, Value, loaded
from .sweeps import planned_points, point_values
from .tidy import joined

#: A row of a table.
Row = dict[str, Any]
#: Columns of numbers.
INTEGERS = ("size_from", "size_to", "capacity_bps", "grant_bps")
FLOATS = ("completion_mean", "flows")
#: The rows of an estimate.
Rows = Callable[[Row], Iterator[Row]]


class Estimate:
    """Mean completion times, queues and losses of a scenario, by formulas for a steady state.

    ``repr`` is the table that ``sluice estimate`` prints.
    """

    def __init__(self, content: str, table: str) -> None:
        #: All numbers, as ``sluice estimate --json`` prints them. Times are in seconds.
        self.content: dict[str, Any] = json.loads(content)
        #: The tables that the command prints.
        self.table = table.rstrip("\n")

    @property
    def protocols(self) -> list[str]:
        """The protocols that have a model, and the max-min ideal."""
        return [system["protocol"] for system in self.content["systems"]]

    @property
    def converged(self) -> dict[str, bool]:
        """By protocol, whether models of sources and links agree, overloaded links or not."""
        return {system["protocol"]: system["converged"] for system in self.content["systems"]}

    @property
    def overloaded(self) -> dict[str, list[str]]:
        """By protocol, links to which flows bring as much as they can carry or more.

        Groups over such a link have no completion time, and neither has the protocol as a whole.
        """
        return {system["protocol"]: system["overloaded"] for system in self.content["systems"]}

    @property
    def not_modelled(self) -> dict[str, list[str]]:
        """The protocols without an estimate, each with the fields that have no model, and why."""
        return {
            one["protocol"]: [f"{lack['field']}: {lack['reason']}" for lack in one["lacks"]]
            for one in self.content["not_modelled"]
        }

    @property
    def warnings(self) -> list[str]:
        """What to know beside the numbers: overload, models that do not agree, doubts."""
        return [warning["text"] for warning in self.content["warnings"]]

    def frame(self) -> Frame:
        """Mean completion times: a row for each protocol and bin of flow sizes.

        In the row over all sizes, ``size_from`` and ``size_to`` are null. ``converged`` is that of
        the protocol, ``doubts`` those of any of its groups.
        """
        return _frame(_means, [({}, self.content)])

    def groups(self) -> Frame:
        """A row for each protocol and group: arrivals a second, completion time, rate, losses."""
        return _frame(_groups, [({}, self.content)])

    def links(self) -> Frame:
        """A row for each protocol and link: load, utilization, queue, losses, rate granted."""
        return _frame(_links, [({}, self.content)])

    def __repr__(self) -> str:
        return self.table


def estimate(
    scenario: Scenario | str | PathLike[str],
    protocols: Iterable[str] | None = None,
) -> Estimate:
    """Estimates completion times, queues and losses as ``sluice estimate`` does, in milliseconds.

    Args:
        scenario: a scenario, the path of a scenario file, or the name of a ready scenario.
        protocols: protocols to estimate in place of the scenario's.

    Max-min fairness is estimated beside the protocols. Nothing runs, and nothing is written.

    >>> found = estimate("websearch", ["rcp", "ncp"])
    >>> found.protocols
    ['rcp', 'ncp', 'max_min']
    >>> found.frame().columns
    ['protocol', 'size_from', 'size_to', 'part', 'completion_mean', 'converged', 'doubts']

    Raises :class:`sluice.ScenarioError` if the scenario is invalid, or if nothing of it has a
    model.
    """
    plan = loaded(scenario)._core.plan(protocol_list(protocols), None)
    return Estimate(*_core.estimate(plan))


def estimate_sweep(
    scenario: Scenario | str | PathLike[str],
    over: Mapping[str, Value] | None = None,
    *,
    how: Literal["grid", "list", "random"] | None = None,
    points: int | None = None,
    draw_seed: int | None = None,
    protocols: Iterable[str] | None = None,
) -> Frame:
    """Estimates a scenario at many points, which the arguments choose as for :func:`sluice.sweep`.

    The frame has the columns of :meth:`Estimate.frame`, after those of the swept fields. Points at
    which a protocol has no model have no rows of it; overload is a null. Where ``converged`` is
    false, numbers are those of the last iteration.

    >>> frame = estimate_sweep("websearch", {"load": [0.5, 0.9]}, protocols=["ncp"])
    >>> frame.columns[:3]
    ['load', 'protocol', 'size_from']

    Raises ValueError if no field is swept, and the exceptions of :func:`estimate`.
    """
    planned = planned_points(scenario, over, how, points, draw_seed, protocols, None)
    found, _ = _core.estimate_points(planned)
    values = (point_values(point) for point, _ in planned)
    return _frame(_means, zip(values, map(json.loads, found), strict=True))


def _frame(rows: Rows, found: Iterable[tuple[Row, Row]]) -> Frame:
    import pyarrow

    listed = [joined(point, row) for point, content in found for row in rows(content)]
    columns = {name: [row[name] for row in listed] for name in listed[0]}
    # The type must not depend on whether a column has values.
    kinds = {
        name: pyarrow.int64() if name in INTEGERS else pyarrow.float64() if name in FLOATS else None
        for name in columns
    }
    arrays = {name: pyarrow.array(values, kinds[name]) for name, values in columns.items()}
    return Frame(pyarrow.table(arrays))


def _means(content: Row) -> Iterator[Row]:
    for system in content["systems"]:
        named = (doubt for group in system["groups"] for doubt in group["doubts"])
        doubts = ", ".join(dict.fromkeys(named))
        whole = {"from": None, "to": None, "part": 1.0, "completion": system["completion"]}
        for sizes in [whole, *system["by_size"]]:
            yield {
                "protocol": system["protocol"],
                "size_from": sizes["from"],
                "size_to": sizes["to"],
                "part": sizes["part"],
                "completion_mean": sizes["completion"],
                "converged": system["converged"],
                "doubts": doubts,
            }


def _groups(content: Row) -> Iterator[Row]:
    for system in content["systems"]:
        for group in system["groups"]:
            yield {
                "protocol": system["protocol"],
                "group": group["name"],
                "arrivals": group["arrivals"],
                "completion_mean": group["completion"],
                "flows": group["flows"],
                "rate_bps": group["rate"],
                "loss": group["loss"],
                "doubts": ", ".join(group["doubts"]),
            }


def _links(content: Row) -> Iterator[Row]:
    for system in content["systems"]:
        for link in system["links"]:
            yield {
                "protocol": system["protocol"],
                "from": link["from"],
                "to": link["to"],
                "capacity_bps": link["capacity"],
                "load": link["load"],
                "utilization": link["utilization"],
                "mean_queue_bytes": link["queue"],
                "loss": link["loss"],
                "grant_bps": link["grant"],
            }
