"""Section 10.3, priorities: "a task with a priority of p_j is schedulable if R_j <= p_j R(t)". The
paper does not say which N goes with it. By (10) as printed, N counts flows; for the sum of p_j
R(t) to be alpha C, N has to be the sum of p_j. A link of 10 Mb/s, RTT 20 ms, 64 kB of buffer;
alpha 0.95.

*Shares*: priorities 1, 2, 4 and 8. Long flows of NCP, whose `weight` the host multiplies R by and
divides the rate by that it states, so that routers count p_j. Streams of about the link's rate at a
link that counts labels (`ncp_csfq`), with priorities and without (`weighted = false`).

*Tasks*: sets of 8, drawn at random with priorities of 1 to 8 and periods of 1, 2 and 4 s. They are
jobs of R_j T_j each period (flows of NCP with weight p_j), due at its end; R(t) is of the tasks
of the set. In sets of one kind, all are admitted: each R_j is at most 0.95 p_j R(t), and at least
a part of it that is drawn for each set, 0.3 or more. In those of the other, R_j is 0.3 to 0.95 or
1.05 to 2 times p_j R(t), and all tasks run, refused or not. Earliest deadline first (EDF) serves
a set if and only if the R_j are at most C in total, (22) to (24). Bars are 95 % intervals over
sets.

*Packets as tasks*: the same sets as streams of R_j. The router drops all packets with R_j above
p_j R(t). A packet is due s/R_j after it was sent, on a link that serves in order of arrival.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame, kept
from ..scale import Scale
from .priority_cases import (
    ALPHA,
    CAPACITY,
    PACKET,
    PRIORITIES,
    RTT_S,
    STOP_S,
    WARM_UP_S,
    all_admitted,
    drawn,
    greedy,
    jobs,
    long_flows,
    packets,
    rates,
    within_capacity,
)

HOSTS, COUNTED, PRINTED = "NCP", "labels, N = sum of p_j", "labels, N = flows"
ALONE, TOGETHER = "all admitted", "some refused, all run"
PASSING, REFUSING = "packets, all admitted", "packets, some refused"
DRAWN = {ALONE: all_admitted, TOGETHER: drawn, PASSING: all_admitted, REFUSING: drawn}
SEEDS, SETS = (3, 6), (6, 24)
#: Shares are met, and jobs or packets, within these. Ours.
NEAR, MISSES = 0.05, 0.01
#: By kind and seed.
Runs = dict[tuple[str, int], Results]


def run(scale: Scale) -> Runs:
    """Shares with seeds of the simulator, and sets of tasks with seeds of their own."""
    shares = {
        HOSTS: (long_flows(), "ncp"),
        COUNTED: (greedy(weighted=True), "tcp"),
        PRINTED: (greedy(weighted=False), "tcp"),
    }
    runs = {
        (kind, seed): _one(scale, *scenario, f"shares-{number}-{seed}", seed)
        for number, (kind, scenario) in enumerate(shares.items())
        for seed in range(1, scale.pick(*SEEDS) + 1)
    }
    for seed in range(1, scale.pick(*SETS) + 1):
        for kind in (ALONE, TOGETHER):
            runs[kind, seed] = _one(scale, jobs(DRAWN[kind](seed)), "ncp", _name(kind, seed))
        for kind in (PASSING, REFUSING):
            runs[kind, seed] = _one(scale, packets(DRAWN[kind](seed)), "tcp", _name(kind, seed))
    return runs


def _name(kind: str, seed: int) -> str:
    return f"{kind.replace(', ', '-').replace(' ', '-')}-{seed}"


def _one(scale: Scale, scenario: Scenario, protocol: str, name: str, seed: int = 1) -> Results:
    return scale.run(scenario, [protocol], name=f"ncp-10-priority/{name}", first=seed)


def table(runs: Runs) -> Frame:
    """A row for each priority of shares, and for each task of each run of a set."""
    rows: list[Mapping[str, Any]] = []
    for (kind, seed), results in runs.items():
        [run_seed] = results.seeds
        of = _shares if kind in (HOSTS, COUNTED, PRINTED) else _tasks
        rows += [{"kind": kind, "seed": seed} | row for row in of(kind, seed, results, run_seed)]
    return frame(rows)


def _shares(kind: str, _: int, results: Results, seed: int) -> list[dict[str, float]]:
    """Of each priority: its throughput over p_j alpha C / (the sum of p_j), and its part of all
    over that of p_j; and of the link, the sum of p_j R(t) over its capacity."""
    [protocol] = results.scenario["protocols"]
    series = results.series(protocol, seed)
    name = "R" if kind == HOSTS else "fair_share_bps"
    rate = series.where(quantity=name)
    granted = rate["value"][rate["time_ns"] > 1e9 * WARM_UP_S].mean() * sum(PRIORITIES)
    flows = results.flows(protocol, seed)
    total = float(flows["delivered_bytes"].sum())
    share = ALPHA * CAPACITY / sum(PRIORITIES)
    link = results.links(protocol, seed).where(**{"from": "a", "to": "b"})
    found = []
    for priority in PRIORITIES:
        [delivered] = flows.where(group=f"of{priority}")["delivered_bytes"]
        bps = 8 * float(delivered) / (STOP_S - WARM_UP_S)
        found.append(
            {
                "priority": priority,
                "over": bps / priority / share,
                "proportion": float(delivered) / total * sum(PRIORITIES) / priority,
                "granted": float(granted) / CAPACITY,
                "queue_s": 8 * float(link["mean_queue_bytes"][0]) / CAPACITY,
            }
        )
    return found


def _tasks(kind: str, number: int, results: Results, seed: int) -> list[dict[str, Any]]:
    """Of each task: the part of its jobs or packets that are late or lost; and the largest N of
    the link over the sum of all p_j; and the sum of all R_j over C."""
    tasks = DRAWN[kind](number)
    [protocol] = results.scenario["protocols"]
    flows = results.flows(protocol, seed)
    wanted = rates(tasks)
    count = results.series(protocol, seed).where(quantity="N")
    most = max(count["value"]) / sum(task.priority for task in tasks) if len(count) else None
    edf, load = within_capacity(tasks, wanted), sum(wanted) / CAPACITY
    rows = []
    for place, (task, rate) in enumerate(zip(tasks, wanted, strict=True)):
        own = flows.where(group=f"task{place}")
        found = _jobs(own, task.period_s) if kind in (ALONE, TOGETHER) else _packets(own, rate)
        about = {"part": task.part, "admitted": task.admitted, "priority": task.priority}
        rows.append(about | {"edf": edf, "load": load, "counted": most} | found)
    return rows


def _jobs(own: Frame, period_s: int) -> dict[str, float | None]:
    took = [math.inf if each is None else each for each in own.arrow["completion_ns"].to_pylist()]
    return {"missed": float((numpy.array(took) > 1e9 * period_s).mean())}


def _packets(own: Frame, rate: float) -> dict[str, float | None]:
    """What is lost, and the delay beyond propagation over the time s/R_j, if any arrives."""
    [sent], [lost] = own["datagrams_sent"], own["datagrams_lost"]
    [slow] = own.arrow["delay_p99_ns"].to_pylist()
    late = None if slow is None else (slow / 1e9 - RTT_S / 2) * rate / (8 * PACKET)
    return {"lost": float(lost / sent), "late": late}


def check(table: Frame) -> list[Claim]:
    """Shares, and deadlines of tasks."""
    shares = kept(table, numpy.isin(table["kind"], [HOSTS, COUNTED, PRINTED]))

    def by_priority(kind: str, column: str) -> dict[str, Interval]:
        own = shares.where(kind=kind)
        return {f"priority {p}": Interval.of(own.where(priority=p)[column]) for p in PRIORITIES}

    def granted(kind: str) -> Interval:
        return Interval.of(shares.where(kind=kind, priority=PRIORITIES[0])["granted"])

    queue = shares.where(kind=PRINTED)["queue_s"].mean()
    shared = [
        everywhere(
            f"a flow of priority p_j gets p_j R(t), by {kind}: its throughput over p_j alpha C / "
            "(the sum of all p_j)",
            "p_j R(t); N = sum of p_j: ours",
            by_priority(kind, "over"),
            low=1 - NEAR,
            high=1 + NEAR,
            form=".3f",
        )
        for kind in (HOSTS, COUNTED)
    ]
    return [
        *shared,
        everywhere(
            "the shares p_j R(t) fit the link if N is the sum of p_j: their sum over C",
            "sum of R_j at most C, (23)",
            {kind: granted(kind) for kind in (HOSTS, COUNTED)},
            high=1,
            form=".3f",
        ),
        everywhere(
            "they fit if N counts flows, as (10) is printed: their sum over C",
            "sum of R_j at most C, (23)",
            {PRINTED: granted(PRINTED)},
            high=1,
            form=".3f",
            why=f"the mean of p_j is {sum(PRIORITIES) / len(PRIORITIES):.2f}, and the mean queue "
            f"{1e3 * queue:.0f} ms of {8 * 64e3 / CAPACITY * 1e3:.0f}",
        ),
        everywhere(
            "and flows get in proportion to p_j then: the part of all throughput over p_j / (the "
            "sum of all p_j)",
            "p_j R(t)",
            by_priority(PRINTED, "proportion"),
            low=1 - NEAR,
            high=1 + NEAR,
            form=".3f",
            why="where N is the sum of p_j: "
            + ", ".join(f"{each.mean:.3f}" for each in by_priority(COUNTED, "proportion").values()),
        ),
        *_of_jobs(table),
        *_of_packets(table.where(kind=PASSING), table.where(kind=REFUSING)),
    ]


def _of_jobs(table: Frame) -> list[Claim]:
    alone, together = table.where(kind=ALONE), table.where(kind=TOGETHER)
    admitted = together.where(admitted=True)
    served = together.where(edf=True)
    overloads = together.where(edf=False)
    return [
        everywhere(
            "a task is schedulable if R_j <= p_j R(t): part of the jobs of admitted tasks that "
            "are late under NCP, where all are admitted",
            '"a task with a priority of p_j is schedulable if R_j <= p_j R(t)"',
            {ALONE: _by_set(alone, "missed")},
            high=MISSES,
            form=".3f",
            taken=f"below {MISSES:g}, over sets",
            why=f"{_loads(alone)}; late in {_late(alone)}{_least(alone)}",
        ),
        everywhere(
            "those that are refused do not disturb them: the same where all send",
            "not stated",
            {TOGETHER: _by_set(admitted, "missed")},
            high=MISSES,
            form=".3f",
            taken=f"below {MISSES:g}, over sets",
            why=_split(admitted, "admitted tasks are late in")
            + f"; N is up to {_counted(served)} times the sum of p_j in the first, up to "
            f"{_counted(overloads)} in the others"
            + f"; of the refused, {_by_set(together.where(admitted=False), 'missed').mean:.2f}",
        ),
        everywhere(
            "NCP serves what EDF can: part of the jobs that are late in sets of at most C in total",
            '"all these tasks are schedulable if Equation 23 holds"',
            {TOGETHER: _by_set(served, "missed")} if len(served) else {},
            high=MISSES,
            form=".3f",
            taken=f"below {MISSES:g}, over sets",
            why=f"with more than C, {_by_set(overloads, 'missed').mean:.3f} are late"
            if len(overloads)
            else "",
        ),
    ]


def _of_packets(passing: Frame, mixed: Frame) -> list[Claim]:
    admitted, refused = (mixed.where(admitted=each) for each in (True, False))
    slow = kept(passing, numpy.asarray(passing["late"], float) > 1)
    return [
        everywhere(
            "the router admits packets whose R_j is at most p_j R(t): what is lost of theirs",
            '"admits packets if their R_j is less or equal"',
            {PASSING: _by_set(passing, "lost"), REFUSING: _by_set(admitted, "lost")},
            high=MISSES,
            form=".4f",
        ),
        everywhere(
            "and no others: what passes of theirs",
            '"admits packets if their R_j is less or equal"',
            {"refused": _by_set(refused, "lost", part=lambda lost: 1 - lost)},
            high=MISSES,
            form=".4f",
        ),
        everywhere(
            "admitted packets as tasks meet their deadlines on a link that serves in order of "
            "arrival: the 99th percentile of a stream's delay over s/R_j, largest of a set",
            '"each packet [...] as a task"',
            {
                PASSING: Interval.of(
                    numpy.asarray(passing.where(seed=seed)["late"], float).max()
                    for seed in numpy.unique(passing["seed"])
                )
            },
            high=1,
            why=f"{_loads(passing)}; late: {len(slow)} of {len(passing)} streams",
        ),
    ]


def _by_set(
    rows: Frame, column: str, part: Callable[[numpy.ndarray], numpy.ndarray] = lambda each: each
) -> Interval:
    """The mean over tasks of a set, over sets."""
    return Interval.of(
        part(numpy.asarray(rows.where(seed=seed)[column], float)).mean()
        for seed in numpy.unique(rows["seed"])
    )


def _least(rows: Frame) -> str:
    """The least R_j of a task with late jobs."""
    late = kept(rows, rows["missed"] > 0)
    return f", all of R_j above {min(late['part']):.2f} p_j R(t)" if len(late) else ""


def _loads(rows: Frame) -> str:
    return f"the R_j of a set are {min(rows['load']):.2f} to {max(rows['load']):.2f} C in total"


def _counted(rows: Frame) -> str:
    return f"{max(rows['counted']):.2f}" if len(rows) else "-"


def _split(rows: Frame, words: str) -> str:
    """In how many sets of up to C, and of more, any job is late."""
    parts = [
        f"{_late(rows.where(edf=fits))} {name}"
        for fits, name in ((True, "of at most C"), (False, "above C"))
    ]
    return f"{words} {' and '.join(parts)}"


def _late(rows: Frame) -> str:
    late = kept(rows, rows["missed"] > 0) if len(rows) else rows
    return f"{len(numpy.unique(late['seed']))} of {len(numpy.unique(rows['seed']))} sets"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Shares by priority, and late jobs by R_j over p_j R(t)."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.5, 3.2))
    _panel_shares(left, table)
    _panel_tasks(right, table)
    return figure


def _panel_shares(ax: Axes, table: Frame) -> None:
    for number, kind in enumerate((HOSTS, COUNTED, PRINTED)):
        own = table.where(kind=kind)
        found = [Interval.of(own.where(priority=p)["over"]) for p in PRIORITIES]
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number], "ms": 4, "lw": 1}
        places = numpy.array(PRIORITIES) * 1.06 ** (number - 1)
        with_bars(ax, places, found, label=kind, **look)
    ax.axhline(1, color="black", lw=0.7)
    ax.set_xscale("log", base=2)
    ax.set_xticks(PRIORITIES, [str(p) for p in PRIORITIES])
    ax.set(xlabel="priority p_j", ylabel="throughput over p_j alpha C / sum", ylim=(0, None))
    style.legend(ax)


def _panel_tasks(ax: Axes, table: Frame) -> None:
    looks = {ALONE: (style.COLOURS[3], "^"), TOGETHER: (style.COLOURS[4], "o")}
    for kind, (colour, marker) in looks.items():
        own = table.where(kind=kind)
        ax.plot(own["part"], own["missed"], marker, color=colour, ms=4, mfc="none", label=kind)
    packets = table.where(kind=REFUSING)
    ax.plot(packets["part"], packets["lost"], "x", color=style.GREY, ms=3.5, label="packets lost")
    ax.axvline(1, color="black", lw=0.7)
    ax.set(xlabel="R_j over p_j R(t)", ylabel="late jobs, lost packets", ylim=(-0.05, 1.05))
    style.legend(ax)


FIGURE = Figure(
    id="ncp-10-priority",
    title="NCP with priorities: shares, and deadlines of tasks",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
