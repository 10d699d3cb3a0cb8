"""Completion time against flow size when flows arrive at f = load C / size, the set-up of NCP's
Figures 1 and 2, of which the paper prints neither C nor sizes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ... import theory
from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from .. import completion
from ..claim import Claim, everywhere
from ..completion import ENOUGH
from ..interval import Interval
from ..link import PACKET
from ..rows import frame, kept
from ..scale import Scale
from ..traffic import flow_group, pareto
from ..transport import NS2
from .measured import Flows, measured
from .sides import counts

RTT_S = 0.1
#: "rho_T = 0.9 as is the case in RCP papers" (section 11.1).
LOAD = 0.9
NCP, RCP, XCP, TCP, FLUID = "ncp", "rcp", "xcp", "tcp", "max_min"
#: Edges of the bins of sizes in packets.
SIZES = completion.sizes(1, 3e4, 16)
SEEDS = (2, 10)
#: All sizes together, in the column ``packets_from``.
ALL = 0
Runs = dict[str, Results]


@dataclass(frozen=True)
class Reading:
    """A link and sizes, for those that the paper does not print."""

    capacity_bps: float
    packets: int
    shape: float
    #: Seconds for which flows arrive, at the quick and at the full scale.
    seconds: tuple[float, float]
    #: Seconds before the flows that are measured, where there is a steady state.
    warm_up_s: tuple[float, float]

    def scenario(self, load: float, scale: Scale) -> Scenario:
        """Poisson arrivals at f = load C / size. Above a load of 1 they begin on an idle link, and
        end, so that the link can serve the excess; else they go on until all have finished, for
        twice the time measured at most."""
        excess = load > 1
        seconds = scale.pick(*self.seconds)
        warm_up = 0.0 if excess else scale.pick(*self.warm_up_s)
        stop = warm_up + seconds
        limit = stop + (100 if excess else 2 * seconds)
        sizes = pareto(f"{self.packets} packets", self.shape)
        ends = {"stop": f"{stop:g} s"} if excess else {}
        return Scenario(
            name="arrivals",
            warm_up=f"{warm_up:g} s",
            stop=f"{stop:g} s",
            limit=f"{limit:g} s",
            ideals=[FLUID],
            transport=NS2 | {"recovery": "sack"},
            topology={
                "dumbbell": {
                    "capacity": f"{self.capacity_bps:.0f} bps",
                    "rtt": f"{1e3 * RTT_S:g} ms",
                    "buffer": "1 bdp",
                }
            },
            group=[flow_group("flows", poisson={"load": load, "sizes": sizes} | ends)],
        )

    def link(self, load: float) -> theory.Link:
        """The link of equation (3) of RCP's paper."""
        sizes = theory.pareto(PACKET * self.packets, self.shape)
        return theory.Link(self.capacity_bps, load=load, sizes=sizes, rtt_s=RTT_S)


#: Figure 7 of "Processor Sharing Flows in the Internet", and the link of its Figure 5.
READINGS = {
    "2.4 Gb/s": Reading(2.4e9, 25, 1.2, (0.5, 1.0), (1.0, 1.0)),
    "150 Mb/s": Reading(150e6, 30, 1.4, (5.0, 10.0), (5.0, 5.0)),
}


def run(scale: Scale, load: float, name: str) -> Runs:
    """By reading, all protocols with the same flows."""
    return {
        words: scale.run(
            reading.scenario(load, scale),
            [NCP, RCP, XCP, TCP],
            name=f"{name}/{number}",
            seeds=scale.pick(*SEEDS),
        )
        for number, (words, reading) in enumerate(READINGS.items())
    }


def table(runs: Runs) -> Frame:
    """A row for each reading, protocol or ideal, seed and size, and one for all sizes together.
    Sizes with few flows are left out."""
    rows = []
    for reading, results in runs.items():
        own = [
            {"reading": reading, "protocol": name, "seed": seed, **row}
            for name in (*results.protocols, FLUID)
            for seed in results.seeds
            for row in bins(measured(results.flows(name, seed)))
        ]
        few = {row["packets_from"] for row in own if row["flows"] < ENOUGH}
        rows += [row for row in own if row["packets_from"] not in few]
    return frame(rows)


