"""The room that each macro-flow of an XCP cloud (section 8.1) has at its ingress: the stream's
throughput over its share, utilization, and the mean times in queues of TCP's packets, by the second
ingress, where the stream does not enter, and of all, against the room; dashed, those under CSFQ,
where nothing waits at the ingresses. The thesis has no size. The network and the flows are those of
[xcp-8-cloud](#xcp-8-cloud), with a stream of five times its share; the core link has room for a
bandwidth-delay product, 150 kB, which 50 kB for each of three macro-flows equal
([xcp-8-core](#xcp-8-core) has other sizes of the core's). Means over ten seeds; bars are 95 %
intervals.
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
    CLOSE,
    CLOUD,
    ONE,
    OTHER,
    TWO,
    core,
    delay_ms,
    empty,
    flows,
    less,
    scenario,
    stream,
    throughputs,
)
from .xcp_8_cloud import FLOWS, SHARE

GAIN = 5.0
#: Of each macro-flow, in kB.
SIZES, QUICK = (25.0, 50.0, 75.0, 150.0), (25.0, 150.0)
SEEDS = 10
PANELS = {
    "stream": "stream (of its share)",
    "utilization": "utilization",
    "tcp_ms": "TCP in queues (ms)",
    "all_ms": "all in queues (ms)",
}
#: By room in kB, 0 for CSFQ.
Runs = dict[float, Results]


def run(scale: Scale) -> Runs:
    """The cloud with each size, and CSFQ."""
    groups = [flows("one", ONE, FLOWS), flows("two", TWO, FLOWS)]
    groups.append(stream("stream", ONE, GAIN * SHARE))

    def at(size: float) -> Results:
        of = scenario(CLOUD, groups, size) if size else scenario(OTHER, groups)
        return scale.run(of, ["tcp"], name=f"xcp-8-buffer/{size:g}", seeds=scale.pick(1, SEEDS))

    return {size: at(size) for size in (0.0, *scale.pick(QUICK, SIZES))}


def table(runs: Runs) -> Frame:
    """A row for each size and seed."""
    return frame(
        [
            {"kb": size, "seed": seed}
            | {"stream": float(throughputs(results, seed, "stream")[0]) / SHARE}
            | {"empty": empty(results, seed), "stream_ms": delay_ms(results, seed, "stream")}
            | core(results, seed)
            for size, results in runs.items()
            for seed in results.seeds
        ]
    )


def check(table: Frame) -> list[Claim]:
    """What the thesis has of the cloud, at each size."""
    sizes = [float(size) for size in numpy.unique(table["kb"]) if size]

    def least(column: str) -> dict[str, Interval]:
        other = table.where(kb=0.0)[column]
        return {f"with {size:g} kB": less(table.where(kb=size)[column], other) for size in sizes}

    return [
        everywhere(
            "the stream is held to its share with any room: its throughput over the share",
            "would force unresponsive or UDP flows to use a fair share",
            {f"with {size:g} kB": Interval.of(table.where(kb=size)["stream"]) for size in sizes},
            low=1 - CLOSE,
            high=1 + CLOSE,
            why=_unused(table, sizes),
        ),
        everywhere(
            "utilization is higher than under CSFQ with any room: the difference",
            "higher utilization",
            least("utilization"),
            low=0,
            form=".4f",
            why=_empty(table, sizes),
        ),
        everywhere(
            "packets of TCP are in queues, those at ingresses included, for less time than under "
            "CSFQ with any room: the difference in milliseconds",
            "lower delay",
            least("tcp_ms"),
            high=0,
            why=_tcp_waits(table, sizes),
        ),
        everywhere(
            "and so are all packets, the stream's included: the difference in milliseconds",
            "lower delay",
            least("all_ms"),
            high=0,
            why=_waits(table, sizes),
        ),
    ]


def _unused(table: Frame, sizes: list[float]) -> str:
    """The part of the link that is unused where the stream has most."""
    most = max(sizes, key=lambda size: Interval.of(table.where(kb=size)["stream"]).mean)
    used = Interval.of(table.where(kb=most)["utilization"]).mean
    return f"with {most:g} kB, {1 - used:.1%} of the link are unused"


def _empty(table: Frame, sizes: list[float]) -> str:
    """How often a queue of TCP's flows is empty, with the least and the most room."""
    parts = [Interval.of(table.where(kb=size)["empty"]).mean for size in (sizes[0], sizes[-1])]
    return (
        "the queue of flows of TCP at the first ingress is empty in "
        f"{parts[0]:.0%} of samples with {sizes[0]:g} kB, in {parts[1]:.0%} with {sizes[-1]:g} kB"
    )


def _tcp_waits(table: Frame, sizes: list[float]) -> str:
    """The part of TCP's time in queues that is at ingress routers, with the most room."""
    inside, tcp = (_mean(table, sizes[-1], column) for column in ("core_ms", "tcp_ms"))
    return f"with {sizes[-1]:g} kB, {1 - inside / tcp:.1%} of the time is at ingress routers"


def _waits(table: Frame, sizes: list[float]) -> str:
    """How long packets of the stream take, and those of TCP wait, with the most room."""
    own, tcp = (_mean(table, sizes[-1], column) for column in ("stream_ms", "tcp_ms"))
    return (
        f"with {sizes[-1]:g} kB, packets of the stream take {own:.0f} ms on their way, under CSFQ "
        f"{_mean(table, 0.0, 'stream_ms'):.0f} ms; TCP's are {tcp:.0f} ms in queues"
    )


def _mean(table: Frame, size: float, column: str) -> float:
    return Interval.of(table.where(kb=size)[column]).mean


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The measures against the size."""
    figure, grid = pyplot.subplots(1, len(PANELS), figsize=(8.2, 2.6))
    sizes = [float(size) for size in numpy.unique(table["kb"]) if size]
    for (column, title), ax in zip(PANELS.items(), grid, strict=True):
        found = [Interval.of(table.where(kb=size)[column]) for size in sizes]
        with_bars(ax, sizes, found, label=CLOUD, color=style.COLOURS[2], marker=style.MARKERS[2])
        other = Interval.of(table.where(kb=0.0)[column]).mean
        ax.axhline(other, color=style.COLOURS[1], linestyle=style.DASHES[0], label=OTHER)
        ax.set_xlabel("room of a macro-flow (kB)")
        ax.set_ylabel(title)
    style.legend_above(figure, grid[0], columns=2)
    return figure


FIGURE = Figure(
    id="xcp-8-buffer",
    title="The room of macro-flows at their ingress",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
