"""A crowd of flows of 100 packets that start together, on PS-5's link (150 Mb/s, round trip 100 ms,
a buffer of BDP, 1875 packets) with a load of 0.3 (Pareto sizes, mean 30 packets, shape 1.2). RCP
has the settings of the papers, and also alpha and beta of 0.4; TCP is Reno with an initial window
of 2, and also with selective acknowledgements. Bystanders are the flows of the load that start
within 10 s of the crowd. Ten seeds; bars are 95 % intervals. The paper has no such figure: it says
that queues only build up from short-term mistakes, and that it saw no drop.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from .. import places
from ..claim import Claim, everywhere
from ..closeness import CLOSE, SACK, WITH_SACK, by_size, line, over, ratio, ratios
from ..figure import Figure
from ..scale import Scale

CROWDS = [1, 3, 10, 30, 100, 300, 1000]
#: Systems: protocol and parameters.
SYSTEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "RCP": ("rcp", {}),
    "RCP, alpha and beta 0.4": ("rcp", {"rcp.alpha": 0.4, "rcp.beta": 0.4}),
    "XCP": ("xcp", {}),
    "TCP": ("tcp", {}),
    SACK: ("tcp", WITH_SACK),
}
#: Groups, with their names and the possessives of these.
GROUPS = {"crowd": ("the crowd", "the crowd's"), "load": ("bystanders", "bystanders'")}


def run(scale: Scale) -> dict[tuple[str, int], Results]:
    """By system and size of the crowd, with the same flows."""
    seeds = scale.pick(3, 10)
    return {
        (system, crowd): scale.run(
            places.with_crowd(crowd).set(parameters),
            [protocol],
            name=f"limits-crowd/{number}-{crowd}",
            seeds=seeds,
        )
        for number, (system, (protocol, parameters)) in enumerate(SYSTEMS.items())
        for crowd in CROWDS
    }


def table(runs: dict[tuple[str, int], Results]) -> Frame:
    """A row for each system, size of the crowd, seed and group."""
    rows: list[dict[str, Any]] = []
    for (system, crowd), results in runs.items():
        for group in GROUPS:
            every = (1, numpy.inf)
            rows += by_size(results, every, group=group, system=system, crowd=crowd, who=group)
    return Frame(pyarrow.Table.from_pylist(rows))


def check(table: Frame) -> list[Claim]:
    """Claims about RCP relative to processor sharing and TCP, by size of the crowd."""
    close, sooner = {}, {}
    for group, (title, _) in GROUPS.items():
        rows = table.where(who=group)
        own, tcp = (rows.where(system=system) for system in ("RCP", "TCP"))
        for crowd in CROWDS:
            at = f"of {title} with {crowd} flows"
            close[at] = ratio(own, crowd=crowd)
            sooner[at] = over(own, tcp, crowd=crowd)
    return [
        everywhere(
            "RCP is close to processor sharing however large the crowd: RCP's mean completion time "
            "over processor sharing's",
            "mistakes of the rate are short",
            close,
            high=CLOSE,
            why=_repeats(table),
        ),
        everywhere(
            "RCP takes less time than TCP however large the crowd: RCP's mean completion time over "
            "TCP's",
            "much faster",
            sooner,
            high=1,
            why=_repeats(table),
        ),
    ]


def _repeats(table: Frame) -> str:
    largest = table.where(system="RCP", who="crowd", crowd=max(CROWDS))
    times = largest["repeats"].mean()
    return (
        f"packets of a crowd of {max(CROWDS)} flows are retransmitted {times:.1f} times on average"
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for the crowd and one for bystanders, with a line for each system."""
    figure, axes = pyplot.subplots(1, 2, figsize=(7, 2.8), sharey=True)
    looks = style.looks([protocol for protocol, _ in SYSTEMS.values()])
    for (group, (_, title)), ax in zip(GROUPS.items(), axes, strict=True):
        for system, (protocol, parameters) in SYSTEMS.items():
            look = looks[protocol]
            colour = style.shades(look.colour, 2)[1] if parameters else look.colour
            rows = table.where(who=group, system=system)
            line(ax, rows, "crowd", color=colour, marker=look.marker, label=system)
        scales.logarithmic(ax, "x", "flows of the crowd", "")
        ax.set_ylabel(f"{title} time / processor sharing's")
        style.legend(ax)
    for ax in axes:
        ratios(ax)
    return figure


FIGURE = Figure(
    id="limits-crowd",
    title="A crowd of flows at once, under RCP, XCP and TCP",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
