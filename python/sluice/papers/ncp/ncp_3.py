"""SimpSim's tables of mean completion times (Figures 3 to 6): TCP, RCP, NCP and NCP-S on links of
200 to 1000 packets/s with a buffer of C/10 packets and files of 200 to 800 packets. The tables give
neither the round trip nor the number of flows nor the models. Ours has a round trip of 0.1 s, which
makes the buffer one BDP and is what Figure 1's example has; the tables' time for each iteration,
0.17 to 0.22 s, is near what a round trip takes with a full buffer, 0.2 s. Sizes are uniform.

The flows have two readings. *Poisson*: they arrive at random at a load of 0.7. *Together*: four
files start at one instant, and again when the link has long been idle. Under processor sharing a
file takes about 1667/C (Poisson) and 1570/C (together) beyond 1.5 RTT; in the table of NCP-S it is
1605/C to 1749/C.

Lines are the paper's tables, crosses are estimates from formulas (:func:`sluice.estimate`, for
Poisson arrivals, which have a steady state), and circles are packets, filled for Poisson. Packets
have 1000 bytes; TCP has an initial window of 2. NCP has its default alpha, 0.95, and beta, 0.6, and
RCP the paper's 0.1 and 1. Runs have 2000 files by Poisson and 30 times four together (quick: 300,
and 5 times), with ten seeds (quick: three), which draw files; bars are 95 % intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ... import estimate
from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET
from ..rows import frame, having
from ..scale import Scale
from ..traffic import flow_group

RTT_S, LOAD = 0.1, 0.7
SMALLEST, LARGEST = 200, 800
CAPACITIES = tuple(range(200, 1001, 100))
TICKS = (200, 500, 1000)
#: Capacities, files of a run by Poisson, times that four start together, and seeds: quick and full.
SHOWN = ((200, 600, 1000), CAPACITIES)
FLOWS, TIMES, SEEDS = (300, 2000), (5, 30), (3, 10)
#: Number of files that start together, and the packets that the link could carry in between.
FILES, APART = 4, 40_000
#: The bound for "the same" (ours).
CLOSE = 1.25
POISSON, TOGETHER = "poisson", "together"
READINGS = {POISSON: "with Poisson arrivals", TOGETHER: "with four files together"}


@dataclass(frozen=True)
class Law:
    """A protocol with its parameters, and the paper's table."""

    title: str
    protocol: str
    figure: int
    #: ``avgCompletionTime`` in seconds, by capacity.
    printed_s: tuple[float, ...]
    settings: Mapping[str, Any]


# fmt: off
LAWS = {law.title: law for law in (
    Law("TCP", "tcp", 3, (18.355020, 12.781763, 8.212026, 5.696982, 4.591052, 3.617752, 2.935318,
                          2.712573, 2.650614), {}),
    Law("RCP", "rcp", 4, (18.050947, 13.910848, 11.606824, 10.050722, 9.020102, 8.125041, 7.424306,
                          6.789594, 6.345465), {}),
    Law("NCP", "ncp", 5, (8.917652, 5.914731, 4.595455, 3.597167, 2.975374, 2.686840, 2.276415,
                          2.075967, 2.007141), {}),
    Law("NCP-S", "ncp", 6, (8.892529, 5.894903, 4.455842, 3.449792, 2.825743, 2.532917, 2.245854,
                            2.046303, 1.862041), {"ncp": {"counted": "eq6"}}),
)}
# fmt: on
Runs = dict[tuple[str, str, int], tuple[Results, float | None]]


def scenario(law: Law, reading: str, capacity: int, files: int) -> Scenario:
    """This number of files over a link of ``capacity`` packets a second."""
    if reading == POISSON:
        seconds = files * (SMALLEST + LARGEST) / 2 / (LOAD * capacity)
        warm_up, traffic = 0.2 * seconds, {"poisson": {"load": LOAD, "sizes": _sizes()}}
    else:
        seconds, warm_up = files / FILES * APART / capacity, 0.0
        every = f"{APART / capacity:g} s"
        traffic = {"incast": {"every": every, "senders": FILES, "sizes": _sizes()}}
    return Scenario(
        name="simpsim",
        warm_up=f"{warm_up:g} s",
        stop=f"{warm_up + seconds:g} s",
        limit=f"{4 * (warm_up + seconds) + 1000:g} s",
        ideals=["max_min"],
        transport={"initial_window": 2},
        topology={
            "dumbbell": {
                "capacity": f"{8 * PACKET * capacity} bps",
                "rtt": f"{1000 * RTT_S:g} ms",
                "buffer": f"{capacity // 10} packets",
            }
        },
        group=[flow_group("files", **traffic)],
        **law.settings,
    )


