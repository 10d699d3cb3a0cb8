"""Hosts that lie to routers, under Ledger and XCP. Half of the flows declare their throughput,
round trip or, under Ledger, data left to send over a gain: 8 makes it an eighth of the truth, 1/8
eight times as much. Of these RCP's routers read round trips alone, and its hosts do not lie in
Sluice. Flows arrive at random (Poisson, Pareto sizes of mean 30 packets and shape 1.2) over 150
Mb/s with a round trip of 100 ms, a load of 0.7 and a buffer of a bandwidth-delay product.

On the left is the mean completion time of liars over that of the same flows when nobody lies, and
on the right that of the honest flows, for flows of up to 300 packets above and over 300 below. Ten
seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from .. import places
from ..claim import Claim, everywhere
from ..closeness import by_size
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from ..traffic import flow_group
from .systems import LEDGER, SYSTEMS, simulate

#: Lies with their fields of ``conduct``, and the systems whose routers read what they are about.
LIES = {
    "throughput": ("throughput_gain", (LEDGER, "XCP")),
    "round trip": ("rtt_gain", (LEDGER, "XCP")),
    "data left": ("left_gain", (LEDGER,)),
}
GAINS = (0.125, 0.5, 2.0, 8.0)
HONEST, LIARS = "honest", "liars"
#: Classes of sizes: the smallest in packets, and the name.
CLASSES = {1: "up to 300", 300: "over 300"}
#: Expected flows of a run at the quick and the full scale.
FLOWS = (1_500, 6_000)
#: How much a lie may help liars, and cost others.
GAINED, COST = 0.95, 1.05

#: A system, a lie and its gain.
Key = tuple[str, str, float]
CASES: tuple[Key, ...] = tuple(
    (name, lie, gain) for lie, (_, names) in LIES.items() for name in names for gain in GAINS
)
TRUTH = {name: (name, "none", 1.0) for name in (LEDGER, "XCP")}


def run(scale: Scale) -> dict[Key, Results]:
    """By system, lie and gain, and without lies, with the same flows."""
    quick = [(name, lie, gain) for name, lie, gain in CASES if gain in (min(GAINS), max(GAINS))]
    cases = [*TRUTH.values(), *scale.pick(quick, list(CASES))]
    return {case: _run(scale, *case) for case in cases}


def _run(scale: Scale, name: str, lie: str, gain: float) -> Results:
    conduct: dict[str, Any] = {} if lie == "none" else {"conduct": {LIES[lie][0]: gain}}
    load = {"load": places.LOAD / 2, "sizes": places.sizes(places.MEAN_PACKETS)}
    groups = [flow_group(HONEST, poisson=load), flow_group(LIARS, poisson=load) | conduct]
    return simulate(
        scale,
        SYSTEMS[name],
        places.place(scale.pick(*FLOWS), transport={}, ideals=["max_min"], group=groups),
        f"own-lies/{name.lower()}-{lie.replace(' ', '-')}-{gain:g}",
    )


def table(runs: dict[Key, Results]) -> Frame:
    """A row for each case, group, class and seed: the mean time over that of the same flows when
    nobody lies."""
    rows: list[dict[str, Any]] = []
    for (name, lie, gain), results in runs.items():
        of: dict[str, Any] = {"system": name, "lie": lie, "gain": gain}
        for group in (HONEST, LIARS):
            rows += by_size(results, (*CLASSES, numpy.inf), group=group, who=group, **of)
    truth = {
        tuple(row[key] for key in ("system", "who", "seed", "size_from")): row["mean_s"]
        for row in rows
        if row["lie"] == "none"
    }
    return frame(
        [
            row | {"over": row["mean_s"] / truth[row["system"], row["who"], row["seed"], size]}
            for row in rows
            for size in [row["size_from"]]
            if row["lie"] != "none"
        ]
    )


def check(table: Frame) -> list[Claim]:
    """Claims about what liars gain, and what others lose."""
    ledger, xcp = (table.where(system=name) for name in (LEDGER, "XCP"))
    points = {
        f"{lie} over {gain:g}, {title} packets": {"lie": lie, "gain": gain, "size_from": size}
        for lie in LIES
        for gain in GAINS
        for size, title in CLASSES.items()
        if len(ledger.where(lie=lie, gain=gain))
    }
    liars = {at: _over(ledger.where(who=LIARS, **of)) for at, of in points.items()}
    return [
        everywhere(
            "a lie does not pay under Ledger: liars' mean completion time over that of the same "
            "flows when nobody lies",
            "not stated",
            liars,
            low=GAINED,
        ),
        everywhere(
            "others do not pay for it: the same of honest flows",
            "not stated",
            {at: _over(ledger.where(who=HONEST, **of)) for at, of in points.items()},
            high=COST,
        ),
        everywhere(
            "the lie that pays most gains less than the one under XCP: liars' time over that when "
            "nobody lies, under Ledger over the same under XCP",
            "not stated",
            {
                f"of {title} packets": Interval.of(
                    _best(ledger.where(who=LIARS, size_from=size))
                    / _best(xcp.where(who=LIARS, size_from=size))
                )
                for size, title in CLASSES.items()
            },
            low=1,
        ),
    ]


def _best(rows: Frame) -> numpy.ndarray:
    """Liars' time over that without lies, by seed, with the lie that helps them most."""
    cases = [rows.where(lie=lie, gain=gain)["over"] for lie in LIES for gain in GAINS]
    return min((case for case in cases if len(case)), key=lambda case: float(case.mean()))


def _over(rows: Frame) -> Interval:
    return Interval.of(rows["over"])


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A column for liars and one for honest flows, a row for each class, a line for each lie."""
    figure, grid = pyplot.subplots(len(CLASSES), 2, figsize=(7, 5), sharex=True, sharey="row")
    for row, size in zip(grid, CLASSES, strict=True):
        for ax, who in zip(row, (LIARS, HONEST), strict=True):
            for number, (lie, (_, names)) in enumerate(LIES.items()):
                for name in names:
                    rows = table.where(system=name, lie=lie, who=who, size_from=size)
                    gains = numpy.unique(rows["gain"])
                    with_bars(
                        ax,
                        gains,
                        [_over(rows.where(gain=gain)) for gain in gains],
                        color=style.COLOURS[number],
                        marker=style.MARKERS[number],
                        linestyle="-" if name == LEDGER else "--",
                        elinewidth=0.7,
                        label=f"{lie}, {name}",
                    )
            ax.axhline(1, color="black", linewidth=0.7)
        row[0].set_ylabel(f"{CLASSES[size]} packets:\ntime / that without lies")
    for ax, title in zip(grid[0], (LIARS, HONEST), strict=True):
        ax.set_title(title)
    for ax in grid[-1]:
        ax.set(xscale="log", xlabel="true value / value declared")
        ax.set_xticks(GAINS, ("1/8", "1/2", "2", "8"))
        ax.minorticks_off()
    style.legend_above(figure, grid[0, 0], columns=5)
    return figure


FIGURE = Figure(
    id="own-lies",
    title="Hosts that lie to routers, under Ledger and XCP",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
