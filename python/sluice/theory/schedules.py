"""Schedules of periodic tasks over a hyperperiod, as a check of ``scheduling`` that uses none of
its conditions: earliest deadline first step by step, and whether any schedule exists.

Tasks are released together at 0, and work and periods are whole numbers. For small sets: the time
to compute grows with the hyperperiod, the least common multiple of the periods.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy
from scipy import optimize, sparse
from scipy.sparse import csgraph

from .scheduling import Exact, Task

#: How far the linear program's optimum may fall short of 1 by rounding. With small whole
#: numbers, that of a set without a schedule is far below.
_ROUNDING = 1e-7


@dataclass(frozen=True)
class Job:
    """One period's work of a task."""

    work: int
    #: When it may begin.
    release: int
    #: When it must have ended.
    deadline: int


def jobs(tasks: Sequence[Task]) -> list[Job]:
    """All jobs of a hyperperiod.

    >>> jobs([Task(1, 2), Task(3, 4)])[1:]
    [Job(work=1, release=2, deadline=4), Job(work=3, release=0, deadline=4)]
    """
    for task in tasks:
        if not (task.work == int(task.work) and task.period == int(task.period)):
            raise ValueError(f"{task} must have whole numbers")
    end = math.lcm(*(int(task.period) for task in tasks))
    return [
        Job(int(task.work), release, release + int(task.period))
        for task in tasks
        for release in range(0, end, int(task.period))
    ]


def earliest_deadline_first(tasks: Sequence[Task], speed: int = 1) -> bool:
    """Whether one processor meets all deadlines, by running the earliest deadline of each step.

    A step is the time for one unit of work, so that no job ends within a step.

    >>> earliest_deadline_first([Task(1, 2), Task(2, 4)])
    True
    >>> earliest_deadline_first([Task(1, 2), Task(3, 4)])
    False
    """
    waiting = sorted(jobs(tasks), key=lambda job: job.deadline)
    left = [job.work for job in waiting]
    for step in range(speed * max(job.deadline for job in waiting)):
        for place, job in enumerate(waiting):
            if left[place] and job.release * speed <= step:
                if step >= job.deadline * speed:
                    return False
                left[place] -= 1
                break
    return not any(left)


def exists_on_identical(tasks: Sequence[Task], processors: int) -> bool:
    """Whether any schedule meets all deadlines on this many processors of speed 1: a maximum flow
    from jobs to slots of length 1, at most 1 from a job to a slot.

    A schedule that cuts time elsewhere can be rearranged into slots, as capacities are whole.

    >>> exists_on_identical([Task(2, 3)] * 3, 2), exists_on_identical([Task(3, 2)], 2)
    (True, False)
    """
    work = jobs(tasks)
    slots = max(job.deadline for job in work)
    source, sink = 0, 1 + len(work) + slots
    edges = [(source, 1 + place, job.work) for place, job in enumerate(work)]
    edges += [
        (1 + place, 1 + len(work) + slot, 1)
        for place, job in enumerate(work)
        for slot in range(job.release, job.deadline)
    ]
    edges += [(1 + len(work) + slot, sink, processors) for slot in range(slots)]
    begins, ends, most = numpy.array(edges, numpy.int32).T
    graph = sparse.csr_array((most, (begins, ends)), shape=(sink + 1, sink + 1))
    carried = int(csgraph.maximum_flow(graph, source, sink).flow_value)
    return carried == sum(job.work for job in work)


def exists(tasks: Sequence[Task], speeds: Sequence[Exact]) -> bool:
    """Whether any schedule meets all deadlines on processors of these speeds: a linear program.

    Its unknowns are how long each job runs on each processor between consecutive releases or
    deadlines. In each such interval neither a job nor a processor is busy for longer than the
    interval; times like these can always be ordered so that no job runs on two processors at once
    (Gonzalez and Sahni, *Open shop scheduling to minimize finish time*, 1976).

    >>> exists([Task(3, 2), Task(1, 2)], [2, 1]), exists([Task(3, 2)], [1, 1])
    (True, False)
    """
    work = jobs(tasks)
    cuts = sorted({job.release for job in work} | {job.deadline for job in work})
    return _served(work, list(pairwise(cuts)), [Fraction(speed) for speed in speeds]) >= (
        1 - _ROUNDING
    )


def _served(work: list[Job], spans: list[tuple[int, int]], speeds: list[Fraction]) -> float:
    """The largest part of each job's work, the same for all, that some schedule does."""
    runs = [
        (place, processor, number)
        for place, job in enumerate(work)
        for number, (begin, end) in enumerate(spans)
        if job.release <= begin and end <= job.deadline
        for processor in range(len(speeds))
    ]
    # The last unknown is the part. Each job: its part is done.
    done = sparse.lil_array((len(work), len(runs) + 1))
    # Each job, then each processor, in each interval: at most its length.
    busy = sparse.lil_array(((len(work) + len(speeds)) * len(spans), len(runs) + 1))
    for column, (place, processor, number) in enumerate(runs):
        done[place, column] = float(speeds[processor])
        busy[place * len(spans) + number, column] = 1
        busy[(len(work) + processor) * len(spans) + number, column] = 1
    for place, job in enumerate(work):
        done[place, len(runs)] = -job.work
    lengths = [end - begin for begin, end in spans] * (len(work) + len(speeds))
    found = optimize.linprog(
        numpy.append(numpy.zeros(len(runs)), -1.0),
        A_ub=busy.tocsr(),
        b_ub=lengths,
        A_eq=done.tocsr(),
        b_eq=numpy.zeros(len(work)),
    )
    return float(-found.fun)
