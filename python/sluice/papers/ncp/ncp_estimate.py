"""Estimates without packets beside packets, in scenarios that the models were not made for: 200 are
drawn at random (12 at the quick scale). SimpSim is to give "the performance metrics" by "queueing
theory and accurate analytical models derived from the protocols" (section 11.2.1); ours is
:func:`sluice.estimate`.

Each is a link of 10 to 300 Mb/s and 5 to 200 ms with a load of 0.2 to 0.9 (0.6 beside long flows)
and a buffer of 0.25 to 2 BDP, all but loads uniform in the logarithm; flows have 10 to 300 packets
on average, all the same, exponential, hyper-exponential (a squared coefficient of variation of 10)
or Pareto (shape 1.5). In turn there are one group of flows; two, the second with three times the
round trip; three such links in a row with half of the load across all of them; flows in both
directions; 1 to 10 long flows beside; or a stream of datagrams of 0.1 to 0.3 of the link beside,
which is part of the load. Each run measures at least 2000 flows of each group on average (quick:
500) and 200 round trips, with one seed; a flow that had not finished when the run ended counts as
finished then.

A point is a group of flows: its estimated mean completion time over the measured one. Max-min is
the ideal's fluid over the same flows: how far it is from 1 is mostly what one seed's draw of sizes
and arrivals brings, for all, so the ratios of protocols are over that of max-min for the same
group. Dark points are those for which the estimate converges and states no doubt. A scenario
counts if all of its groups do. Criterion (ours): in nine tenths of these all groups are within a
factor of 1.25.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ... import Estimate, estimate
from ...frame import Frame
from ...plot import style
from ...results import Results
from ..claim import Claim
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from ..verdict import Verdict
from .drawn import Drawn

COUNTS = (12, 200)
#: Arrivals of each group in the time measured, on average.
FLOWS = (500, 2000)
#: Within this factor of packets, and how many of the groups are to be.
CLOSE, MOST = 1.25, 0.9
#: The width of a dot, on the axis of loads.
DOT = 0.002
#: The axis ends here; points beyond are at its end.
FURTHEST = 10.0
IDEAL = "max_min"
#: By title: the protocol, its settings.
SYSTEMS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "max-min": (IDEAL, {}),
    "RCP": ("rcp", {}),
    "XCP": ("xcp", {}),
    "NCP": ("ncp", {}),
    "NCP-S": ("ncp", {"ncp": {"counted": "eq6"}}),
    "TCP": ("tcp", {}),
}
SURE, DOUBTED, NONE = "sure", "doubted", "none"
Runs = list[tuple[Drawn, str, Results, Estimate]]


def run(scale: Scale) -> Runs:
    """Packets and the estimate of each scenario, under each system."""
    found: Runs = []
    for number in range(scale.pick(*COUNTS)):
        drawn = Drawn.of(number)
        for title, (name, settings) in SYSTEMS.items():
            if name == IDEAL:
                continue
            scenario = drawn.scenario(scale.pick(*FLOWS), **settings)
            results = scale.run(scenario, [name], name=f"ncp-estimate/{number}-{title}")
            steady = estimate(scenario, [name])
            found.append((drawn, title, results, steady))
    return found


def table(runs: Runs) -> Frame:
    """A row for each scenario, system and group."""
    rows: list[dict[str, Any]] = []
    drawn_by: dict[tuple[int, str], float | None] = {}
    for drawn, title, results, steady in runs:
        first = (drawn.number, next(iter(drawn.groups))) not in drawn_by
        # One fluid for each scenario is enough: it has the flows of the seed, not the system's.
        for name in ("max-min", title) if first else (title,):
            for row in _rows(drawn, name, results, steady):
                if name == "max-min":
                    drawn_by[drawn.number, row["group"]] = row["ratio"]
                elif row["ratio"] is not None:
                    row["ratio"] /= drawn_by[drawn.number, row["group"]] or 1.0
                rows.append(row)
    return frame(rows)


def _rows(drawn: Drawn, title: str, results: Results, steady: Estimate) -> list[dict[str, Any]]:
    name = SYSTEMS[title][0]
    measured = _measured(results, name)
    groups = steady.groups().where(protocol=name)
    return [
        {
            "scenario": drawn.number,
            "shape": drawn.shape,
            "load": drawn.load,
            "law": title,
            "group": group,
            "measured_s": measured[group],
            **_estimated(groups.where(group=group), name, steady, measured[group]),
        }
        for group in drawn.groups
    ]


def _measured(results: Results, name: str) -> dict[str, float]:
    """Mean completion times of groups of flows with a size, in seconds."""
    flows = results.flows(name)
    took, sized = flows["completion_ns"] / 1e9, flows["measured"] & (flows["size_bytes"] > 0)
    started = flows["start_ns"] / 1e9
    took = numpy.where(numpy.isnan(took), numpy.nanmax(started + took) - started, took)
    groups = numpy.array([name.partition(".")[0] for name in flows["group"].astype(str)])
    return {
        group: float(took[sized & (groups == group)].mean())
        for group in numpy.unique(groups[sized])
    }


def _estimated(row: Frame, name: str, steady: Estimate, measured: float) -> dict[str, Any]:
    """``ratio`` is over the measured mean time."""
    seconds = float(row["completion_mean"][0]) if len(row) else numpy.nan
    if not steady.converged.get(name) or numpy.isnan(seconds):
        return {"estimated_s": None, "ratio": None, "state": NONE}
    state = DOUBTED if row["doubts"][0] else SURE
    return {"estimated_s": seconds, "ratio": seconds / measured, "state": state}


def check(table: Frame) -> list[Claim]:
    """Each law by itself."""
    return [_close(table, title) for title in SYSTEMS]


def _close(table: Frame, title: str) -> Claim:
    rows = table.where(law=title)
    sure, doubted = (_furthest(rows.where(state=state)) for state in (SURE, DOUBTED))
    # A scenario of which some group has a doubt, or no estimate, is not sure.
    for number in {*doubted, *_furthest(rows.where(state=NONE))}:
        sure.pop(number, None)
    off = numpy.array([*sure.values()])
    says = (
        f"the estimate of {title} is that of {'the fluid' if title == 'max-min' else 'packets'}: "
        f"part of the scenarios within a factor of {CLOSE:g}"
    )
    taken = f"above {MOST:g}"
    if not len(off):
        return Claim(says, "not stated", "no scenario is left", Verdict.UNDECIDED, taken)
    note = [
        f"nine tenths within {numpy.quantile(off, MOST):.3g}, all within {off.max():.3g}",
        f"{len(off)} of {len({*rows['scenario']})} scenarios",
    ]
    if doubted:
        within = numpy.quantile([*doubted.values()], MOST)
        note.append(f"{len(doubted)} with a doubt, nine tenths within {within:.3g}")
    if none := len({*rows.where(state=NONE)["scenario"]}):
        note.append(f"{none} without a steady state")
    part = Interval.counted(int((off <= CLOSE).sum()), len(off))
    verdict = part.above(MOST)
    why = "" if verdict is Verdict.HOLDS else _where(rows, sure)
    return Claim(says, "not stated", f"{part:.2f}; {'; '.join(note)}", verdict, taken, why)


def _furthest(rows: Frame) -> dict[int, float]:
    """By scenario, the factor by which the estimate of its worst group is off."""
    found: dict[int, float] = {}
    for number, off in zip(rows["scenario"], numpy.abs(numpy.log(_ratio(rows))), strict=True):
        found[int(number)] = max(found.get(int(number), 1.0), float(numpy.exp(off)))
    return found


def _ratio(rows: Frame) -> numpy.ndarray:
    return rows["ratio"].astype(float)


def _where(rows: Frame, sure: Mapping[int, float]) -> str:
    """The shapes of scenarios that are further off than that more often than one in ten."""
    named = []
    for shape in dict.fromkeys(rows["shape"]):
        own = rows.where(shape=shape)
        off = numpy.array([sure[number] for number in {*own["scenario"]} if number in sure])
        if len(off) and (far := off > CLOSE).mean() > 1 - MOST:
            median = numpy.median(_ratio(own.where(state=SURE)))
            named.append(f"{int(far.sum())} of {len(off)} {shape} (median ratio {median:.2f})")
    return f"further off: {', '.join(named)}" if named else ""


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Estimated over measured against load; a panel for each law."""
    figure, grid = pyplot.subplots(2, 3, figsize=(7, 4.4), sharex=True, sharey=True)
    for title, ax in zip(SYSTEMS, grid.flat, strict=True):
        _panel(ax, title, table.where(law=title))
    for ax in grid[:, 0]:
        ax.set_ylabel("estimated / measured")
    for ax in grid[1]:
        ax.set_xlabel("load")
    style.legend_above(figure, grid.flat[0], columns=2)
    return figure


def _panel(ax: Axes, title: str, rows: Frame) -> None:
    dark, light = style.shades(style.look(SYSTEMS[title][0]).colour, 2)
    for state, colour, words in ((DOUBTED, light, "with a doubt"), (SURE, dark, "no doubt")):
        own = rows.where(state=state)
        at = numpy.clip(_ratio(own), 1 / FURTHEST, FURTHEST)
        # A line of very short pieces takes half of the room of as many markers in an SVG.
        x = numpy.column_stack([own["load"], own["load"] + DOT, numpy.full(len(own), numpy.nan)])
        y = numpy.column_stack([at, at, at])
        [dots] = ax.plot(x.ravel(), y.ravel(), color=colour, linewidth=3, label=words)
        dots.set_solid_capstyle("round")
    ax.axhspan(1 / CLOSE, CLOSE, color=style.GREY, alpha=0.2, linewidth=0)
    ax.set(title=title, yscale="log", ylim=(0.9 / FURTHEST, 1.1 * FURTHEST))
    ticks = (0.1, 0.2, 0.5, 1, 2, 5, 10)
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()


FIGURE = Figure(
    id="ncp-estimate",
    title="Estimates without packets beside packets, in 200 scenarios drawn at random",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
