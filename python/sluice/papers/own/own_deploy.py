"""Ledger on a path that does not all have it, beside CUBIC and RCP with both settings of
[own-places](#own-places). Flows arrive at random (Poisson, Pareto sizes of mean 30 packets and
shape 1.2) and cross two links in a row, with a round trip of 100 ms: the first of 150 Mb/s, the
second of a capacity named below. The load is 0.7 of the narrower one, buffers are its
bandwidth-delay product.

On the left the first link has the law and the second has none, or both have it. On the right the
second has 1 Gb/s and loses packets both ways, SYNs and their answers among them, after the router
of the first has counted them. Mean completion time over max-min's,
which loses nothing, for flows of up to 300 packets above and over 300 below; points above 30 are
outside the panels. Ten seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from .. import places
from ..claim import Claim, everywhere
from ..closeness import by_size, over, ratio, ratios
from ..drawing import clusters
from ..figure import Figure
from ..rows import frame
from ..scale import Scale
from .beside import no_longer, unfinished_under
from .systems import LEDGER, SETTINGS, SYSTEMS, simulate

NAMES = (LEDGER, *SETTINGS, "CUBIC")
CLASSES = {1: "up to 300", 300: "over 300"}
#: Expected flows of a run at the quick and the full scale, and the most of the ratios drawn.
FLOWS, HIGHEST = (1_000, 6_000), 30
FIRST_BPS = places.CAPACITY


@dataclass(frozen=True)
class Path:
    """The second link."""

    #: Its name in the plot, in two lines.
    title: str
    capacity_bps: float = 1e9
    law: bool = True
    #: The part of packets that it loses.
    loses: float = 0.0

    @property
    def narrower_bps(self) -> float:
        """The capacity of the narrower of both links."""
        return min(FIRST_BPS, self.capacity_bps)


NO_LAW = {
    "at 140 Mb/s with a law": Path("140 Mb/s\nlaw", 140e6),
    "at 140 Mb/s without": Path("140 Mb/s\nno law", 140e6, law=False),
    "at 120 Mb/s without": Path("120 Mb/s\nno law", 120e6, law=False),
    "at 75 Mb/s without": Path("75 Mb/s\nno law", 75e6, law=False),
}
LOSSES = {
    "with a loss of 1 %": Path("loss\n1 %", loses=0.01),
    "with a loss of 5 %": Path("loss\n5 %", loses=0.05),
    "with a loss of 20 %": Path("loss\n20 %", loses=0.2),
}
PATHS = NO_LAW | LOSSES


def run(scale: Scale) -> dict[tuple[str, str], Results]:
    """By system and path, with the same flows on a path."""
    return {
        (name, at): simulate(
            scale,
            SYSTEMS[name],
            _scenario(path, scale.pick(*FLOWS)),
            f"own-deploy/{number}-{place}",
        )
        for place, (at, path) in enumerate(PATHS.items())
        for number, name in enumerate(NAMES)
    }


def _scenario(path: Path, flows: int) -> Scenario:
    room = f"{places.bdp_bytes(path.narrower_bps, places.RTT):.0f} B"
    second: dict[str, Any] = {"capacity": f"{path.capacity_bps:.0f} bps", "buffer": room}
    if not path.law:
        second["router"] = False
    if path.loses:
        second["error"] = path.loses
    links = [
        {"from": "s", "to": "r1", "capacity": "10 Gbps", "delay": "5 ms"},
        {"from": "r1", "to": "r2", "capacity": f"{FIRST_BPS:.0f} bps", "delay": "25 ms"}
        | {"buffer": room},
        {"from": "r2", "to": "d", "delay": "20 ms"} | second,
    ]
    load = {"load": places.LOAD, "sizes": places.sizes(places.MEAN_PACKETS)}
    return places.place(
        flows,
        capacity=path.narrower_bps,
        transport={},
        topology={"link": links},
        group=[{"name": "flows", "from": "s", "to": "d", "poisson": load}],
    )


def table(runs: dict[tuple[str, str], Results]) -> Frame:
    """A row for each system, path, seed and class of sizes."""
    rows: list[dict[str, Any]] = []
    for (name, at), results in runs.items():
        of: dict[str, Any] = {"system": name, "path": at}
        rows += by_size(results, (*CLASSES, numpy.inf), **of)
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """Claims about links without the law, and about what is lost behind a router."""
    ledger, cubic = (table.where(system=name) for name in (LEDGER, "CUBIC"))

    without, lossy = (
        {
            f"{at}, {title} packets": {"path": at, "size_from": size}
            for at in paths
            for size, title in CLASSES.items()
        }
        for paths in ([at for at, path in PATHS.items() if not path.law], LOSSES)
    )
    claims = []
    for where, points in (
        ("where the narrower link has no law", without),
        ("where packets and SYNs are lost", lossy),
    ):
        claims += [
            everywhere(
                f"flows take less time than under CUBIC {where}: mean completion time under Ledger "
                "over that under CUBIC",
                "not stated",
                {at: over(ledger, cubic, **of) for at, of in points.items()},
                high=1,
                note="".join(
                    unfinished_under(name, *(table.where(**of) for of in points.values()))
                    for name in (LEDGER, "CUBIC")
                ),
            ),
            no_longer(f"flows take no longer than under RCP {where}", table, points),
        ]
    return claims


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A row for each class, a column for links without the law and one for losses."""
    figure, grid = pyplot.subplots(
        len(CLASSES), 2, figsize=(7, 4.6), sharex="col", sharey="row", width_ratios=(4, 3)
    )
    looks = {name: SYSTEMS[name].line(name) for name in NAMES}
    for row, (size, title) in zip(grid, CLASSES.items(), strict=True):
        for ax, paths in zip(row, (NO_LAW, LOSSES), strict=True):
            found = {
                name: [ratio(table, system=name, path=at, size_from=size) for at in paths]
                for name in NAMES
            }
            clusters(ax, [path.title for path in paths.values()], found, looks)
        row[0].set_ylabel(f"{title} packets:\ntime / max-min's")
        for ax in row:
            ax.set_ylim(top=min(ax.get_ylim()[1], HIGHEST))
            ratios(ax)
    style.legend_above(figure, grid[0, 0], columns=len(NAMES))
    return figure


FIGURE = Figure(
    id="own-deploy",
    title="Ledger where a link has no law, or loses SYNs",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
