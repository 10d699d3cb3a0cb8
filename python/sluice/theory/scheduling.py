"""Which periodic tasks meet their deadlines, as rates: section 9 of *A Network Congestion control
Protocol (NCP)*, and its admission of packets in 10.3. All numbers are exact.

A task is to do its work once in each of its periods, by the end of the period, and may move between
processors at any time without cost, but runs on one at a time. (25) and the form before it leave
that last condition out, without which a sum of rates says too little:

>>> task = [Fraction(3, 2)]
>>> within_total(task, [1, 1]), feasible(task, [1, 1])
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

#: An exact number. Floats are no such number.
Exact = int | Fraction


@dataclass(frozen=True)
class Task:
    """A periodic task with its deadline at the end of each period.

    >>> Task(work=1, period=3).rate
    Fraction(1, 3)
    """

    #: What it does in a period, in time on a processor of speed 1. The paper's C_j c_j, for an
    #: execution time c_j on a processor of capacity C_j. Above 0.
    work: Exact
    #: T_j, above 0.
    period: Exact

    def __post_init__(self) -> None:
        if not (self.work > 0 and self.period > 0):
            raise ValueError(f"work {self.work} and period {self.period} must be above 0")

    @property
    def rate(self) -> Fraction:
        """R_j = C_j c_j/T_j, the work in a unit of time."""
        return Fraction(self.work) / Fraction(self.period)


def rates(tasks: Iterable[Task]) -> list[Fraction]:
    """The rates of tasks."""
    return [task.rate for task in tasks]


def on_one(rates: Iterable[Exact], speed: Exact = 1) -> bool:
    """(22) to (24): whether one processor meets all deadlines, the earliest first. Necessary and
    sufficient (Liu and Layland, *Scheduling algorithms for multiprogramming in a hard-real-time
    environment*, 1973, theorem 7).

    >>> on_one(rates([Task(1, 2), Task(1, 3), Task(1, 6)])), on_one(rates([Task(1, 2), Task(2, 3)]))
    (True, False)
    """
    return sum(rates) <= speed


def within_total(rates: Iterable[Exact], speeds: Iterable[Exact]) -> bool:
    """The paper's test for several processors: the sum of the rates is at most that of the speeds;
    with m processors of speed 1, (25). Necessary, not sufficient.
    """
    return sum(rates) <= sum(speeds)


def tightest(rates: Iterable[Exact], speeds: Iterable[Exact]) -> Fraction:
    """The largest ratio, over all k, of the k largest rates to the k highest speeds. Without rates
    0.

    >>> tightest([Fraction(1, 4), Fraction(3, 2)], [1, 1])
    Fraction(3, 2)
    """
    largest, highest = (sorted(each, reverse=True) for each in (list(rates), list(speeds)))
    # With one speed above 0 the k highest are above 0 together, for each k.
    if not highest or highest[0] <= 0:
        raise ValueError("speeds: needs at least one processor of a speed above 0")
    # Beyond the slowest processor, further ones of speed 0.
    highest += [0] * (len(largest) - len(highest))
    sums = zip(accumulate(largest), accumulate(highest), strict=False)
    return max((Fraction(demand) / supply for demand, supply in sums), default=Fraction(0))


def feasible(rates: Iterable[Exact], speeds: Iterable[Exact]) -> bool:
    """Whether some schedule meets all deadlines on processors of these speeds: the paper's test,
    and for each k the k largest rates are at most the k highest speeds together. On m processors of
    speed 1: the sum is at most m, and each rate at most 1. Necessary and sufficient (Horvath, Lam
    and Sethi, *A level algorithm for preemptive scheduling*, 1977; for periodic tasks Funk,
    Goossens and Baruah, *On-line scheduling on uniform multiprocessors*, 2001).

    >>> feasible([2, 2], [3, 1]), feasible([Fraction(5, 2), Fraction(1, 2)], [2, 1])
    (True, False)
    """
    return tightest(rates, speeds) <= 1


def fair_share(
    count: int, capacity: Exact = 1, priorities: Sequence[Exact] | None = None
) -> Fraction:
    """R(t) of 10.3, the rate that the link grants each of ``count`` flows: (10) without a queue.
    With ``priorities`` p_j, the capacity over their sum, so that all p_j R(t) are the capacity.

    >>> fair_share(4), fair_share(2, priorities=[2, 1])
    (Fraction(1, 4), Fraction(1, 3))
    """
    return Fraction(capacity) / Fraction(count if priorities is None else sum(priorities))


def admitted(
    rates: Sequence[Exact], share: Exact, priorities: Sequence[Exact] | None = None
) -> bool:
    """10.3: whether R_j <= R(t) for each, or with ``priorities`` R_j <= p_j R(t).

    Enough for (23), R_j in total at most C, if the shares are C in total; but not "equivalent", as
    the paper has it: a flow may have more than its share where others have less.

    >>> some = [Fraction(3, 4), Fraction(1, 8)]
    >>> on_one(some), admitted(some, fair_share(2))
    (True, False)
    """
    weights = [1] * len(rates) if priorities is None else priorities
    return all(rate <= weight * share for rate, weight in zip(rates, weights, strict=True))
