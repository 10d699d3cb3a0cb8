"""Policing agents (section 7.1). One of twenty flows cheats, and an agent at the bottleneck tests
each flow every 25 round trips on average; times from the start of the first test that it fails to
its conviction, in round trips with the mean queues of both directions, after one failure and after
two in a row, with the state of all flows or of those found by sample and hold. The other panel has
a crowd of small flows beside one that ignores feedback: 100 Mb/s, 40 ms, flows of 10 packets on
average. Means over eight seeds; bars are 95 % intervals.

The thesis tests a flow's reaction; whether it states its throughput is compared all the time. The
demand is half of the window. A user who divides data among several flows is no liar and not found.
An isolated flow is dropped. An agent of all flows forgets one that is silent for 2 s, one that
samples after half a second to a second.
"""

from __future__ import annotations

import textwrap

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame, having
from ..scale import Scale
from . import cheats, policed
from .cheats import PLACE
from .policed import AGENTS, CHEATS, HEAVY, UNSEEN

FAILURES, SEEDS = (1, 2), 8
EVERY_FLOW, SAMPLES = AGENTS
#: "Only over a few RTTs": the round trips of a test that is failed, which has four parts.
FEW = 10
#: An agent finds a cheat in more than half of the runs, and a test convicts less than one in a
#: hundred honest flows: to show more takes more of them.
MOST, WRONGED = 0.5, 0.01
#: The part of the utilization that is left when an agent tests honest flows.
KEPT = 0.97
#: Characters in a line of a label.
LABEL = 16
#: By kind, name, agent and failures that convict.
Runs = dict[tuple[str, str, str, int], Results]


def run(scale: Scale) -> Runs:
    """Each cheat under each agent, and the set-ups without one."""
    cases: dict[tuple[str, str, str, int], Scenario] = {}
    for agent, police in AGENTS.items():
        for failures in FAILURES:
            strict = police | {"failures": failures}
            for name, conduct in (CHEATS | UNSEEN).items():
                cases["cheat", name, agent, failures] = policed.cheated(conduct, strict)
            for name, scenario in policed.honest(strict).items():
                cases["honest", name, agent, failures] = scenario
        cases["crowd", "", agent, 2] = policed.crowd(police)
    alone = cheats.scenario("XCP", []).set({"warm_up": "0 s"})
    cases["alone", policed.ALONE, "", 0] = alone
    return {case: _run(scale, scenario, case) for case, scenario in cases.items()}


def _run(scale: Scale, scenario: Scenario, case: tuple[object, ...]) -> Results:
    name = "-".join(str(part).replace(",", "").replace(" ", "-") for part in case if part)
    return scale.run(scenario, ["xcp"], name=f"xcp-7-mon/{name}", seeds=scale.pick(1, SEEDS))


def table(runs: Runs) -> Frame:
    """A row for each run."""
    rows = []
    for (kind, name, agent, failures), results in runs.items():
        for seed in results.seeds:
            row = {"kind": kind, "name": name, "agent": agent, "failures": failures, "seed": seed}
            rows.append(row | _row(kind, name, results, seed))
    return frame(rows)


def _row(kind: str, name: str, results: Results, seed: int) -> dict[str, object]:
    links = results.links("xcp", seed)
    found: dict[str, object] = {}
    if name == policed.ALONE:
        found["used"] = float(links["utilization"][_bottleneck(links)].max())
    if kind == "alone":
        return found
    verdicts = results.verdicts("xcp", seed)
    cheat = {"cheat": "flow-0", "crowd": "cheat"}.get(kind)
    is_cheat = numpy.array([str(group) == cheat for group in verdicts["group"]], bool)
    took = (verdicts["time_ns"] - verdicts["since_ns"])[is_cheat]
    tests, failed, tracked = (
        links[column].astype(float) for column in ("tests", "failed_tests", "tracked_flows")
    )
    return found | {
        "found": int(is_cheat.any()),
        "rtts": float(took[0]) / 1e9 / _rtt(links) if kind == "cheat" and len(took) else None,
        "wronged": int((~is_cheat).sum()),
        "tests": int(numpy.nansum(tests)),
        "failed": int(numpy.nansum(failed)),
        "tracked": float(numpy.nanmax(tracked)),
    }


def _rtt(links: Frame) -> float:
    """The round trip in seconds, with the mean queues of the bottleneck."""
    queues = 8 * float(links["mean_queue_bytes"][_bottleneck(links)].sum()) / PLACE.capacity
    return PLACE.rtt + queues


def _bottleneck(links: Frame) -> numpy.ndarray:
    """Whether a link is the bottleneck of a dumbbell, in either direction."""
    pairs = zip(links["from"], links["to"], strict=True)
    return numpy.array([{str(begin), str(end)} == {"left", "right"} for begin, end in pairs])