def _sizes() -> dict[str, Any]:
    return {"uniform": {"min": f"{SMALLEST} packets", "max": f"{LARGEST} packets"}}


def run(scale: Scale) -> Runs:
    """By law, reading and capacity: packets, and the estimate of Poisson arrivals."""
    found: Runs = {}
    numbers = {POISSON: scale.pick(*FLOWS), TOGETHER: FILES * scale.pick(*TIMES)}
    for law in LAWS.values():
        for reading, number in numbers.items():
            for capacity in scale.pick(*SHOWN):
                files = scenario(law, reading, capacity, number)
                name = f"ncp-3/{law.title}-{reading}-{capacity}"
                results = scale.run(files, [law.protocol], name=name, seeds=scale.pick(*SEEDS))
                steady = _estimate(files, law) if reading == POISSON else None
                found[law.title, reading, capacity] = results, steady
    return found


def _estimate(files: Scenario, law: Law) -> float | None:
    """The mean completion time in seconds; None if there is no steady state."""
    found = estimate(files, [law.protocol])
    if not found.converged[law.protocol] or found.overloaded[law.protocol]:
        return None
    row = found.groups().where(protocol=law.protocol)
    return float(row["completion_mean"][0])


def table(runs: Runs) -> Frame:
    """A row for each law, reading, capacity and seed, with mean times in seconds."""
    return frame(
        [
            {
                "law": title,
                "reading": reading,
                "capacity": capacity,
                "seed": seed,
                "printed_s": LAWS[title].printed_s[CAPACITIES.index(capacity)],
                "estimated_s": steady,
                **_measured(results, LAWS[title].protocol, seed),
            }
            for (title, reading, capacity), (results, steady) in runs.items()
            for seed in results.seeds
        ]
    )


def _measured(results: Results, protocol: str, seed: int) -> dict[str, Any]:
    """A flow that had not finished when the run ended counts as finished then."""
    flows = results.flows(protocol, seed)
    completion, measured = flows["completion_ns"], flows["measured"]
    open_end = numpy.isnan(completion)
    end = numpy.nanmax(flows["start_ns"] + completion)
    took = numpy.where(open_end, end - flows["start_ns"], completion)
    return {
        "flows": int(measured.sum()),
        "unfinished": int((open_end & measured).sum()),
        "packets_s": float(took[measured].mean()) / 1e9,
        "shared_s": float(flows["ideal_ns"][measured].mean()) / 1e9,
    }


def check(table: Frame) -> list[Claim]:
    """The sentences and the tables, for both readings; then estimates beside packets."""
    return [
        *(claim for reading in READINGS for claim in _order(table, reading)),
        *(_same(table, title) for title in LAWS),
        *(_estimated(table, title) for title in LAWS),
    ]


def _order(table: Frame, reading: str) -> list[Claim]:
    where = READINGS[reading]
    others = [title for title in LAWS if title != "NCP-S"]
    above = _beside(table, reading, "RCP", ["TCP"])
    note = _unfinished(table, reading)
    return [
        everywhere(
            f"NCP-S outperforms them all, {where}: its AFCT over the others'",
            _printed("NCP-S", others),
            _beside(table, reading, "NCP-S", others),
            high=1,
            note=note,
        ),
        everywhere(
            f"NCP outperforms both TCP and RCP, {where}: its AFCT over theirs",
            _printed("NCP", ["TCP", "RCP"]),
            _beside(table, reading, "NCP", ["TCP", "RCP"]),
            high=1,
            note=note,
        ),
        everywhere(
            f"RCP does not always outperform TCP, {where}: its AFCT over TCP's at the largest "
            "capacity",
            _printed("RCP", ["TCP"], since=CAPACITIES[-1]),
            {at: ratio for at, ratio in above.items() if f"at {CAPACITIES[-1]} " in at},
            low=1,
        ),
        everywhere(
            f"RCP outperforms TCP at 200 packets/s alone, {where}: its AFCT over TCP's at higher "
            "capacities",
            _printed("RCP", ["TCP"], since=300),
            {at: ratio for at, ratio in above.items() if "at 200 " not in at},
            low=1,
            also=next(ratio for at, ratio in above.items() if "at 200 " in at).below(1),
            taken="above 1 at each, and below 1 at 200 packets/s",
            note=f"; {next(ratio for at, ratio in above.items() if 'at 200 ' in at):.2f} at 200",
        ),
    ]


