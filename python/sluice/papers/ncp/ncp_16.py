"""Where RCP counts flows rightly, (16) to (18). Left: RCP's N = C/R over the N of (16), for which
(1) gives the rate of NCP's (5), against the load y/C, as printed with alpha 0.1 and beta 1; circles
are the roots of (18) that a load can have, and q/d0 is in parts of C. Dashed is C/R over the true
number of flows if each sends at R, which is C/y whatever the queue.

Right: RCP in packets, a point for each third round trip of 100 ms. Long flows start within 20 ms on
100 Mb/s without a limit on the queue, at an R(0) that makes y each of the roots without a queue,
0.092 C and 10.908 C (which takes 11 flows or more), and at RCP's own 0.05 C. Updates are once each
d0, as in (1), and access links 20 times as fast. Well is the opposite of what the paper lists:
over the first ten round trips of data (the steady state: the second half of 60 s) neither delays
nor unused capacity, and within ten round trips a C/R that stays within 10 % of its mean in the
second half (600 is the end of the run). There are no losses without a limit. Seeds draw starts.

(16) gives NCP's (5) RCP's alpha, by which NCP would fill a tenth of the link. With alpha 1 the
roots of (18) are y = C, and y = C - q/d0, where neither protocol changes the rate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ...theory import flow_count
from ..claim import Claim
from ..figure import Figure
from ..interval import Interval
from ..link import link_metrics, samples
from ..rows import frame
from ..scale import Scale
from ..traffic import flow_group
from ..verdict import Verdict

CAPACITY, RTT_S, STOP_S = 100e6, 0.1, 60.0
#: q/(d0 C) of the curves, and the loads drawn.
DRAINS, LEAST, FARTHEST = (0.0, 0.1, 0.5), 0.03, 20.0
#: What the paper prints: q/d0 and C with the roots y.
PRINTED = ((0.0, 1.0, 0.092), (0.0, 1.0, 10.908), (5.0, 10.0, 25.62))
LOW, OWN, HIGH = "0.092 C", "RCP's own", "10.908 C"
OWN_START = 0.05
FLOWS = ((4, 20), (4, 20, 100))
SEEDS = (3, 5)
#: Ours, as the paper has no numbers for "under-utilizing", "delays" and "slow": up to this
#: utilization, from this mean queue in BDP on, and C/R this close to its last mean not within this
#: number of round trips, over which utilization and queue are measured too.
USED, WAITING, CLOSE, SOON = 0.9, 0.25, 0.1, 10
UNUSED, DELAYS, SLOW = "unused capacity", "delays", "slow convergence"
#: The first round trips of data, and the second half.
FIRST, LATE = "first", "late"
#: (18) is satisfied within this ratio of both N.
SATISFIED = 2.0


@dataclass(frozen=True)
class Start:
    """Flows that start together at an R(0)."""

    kind: str
    flows: int

    @property
    def share(self) -> float:
        """R(0)/C."""
        low, high = flow_count.loads(0.0)
        return {LOW: low / self.flows, OWN: OWN_START, HIGH: high / self.flows}[self.kind]

    def scenario(self) -> Scenario:
        """The flows on a dumbbell."""
        return Scenario(
            name="count",
            stop=f"{STOP_S:g} s",
            limit=f"{STOP_S:g} s",
            ideals=[],
            topology={"dumbbell": {**LINK, "capacity": f"{CAPACITY:.0f} bps"}},
            group=[flow_group("long", long={"count": self.flows, "within": "20 ms"})],
            metrics=[link_metrics("100 ms")],
            rcp={"initial_rate": self.share, "interval": "10 s", "initial_rtt": "100 ms"},
        )


LINK = {"access": f"{20 * CAPACITY:.0f} bps", "rtt": "100 ms", "buffer": "unlimited"}
Runs = dict[Start, Results]


def run(scale: Scale) -> Runs:
    """By start and number of flows."""
    starts = [
        Start(kind, flows)
        for flows in scale.pick(*FLOWS)
        for kind in (LOW, OWN, HIGH)
        if Start(kind, flows).share <= 1
    ]
    return {
        start: scale.run(
            start.scenario(),
            ["rcp"],
            name=f"ncp-16/{place}",
            seeds=scale.pick(*SEEDS),
        )
        for place, start in enumerate(starts)
    }


def table(runs: Runs) -> Frame:
    """The curves and roots, then the windows of each run, then round trips of the first seeds."""
    loads = numpy.geomspace(LEAST, FARTHEST, 120)
    rows: list[dict[str, Any]] = [
        {
            "kind": "curve",
            "drain": drain,
            "load": float(load),
            "count": flow_count.estimated_over_exact(float(load), drain),
        }
        for drain in DRAINS
        for load in loads
    ]
    rows += [
        {"kind": "root", "drain": drain, "load": load, "count": 1.0}
        for drain in DRAINS
        for load in flow_count.reachable(drain)
    ]
    rows += [
        _row(start, results, seed, window)
        for start, results in runs.items()
        for seed in results.seeds
        for window in (FIRST, LATE)
    ]
    return frame(rows + [row for start, results in runs.items() for row in _trips(start, results)])


def _samples(results: Results, seed: int) -> tuple[numpy.ndarray, ...]:
    """R/C, y/C and the queue in BDP at the end of each round trip."""
    rate, load, queue = (
        samples(results, "rcp", name, seed).values for name in ("R", "load", "queue_bytes")
    )
    return rate / CAPACITY, load, 8 * queue / (CAPACITY * RTT_S)


def _row(start: Start, results: Results, seed: int, window: str) -> dict[str, Any]:
    share, load, queue = _samples(results, seed)
    counts = flow_count.estimated(1.0) / share / start.flows
    half = len(counts) // 2
    off = numpy.flatnonzero(abs(counts / counts[half:].mean() - 1) > CLOSE)
    # The first round trip has SYNs only.
    begin, end = (1, 1 + SOON) if window == FIRST else (half, len(counts))
    mean_load, mean_queue = float(load[begin:end].mean()), float(queue[begin:end].mean())
    grown = (queue[end - 1] - queue[begin - 1]) / (end - begin)
    return {
        "kind": "run",
        "start": start.kind,
        "flows": start.flows,
        "seed": seed,
        "window": window,
        # Departures are arrivals less the growth of the queue.
        "utilization": mean_load - float(grown),
        "queue_bdp": mean_queue,
        "settled_rtts": float(off[-1] + 1) if len(off) else 0.0,
        "count": float(counts[begin:end].mean()),
        "over_exact": flow_count.estimated_over_exact(mean_load, mean_queue),
    }


def _trips(start: Start, results: Results) -> list[dict[str, Any]]:
    share, load, _ = _samples(results, results.seeds[0])
    # A rate granted now arrives as load from a round trip on, for a round trip.
    return [
        {
            "kind": "trip",
            "start": start.kind,
            "flows": start.flows,
            "load": float(there),
            "count": float(1 / part / start.flows),
        }
        for part, there in zip(share[:200:3], load[2:202:3], strict=True)
    ]


def check(table: Frame) -> list[Claim]:
    """What is printed, then RCP in packets."""
    first, late = (table.where(kind="run", window=window) for window in (FIRST, LATE))
    return [
        *(_printed(*each) for each in PRINTED),
        *(_well_there(start, _at(first, start)) for start in (LOW, HIGH)),
        _well_only_there("from its own start", _at(first, OWN), (DELAYS, UNUSED, SLOW)),
        _well_only_there("its steady state", _at(late, OWN), (DELAYS, UNUSED)),
    ]


def _at(runs: Frame, start: str) -> dict[str, Frame]:
    own = runs.where(start=start)
    return {f"with {flows} flows": own.where(flows=flows) for flows in numpy.unique(own["flows"])}


def _printed(drain: float, capacity: float, printed: float) -> Claim:
    found = [capacity * root for root in flow_count.loads(drain / capacity)]
    unit = " C" if capacity == 1 else ""
    digits = len(str(printed).split(".")[1])
    return Claim(
        f"(18) with alpha 0.1, beta 1, q/d0 = {drain:g}, C = {capacity:g}: a value of y where RCP "
        "works well",
        paper=f"y = {printed:g}{unit}",
        ours=f"y = {found[0]:.3f}{unit} or {found[1]:.3f}{unit}",
        verdict=Verdict.of(printed in [round(root, digits) for root in found]),
        taken="one of the roots, in the digits printed",
        why="" if found[0] > 0 else f"the only root above 0 is {found[1]:.2f}",
    )


def _faults(runs: Frame) -> dict[str, Verdict]:
    """Whether there are none of what "well" excludes."""
    return {
        DELAYS: Interval.of(runs["queue_bdp"]).below(WAITING),
        UNUSED: Interval.of(runs["utilization"]).above(USED),
        SLOW: Interval.of(runs["settled_rtts"]).below(SOON),
    }


def _well_there(start: str, points: dict[str, Frame]) -> Claim:
    faults = {at: _faults(runs) for at, runs in points.items()}
    return Claim(
        f"RCP works well if y is {start}: from a start at this load",
        paper=f"no {DELAYS}, {UNUSED} or {SLOW}",
        ours=_states(points),
        verdict=Verdict.all(each for at in faults for each in faults[at].values()),
        taken=_taken((DELAYS, UNUSED, SLOW)),
        why="; ".join(
            f"{at} {', '.join(name for name in found if found[name] is not Verdict.HOLDS)}"
            for at, found in faults.items()
            if Verdict.all(found.values()) is not Verdict.HOLDS
        ),
    )


def _well_only_there(where: str, points: dict[str, Frame], excluded: tuple[str, ...]) -> Claim:
    """That RCP does not perform well where (18) does not hold: one point at which it has none of
    what the paper lists is enough against it. Points at which (18) holds say nothing."""
    well = {
        at: Verdict.all(_faults(runs)[name] for name in excluded)
        for at, runs in points.items()
        if not _satisfied(runs).any()
    }
    against = [at for at, each in well.items() if each is Verdict.HOLDS]
    verdict = Verdict.UNDECIDED
    if against:
        verdict = Verdict.FAILS
    elif set(well.values()) == {Verdict.FAILS}:
        verdict = Verdict.HOLDS
    return Claim(
        "for all values which do not satisfy (18) RCP does not perform well, by "
        f"{', '.join(excluded[:-1])} or {excluded[-1]}: {where}",
        paper="one of these",
        ours=_states(points),
        verdict=verdict,
        taken=_taken(excluded),
        why=f"it has none {', '.join(against)}" if against else "",
    )


def _satisfied(runs: Frame) -> numpy.ndarray:
    return (runs["over_exact"] > 1 / SATISFIED) & (runs["over_exact"] < SATISFIED)


def _taken(excluded: tuple[str, ...]) -> str:
    bounds = {
        DELAYS: f"queue from {WAITING:g} BDP",
        UNUSED: f"utilization up to {USED:g}",
        SLOW: f"from {SOON} round trips until C/R stays near its mean in the second half",
    }
    without = "" if SLOW in excluded else f"; {SLOW} to it is left out"
    return f"not well: {', '.join(bounds[name] for name in excluded)}{without}"


def _states(points: dict[str, Frame]) -> str:
    return "; ".join(
        f"{at} utilization {runs['utilization'].mean():.3f}, queue {runs['queue_bdp'].mean():.3f} "
        f"BDP, {runs['settled_rtts'].mean():.0f} round trips until C/R stays, C/R over N "
        f"{runs['count'].mean():.3f}, over (16) {numpy.median(runs['over_exact']):.1f}"
        for at, runs in points.items()
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """By equation, and in packets."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.8), sharex=True)
    _curves(left, table)
    _points(right, table.where(kind="trip"))
    loads = numpy.geomspace(LEAST, FARTHEST, 50)
    for ax in (left, right):
        ax.plot(loads, 1 / loads, color=style.GREY, ls="dashed", lw=0.8)
        ax.set(
            xscale="log",
            yscale="log",
            xlabel="load y / C",
            xlim=(LEAST, FARTHEST),
            ylim=(0.03, 100),
        )
        ax.axvline(1, color="black", lw=0.5)
    left.set_ylabel("C/R over the N of (16)")
    right.set_ylabel("C/R over the number of flows")
    style.legend(left)
    style.legend(right)
    return figure


def _curves(ax: Axes, table: Frame) -> None:
    for drain, colour in zip(DRAINS, style.COLOURS, strict=False):
        own = table.where(kind="curve", drain=drain)
        above = numpy.where(own["count"] > 0, own["count"], numpy.nan)
        ax.plot(own["load"], above, color=colour, label=f"q/d0 = {drain:g} C")
        roots = table.where(kind="root", drain=drain)
        ax.plot(roots["load"], roots["count"], "o", color=colour)


def _points(ax: Axes, trips: Frame) -> None:
    for kind, colour, marker in zip((LOW, OWN, HIGH), style.COLOURS, style.MARKERS, strict=False):
        own = trips.where(start=kind)
        label = f"from {kind}"
        ax.plot(own["load"], own["count"], marker, color=colour, ms=2, mew=0, label=label)


FIGURE = Figure(
    id="ncp-16",
    title="Where RCP's count of flows is that of NCP",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
