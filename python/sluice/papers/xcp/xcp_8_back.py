"""Data both ways across an XCP cloud (section 8.1): fifty flows of TCP by one ingress, and 0 to 200
the other way by the other, so that the acknowledgements of the fifty are a macro-flow of their own
beside one of data. Utilization of the core link and of the one back, under drop tail, CSFQ and the
cloud. And of the cloud where flows both ways are between the same two border routers, so that
acknowledgements share a macro-flow with data of the other flows (*same routers*). The network is
that of [xcp-8-cloud](#xcp-8-cloud), and each macro-flow has room for a bandwidth-delay product.
Means over ten seeds; bars are 95 % intervals.

Whether acknowledgements count is open in the thesis, which speaks of "the number of micro-flows in
it". Here a flow counts in each direction in which it sends anything, so a macro-flow of
acknowledgements has the weight of its flows, though it cannot use their share. What fails here is
due to that reading: routers that told acknowledgements from data and counted these alone might use
both links, if acknowledgements still had enough of the rate.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .clouds import (
    BACK,
    CLOUD,
    CORE,
    FULL,
    INTO,
    INTO_RETURN,
    NAMES,
    ONE,
    RETURN,
    counted,
    flows,
    part,
    scenario,
    stated,
    utilization,
)

FLOWS = 50
COUNTS, QUICK = (0, 20, 50, 200), (0, 200)
SEEDS = 10
TITLES = {"there": "core link", "return": "link back"}
#: The cloud with flows both ways between the same border routers.
SAME = "cloud, same routers"
LINES = (*NAMES, SAME)
#: By system and number of flows back.
Runs = dict[tuple[str, int], Results]


def run(scale: Scale) -> Runs:
    """Each system with each number of flows back."""

    def at(name: str, count: int) -> Results:
        ends = (ONE[1], ONE[0]) if name == SAME else BACK
        back = [flows("back", ends, count)] if count else []
        return scale.run(
            scenario(CLOUD if name == SAME else name, [flows("out", ONE, FLOWS), *back]),
            ["tcp"],
            name=f"xcp-8-back/{name.replace(', ', '-').replace(' ', '-')}-{count}",
            seeds=scale.pick(1, SEEDS),
        )

    return {(name, count): at(name, count) for name in LINES for count in scale.pick(QUICK, COUNTS)}


def table(runs: Runs) -> Frame:
    """A row for each system, number of flows back and seed, with the part of acknowledgements in
    the weights and the bytes of either direction.
    """
    return frame(
        [
            {
                "system": name,
                "back": count,
                "seed": seed,
                "there": utilization(results, seed, CORE),
                "return": utilization(results, seed, RETURN),
                "there_weight": 1 - stated(results, seed) / counted(results, seed),
                "there_bytes": part(results, seed, INTO, 1),
                "return_weight": 1
                - stated(results, seed, INTO_RETURN[1]) / counted(results, seed, RETURN),
                "return_bytes": part(results, seed, INTO_RETURN, 0),
            }
            for (name, count), results in runs.items()
            for seed in results.seeds
        ]
    )


def check(table: Frame) -> list[Claim]:
    """That both directions are used."""
    counts = [int(count) for count in numpy.unique(table["back"])]
    backs = [count for count in counts if count]
    quote = "an XCP core allows higher utilization"
    return [
        everywhere(
            "the core link is used, whatever goes back: utilization",
            quote,
            {f"with {count} back": Interval.of(_of(table, count, "there")) for count in counts},
            low=FULL,
            form=".3f",
            why=_beside(table, counts, "there"),
        ),
        everywhere(
            "and so is the link back: utilization",
            quote,
            {f"with {count}": Interval.of(_of(table, count, "return")) for count in backs},
            low=FULL,
            form=".3f",
            why=_beside(table, backs, "return"),
        ),
        everywhere(
            "both links are used where acknowledgements share macro-flows with data: utilization",
            quote,
            {
                f"{title} with {count} back": Interval.of(_of(table, count, column, SAME))
                for column, title in TITLES.items()
                for count in backs
            },
            low=FULL,
            form=".3f",
        ),
    ]


def _beside(table: Frame, counts: list[int], column: str) -> str:
    """What acknowledgements have and use, and others use, where the cloud uses least."""
    least = min(counts, key=lambda count: Interval.of(_of(table, count, column)).mean)
    weight, sent = (
        Interval.of(_of(table, least, f"{column}_{of}")).mean for of in ("weight", "bytes")
    )
    used = {
        name: Interval.of(_of(table, least, column, name)).mean for name in NAMES if name != CLOUD
    }
    others = ", ".join(f"{name} {mean:.3f}" for name, mean in used.items())
    return (
        f"with {least} back, acknowledgements have {weight:.0%} of the weights and send {sent:.0%} "
        f"of the bytes; others use: {others}"
    )


def _of(table: Frame, count: int, column: str, name: str = CLOUD) -> numpy.ndarray:
    return table.where(system=name, back=count)[column]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Utilization each way against the number of flows back."""
    figure, grid = pyplot.subplots(1, 2, figsize=(7.0, 2.8), sharey=True)
    every = [int(count) for count in numpy.unique(table["back"])]
    for (column, title), ax in zip(TITLES.items(), grid, strict=True):
        # Without flows back, acknowledgements alone are on that link.
        counts = every if column == "there" else every[1:]
        for number, name in enumerate(LINES):
            found = [Interval.of(_of(table, count, column, name)) for count in counts]
            look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
            with_bars(ax, counts, found, label=name, elinewidth=0.7, **look)
        ax.set_xlabel("flows the other way")
        ax.set_ylabel(f"utilization of the {title}")
        ax.tick_params(labelleft=True)
    style.legend_above(figure, grid[0], columns=len(LINES))
    return figure


FIGURE = Figure(
    id="xcp-8-back",
    title="Data both ways across a cloud",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
