"""Ledger beside max-min fairness and other systems over capacities, round trips and loads. Flows
arrive at random (Poisson) with Pareto sizes (mean 30 packets, shape 1.2) over a link with a buffer
of a bandwidth-delay product (BDP). The link of reference has 150 Mb/s, a round trip of 100 ms and a
load of 0.7; each column changes one of these. Hosts know the sizes of their flows, and are Sluice's
defaults: TCP, CUBIC, BBR v3 and DCTCP have an initial window of ten packets. RCP has its paper's
settings (alpha 0.1, beta 1), and those of its authors' ns-2 code (0.4, 0.4).

A row is a class of sizes: mean completion time over that of the same flows under max-min fairness,
which is processor sharing on one link. The last row is the 99th percentile of the queue. Ratios
above 10 are outside the panels. Ledger and RCP have ten seeds, the others five; bars are 95 %
intervals of Ledger. The law was tuned with other seeds.
"""

from __future__ import annotations

import matplotlib.figure
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from .. import places
from ..claim import Claim, everywhere
from ..closeness import CLASSES, ratios
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale
from .at_places import PLACES, QUICK, points, rows, simulate_at
from .beside import near, no_longer, undropped
from .systems import FULL_ONLY, JUDGED, LEDGER, SEEDS, SYSTEMS, lines

#: Bound on the 99th percentile of the queue in bandwidth-delay products.
SHORT = 0.5
#: The load from which on drops are accepted.
HIGH_LOAD = 0.9
#: Axes: a column, its title and its unit.
COLUMNS = {
    "capacity_bps": ("capacity", "b/s"),
    "rtt_s": ("round trip", "s"),
    "load": ("load", ""),
}
REFERENCE = {"capacity_bps": places.CAPACITY, "rtt_s": places.RTT, "load": places.LOAD}
#: Limits of the panels.
RATIOS, QUEUES = (0.85, 10.0), (0.0, 1.05)


def run(scale: Scale) -> dict[tuple[str, str], Results]:
    """By system and place."""
    names = scale.pick([name for name in SYSTEMS if name not in FULL_ONLY], list(SYSTEMS))
    judged, other = scale.pick((SEEDS[0], 2), (SEEDS[1], 5))
    return {
        (name, at): simulate_at(
            scale, SYSTEMS[name], at, str(number), judged if name in JUDGED else other
        )
        for at in scale.pick(QUICK, tuple(PLACES))
        for number, name in enumerate(names)
    }


def check(table: Frame) -> list[Claim]:
    """Claims about Ledger's completion times, queues and drops."""
    at = [place for place in PLACES if place in table["place"]]
    flows = table.where(kind="flows")
    links = table.where(kind="link", system=LEDGER)
    return [
        near(
            "Ledger is near max-min fairness for flows of all sizes at all places",
            flows.where(system=LEDGER),
            points(at),
        ),
        no_longer("flows take no longer than under RCP at any place", flows, points(at)),
        everywhere(
            "the queue is short: its 99th percentile in bandwidth-delay products",
            "not stated",
            {place: Interval.of(links.where(place=place)["queue_bdp"]) for place in at},
            high=SHORT,
        ),
        undropped(
            f"in these runs no packet is dropped below a load of {HIGH_LOAD}, with a buffer of a "
            "bandwidth-delay product",
            {place: links.where(place=place) for place in at if PLACES[place].load < HIGH_LOAD},
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A row for each class of sizes and the queue, a column for what differs."""
    figure, grid = pyplot.subplots(
        len(CLASSES) + 1, len(COLUMNS), figsize=(7, 8), sharex="col", sharey="row"
    )
    flows, links = (table.where(kind=kind) for kind in ("flows", "link"))
    for column, (name, (title, unit)) in enumerate(COLUMNS.items()):
        others = {other: value for other, value in REFERENCE.items() if other != name}
        for ax, size in zip(grid[:-1, column], CLASSES, strict=True):
            lines(ax, flows.where(size_from=size, **others), name, marked=[LEDGER])
        lines(grid[-1, column], links.where(**others), name, "queue_bdp", marked=[LEDGER])
        if unit:
            scales.logarithmic(grid[-1, column], "x", title, unit)
        else:
            grid[-1, column].set_xlabel(title)
    for row, text in zip(grid[:-1], CLASSES.values(), strict=True):
        row[0].set_ylabel(f"{text} packets:\ntime / max-min's")
        for ax in row:
            ax.set_ylim(RATIOS)
            ratios(ax)
    grid[-1, 0].set(ylabel="p99 queue (BDP)", ylim=QUEUES, yticks=(0, 0.5, 1))
    for ax in grid.flat:
        ax.grid(visible=False, axis="x")
        ax.minorticks_off()
    for ax in grid[:-1].flat:
        ax.tick_params(bottom=False)
    for ax in grid[:, 1:].flat:
        ax.tick_params(left=False)
    style.legend_above(figure, grid[0, 0], columns=5)
    return figure


FIGURE = Figure(
    id="own-places",
    title="Ledger over capacities, round trips and loads",
    doc=__doc__,
    run=run,
    table=rows,
    check=check,
    plot=plot,
)