def check(table: Frame) -> list[Claim]:
    """That cheats are found, and nobody else."""
    return [
        everywhere(
            "agents that track all flows find each of these cheats, those that sample the ones of "
            "at least two shares: the part of runs, with two failures in a row",
            "detect and isolate",
            {f"{name}, {agent}": _found(table, name, agent) for name, agent in _seen()},
            low=MOST,
        ),
        everywhere(
            "agents can throttle all types of misconduct: the part of runs in which one that "
            "tracks all flows finds each",
            "all of these types of users' misconduct can be throttled",
            {name: _found(table, name, EVERY_FLOW) for name in CHEATS | UNSEEN},
            low=MOST,
            why=_passed(table),
        ),
        everywhere(
            "they need to monitor a flow only over a few RTTs: those from the start of the first "
            "test that a convicted flow failed",
            "a few RTTs",
            {
                f"{name}, {agent}, {failures} in a row": Interval.of(rtts)
                for failures in FAILURES
                for name, agent in _seen()
                if len(rtts := _times(table, name, agent, failures))
            },
            high=FEW,
            form=".1f",
        ),
        everywhere(
            "and convict no other flow: convictions of honest flows by a test",
            "",
            {
                f"{failures} in a row, {agent}": _wronged(table, agent, failures)
                for failures in FAILURES
                for agent in AGENTS
            },
            high=WRONGED,
            form=".5f",
        ),
        everywhere(
            "tests cost honest flows little: utilization with an agent over without",
            "",
            {agent: _cost(table, agent) for agent in AGENTS},
            low=KEPT,
            form=".3f",
        ),
        everywhere(
            "samples need less state: flows tracked over those that an agent of all tracks",
            "a manageable amount of state",
            {"in the crowd": _part_of_state(table)},
            high=0.5,
        ),
    ]


def _seen() -> list[tuple[str, str]]:
    """Cheats, and agents that are to find them."""
    names = {EVERY_FLOW: tuple(CHEATS), SAMPLES: HEAVY}
    return [(name, agent) for agent in AGENTS for name in names[agent]]


def _rows(table: Frame, name: str, agent: str, failures: int) -> Frame:
    return table.where(kind="cheat", name=name, agent=agent, failures=failures)


def _found(table: Frame, name: str, agent: str) -> Interval:
    found = _rows(table, name, agent, 2)["found"]
    return Interval.counted(int(found.sum()), len(found))


def _passed(table: Frame) -> str:
    """The tests of those whom agents do not find."""
    rows = [_rows(table, name, EVERY_FLOW, 2) for name in UNSEEN]
    failed, tests = (
        sum(int(each[column].sum()) for each in rows) for column in ("failed", "tests")
    )
    return f"with {', '.join(UNSEEN)}, flows failed {failed} of {tests} tests of their reaction"


def _times(table: Frame, name: str, agent: str, failures: int) -> numpy.ndarray:
    return having(_rows(table, name, agent, failures), "rtts")["rtts"]


def _wronged(table: Frame, agent: str, failures: int) -> Interval:
    """Convictions in all runs, over tests in those without a cheat."""
    rows = table.where(agent=agent, failures=failures)
    tests = int(rows.where(kind="honest")["tests"].sum())
    return Interval.counted(int(rows["wronged"].sum()), tests)


def _cost(table: Frame, agent: str) -> Interval:
    tested = table.where(kind="honest", name=policed.ALONE, agent=agent, failures=2)["used"]
    return Interval.of(tested / table.where(kind="alone")["used"])


def _part_of_state(table: Frame) -> Interval:
    every, samples = (table.where(kind="crowd", agent=agent)["tracked"] for agent in AGENTS)
    return Interval.of(samples / every)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Times to a conviction, and flows tracked."""
    figure, (times, state) = pyplot.subplots(1, 2, figsize=(7.6, 3.2), width_ratios=(2, 1))
    for number, (agent, failures) in enumerate((a, f) for a in AGENTS for f in FAILURES):
        found = {
            place: Interval.of(rtts)
            for place, name in enumerate(CHEATS)
            if len(rtts := _times(table, name, agent, failures))
        }
        places = [place + 0.12 * (number - 1.5) for place in found]
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        label = f"{agent}, {failures} failure{'s' if failures > 1 else ''}"
        with_bars(times, places, list(found.values()), label=label, linestyle="none", **look)
    names = ["\n".join(textwrap.wrap(name, LABEL)) for name in CHEATS]
    times.set_xticks(range(len(CHEATS)), names, fontsize=6)
    times.set_ylabel("time to a conviction (RTTs)")
    times.set_ylim(bottom=0)
    for number, agent in enumerate(AGENTS):
        rows = table.where(kind="crowd", agent=agent)
        state.bar(number, rows["tracked"].mean(), color=style.COLOURS[2 * number])
    state.set_xticks(range(len(AGENTS)), list(AGENTS))
    state.set_ylabel("flows tracked in the crowd")
    style.legend_above(figure, times, columns=2)
    return figure


FIGURE = Figure(
    id="xcp-7-mon",
    title="Policing agents that test flows",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
