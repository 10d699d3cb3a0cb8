"""Two macro-flows of an XCP cloud (section 8.1): the ratio of their throughputs over the
proportion. One has four flows of TCP, the other 1 to 256, over the same round trip of 60 ms, or
over one of 150 or 450 ms: its ingress is that much farther from the core link. Or both have four,
over equal round trips, of which the other's have weights of 1/4 to 16. Beside that, drop tail,
where shares depend on round trips, and CSFQ, where flows have the same weights. The cloud and the
time measured are those of [xcp-8-cloud](#xcp-8-cloud), without the stream, but runs with a longer
round trip are measured from 60 s to 120 s, since macro-flows converge in tens of the longest. The
core link and each macro-flow have room for a bandwidth-delay product of the longer round trip.
Means over seven seeds; bars are 95 % intervals.
"""

from __future__ import annotations

import math

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .clouds import (
    CAPACITY,
    CLOSE,
    FULL,
    INGRESS_S,
    INTO,
    MEASURED,
    NAMES,
    ONE,
    TWO,
    core,
    counted,
    empty,
    flows,
    scenario,
    stated,
    throughputs,
)

FIRST = 4
COUNTS, QUICK = (1, 2, 4, 16, 64, 256), (1, 16)
#: Of the second macro-flow's flows, where both have as many.
WEIGHTS, QUICK_WEIGHTS = (0.25, 1.0, 4.0, 16.0), (4.0,)
SEEDS = 7
#: Ratios with ticks; the last is that of the most flows.
TICKS = (0.25, 1, 4, 16, 64)
#: Those that know weights.
WEIGHTED = NAMES[1:]
#: Round trips of the second macro-flow's flows, in milliseconds; the first's are the least.
RTTS, QUICK_RTTS = (60, 150, 450), (60, 450)
#: With longer round trips: numbers of flows, and the time measured, in seconds.
FAR_COUNTS, QUICK_FAR, FAR_MEASURED = (1, 4, 16, 64), (16,), (60.0, 120.0)
#: By system, number of flows, their weight and their round trip.
Runs = dict[tuple[str, int, float, int], Results]


def run(scale: Scale) -> Runs:
    """Each system with each number of flows and round trip, and those that know weights with each
    weight.
    """
    least = RTTS[0]
    points = [(name, count, 1.0, least) for name in NAMES for count in scale.pick(QUICK, COUNTS)]
    weights = scale.pick(QUICK_WEIGHTS, WEIGHTS)
    points += [
        (name, FIRST, weight, least) for name in WEIGHTED for weight in weights if weight != 1
    ]
    points += [
        (name, count, 1.0, rtt)
        for name in NAMES
        for count in scale.pick(QUICK_FAR, FAR_COUNTS)
        for rtt in scale.pick(QUICK_RTTS, RTTS)
        if rtt > least
    ]

    def at(name: str, count: int, weight: float, rtt: int) -> Results:
        room = CAPACITY * rtt / 8e6
        return scale.run(
            scenario(
                name,
                [flows("one", ONE, FIRST), flows("two", TWO, count, weight)],
                room,
                core_kb=room,
                second_s=INGRESS_S + (rtt - least) / 2e3,
                measured=FAR_MEASURED if rtt > least else MEASURED,
            ),
            ["tcp"],
            name=f"xcp-8-macro/{name.replace(' ', '-')}-{count}-{weight:g}-{rtt}",
            seeds=scale.pick(1, SEEDS),
        )

    return {point: at(*point) for point in points}


