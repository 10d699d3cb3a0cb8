"""Utilization with little room at the core link (section 8.1: "an XCP core allows higher
utilization, smaller queue sizes"), under drop tail, CSFQ and an XCP cloud, with one or ten flows of
TCP by either ingress. Left of each pair: the core link has room for 5 to 150 kB; the two
macro-flows of the cloud have 75 kB each at their ingress besides, together the 150 kB that are a
bandwidth-delay product. Right: all queues together have room for 15 to 150 kB, under drop tail and
CSFQ at the core link, in the cloud 5 kB there and half of the others for either macro-flow. The
network is that of [xcp-8-cloud](#xcp-8-cloud), without the stream. Means over ten seeds; bars are
95 % intervals.
"""

from __future__ import annotations

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
    BUFFER_KB,
    CLOUD,
    INTO,
    NAMES,
    ONE,
    OTHER,
    TWO,
    core,
    empty,
    flows,
    less,
    scenario,
)

#: Of the core link, or of all queues, in kB; the first is that of the cloud's core in the latter.
SIZES, QUICK = (5.0, 15.0, 50.0, BUFFER_KB), (5.0, BUFFER_KB)
#: By either ingress.
COUNTS = (1, 10)
SEEDS = 10
#: What has the size: the core link, or all queues.
CORE, ALL = "the core link", "all queues"
#: By system, what has the size, the size and the number of flows.
Runs = dict[tuple[str, str, float, int], Results]


def run(scale: Scale) -> Runs:
    """Each system with each size of the core link, and of all queues."""
    sizes = scale.pick(QUICK, SIZES)

    def at(name: str, room: str, size: float, count: int) -> Results:
        inside, ingress = _rooms(name, room, size)
        groups = [flows("one", ONE, count), flows("two", TWO, count)]
        return scale.run(
            scenario(name, groups, ingress, core_kb=inside),
            ["tcp"],
            name=f"xcp-8-core/{name.replace(' ', '-')}-{inside:g}-{ingress:g}-{count}",
            seeds=scale.pick(1, SEEDS),
        )

    return {
        (name, room, size, count): at(name, room, size, count)
        for name in NAMES
        for room in (CORE, ALL)
        for size in sizes
        for count in COUNTS
        # With this size of all queues, none is left for ingresses.
        if room == CORE or size > SIZES[0]
    }


def _rooms(name: str, room: str, size: float) -> tuple[float, float]:
    """Of the core link, and of each macro-flow, in kB."""
    macro_flows = len(INTO)
    if room == ALL and name == CLOUD:
        return SIZES[0], (size - SIZES[0]) / macro_flows
    return size, BUFFER_KB / macro_flows


def table(runs: Runs) -> Frame:
    """A row for each system, room, size, number of flows and seed."""
    return frame(
        [
            {"system": name, "room": room, "kb": size, "flows": count, "seed": seed}
            | {"empty": empty(results, seed)}
            | core(results, seed)
            for (name, room, size, count), results in runs.items()
            for seed in results.seeds
        ]
    )


def check(table: Frame) -> list[Claim]:
    """That the cloud uses more of the link than CSFQ, at each size."""
    claims = []
    for room in (CORE, ALL):
        for size in _sizes(table, room):
            inside, ingress = _rooms(CLOUD, room, size)
            own = (
                f"and {ingress:g} kB more for each macro-flow of the cloud"
                if room == CORE
                else f"of which the cloud has {inside:g} kB at the core link and {ingress:g} kB "
                "for each macro-flow"
            )
            claims.append(
                everywhere(
                    f"higher utilization than CSFQ with {size:g} kB for {room}, {own}: the "
                    "difference",
                    "an XCP core allows higher utilization",
                    {_by(count): _less(table, room, size, count) for count in COUNTS},
                    low=0,
                    form=".4f",
                    why=_used(table, room, size),
                )
            )
    claims.append(
        everywhere(
            "a smaller queue than CSFQ's in the core, with the same room there: the mean time in "
            "it, over CSFQ's",
            "smaller queue sizes",
            {
                f"with {size:g} kB {_by(count)}": Interval.of(
                    _rows(table, CLOUD, CORE, size, count)["core_ms"]
                    / _rows(table, OTHER, CORE, size, count)["core_ms"]
                )
                for size in _sizes(table, CORE)
                for count in COUNTS
            },
            high=1,
        )
    )
    return claims


def _by(count: int) -> str:
    return f"with {count} flow{'s' if count > 1 else ''} by either ingress"


def _sizes(table: Frame, room: str) -> list[float]:
    return [float(size) for size in numpy.unique(table.where(room=room)["kb"])]


def _rows(table: Frame, name: str, room: str, size: float, count: int) -> Frame:
    return table.where(system=name, room=room, kb=size, flows=count)


def _less(table: Frame, room: str, size: float, count: int) -> Interval:
    """The cloud's utilization less CSFQ's, over the same seeds."""
    rows = [_rows(table, name, room, size, count) for name in (CLOUD, OTHER)]
    return less(*(row["utilization"] for row in rows))


def _used(table: Frame, room: str, size: float) -> str:
    """What both use, and how often a queue is empty, where the cloud is least beside CSFQ."""
    worst = min(COUNTS, key=lambda count: _less(table, room, size, count).mean)
    own, other = (
        Interval.of(_rows(table, name, room, size, worst)["utilization"]).mean
        for name in (CLOUD, OTHER)
    )
    part = Interval.of(_rows(table, CLOUD, room, size, worst)["empty"]).mean
    return (
        f"{_by(worst)}, CSFQ uses {other:.4f} of the link and the cloud {own:.4f}, whose queue at "
        f"the first ingress is empty in {part:.0%} of samples"
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Utilization against either size, for each number of flows."""
    figure, grid = pyplot.subplots(1, 2 * len(COUNTS), figsize=(8.2, 2.6), sharey=True)
    panels = [(count, room) for count in COUNTS for room in (CORE, ALL)]
    for (count, room), ax in zip(panels, grid, strict=True):
        sizes = _sizes(table, room)
        for number, name in enumerate(NAMES):
            look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
            rows = [_rows(table, name, room, size, count) for size in sizes]
            found = [Interval.of(row["utilization"]) for row in rows]
            with_bars(ax, sizes, found, label=name, elinewidth=0.7, **look)
        scales.logarithmic(ax, "x", f"room of {room} (kB)", "")
        ax.set_xticks(sizes)
        ax.set_title(f"{count} flow{'s' if count > 1 else ''} by either ingress", loc="left")
    grid[0].set_ylabel("utilization")
    style.legend_above(figure, grid[0], columns=len(NAMES))
    return figure


FIGURE = Figure(
    id="xcp-8-core",
    title="Little room in the core of a cloud",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
