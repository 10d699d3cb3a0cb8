"""Tasks with priorities on a link, and scenarios of them: cases of ``ncp-10-priority``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy

from ...scenario import Scenario
from ...theory import scheduling

#: Of the link, in bit/s.
CAPACITY = 10e6
#: NCP's target utilization, its default; set at the discipline, too.
ALPHA = 0.95
#: Size of packets, all of which is data, in bytes.
PACKET = 1000
PRIORITIES = (1, 2, 4, 8)
PERIODS_S = (1, 2, 4)
#: Round trip, and the last period of each task ends by then. Jobs are released until all periods
#: but the last, and a second more remains for those that are late.
RTT_S, RELEASED_S, STOP_S = 0.02, 8, 13
WARM_UP_S = 5


@dataclass(frozen=True)
class Demand:
    """A task, with R_j = ``part`` p_j R(t), where R(t) = alpha C / (the sum of all p_j)."""

    part: float
    priority: int
    period_s: int

    @property
    def admitted(self) -> bool:
        """R_j <= p_j R(t)."""
        return self.part <= 1


def drawn(seed: int, count: int = 8) -> list[Demand]:
    """Tasks, of which each is admitted with probability 1/2; none is within 5 % of p_j R(t)."""
    draws = numpy.random.default_rng(seed)
    return [
        Demand(
            float(draws.uniform(*((0.3, 0.95) if draws.random() < 0.5 else (1.05, 2)))),
            int(draws.choice(PRIORITIES)),
            int(draws.choice(PERIODS_S)),
        )
        for _ in range(count)
    ]


def all_admitted(seed: int, count: int = 8) -> list[Demand]:
    """Tasks of which all are admitted, and may all run: their R_j are 0.28 to 0.9 C in total."""
    draws = numpy.random.default_rng([seed, 1])
    least = draws.uniform(0.3, 0.95)
    return [
        Demand(
            float(draws.uniform(least, 0.95)),
            int(draws.choice(PRIORITIES)),
            int(draws.choice(PERIODS_S)),
        )
        for _ in range(count)
    ]


def rates(tasks: Sequence[Demand]) -> list[float]:
    """R_j of each, in bit/s."""
    share = ALPHA * CAPACITY / sum(task.priority for task in tasks)
    return [task.part * task.priority * share for task in tasks]


def within_capacity(tasks: Sequence[Demand], rates: Sequence[float]) -> bool:
    """(23): earliest deadline first meets all deadlines of tasks with these rates."""
    works = [
        scheduling.Task(Fraction(rate) * task.period_s, task.period_s)
        for task, rate in zip(tasks, rates, strict=True)
    ]
    return scheduling.on_one(scheduling.rates(works), Fraction(CAPACITY))


def jobs(tasks: Sequence[Demand]) -> Scenario:
    """Flows of NCP: each period a task sends what it needs in it, with its priority as weight."""
    groups = [
        {"name": f"task{number}", "from": "a", "to": "b", "weight": task.priority}
        | {"periodic": _periodic(rate * task.period_s / 8, task.period_s)}
        for number, (task, rate) in enumerate(zip(tasks, rates(tasks), strict=True))
    ]
    return _scenario(groups, "drop_tail", "ncp", stop_s=STOP_S, warm_up_s=0)


def _periodic(size: float, period_s: int) -> dict[str, Any]:
    sizes = {"fixed": f"{size:.0f} B"}
    return {"every": f"{period_s} s", "sizes": sizes, "stop": f"{RELEASED_S} s"}


def packets(tasks: Sequence[Demand]) -> Scenario:
    """Streams of datagrams at R_j, which routers admit or refuse by their labels and p_j R(t)."""
    groups = [
        {"name": f"task{number}", "from": "a", "to": "b", "queue_weight": task.priority}
        | {"udp": {"rate": f"{rate:.0f} bps", "size": f"{PACKET} B", "phase": "random"}}
        for number, (task, rate) in enumerate(zip(tasks, rates(tasks), strict=True))
    ]
    queue = {"ncp_csfq": {"alpha": ALPHA, "above": "refuse"}}
    return _scenario(groups, queue, "tcp", stop_s=STOP_S, warm_up_s=WARM_UP_S)


def long_flows() -> Scenario:
    """A long flow of NCP of each priority."""
    groups = [
        {"name": f"of{priority}", "from": "a", "to": "b", "weight": priority}
        | {"long": {"within": "1 s"}}
        for priority in PRIORITIES
    ]
    return _scenario(groups, "drop_tail", "ncp", stop_s=STOP_S, warm_up_s=WARM_UP_S)


def greedy(*, weighted: bool) -> Scenario:
    """A stream of about the link's rate of each priority, where N counts priorities or flows. No
    two send at the same rate, so that none meets a full buffer in the same phase each time.
    """
    groups = [
        {"name": f"of{priority}", "from": "a", "to": "b", "queue_weight": priority}
        | {"udp": {"rate": f"{rate:.0f} bps", "size": f"{PACKET} B", "phase": "random"}}
        for priority, rate in zip(PRIORITIES, CAPACITY * (1 + 0.013 * numpy.arange(4)), strict=True)
    ]
    queue = {"ncp_csfq": {"alpha": ALPHA, "weighted": weighted}}
    return _scenario(groups, queue, "tcp", stop_s=STOP_S, warm_up_s=WARM_UP_S)


def _scenario(
    groups: Sequence[dict[str, Any]], queue: Any, protocol: str, *, stop_s: int, warm_up_s: int
) -> Scenario:
    link = {"from": "a", "to": "b", "capacity": f"{CAPACITY:.0f} bps", "queue": queue}
    link |= {"delay": f"{1e3 * RTT_S / 2:g} ms", "buffer": "64 kB"}
    return Scenario(
        name="priorities",
        protocols=[protocol],
        warm_up=f"{warm_up_s} s",
        stop=f"{stop_s} s",
        limit=f"{stop_s} s",
        ideals=[],
        topology={"link": [link]},
        group=list(groups),
        metrics=[{"link": ["a", "b"], "every": "100 ms"}],
    )