def table(runs: Runs) -> Frame:
    """A row for each system, number of flows, weight, round trip and seed."""
    rows = []
    for (name, count, weight, rtt), results in runs.items():
        for seed in results.seeds:
            one, two = (throughputs(results, seed, of).sum() for of in ("one", "two"))
            row = {"system": name, "flows": count, "weight": weight, "rtt": rtt, "seed": seed}
            row["part"] = two / one * FIRST / (count * weight)
            row["counted"] = counted(results, seed) / (FIRST + count * weight)
            row["stated"] = stated(results, seed)
            row["empty"] = empty(results, seed, INTO[1])
            rows.append(row | core(results, seed))
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That macro-flows share by the numbers and weights of their micro-flows."""
    near = {f"with {count}": _rows(table, count) for count in _counts(table)}
    far = {
        f"with {count} over {rtt} ms": _rows(table, count, rtt=rtt)
        for rtt in _rtts(table)[1:]
        for count in _counts(table, rtt)
    }
    weighted = {
        f"of weight {weight:g}": _weighted(table, weight)
        for weight in _weights(table)
        if weight != 1
    }
    every = near | far | weighted
    proportional = (
        "each XCP macro-flow to obtain a throughput proportional to the number of micro-flows in it"
    )
    return [
        everywhere(
            "macro-flows get throughput in proportion to their micro-flows: the ratio of their "
            "throughputs over that of the numbers",
            proportional,
            {at: Interval.of(of["part"]) for at, of in near.items()},
            low=1 - CLOSE,
            high=1 + CLOSE,
            why=_stated(near),
        ),
        everywhere(
            "and so they do where the round trip of one is longer: the same ratio",
            proportional,
            {at: Interval.of(of["part"]) for at, of in far.items()},
            low=1 - CLOSE,
            high=1 + CLOSE,
            why=_far(table, far),
        ),
        everywhere(
            "and of as many flows each, in proportion to the weights of these: the ratio of their "
            "throughputs over that of the weights",
            "it would allow an ISP to provide differential bandwidth allocation internally",
            {at: Interval.of(of["part"]) for at, of in weighted.items()},
            low=1 - CLOSE,
            high=1 + CLOSE,
        ),
        everywhere(
            "routers count micro-flows, each by its weight, by control packets: N of (9.1) over "
            "the sum of weights",
            "not stated",
            {at: Interval.of(of["counted"]) for at, of in every.items()},
            low=1 - CLOSE,
            high=1 + CLOSE,
        ),
        everywhere(
            "the core link is used: utilization",
            "an XCP core allows higher utilization",
            {at: Interval.of(of["utilization"]) for at, of in every.items()},
            low=FULL,
            form=".3f",
        ),
        everywhere(
            "and drops next to nothing: drops in the cloud over packets",
            "minimal packet drops",
            {at: Interval.of(of["core_drops"]) for at, of in every.items()},
            high=1e-4,
            form=".1e",
        ),
    ]


def _worst(found: dict[str, Frame]) -> str:
    """Where the ratio is farthest from the proportion."""
    return max(found, key=lambda at: abs(math.log(Interval.of(found[at]["part"]).mean)))


def _stated(near: dict[str, Frame]) -> str:
    """What the first macro-flow stated, where the ratio is farthest from that of the numbers."""
    worst = _worst(near)
    own = Interval.of(near[worst]["stated"]).mean
    return f"{worst}, the macro-flow of {FIRST} flows states {own:.1f} micro-flows on average"


def _far(table: Frame, far: dict[str, Frame]) -> str:
    """How often the second queue is empty, where the ratio is farthest from that of the numbers,
    and the ratio of the others there.
    """
    worst = _worst(far)
    count, rtt = int(far[worst]["flows"][0]), int(far[worst]["rtt"][0])
    part = Interval.of(far[worst]["empty"]).mean
    others = ", ".join(
        f"{name} {Interval.of(_rows(table, count, name, rtt)['part']).mean:.2f}"
        for name in NAMES
        if name != NAMES[-1]
    )
    return (
        f"{worst}, the queue of the farther macro-flow is empty in {part:.0%} of samples; under "
        f"others: {others}"
    )


def _rows(table: Frame, count: int, name: str = NAMES[-1], rtt: int = RTTS[0]) -> Frame:
    return table.where(system=name, flows=count, weight=1.0, rtt=rtt)


def _counts(table: Frame, rtt: int = RTTS[0]) -> list[int]:
    """The second macro-flow's numbers of flows, where these have no weights."""
    return [int(count) for count in numpy.unique(table.where(weight=1.0, rtt=rtt)["flows"])]


def _rtts(table: Frame) -> list[int]:
    return [int(rtt) for rtt in numpy.unique(table["rtt"])]


def _weights(table: Frame) -> list[float]:
    """The weights of flows where both macro-flows have as many."""
    own = table.where(system=NAMES[-1], flows=FIRST)
    return [float(weight) for weight in numpy.unique(own["weight"])]


def _weighted(table: Frame, weight: float, name: str = NAMES[-1]) -> Frame:
    return table.where(system=name, flows=FIRST, weight=weight, rtt=RTTS[0])


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The ratio of throughputs over the proportion, against numbers for each round trip, and
    against weights.
    """
    rtts = _rtts(table)
    figure, grid = pyplot.subplots(1, len(rtts) + 1, figsize=(8.2, 2.8), sharey=True)
    for number, name in enumerate(NAMES):
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        for rtt, ax in zip(rtts, grid[:-1], strict=True):
            counts = _counts(table, rtt)
            found = [Interval.of(_rows(table, count, name, rtt)["part"]) for count in counts]
            ratios = [count / FIRST for count in counts]
            with_bars(ax, ratios, found, label=name, elinewidth=0.7, **look)
        if name in WEIGHTED:
            weights = _weights(table)
            found = [Interval.of(_weighted(table, weight, name)["part"]) for weight in weights]
            with_bars(grid[-1], weights, found, label=name, elinewidth=0.7, **look)
    for rtt, ax in zip(rtts, grid[:-1], strict=True):
        scales.logarithmic(ax, "x", "ratio of numbers", "")
        ax.set_title(f"RTTs {rtts[0]} and {rtt} ms", loc="left")
    scales.logarithmic(grid[-1], "x", "ratio of weights", "")
    grid[-1].set_title(f"RTTs {rtts[0]} and {rtts[0]} ms", loc="left")
    scales.logarithmic(grid[0], "y", "throughputs over proportion", "")
    for ax in grid:
        ax.set_xticks(TICKS if ax is grid[0] else TICKS[:-1])
        ax.minorticks_off()
        # The line is longer than those of the data, and above them.
        ax.margins(x=0.12)
        dots = style.DASHES[1]
        ax.axhline(1, label="in proportion", color="black", linestyle=dots, lw=0.8, zorder=4)
    style.legend_above(figure, grid[0], columns=len(NAMES) + 1)
    return figure


FIGURE = Figure(
    id="xcp-8-macro",
    title="Macro-flows and their numbers of micro-flows",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
