"""Why RCP collapses at round trips of a few milliseconds: 150 Mb/s, load 0.7, the sizes of PS-5
(Pareto, mean 30 packets, shape 1.2) and the settings of the papers, then with one change at a time.
Ten seeds; bars are 95 % intervals. A run ends at three times the time in which flows arrive,
including the warm-up; unfinished flows count as finished then, so that their ratios are lower
bounds.

On the left are R and the number of active flows at a round trip of 1 ms, from the start of one run.
T = min(10 ms, d0) is d0 here, so that a queue of one bandwidth-delay product, 19 packets, takes all
of R in one update: equation (2) has R (1 - beta q / (C d0)). R falls to its floor, one packet in
100 round trips. Senders at that rate receive a new R as rarely, and flows pile up; once R has
risen, many receive it together and fill the queue again. The changes are ours: T a tenth of the
round trip; a minimum R ten times as large; both; alpha and beta of 0.4, as in the authors' code; an
unlimited buffer, so that nothing is lost and no sender waits for a time-out; packets of a tenth of
the size, so that the bandwidth-delay product has 190.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from .. import places, under_way
from ..claim import Claim
from ..closeness import by_size, line, ratio, ratios, unfinished
from ..figure import Figure
from ..interval import Interval
from ..link import Samples, link_metrics, samples
from ..rows import frame
from ..scale import Scale
from ..verdict import Verdict

#: In seconds; the first is also drawn over time.
RTTS = [0.001, 0.003, 0.01]
PAPERS, OFTEN, BOTH = "papers", "T = d0 / 10", "both of these"
#: Changes whose T depends on the round trip.
MORE_OFTEN = (OFTEN, BOTH)
CHANGES: dict[str, dict[str, Any]] = {
    PAPERS: {},
    OFTEN: {},
    "least R x 10": {"rcp.min_rate": 0.1},
    BOTH: {"rcp.min_rate": 0.1},
    "alpha, beta 0.4": {"rcp.alpha": 0.4, "rcp.beta": 0.4},
    "no losses": {"topology.dumbbell.buffer": "unlimited"},
    "packets of 100 B": {"packet": "100 B", "control": "4 B"},
}
#: Changes drawn over time.
WATCHED = (PAPERS, OFTEN)
#: Duration of these runs, and the part that is drawn, in seconds.
WATCHED_S, SHOWN_S = 10.0, 3.0
#: Bound for collapse: completion time over processor sharing's (ours).
COLLAPSED = 10
#: Bound for a fall of R to its floor, as a ratio.
FALLEN = 0.01


def run(scale: Scale) -> dict[tuple[str, float], Results]:
    """By change and round trip; a round trip of 0 is the run of the shortest that is drawn."""
    flows, seeds = scale.pick((1_500, 3), (5_000, 10))
    found = {}
    for change in CHANGES:
        for rtt in RTTS:
            at = places.place(flows, rtt=rtt).set(_set(change, rtt))
            name = f"limits-short/{1000 * rtt:g}-{list(CHANGES).index(change)}"
            found[change, rtt] = scale.run(at, ["rcp"], name=name, seeds=seeds)
    for change in WATCHED:
        stop, rtt = f"{WATCHED_S:g} s", RTTS[0]
        whole = {"warm_up": "0 s", "stop": stop, "limit": stop}
        at = places.place(flows, rtt=rtt, metrics=[link_metrics(f"{1000 * rtt:g} ms")]).set(
            whole | _set(change, rtt)
        )
        name = f"limits-short/watched-{WATCHED.index(change)}"
        found[change, 0.0] = scale.run(at, ["rcp"], name=name, seeds=seeds)
    return found


def _set(change: str, rtt: float) -> dict[str, Any]:
    interval = {"rcp.interval": f"{1e6 * rtt / 10:g} us"} if change in MORE_OFTEN else {}
    return CHANGES[change] | interval


def table(runs: dict[tuple[str, float], Results]) -> Frame:
    """Rows of three kinds: ratios over all sizes by change, round trip and seed; samples of the
    first seed; the deepest fall of R within a round trip, of each seed."""
    rows: list[dict[str, Any]] = []
    for (change, rtt), results in runs.items():
        if rtt:
            every = (1, numpy.inf)
            rows += by_size(results, every, kind="ratio", change=change, rtt_s=rtt)
            continue
        for seed in results.seeds:
            rate = samples(results, "rcp", "R", seed)
            fall = (rate.values[1:] / rate.values[:-1]).min()
            rows.append({"kind": "fall", "change": change, "seed": seed, "fell_to": fall})
            if seed == results.seeds[0]:
                rows += _samples(change, rate, results.flows("rcp", seed))
    return frame(rows)


def _samples(change: str, rate: Samples, flows: Frame) -> list[dict[str, Any]]:
    # Every fifth suffices for the plot.
    seconds, rates = rate.seconds[::5], rate.values[::5]
    shown = zip(seconds, rates, under_way.at(flows, seconds), strict=True)
    return [
        {"kind": "sample", "change": change, "seconds": now, "rate_bps": bps, "active": int(active)}
        for now, bps, active in shown
        if now < SHOWN_S
    ]


def check(table: Frame) -> list[Claim]:
    """Claims of our own about a single update, and about changes that prevent the collapse."""
    here = table.where(kind="ratio", rtt_s=RTTS[0])
    shortest = here.where(change=PAPERS)
    falls = {
        change: Interval.of(table.where(kind="fall", change=change)["fell_to"])
        for change in WATCHED
    }
    fell = falls[PAPERS]
    sooner = {
        rtt: [ratio(table, kind="ratio", change=change, rtt_s=rtt) for change in (PAPERS, OFTEN)]
        for rtt in RTTS[1:]
    }
    claims = [
        Claim(
            "with T = d0 one round trip takes R to its floor: R after it over R before",
            paper="not stated",
            ours=f"to {fell:.3g} of what it was, the deepest fall of {WATCHED_S:g} s; with "
            f"T = d0 / 10 to {falls[OFTEN]:.2f}",
            verdict=fell.below(FALLEN),
            taken=f"below {FALLEN}",
        ),
        Claim(
            "RCP is close to processor sharing at a round trip of 1 ms: its mean completion time "
            "over processor sharing's",
            paper="close at other round trips",
            ours=f"{ratio(shortest):.0f} over all flows{unfinished(shortest)}",
            verdict=ratio(shortest).below(2),
            taken="below 2",
        ),
        Claim(
            "T = d0 is why RCP is not close at somewhat longer round trips: mean completion time "
            "over processor sharing's, with T = d0 and with T = d0 / 10",
            paper="not stated",
            ours="; ".join(
                f"{papers:.2f} and {often:.2f} at {1000 * rtt:g} ms"
                for rtt, (papers, often) in sooner.items()
            ),
            verdict=Verdict.all(papers.over(often) for papers, often in sooner.values()),
            taken="intervals apart",
        ),
    ]
    for change in (each for each in CHANGES if each != PAPERS):
        its = here.where(change=change)
        gone, runs = int((its["ratio"] > COLLAPSED).sum()), len(its)
        claims.append(
            Claim(
                f"this change prevents the collapse: {change}; mean completion time over processor "
                "sharing's",
                paper="not stated",
                ours=f"{ratio(its):.1f}; {gone} of {runs} runs above {COLLAPSED}{unfinished(its)}",
                verdict=Verdict.all([ratio(its).below(COLLAPSED), Verdict.of(not gone)]),
                taken=f"below {COLLAPSED}, and no run above",
                why=f"{gone} of {runs} runs are above",
            )
        )
    return claims


def plot(table: Frame) -> matplotlib.figure.Figure:
    """R and active flows over time, and ratios by change."""
    figure = pyplot.figure(figsize=(7, 3.2))
    grid = figure.add_gridspec(2, 2)
    above = figure.add_subplot(grid[0, 0])
    below = figure.add_subplot(grid[1, 0], sharex=above)
    right = figure.add_subplot(grid[:, 1])
    for place, change in enumerate(CHANGES):
        colour, marker = style.COLOURS[place], style.MARKERS[place]
        drawn = table.where(kind="sample", change=change)
        if len(drawn):
            above.plot(drawn["seconds"], drawn["rate_bps"], color=colour, linewidth=0.8)
            below.plot(drawn["seconds"], drawn["active"], color=colour)
        rows = table.where(kind="ratio", change=change)
        line(right, rows, "rtt_s", color=colour, marker=marker, label=change)
    scales.logarithmic(above, "y", "R", "b/s")
    above.tick_params(labelbottom=False)
    below.set(xlabel="time (s)", ylabel="active flows", ylim=(0, None))
    scales.logarithmic(right, "x", "round trip", "s")
    right.set_ylabel("RCP's time / processor sharing's")
    ratios(right)
    style.legend(right)
    return figure


FIGURE = Figure(
    id="limits-short",
    title="Why RCP collapses at short round trips",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
