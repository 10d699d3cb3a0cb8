"""Ledger where hosts know the sizes of their flows, what is in a send buffer of 256 KiB, or nothing
but which packet is the last, beside RCP with both settings of [own-places](#own-places) and on its
links: one of 150 Mb/s with a round trip of 100 ms and a load of 0.7, and others that differ in what
is named below. Mean completion time over max-min's by size, the 99th percentile of the queue in
bandwidth-delay products (BDP), and the part of packets dropped, with a buffer of a BDP. Ten seeds;
bars are 95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ..claim import Claim, everywhere
from ..closeness import CLASSES, ratio_if_any, ratios
from ..drawing import clusters
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale
from ..system import System
from .at_places import REFERENCE, points, rows, simulate_at
from .beside import near
from .systems import LEDGER, SETTINGS, SYSTEMS, look

SIZE, BUFFER, NOTHING = "size", "send buffer", "nothing"
#: What hosts of Ledger know, and RCP, with the names of their runs. Those of the size and of RCP
#: are the ones of own-places.
KNOWN = {
    SIZE: (SYSTEMS[LEDGER], f"{list(SYSTEMS).index(LEDGER)}"),
    BUFFER: (System("ledger", {"ledger.stated": "send_buffer"}), "buffer"),
    NOTHING: (System("ledger", {"ledger.stated": "nothing"}), "nothing"),
} | {name: (SYSTEMS[name], f"{list(SYSTEMS).index(name)}") for name in SETTINGS}
#: Places with short names.
PLACES = {
    REFERENCE: "150 Mb/s",
    "at 10 Mb/s": "10 Mb/s",
    "at 600 Mb/s": "600 Mb/s",
    "at 10 ms": "10 ms",
    "at a load of 0.95": "load 0.95",
}
QUICK = (REFERENCE, "at 10 Mb/s", "at 10 ms")
#: Bound on the ratio where hosts know what is in their send buffer.
BUFFER_NEAR = 1.25


def run(scale: Scale) -> dict[tuple[str, str], Results]:
    """By what hosts know and place, with the same flows at a place."""
    return {
        (known, at): simulate_at(scale, system, at, name)
        for at in scale.pick(QUICK, tuple(PLACES))
        for known, (system, name) in KNOWN.items()
    }


def check(table: Frame) -> list[Claim]:
    """Claims by what hosts know."""
    flows = table.where(kind="flows")
    at = [place for place in PLACES if place in flows["place"]]
    return [
        near(
            "Ledger is near max-min fairness where hosts know sizes",
            flows.where(system=SIZE),
            points(at),
            counted="own-places",
        ),
        near(
            "Ledger is near max-min fairness where hosts know what is in a send buffer of 256 KiB",
            flows.where(system=BUFFER),
            points(at),
            BUFFER_NEAR,
        ),
        everywhere(
            "where hosts know nothing, the flows that are worst off are so no more than under RCP: "
            "the ratio of the worst class under Ledger over that of the worst class under RCP, at "
            "the better of its two settings",
            "not stated",
            {place: _worst_over_worst(flows.where(place=place)) for place in at},
            high=1,
        ),
    ]


def _worst_over_worst(flows: Frame) -> Interval:
    """By the seeds that have flows in both classes."""
    worst = {name: _worst(flows.where(system=name)) for name in (NOTHING, *SETTINGS)}
    better = min(SETTINGS, key=lambda name: worst[name]["ratio"].mean())
    own, its = worst[NOTHING], worst[better]
    both = numpy.intersect1d(own["seed"], its["seed"])
    return Interval.of(
        float(own.where(seed=seed)["ratio"][0] / its.where(seed=seed)["ratio"][0]) for seed in both
    )


def _worst(rows: Frame) -> Frame:
    """The rows of the class with the highest mean ratio, of those that more than half of all seeds
    have, so that any two of them have a seed in common."""
    classes = [rows.where(size_from=size) for size in numpy.unique(rows["size_from"])]
    seeds = len(numpy.unique(rows["seed"]))
    common = [own for own in classes if 2 * len(own) > seeds]
    return max(common, key=lambda own: own["ratio"].mean())


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each class of sizes, one for the queue and one for drops."""
    figure, grid = pyplot.subplots(3, 2, figsize=(7, 6), sharex=True)
    at = [place for place in PLACES if place in table["place"]]
    names = [PLACES[place] for place in at]
    flows, links = (table.where(kind=kind) for kind in ("flows", "link"))
    for ax, (size, title) in zip(grid.flat, CLASSES.items(), strict=False):
        of_size = flows.where(size_from=size)
        found = {
            name: [ratio_if_any(of_size, system=name, place=place) for place in at]
            for name in KNOWN
        }
        clusters(ax, names, found, _looks())
        ax.set_ylabel(f"{title} packets:\ntime / max-min's")
        ratios(ax)
    for ax, column, title in (
        (grid[-1, 0], "queue_bdp", "p99 queue (BDP)"),
        (grid[-1, 1], "dropped", "packets dropped (%)"),
    ):
        scale = 100 if column == "dropped" else 1
        found = {
            name: [
                Interval.of(scale * links.where(system=name, place=place)[column]) for place in at
            ]
            for name in KNOWN
        }
        clusters(ax, names, found, _looks())
        ax.set(ylabel=title, ylim=(0, None))
    style.legend_above(figure, grid[0, 0], columns=5)
    return figure


def _looks() -> dict[str, dict[str, object]]:
    shades = style.look("ledger").shades(4)[:3]
    ledger = {
        name: {"color": shade, "marker": marker, "label": f"Ledger, {name}"}
        for name, shade, marker in zip((SIZE, BUFFER, NOTHING), shades, "o^v", strict=True)
    }
    return ledger | {name: look(name) for name in SETTINGS}


FIGURE = Figure(
    id="own-knows",
    title="Ledger by what hosts know of their flows",
    doc=__doc__,
    run=run,
    table=rows,
    check=check,
    plot=plot,
)
