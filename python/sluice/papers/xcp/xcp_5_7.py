"""Throughput of each of 30 long flows on a link of 30 Mb/s: with a round trip of 40 ms for all
flows (a), and with 40 ms for the first to 330 ms for the last, 10 ms apart (b). XCP, and TCP Reno
with ECN over RED, CSFQ, REM and AVQ. There is no traffic in the other direction. The buffer is the
bandwidth-delay product of the mean round trip, which the thesis leaves open for (b). The rest is
as in [xcp-5-3](#xcp-5-3); a run takes 300 mean round trips, of which 100 do not count. Means over
four seeds.
"""

from __future__ import annotations

import math

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...results import Results
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import by_seed, frame
from ..scale import Scale
from .axis import SEEDS
from .bottleneck import Place
from .comparison import SYSTEMS, TCP, look

CAPACITY, FLOWS = 30e6, 30
PLACES = {
    "equal": Place(CAPACITY, 0.04, flows=FLOWS, back=0),
    "different": Place(CAPACITY, 0.185, flows=FLOWS, back=0, spread=(0.04, 0.33)),
}
TITLES = {"equal": "(a) round trips of 40 ms", "different": "(b) 40 to 330 ms"}
#: XCP is "fair" if its slowest flow has at least this part of the throughput of its fastest one,
#: and has "no bias" if those with the longest round trips have it of those with the shortest. The
#: thesis has no numbers.
FAIR = 0.9
#: Flows at each end that are compared for bias.
THIRD = FLOWS // 3

Runs = dict[tuple[str, str], Results]


def run(scale: Scale) -> Runs:
    """By place and system."""
    return {
        (part, name): scale.run(
            system.scenario(place),
            [system.protocol],
            name=f"xcp-5-7/{part}-{name}",
            seeds=scale.pick(1, SEEDS),
        )
        for part, place in PLACES.items()
        for name, system in SYSTEMS.items()
    }


def table(runs: Runs) -> Frame:
    """A row for each place, system, seed and flow."""
    rows = []
    for (part, name), results in runs.items():
        place, system = PLACES[part], SYSTEMS[name]
        for seed in results.seeds:
            flows = results.flows(system.protocol, seed)
            rates = 8 * flows["delivered_bytes"] / (place.stop - place.warm_up)
            rows += [
                {"part": part, "system": name, "seed": seed, "flow": flow, "bps": float(rate)}
                for flow, rate in enumerate(rates)
            ]
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That XCP is fair, more so than TCP, and has no bias against long round trips."""
    evenness = {part: {name: _evenness(table, part, name) for name in SYSTEMS} for part in PLACES}
    return [
        everywhere(
            "XCP is fair: the throughput of its slowest flow over that of its fastest",
            "a fair bandwidth allocation",
            {f"in {TITLES[part]}": Interval.of(evenness[part]["XCP"]) for part in PLACES},
            low=FAIR,
        ),
        everywhere(
            "it is fairer than TCP over each discipline: this ratio under XCP over TCP's",
            "significantly fairer, regardless of the queuing scheme",
            {
                f"over {name} in {TITLES[part]}": Interval.of(
                    evenness[part]["XCP"] / numpy.maximum(evenness[part][name], 1e-3)
                )
                for part in PLACES
                for name in TCP
            },
            low=1,
        ),
        everywhere(
            f"it has no bias against flows with long round trips: throughput of the {THIRD} with "
            f"the longest over that of the {THIRD} with the shortest",
            "does not have any bias against long RTT flows",
            {"under XCP": _long_over_short(table, "XCP")},
            low=FAIR,
            high=1 / FAIR,
        ),
        everywhere(
            "TCP has one over each discipline: the same ratio",
            "in contrast to other approaches",
            {f"over {name}": _long_over_short(table, name) for name in TCP},
            high=FAIR,
        ),
    ]


def _evenness(table: Frame, part: str, name: str) -> numpy.ndarray:
    """Slowest over fastest, of each seed."""
    rows = by_seed(table.where(part=part, system=name))
    return numpy.array([each["bps"].min() / each["bps"].max() for each in rows])


def _long_over_short(table: Frame, name: str) -> Interval:
    rows = [each["bps"] for each in by_seed(table.where(part="different", system=name))]
    return Interval.of([each[-THIRD:].mean() / each[:THIRD].mean() for each in rows])


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput by flow; a panel for each place."""
    figure, panels = pyplot.subplots(1, 2, figsize=(7, 3), sharey=True)
    for part, ax in zip(PLACES, panels, strict=True):
        _panel(ax, table, part)
    panels[0].set_ylabel("throughput (Mb/s)")
    panels[0].set_ylim(bottom=0)
    style.legend_above(figure, panels[0], columns=len(SYSTEMS))
    return figure


def _panel(ax: Axes, table: Frame, part: str) -> None:
    flows = range(FLOWS)
    for name in SYSTEMS:
        rows = table.where(part=part, system=name)
        found = [
            Interval.of(rows.where(flow=flow)["bps"] / 1e6, minimum=-math.inf) for flow in flows
        ]
        with_bars(ax, flows, found, label=name, elinewidth=0.5, linewidth=0.8, **look(name))
    ax.set_title(TITLES[part])
    ax.set_xlabel("flow")


FIGURE = Figure(
    id="xcp-5-7",
    title="Throughput of flows with equal and with different round trips",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
