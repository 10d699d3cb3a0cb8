"""Shuffling by need: another fairness controller behind XCP's efficiency controller (9.1.4), of our
own. The thesis shuffles a tenth of the traffic in each round trip, whatever the shares are (4.7.2),
and papers on completion times object that newcomers wait for their shares. With `shuffle = "need"`
a router shuffles more where shares are unequal, up to 0.36: its need is

    sqrt(mean of r x mean of 1 / r - 1),

the relative difference of the flows' throughputs, from sums over packets alone, in the style of
(9.1): the sums of s_i, of s_i / r_i, and of s_i / r_i^2. Shares come closer by the part shuffled in
a round trip; decided a round trip late, from 1 / e on they would swing.

*Left*, the share of a flow that joins nine on a link of 100 Mb/s with a round trip of 80 ms.
*Middle*, round trips until it has 0.9 of its share, against the number of flows present (dashed: by
shuffling alone, as a fluid). *Right*, the price: utilization of that link with one free flow and
others that a later link limits to 10 Mb/s together. Their shares are unequal for good, so that the
router goes on to shuffle; dashed is the equilibrium with gamma 0.1 and 0.36. Short flows never have
equal shares either: ten long flows share the link with such of 30 packets on average (Pareto, shape
1.2). Eight seeds draw starts; bars are 95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from . import newcomers
from .equilibrium import utilization
from .newcomers import (
    CAPACITY,
    MAX_GAMMA,
    NARROW,
    NEED,
    SMALL,
    SYSTEMS,
    TENTH,
    THIRD,
    Joins,
    Runs,
    run,
)

#: Present where the course is drawn.
DRAWN, DRAWN_RTTS = 9, 60


def table(runs: Runs) -> Frame:
    """Times, courses and utilizations of each run, and times of the fluid."""
    rows = [
        row
        for case, results in runs.items()
        for seed in results.seeds
        for row in case.rows(results, seed)
    ]
    fluid = [
        {
            "kind": "fluid",
            "system": case.system,
            "present": case.present,
            "took": newcomers.fluid(case.system, case.present, case.start),
        }
        for case in runs
        if isinstance(case, Joins)
    ]
    return frame(rows + fluid)


def check(table: Frame) -> list[Claim]:
    """That newcomers wait less, that equal flows are left alone, and what it costs."""
    joins, fluid = table.where(kind="joins"), table.where(kind="fluid")
    limits, short = table.where(kind="limits"), table.where(kind="short")
    return [
        everywhere(
            "newcomers have their shares earlier by need: round trips over those with a tenth "
            "shuffled",
            "XCP stretches flows over many round trips (Dukkipati and McKeown, 2006)",
            {
                f"{name}, {at}": Interval.of(rows["took"] / _present(joins, TENTH)[at]["took"])
                for name in (NEED, SMALL)
                for at, rows in _present(joins, name).items()
            },
            high=1,
            note=f"; {_words(joins)}",
        ),
        everywhere(
            "they have them as shuffling alone has it: round trips over the fluid's",
            "not stated",
            {
                f"{name}, {at}": Interval.of(
                    rows["took"] / float(_present(fluid, name)[at]["took"][0])
                )
                for name in SYSTEMS
                for at, rows in _present(joins, name).items()
            },
            low=0.7,
            high=1.3,
        ),
        everywhere(
            "among flows that have their shares it need not shuffle a tenth: the part shuffled by "
            "need with gamma 0.02",
            "the disturbance that shuffling imposes (4.7.2)",
            {at: Interval.of(rows["rest"]) for at, rows in _present(joins, SMALL).items()},
            high=0.05,
            form=".3f",
        ),
        everywhere(
            "the price is paid where other links limit flows: utilization by need over that with a "
            "tenth shuffled",
            "not stated",
            {
                f"{name}, {at}": Interval.of(
                    rows["utilization"] / _limited(limits, TENTH)[at]["utilization"]
                )
                for name in (NEED, SMALL)
                for at, rows in _limited(limits, name).items()
            },
            high=1,
            form=".3f",
        ),
        everywhere(
            "it is that of the greatest part: utilization by need over the equilibrium with gamma "
            f"{MAX_GAMMA}",
            "not stated",
            {
                f"{name}, {at}": Interval.of(
                    rows["utilization"] / _equilibrium(int(rows["limited"][0]), MAX_GAMMA)
                )
                for name in (NEED, SMALL)
                for at, rows in _limited(limits, name).items()
            },
            low=0.98,
            high=1.02,
            form=".3f",
        ),
        everywhere(
            "beside short flows it uses as much of the link: utilization by need over that with a "
            "tenth shuffled",
            "not stated",
            {
                f"{name}, {at}": Interval.of(
                    rows["utilization"] / _loads(short, TENTH)[at]["utilization"]
                )
                for name in (NEED, SMALL)
                for at, rows in _loads(short, name).items()
            },
            low=0.98,
            form=".3f",
            why=_unequal(short),
        ),
        everywhere(
            "and short flows finish as early: mean completion time over that with a tenth shuffled",
            "XCP stretches flows over many round trips (Dukkipati and McKeown, 2006)",
            {
                f"{name}, {at}": Interval.of(rows["afct_s"] / _loads(short, TENTH)[at]["afct_s"])
                for name in (NEED, SMALL)
                for at, rows in _loads(short, name).items()
            },
            high=1,
            form=".3f",
        ),
    ]


def _unequal(short: Frame) -> str:
    """What is lost beside short flows."""
    used = {name: short.where(system=name)["utilization"].mean() for name in (TENTH, NEED, SMALL)}
    if used[NEED] > 0.98 * used[TENTH]:
        return ""
    shown = ", ".join(f"{mean:.2f} ({name})" for name, mean in used.items())
    return f"utilization: {shown}"


def _equilibrium(limited: int, gamma: float) -> float:
    return utilization(1, limited, NARROW / CAPACITY / limited, gamma=gamma)


def _words(joins: Frame) -> str:
    """Times with the most flows present."""
    most = int(joins["present"].max())
    times = [
        f"{joins.where(system=name, present=most)['took'].mean():.0f} {words}"
        for name, words in (
            (TENTH, "with a tenth"),
            (THIRD, f"with {MAX_GAMMA}"),
            (NEED, "by need"),
        )
    ]
    return f"beside {most} flows {', '.join(times)}"


def _present(rows: Frame, name: str) -> dict[str, Frame]:
    return _by(rows.where(system=name), "present", "beside {:g}")


def _loads(rows: Frame, name: str) -> dict[str, Frame]:
    return _by(rows.where(system=name), "load", "load {:g}")


def _limited(rows: Frame, name: str) -> dict[str, Frame]:
    return _by(rows.where(system=name), "limited", "{:g} limited")


def _by(rows: Frame, column: str, words: str) -> dict[str, Frame]:
    """The rows of each value of a column, in words."""
    values = numpy.unique(rows[column])
    return {words.format(each): rows.where(**{column: each}) for each in values}


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A newcomer's course, the times of newcomers, and utilization beside limited flows."""
    figure, (course, times, price) = pyplot.subplots(1, 3, figsize=(7, 2.9))
    for number, name in enumerate(SYSTEMS):
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        rows = table.where(kind="course", system=name, present=DRAWN)
        course.plot(rows["rtts"], rows["share"], color=look["color"], lw=1, label=name)
        _against(times, table.where(kind="joins"), name, "present", "took", look)
        fluid = table.where(kind="fluid", system=name)
        times.plot(fluid["present"], fluid["took"], color=look["color"], ls="dashed", lw=0.7)
        _against(price, table.where(kind="limits"), name, "limited", "utilization", look)
    limited = numpy.unique(table.where(kind="limits")["limited"])
    for gamma, color in ((0.1, style.COLOURS[0]), (MAX_GAMMA, style.COLOURS[1])):
        rest = [_equilibrium(int(each), gamma) for each in limited]
        price.plot(limited, rest, color=color, ls="dashed", lw=0.7)
    course.set(xlabel="round trips", ylabel="throughput over fair share")
    course.set(xlim=(0, DRAWN_RTTS), ylim=(0, 1.5))
    times.set(ylabel="round trips to 0.9 of the share", ylim=(0, None))
    price.set(ylabel="utilization")
    scales.logarithmic(times, "x", "flows present", "")
    scales.logarithmic(price, "x", "limited flows", "")
    style.legend_above(figure, course, columns=len(SYSTEMS))
    return figure


def _against(
    ax: Axes, rows: Frame, name: str, column: str, measure: str, look: dict[str, str]
) -> None:
    own = rows.where(system=name)
    at = numpy.unique(own[column])
    found = [Interval.of(own.where(**{column: int(each)})[measure]) for each in at]
    with_bars(ax, at, found, lw=1, **look)


FIGURE = Figure(
    id="xcp-9-need",
    title="Shuffling by need",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
