"""Ledger, RCP with both settings of [own-places](#own-places), XCP, NCP and TCP with selective
acknowledgements where laws have a hard time. Flows arrive at random (Poisson) with Pareto sizes
(mean 30 packets, shape 1.2). Unless named, the link has 150 Mb/s, a round trip of 100 ms, a load of
0.7 and a buffer of a bandwidth-delay product (BDP). *Loss* is that of data and SYNs behind the
bottleneck's queue; max-min fairness has none. *Both ways* is the load in each direction. The two
last have buffers of 100 packets, and round trips of 0.0125 and of 25 packets.

Mean completion time over max-min's by class of sizes; points above 30 are outside the panels.
Ledger and RCP have ten seeds, the others five; bars are 95 % intervals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import matplotlib.figure
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from .. import places
from ..claim import Claim
from ..closeness import CLASSES, by_size, ratio_if_any, ratios
from ..drawing import clusters
from ..figure import Figure
from ..link import FROM, PACKET, TO
from ..rows import frame
from ..scale import Scale
from ..traffic import flow_group
from .beside import no_longer
from .systems import JUDGED, LEDGER, SEEDS, SYSTEMS, simulate

NAMES = (LEDGER, "RCP", "RCP 0.4", "XCP", "NCP", "TCP SACK")
#: Expected flows of a run at the quick and the full scale.
FLOWS = (1_500, 6_000)
#: Room for packets where a bandwidth-delay product has few.
ROOM = "100 packets"
#: Round trips before measuring where they are short, and the most of the ratios drawn.
SHORT_WARM_UP, HIGHEST = 1000, 30


@dataclass(frozen=True)
class Corner:
    """A place with fields of its own."""

    #: Its name in the plot, in two lines.
    title: str
    #: The scenario with this number of expected flows.
    scenario: Callable[[int], Scenario]
    quick: bool = False


def _plain(flows: int, **fields: Any) -> Scenario:
    return places.place(flows, transport={}, tcp={}, **fields)


def _loss(part: float) -> Callable[[int], Scenario]:
    return lambda flows: _plain(flows, link=[{"from": FROM, "to": TO, "error": part}])


def _buffer(bdps: float) -> Callable[[int], Scenario]:
    return lambda flows: _plain(flows).set({"topology.dumbbell.buffer": f"{bdps} bdp"})


def _both_ways(flows: int) -> Scenario:
    load = {"load": 0.9, "sizes": places.sizes(places.MEAN_PACKETS)}
    back = {"name": "back", "from": "d0", "to": "s0", "poisson": load}
    there = flow_group("flows", poisson=load)
    return _plain(flows // 2, load=0.9, group=[there, back])


def _short(capacity: float, rtt: float) -> Callable[[int], Scenario]:
    """A round trip of few packets, with room for some."""

    def scenario(flows: int) -> Scenario:
        seconds = flows * places.MEAN_PACKETS * PACKET * 8 / (places.LOAD * capacity)
        # A tenth of what is measured, and enough round trips, which take little time.
        warm_up = max(seconds / 10, SHORT_WARM_UP * rtt)
        return _plain(flows, capacity=capacity, rtt=rtt).set(
            {
                "warm_up": f"{warm_up:g} s",
                "stop": f"{warm_up + seconds:g} s",
                "topology.dumbbell.rtt": f"{1e6 * rtt:g} us",
                "topology.dumbbell.buffer": ROOM,
            }
        )

    return scenario


CORNERS = {
    "with a loss of 0.1 %": Corner("loss\n0.1 %", _loss(0.001)),
    "with a loss of 1 %": Corner("loss\n1 %", _loss(0.01), quick=True),
    "with a loss of 5 %": Corner("loss\n5 %", _loss(0.05)),
    "with a buffer of 0.1 BDP": Corner("buffer\n0.1 BDP", _buffer(0.1), quick=True),
    "with a buffer of 0.2 BDP": Corner("buffer\n0.2 BDP", _buffer(0.2)),
    "both ways at a load of 0.9": Corner("both ways\nload 0.9", _both_ways, quick=True),
    "at 10 Mb/s and 10 us": Corner("10 Mb/s\n10 µs", _short(10e6, 10e-6), quick=True),
    "at 10 Gb/s and 20 us": Corner("10 Gb/s\n20 µs", _short(10e9, 20e-6), quick=True),
}


def run(scale: Scale) -> dict[tuple[str, str], Results]:
    """By system and corner, with the same flows at a corner."""
    judged, other = scale.pick((SEEDS[0], 2), (SEEDS[1], 5))
    return {
        (name, at): simulate(
            scale,
            SYSTEMS[name],
            corner.scenario(scale.pick(*FLOWS)),
            f"own-corners/{number}-{place}",
            judged if name in JUDGED else other,
        )
        for place, (at, corner) in enumerate(CORNERS.items())
        if scale.full or corner.quick
        for number, name in enumerate(NAMES)
    }


def table(runs: dict[tuple[str, str], Results]) -> Frame:
    """A row for each system, corner, seed and class of sizes."""
    rows: list[dict[str, Any]] = []
    for (name, at), results in runs.items():
        of: dict[str, Any] = {"system": name, "corner": at}
        rows += by_size(results, **of)
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """The claim that Ledger is nowhere worse than RCP."""
    points = {
        f"{at}, {title} packets": {"corner": at, "size_from": size}
        for at in CORNERS
        for size, title in CLASSES.items()
    }
    return [no_longer("flows take no longer than under RCP in any corner", table, points)]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each class of sizes, a cluster for each corner."""
    figure, axes = pyplot.subplots(len(CLASSES), 1, figsize=(7, 7), sharex=True)
    at = [corner for corner in CORNERS if corner in table["corner"]]
    looks = {name: SYSTEMS[name].line(name) for name in NAMES}
    for ax, (size, title) in zip(axes, CLASSES.items(), strict=True):
        rows = table.where(size_from=size)
        found = {
            name: [ratio_if_any(rows, system=name, corner=corner) for corner in at]
            for name in NAMES
        }
        clusters(ax, [CORNERS[corner].title for corner in at], found, looks)
        ax.set_ylabel(f"{title} packets:\ntime / max-min's")
        ax.set_ylim(top=min(ax.get_ylim()[1], HIGHEST))
        ratios(ax)
    style.legend_above(figure, axes[0], columns=len(NAMES))
    return figure


FIGURE = Figure(
    id="own-corners",
    title="Ledger beside others where laws have a hard time",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
