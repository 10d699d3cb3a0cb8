"""A crowd of 10, 30 or 1000 flows of 100 packets that start at one instant, under Ledger, RCP, XCP
and NCP. The link has 150 Mb/s, a round trip of 100 ms, a buffer of a bandwidth-delay product (BDP,
1875 packets) and a load of 0.3 (Pareto sizes, mean 30 packets, shape 1.2). Bystanders are the flows
of the load that start within 10 s of the crowd. RCP has the two settings of
[own-places](#own-places).

Above are the queue and the rate R that the router grants, in parts of the capacity, with the first
seed; XCP has no such rate. Below are mean completion times over max-min's. Ten seeds; bars are 95 %
intervals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...results import Results
from .. import places
from ..claim import Claim, everywhere
from ..closeness import by_size, ratio, ratios
from ..drawing import clusters
from ..figure import Figure
from ..interval import Interval
from ..link import link_metrics, samples
from ..rows import frame
from ..scale import Scale
from .beside import Points, link_rows, near, no_longer, undropped
from .systems import LEDGER, SYSTEMS, look, simulate

CROWDS = (10, 30, 1000)
NAMES = (LEDGER, "RCP", "RCP 0.4", "XCP", "NCP")
GROUPS = {"crowd": "the crowd", "load": "bystanders"}
BDP = places.bdp_bytes(places.CAPACITY, places.RTT)
#: Samples, and the seconds that are drawn from the start of the crowd on.
EVERY_MS, DRAWN_S = 20, 1.2
#: Bound on the 99th percentile of the queue in bandwidth-delay products.
SHORT = 0.5
#: The 99th percentile of the queue is that of these seconds from the start on.
WATCHED_S = places.BYSTANDERS_S


def run(scale: Scale) -> dict[tuple[str, int], Results]:
    """By system and size of the crowd, with the same flows."""
    return {
        (name, crowd): simulate(
            scale,
            SYSTEMS[name],
            places.with_crowd(crowd, transport={}, metrics=[link_metrics(f"{EVERY_MS} ms")]),
            f"own-crowd/{number}-{crowd}",
        )
        for number, name in enumerate(NAMES)
        for crowd in CROWDS
    }


def table(runs: dict[tuple[str, int], Results]) -> Frame:
    """Rows of three kinds: completion times by group, links, and samples of the first seed."""
    return frame(
        [row for (name, crowd), results in runs.items() for row in _rows(name, crowd, results)]
    )


def _rows(name: str, crowd: int, results: Results) -> Iterator[dict[str, Any]]:
    of: dict[str, Any] = {"system": name, "crowd": crowd}
    every = (1, numpy.inf)
    for group in GROUPS:
        yield from by_size(results, every, group=group, kind="flows", who=group, **of)
    (protocol,) = results.protocols
    yield from link_rows(results, BDP, kind="link", **of)
    for quantity, unit in (("queue_bytes", BDP), ("R", places.CAPACITY)):
        seen = samples(results, protocol, quantity, results.seeds[0])
        seconds = seen.seconds - places.CROWD_BEGINS_S
        for at, value in zip(seconds, seen.values, strict=True):
            if 0 <= at <= DRAWN_S:
                yield of | {"kind": quantity, "seconds": float(at), "value": float(value / unit)}


def check(table: Frame) -> list[Claim]:
    """Claims about Ledger's completion times, queues and drops."""
    flows = table.where(kind="flows")
    links = table.where(kind="link", system=LEDGER)
    by_crowd = {f"with {crowd} flows": links.where(crowd=crowd) for crowd in CROWDS}
    points: Points = {
        f"of {title} with {crowd} flows": {"who": group, "crowd": crowd}
        for group, title in GROUPS.items()
        for crowd in CROWDS
    }
    return [
        near(
            "Ledger is near max-min fairness however large the crowd",
            flows.where(system=LEDGER),
            points,
        ),
        no_longer("flows take no longer than under RCP however large the crowd", flows, points),
        everywhere(
            f"the queue is short: its 99th percentile over {WATCHED_S} s from the start of the "
            "crowd on, in bandwidth-delay products",
            "not stated",
            {at: Interval.of(found["queue_bdp"]) for at, found in by_crowd.items()},
            high=SHORT,
        ),
        undropped(
            "in these runs no packet is dropped however large the crowd",
            by_crowd,
            note=f"; with {max(CROWDS)} flows on average {_dropped(table)} of all packets",
        ),
    ]


def _dropped(table: Frame) -> str:
    """The part that each system drops of the largest crowd."""
    rows = table.where(kind="link", crowd=max(CROWDS))
    return ", ".join(
        f"{rows.where(system=name)['dropped'].mean():.1%} under {name}" for name in NAMES
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A column for each crowd: the queue and R over time; and ratios of both groups."""
    figure = pyplot.figure(figsize=(7, 6))
    grid = figure.add_gridspec(3, 6)
    for column, crowd in enumerate(CROWDS):
        rows = table.where(crowd=crowd)
        queue = figure.add_subplot(grid[0, 2 * column : 2 * column + 2])
        rate = figure.add_subplot(grid[1, 2 * column : 2 * column + 2], sharex=queue)
        _over_time(queue, rows.where(kind="queue_bytes"))
        _over_time(rate, rows.where(kind="R"))
        queue.set(title=f"{crowd} flows", ylim=(0, 1.05))
        queue.tick_params(labelbottom=False)
        rate.set(xlabel="time since the start (s)", ylim=(1e-4, 2), yscale="log")
        rate.minorticks_off()
        if column == 0:
            queue.set_ylabel("queue (BDP)")
            rate.set_ylabel("R / capacity")
        else:
            for ax in (queue, rate):
                ax.tick_params(labelleft=False)
    shared: Axes | None = None
    flows = table.where(kind="flows")
    marked = {name: SYSTEMS[name].line(name) for name in NAMES}
    for place, (group, title) in enumerate(GROUPS.items()):
        ax = figure.add_subplot(grid[2, 3 * place : 3 * place + 3], sharey=shared)
        shared = shared or ax
        found = {
            name: [ratio(flows, system=name, who=group, crowd=crowd) for crowd in CROWDS]
            for name in NAMES
        }
        clusters(ax, [f"{crowd} flows" for crowd in CROWDS], found, marked)
        ax.set_ylabel(f"{title}:\ntime / max-min's")
    for ax in figure.axes[-2:]:
        ratios(ax)
    style.legend_above(figure, figure.axes[-1], columns=5)
    return figure


def _over_time(ax: Axes, rows: Frame) -> None:
    for name in NAMES:
        own = rows.where(system=name)
        if len(own):
            thin = {"marker": None, "linewidth": 1.5 if name == LEDGER else 0.9}
            ax.plot(own["seconds"], own["value"], **(look(name) | thin))


FIGURE = Figure(
    id="own-crowd",
    title="A crowd of flows at one instant under Ledger, RCP, XCP and NCP",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
