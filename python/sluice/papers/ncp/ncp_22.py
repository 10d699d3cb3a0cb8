"""Section 9: whether periodic tasks meet their deadlines, by rates alone. All sets of one to three
tasks with periods of 2 and 3 (full scale: 2, 3 and 4), whole execution times, and rates up to 2 are
judged three times: by the paper's test, that demand is at most supply; by the test of Funk,
Goossens and Baruah (2001), by which for each k the k largest rates are also at most the k highest
speeds; and by schedules over the least common multiple of the periods, which use neither.

Schedules are earliest deadline first on one processor, a maximum flow on two and three of speed 1,
a linear program on unequal ones (speeds 2 1, 3 1, 2 1 1 and 3 2 1). Each point is a set: what the
paper's test sees against what the right one does. The claims on section 10.3 take packets of flows
on one link as tasks: it admits flow j if R_j is at most R(t) = C/N, or at most p_j R(t); priorities
are 1 and 2, in all combinations of at least one of each. The paper gives no priorities, and no R(t)
to go with them.

There are no packets and no seeds: all numbers are exact.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ..claim import Claim
from ..figure import Figure
from ..rows import frame, kept
from ..scale import Scale
from ..verdict import Verdict
from .task_sets import (
    HIGHEST,
    IDENTICAL,
    LEVELS,
    ONE,
    PACKETS,
    PRIORITIES,
    SUMMED,
    UNEQUAL,
    Sets,
    as_packets,
    on_processors,
)

PERIODS = ((2, 3), (2, 3, 4))
#: Places in the picture are rounded to this. None is nearer to 1 than 1/48, but for those on it.
GRID = 0.025
TITLES = {ONE: "one processor", IDENTICAL: "2 and 3 equal ones", UNEQUAL: "unequal ones"}
#: Columns of tests.
TESTS = {"paper": "the paper's test", "right": "the right test"}
PAIRS = "pairs of set and processors"
OURS = f"priorities {' and '.join(map(str, LEVELS))}"


def run(scale: Scale) -> Sets:
    """The sets."""
    return Sets(scale.pick(*PERIODS))


def table(sets: Sets) -> Frame:
    """A row for each set on each group of processors, and for each set as packets."""
    rows = [row for kind in TITLES for row in on_processors(sets, kind)]
    return frame(rows + as_packets(sets))


def check(table: Frame) -> list[Claim]:
    """Where tests and schedules differ."""
    one, identical, unequal = (table.where(kind=kind) for kind in TITLES)
    several = kept(table, (table["kind"] == IDENTICAL) | (table["kind"] == UNEQUAL))
    packets, levels, summed = (table.where(kind=kind) for kind in (PACKETS, PRIORITIES, SUMMED))
    return [
        _agrees(
            "earliest deadline first is feasible if and only if the sum of c/T is at most 1, (22) "
            "to (24): sets that a schedule contradicts",
            one,
        ),
        _agrees(
            "tasks are schedulable on m identical processors if the sum of c/T is at most m, (25), "
            f"as printed: {PAIRS} that a schedule contradicts",
            identical,
        ),
        _agrees(
            f"(25) where no c/T is above 1, as in Pfair: {PAIRS} that a schedule contradicts",
            kept(identical, identical["largest"] <= 1),
        ),
        _agrees(
            "tasks are schedulable on processors of capacities C_i if the total demand is at most "
            f"the total supply: {PAIRS} that a schedule contradicts",
            unequal,
        ),
        _agrees(
            f"it is necessary, for identical and unequal processors: {PAIRS} that it refuses and "
            "a schedule serves",
            several,
            wrong=several["exists"] & ~several["paper"],
        ),
        _agrees(
            "the right test, of Funk, Goossens and Baruah, for identical and unequal processors: "
            f"{PAIRS} that a schedule contradicts",
            several,
            test="right",
        ),
        _agrees(
            "packets as tasks are schedulable if R_j is at most R(t) (10.3): sets that are "
            "admitted and miss a deadline",
            packets,
            wrong=packets["paper"] & ~packets["exists"],
        ),
        _agrees(
            "that is equivalent to (23), that the R_j are at most C in total: sets within C of "
            "which a flow is refused",
            packets,
            wrong=packets["right"] & ~packets["paper"],
        ),
        _agrees(
            "a task of priority p_j is schedulable if R_j is at most p_j R(t), with R(t) = C/N: "
            "sets that are admitted and miss a deadline",
            levels,
            wrong=levels["paper"] & ~levels["exists"],
            taken=f"none at all; {OURS}, of a mean above 1, and R(t) = C/N: ours",
        ),
        _agrees(
            "the same with R(t) = C over the sum of p_j, which is C/N if their mean is 1: sets "
            "that are admitted and miss a deadline",
            summed,
            wrong=summed["paper"] & ~summed["exists"],
            taken=f"none at all; {OURS}: ours",
        ),
    ]


def _agrees(
    says: str,
    rows: Frame,
    *,
    test: str = "paper",
    wrong: numpy.ndarray | None = None,
    taken: str = "none at all",
) -> Claim:
    """That a test is wrong about no set, with the first that it is wrong about as the reason."""
    wrong = (rows[test] != rows["exists"]) if wrong is None else wrong
    found = kept(rows, wrong)
    return Claim(
        says,
        paper="none",
        ours=f"{len(found):,} of {len(rows):,}",
        verdict=Verdict.of(len(rows) > 0 and len(found) == 0),
        taken=taken,
        why=_example(found, test) if len(found) else "",
    )


def _example(found: Frame, test: str) -> str:
    """The first set, which has the fewest tasks."""
    row = found.arrow.slice(0, 1).to_pylist()[0]
    of_priorities = f" and priorities {row['priorities']}" if row["priorities"] else ""
    served = "can" if row["exists"] else "cannot"
    words = f"{TESTS[test]} {'accepts' if row[test] else 'refuses'}"
    return (
        f"rates {row['rates']}{of_priorities} on speeds {row['speeds']}: {words} them, "
        f"a schedule {served} serve them"
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each kind of processors."""
    figure, panels = pyplot.subplots(1, len(TITLES), figsize=(7, 2.8), sharey=True)
    for ax, (kind, title) in zip(panels, TITLES.items(), strict=True):
        _panel(ax, table.where(kind=kind))
        ax.set(title=title, xlabel="demand / supply", xlim=(0, HIGHEST), ylim=(0, HIGHEST))
    panels[0].set_ylabel("k largest rates / k highest speeds")
    style.legend_above(figure, panels[0], columns=2)
    return figure


def _panel(ax: Axes, rows: Frame) -> None:
    looks = {True: (style.COLOURS[0], "o", "schedule exists"), False: (style.ALARM, "x", "none")}
    for exists, (colour, marker, label) in looks.items():
        own = kept(rows, rows["exists"] == exists)
        # Equal places once, and none outside: pictures stay small.
        places = numpy.round(numpy.divide([own["total"], own["tightest"]], GRID)) * GRID
        places = numpy.unique(places[:, (places <= HIGHEST).all(axis=0)], axis=1)
        ax.plot(*places, marker, color=colour, ms=2.5, mew=0.6, label=label)
    ax.axvline(1, color=style.GREY, lw=0.7, ls="dashed")
    ax.axhline(1, color="black", lw=0.7)


FIGURE = Figure(
    id="ncp-22",
    title="Feasibility of schedules by rates, beside schedules",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
