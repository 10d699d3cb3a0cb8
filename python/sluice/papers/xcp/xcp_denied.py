"""Flows that are denied (section 6.4.3): throughput over time of eight flows that ask for 15 % of a
link of 10 Mb/s with a round trip of 80 ms, of which five fit, beside ten best-effort flows.

The thesis names two options, "the sender can either give up and try later, or revert to
best-effort", and shows no figure. Senders that try later ask again after 2 s on average (the time
is our choice), and each draws its own times. Five flows ask at 10 s, within a round trip, and stop
at 40 s; three ask at 12 s. The best-effort flows and these three go on to the end, at 70 s.
Throughputs are those of 0.2 s. Ten seeds draw starts and times; drawn is the first.
"""

from __future__ import annotations

from functools import partial

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import by_seed
from ..scale import Scale
from . import guaranteed, over_time
from .guaranteed import BEST_EFFORT, CAPACITY, MOST, PROFILE, RTT, Request, Service

START_S, STOP_S, LATER_S, END_S = 10.0, 40.0, 12.0, 70.0
#: Five that ask first, and three that ask 2 s later.
EARLY = (Request(START_S, STOP_S),) * MOST
LATE = (Request(LATER_S, END_S),) * 3
RETRY_S = 2.0
SERVICES = {
    "tries later": Service(
        "xcp-denied/later",
        EARLY + LATE,
        END_S,
        within=RTT,
        parameters={"retry": f"{RETRY_S:g} s"},
    ),
    "reverts": Service(
        "xcp-denied/reverts",
        EARLY + LATE,
        END_S,
        within=RTT,
        parameters={"denied": "best_effort"},
    ),
}
#: While five are admitted and the others have settled, and after those have stopped: R_g falls
#: below a profile in three intervals, and a sender asks again within 3 s.
BEFORE, AFTER = (20.0, STOP_S), (STOP_S + 5.0, END_S)
#: Profiles are kept, and shares are equal, to this part. The thesis has no number.
CLOSE, FAIR = 0.03, 0.1


def run(scale: Scale) -> dict[str, Results]:
    """By what denied flows do."""
    return guaranteed.run_each(SERVICES, scale)


def table(runs: dict[str, Results]) -> Frame:
    """Quantities over time of each."""
    return guaranteed.table_of(SERVICES, runs)


def check(table: Frame) -> list[Claim]:
    """That denied flows do what they may, and admitted ones get their profiles meanwhile."""
    return [
        everywhere(
            "admitted flows get their profiles beside denied ones: throughput over the profile, of "
            "the worst served of five",
            "the network allocates to it a rate that is at least equal to its profile",
            {name: Interval.of(over_time.each(table, name, _least)) for name in SERVICES},
            low=1 - CLOSE,
            high=1 + CLOSE,
            form=".3f",
        ),
        everywhere(
            "a flow that tries later sends nothing until then: the most throughput of one over the "
            "profile, while the others are admitted",
            "give up and try later",
            {"of three": Interval.of(over_time.each(table, "tries later", _most_late))},
            high=0.01,
            form=".3f",
        ),
        everywhere(
            "it is admitted once there is room: throughput over the profile, of the worst served "
            f"of three, from {AFTER[0] - STOP_S:g} s after others have left",
            "give up and try later",
            {"of three": Interval.of(over_time.each(table, "tries later", _late))},
            low=1 - CLOSE,
            high=1 + CLOSE,
            form=".3f",
        ),
        everywhere(
            "a flow that reverts is a best-effort flow: its throughput over the mean of the "
            "others', of that which differs most",
            "revert to best-effort",
            {
                words: Interval.of(over_time.each(table, "reverts", partial(_share, times=times)))
                for words, times in (
                    ("beside five profiles", BEFORE),
                    ("when those have stopped", AFTER),
                )
            },
            low=1 - FAIR,
            high=1 + FAIR,
        ),
        everywhere(
            "the link is used meanwhile: mean utilization",
            "fills up the capacity unused by the guaranteed service flows",
            {name: Interval.of(over_time.each(table, name, _utilization)) for name in SERVICES},
            low=0.95,
            form=".3f",
        ),
    ]


def _means(rows: Frame, numbers: range, times: tuple[float, float]) -> list[float]:
    return [float(guaranteed.of(rows, f"guaranteed-{number}", *times).mean()) for number in numbers]


def _least(rows: Frame) -> float:
    return min(_means(rows, range(MOST), BEFORE)) / PROFILE


def _most_late(rows: Frame) -> float:
    return max(_means(rows, range(MOST, MOST + len(LATE)), BEFORE)) / PROFILE


def _late(rows: Frame) -> float:
    return min(_means(rows, range(MOST, MOST + len(LATE)), AFTER)) / PROFILE


def _share(rows: Frame, times: tuple[float, float]) -> float:
    share = float(guaranteed.of(rows, "best-effort", *times).mean()) / BEST_EFFORT
    late = _means(rows, range(MOST, MOST + len(LATE)), times)
    return max((each / share for each in late), key=lambda part: abs(part - 1))


def _utilization(rows: Frame) -> float:
    return float(guaranteed.of(rows, "utilization", BEFORE[0]).mean())


def _sum(flows: list[Frame]) -> numpy.ndarray:
    return numpy.asarray(numpy.sum([each["value"] for each in flows], axis=0))


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput of all admitted flows, of the denied ones, and of the best-effort flows."""
    figure, axes = pyplot.subplots(2, 1, figsize=(5.4, 4.4), sharex=True)
    for ax, name in zip(axes, SERVICES, strict=True):
        rows = by_seed(table.where(system=name))[0]
        flows = [rows.where(quantity=f"guaranteed-{n}") for n in range(MOST + len(LATE))]
        lines = {
            "five flows that ask first": _sum(flows[:MOST]),
            "three that ask later": _sum(flows[MOST:]),
            "ten best-effort flows": rows.where(quantity="best-effort")["value"],
        }
        for number, (label, values) in enumerate(lines.items()):
            ax.plot(flows[0]["time_s"], values, color=style.COLOURS[number], lw=0.8, label=label)
        ax.set(xlim=(0, END_S), ylim=(0, CAPACITY))
        ax.set_title(f"a denied flow {name}", fontsize="small")
        scales.linear(ax, "y", "throughput", "b/s")
    scales.linear(axes[1], "x", "time", "s")
    style.legend_above(figure, axes[0], columns=3)
    return figure


FIGURE = Figure(
    id="xcp-denied",
    title="Flows that are denied",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