def _beside(table: Frame, reading: str, title: str, others: list[str]) -> dict[str, Interval]:
    """AFCT over that of other laws, seed by seed."""
    own = table.where(reading=reading)
    return {
        f"of {other}'s at {capacity} packets/s": Interval.of(
            own.where(law=title, capacity=capacity)["packets_s"]
            / own.where(law=other, capacity=capacity)["packets_s"]
        )
        for other in others
        for capacity in _capacities(table)
    }


def _printed(title: str, others: list[str], since: int = 0) -> str:
    """The least and the most of the tables' ratios."""
    found = [
        own / other
        for name in others
        for capacity, own, other in zip(
            CAPACITIES, LAWS[title].printed_s, LAWS[name].printed_s, strict=True
        )
        if capacity >= since
    ]
    return " to ".join(dict.fromkeys(f"{end:.2f}" for end in (min(found), max(found))))


def _unfinished(table: Frame, reading: str) -> str:
    rows = table.where(reading=reading)
    left = {title: int(rows.where(law=title)["unfinished"].sum()) for title in LAWS}
    named = [f"{count} of {title}" for title, count in left.items() if count]
    return f"; unfinished flows, which count with their age: {', '.join(named)}" if named else ""


def _same(table: Frame, title: str) -> Claim:
    """The table itself, in the reading that is closer to it."""
    found = {
        reading: _points(
            table.where(law=title, reading=reading),
            lambda rows: rows["packets_s"] / rows["printed_s"],
        )
        for reading in READINGS
    }
    off = {
        reading: max(abs(numpy.log(ratio.mean)) for ratio in ratios.values())
        for reading, ratios in found.items()
    }
    closer = min(off, key=lambda reading: off[reading])
    return everywhere(
        f"Figure {LAWS[title].figure}: {title}'s AFCT over the table's, {READINGS[closer]}, the "
        "closer reading",
        "1",
        found[closer],
        low=1 / CLOSE,
        high=CLOSE,
    )


def _estimated(table: Frame, title: str) -> Claim:
    """Formulas beside packets."""
    rows = table.where(law=title, reading=POISSON)
    known = having(rows, "estimated_s")
    missing = sorted({*_capacities(rows)} - {*_capacities(known)})
    return everywhere(
        f"formulas without packets (SimpSim) give {title}'s AFCT: estimated over packets'",
        "not stated",
        _points(known, lambda own: own["estimated_s"] / own["packets_s"]),
        low=1 / CLOSE,
        high=CLOSE,
        note=f"; no steady state at {', '.join(map(str, missing))}" if missing else "",
    )


def _points(rows: Frame, of: Callable[[Frame], numpy.ndarray]) -> dict[str, Interval]:
    return {
        f"at {capacity} packets/s": Interval.of(of(rows.where(capacity=capacity)))
        for capacity in _capacities(rows)
    }


def _capacities(table: Frame) -> list[int]:
    return [int(capacity) for capacity in numpy.unique(table["capacity"])]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Mean completion time against capacity; a panel for each law."""
    figure, panels = pyplot.subplots(1, len(LAWS), figsize=(8, 2.7), sharey=True)
    for ax, law in zip(panels, LAWS.values(), strict=True):
        _panel(ax, law, table.where(law=law.title))
        ax.set(title=law.title, xscale="log", xlabel="C (packets/s)")
        ax.set_xticks(TICKS, [f"{tick}" for tick in TICKS])
        ax.minorticks_off()
    scales.logarithmic(panels[0], "y", "mean completion time", "s")
    style.legend_above(figure, panels[0], columns=4)
    return figure


def _panel(ax: Axes, law: Law, rows: Frame) -> None:
    colour = style.looks([law.protocol])[law.protocol].colour
    ax.plot(CAPACITIES, law.printed_s, color="black", label="paper's table")
    for reading, face in ((POISSON, colour), (TOGETHER, "white")):
        own = rows.where(reading=reading)
        found = _points(own, lambda each: each["packets_s"])
        with_bars(
            ax,
            _capacities(own),
            list(found.values()),
            label=f"packets, {READINGS[reading].removeprefix('with ')}",
            color=colour,
            marker="o",
            markerfacecolor=face,
            linestyle="",
            elinewidth=0.7,
        )
    steady = rows.where(reading=POISSON)
    estimated = [steady.where(capacity=at)["estimated_s"][0] for at in _capacities(steady)]
    ax.plot(
        _capacities(steady),
        numpy.array(estimated, dtype=float),
        "x",
        color=style.ALARM,
        label="estimate",
    )


FIGURE = Figure(
    id="ncp-3",
    title="SimpSim's tables of completion times, beside packets and formulas",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
    also=("ncp-4", "ncp-5", "ncp-6"),
)
