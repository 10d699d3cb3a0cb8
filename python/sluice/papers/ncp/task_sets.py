"""Small sets of periodic tasks, judged by the paper's test, by the right one and by schedules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any

from ...theory import schedules, scheduling
from ...theory.scheduling import Task

#: Speeds of processors, by kind.
ONE, IDENTICAL, UNEQUAL = "one", "identical", "unequal"
PLATFORMS: dict[str, tuple[tuple[int, ...], ...]] = {
    ONE: ((1,),),
    IDENTICAL: ((1, 1), (1, 1, 1)),
    UNEQUAL: ((2, 1), (3, 1), (2, 1, 1), (3, 2, 1)),
}
#: Packets of flows on one link: by the equal share, by shares with priorities.
PACKETS, PRIORITIES, SUMMED = "packets", "priorities", "priorities, summed"
#: The priorities that flows have, in all combinations.
LEVELS = (1, 2)
#: Tasks in a set, and the highest rate of a task.
MOST, HIGHEST = 3, 2


@dataclass(frozen=True)
class Sets:
    """All sets of up to three tasks with these periods, whole work and rates up to 2."""

    periods: tuple[int, ...]

    def __iter__(self) -> Iterator[tuple[Task, ...]]:
        tasks = [Task(work, each) for each in self.periods for work in range(1, HIGHEST * each + 1)]
        for count in range(1, MOST + 1):
            yield from combinations_with_replacement(tasks, count)


def on_processors(sets: Sets, kind: str) -> list[dict[str, Any]]:
    """A row for each set on each group of processors of a kind."""
    return [
        _row(kind, tasks, speeds)
        | {
            "paper": scheduling.within_total(scheduling.rates(tasks), speeds),
            "right": scheduling.feasible(scheduling.rates(tasks), speeds),
            "exists": _exists(kind, tasks, speeds),
        }
        for speeds in PLATFORMS[kind]
        for tasks in sets
    ]


def _exists(kind: str, tasks: Sequence[Task], speeds: Sequence[int]) -> bool:
    if kind == ONE:
        return schedules.earliest_deadline_first(tasks)
    if kind == IDENTICAL:
        return schedules.exists_on_identical(tasks, len(speeds))
    return schedules.exists(tasks, speeds)


def as_packets(sets: Sets) -> list[dict[str, Any]]:
    """A row for each set as packets of flows on one link, without priorities and with each
    combination of them: whether 10.3 admits all, and whether they meet their deadlines."""
    rows = []
    for tasks in sets:
        rates, count = scheduling.rates(tasks), len(tasks)
        row = {"right": scheduling.on_one(rates), "exists": _exists(ONE, tasks, (1,))}
        equal = scheduling.fair_share(count)
        rows.append(_row(PACKETS, tasks, (1,)) | row | {"paper": scheduling.admitted(rates, equal)})
        for given in product(LEVELS, repeat=count):
            if len(set(given)) == 1:
                continue
            own = row | {"priorities": " ".join(map(str, given))}
            by_sum = scheduling.fair_share(count, priorities=given)
            for kind, share in ((PRIORITIES, equal), (SUMMED, by_sum)):
                admitted = scheduling.admitted(rates, share, given)
                rows.append(_row(kind, tasks, (1,)) | own | {"paper": admitted})
    return rows


def _row(kind: str, tasks: Sequence[Task], speeds: Sequence[int]) -> dict[str, Any]:
    rates = scheduling.rates(tasks)
    return {
        "kind": kind,
        "speeds": " ".join(map(str, speeds)),
        "rates": " ".join(map(str, rates)),
        "largest": float(max(rates)),
        "total": float(sum(rates) / sum(speeds)),
        "tightest": float(scheduling.tightest(rates, speeds)),
    }