def bins(flows: Flows) -> Iterator[dict[str, Any]]:
    """The number of flows and their mean and longest completion times, of all sizes and by size;
    flows that did not finish count with their age."""
    packets = numpy.ceil(flows.packets)
    edges = [(ALL, numpy.inf), *itertools.pairwise(SIZES)]
    for begin, end in edges:
        these = (packets >= begin) & (packets < end)
        yield {
            "packets_from": int(begin),
            "packets_to": 0 if begin == ALL else int(end),
            "flows": int(these.sum()),
            "unfinished": int((these & flows.unfinished).sum()),
            "mean_packets": packets[these].mean() if these.any() else None,
            "mean_s": flows.seconds[these].mean() if these.any() else None,
            "max_s": flows.seconds[these].max() if these.any() else None,
        }


def whole(table: Frame, over: str, under: str) -> dict[str, Interval]:
    """The mean completion time of all flows under one over that under another, by reading."""
    rows = table.where(packets_from=ALL)
    return {
        f"at {reading}": Interval.of(
            rows.where(reading=reading, protocol=over)["mean_s"]
            / rows.where(reading=reading, protocol=under)["mean_s"]
        )
        for reading in dict.fromkeys(rows["reading"])
    }


def each_size(table: Frame, reading: str, over: str, under: str) -> dict[str, Interval]:
    """The same at each size, of one reading."""
    return completion.points(completion.ratios(sized(table, reading), over, under))


def sized(table: Frame, reading: str) -> Frame:
    """The rows of a reading without that of all sizes."""
    rows = table.where(reading=reading)
    return kept(rows, rows["packets_from"] != ALL)


def beside(
    table: Frame, own: str, other: str, words: str, paper: str, **bounds: float
) -> list[Claim]:
    """A claim about two protocols for each reading, for all flows; its note counts sizes."""
    titles = {name: style.look(name).title for name in (own, other)}
    return [
        everywhere(
            f"{words}, {at}: {titles[own]}'s mean completion time over {titles[other]}'s",
            paper,
            {at: found},
            note="; by size, "
            + counts(each_size(table, reading, own, other).values(), "sizes")
            + open_ends(table.where(reading=reading), (own, other)),
            **bounds,  # type: ignore[arg-type]
        )
        for reading, (at, found) in zip(
            dict.fromkeys(table["reading"]), whole(table, own, other).items(), strict=True
        )
    ]


def open_ends(table: Frame, names: Iterable[str]) -> str:
    """A note on flows that did not finish."""
    rows = table.where(packets_from=ALL)
    count = {name: int(rows.where(protocol=name)["unfinished"].sum()) for name in names}
    return "".join(
        f"; {number:,} of {style.look(name).title}'s flows did not finish"
        for name, number in count.items()
        if number
    )


def seconds(table: Frame, name: str) -> Mapping[str, Interval]:
    """The mean completion time of all flows in seconds, by reading."""
    rows = table.where(packets_from=ALL, protocol=name)
    return {
        f"at {reading}": Interval.of(rows.where(reading=reading)["mean_s"])
        for reading in dict.fromkeys(rows["reading"])
    }


def plot(
    table: Frame, also: Callable[[Frame, str], Frame] = lambda rows, _: rows
) -> matplotlib.figure.Figure:
    """Mean completion time against size, a panel for each reading. ``also`` adds rows to those of
    a reading."""
    figure, panels = pyplot.subplots(1, len(READINGS), figsize=(7, 2.8))
    for reading, ax in zip(READINGS, panels, strict=True):
        completion.panel(ax, also(sized(table, reading), reading), title="mean completion time")
        ax.set_title(reading)
    style.legend_above(figure, panels[0], columns=6)
    return figure
