"""Mean completion time under processor sharing (left) and first come first served (right), relative
to that under shortest remaining first, which is optimal: for four distributions of flow sizes with
the same mean, against the load. Lines are formulas for a single link (M/G/1); markers are exact
fluid runs of random flows, with 95 % intervals over seeds. There are no round trips except in the
last line, which has the link of the paper's figure 2: 2.4 Gb/s, 100 ms, Pareto sizes of shape 1.4.

The paper gives neither load nor distribution; these are ours, and so is the link of the runs: 100
Mb/s, flows of 30 packets of 1000 bytes on average, 120 s after a warm-up of 5 s (20 s at the quick
scale). First come first served has no finite mean for shape 1.4. Runs with Pareto sizes lack the
very longest flows and fall short of the nominal load, so that the claim on distributions is
evaluated at the actual load and mean size.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot
from scipy import stats

from ... import theory
from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ...sweeps import Sweep
from .. import drawing
from ..claim import Claim, everywhere
from ..completion import mean_s
from ..figure import Figure
from ..interval import Interval
from ..rows import having, kept
from ..scale import Scale
from ..traffic import fixed, flow_group, pareto
from ..transport import NS2
from ..verdict import Verdict

MEAN = 30_000
#: As a scenario says them, and as theory does.
SIZES = {
    "fixed": (fixed(30), theory.fixed(MEAN)),
    "exponential": (
        {"exponential": "30 packets"},
        theory.distribution(stats.expon(scale=MEAN)),
    ),
    "Pareto, 2.2": (
        pareto("30 packets", 2.2),
        theory.pareto(MEAN, 2.2),
    ),
    "Pareto, 1.4": (
        pareto("30 packets", 1.4),
        theory.pareto(MEAN, 1.4),
    ),
}
#: The distribution of the paper's figure 2, and its name with that figure's round trips.
HEAVY, WITH_TRIPS = "Pareto, 1.4", "Pareto, 1.4, with round trips"
#: Where runs are, and where formulas are.
RUN_LOADS = [0.5, 0.7, 0.9]
LOADS = [0.1, 0.2, 0.3, 0.4, *RUN_LOADS, 0.6, 0.8, 0.95]
#: By how much runs of one load are drawn apart.
APART = [-0.015, -0.005, 0.005, 0.015]
CAPACITY = 100e6
DISCIPLINES = {"max_min": theory.ps, "srpt": theory.srpt, "fcfs": theory.fcfs}


def run(scale: Scale) -> dict[str, Sweep]:
    """For each distribution, so short of round trips that they do not count."""
    scenario = Scenario(
        transport=NS2,
        name="fct-fn3",
        warm_up="5 s",
        stop=scale.pick("25 s", "125 s"),
        ideals=list(DISCIPLINES),
        topology={"dumbbell": {"capacity": "100 Mbps", "rtt": "10 us", "buffer": "unlimited"}},
        group=[flow_group("flows", poisson={"load": "$load"})],
        variables={"load": 0.5},
    )
    over = {"load": RUN_LOADS}
    seeds = scale.pick(3, 8)
    return {
        # A protocol has to run beside the ideals; which one does not matter to them.
        name: scale.sweep(
            scenario.set({"group.flows.poisson.sizes": sizes}),
            over,
            ["tcp"],
            name=f"fct-fn3-{place}",
            seeds=seeds,
        )
        for place, (name, (sizes, _)) in enumerate(SIZES.items())
    }


def table(runs: dict[str, Sweep]) -> Frame:
    """Mean completion times over a flow's mean transmission time: a row for each distribution and
    load by formula, which has no seed, and for each seed of a run."""
    rows = [_formula(name, load) for name in (*SIZES, WITH_TRIPS) for load in sorted(LOADS)]
    alone = 8 * MEAN / CAPACITY
    for name, sweep in runs.items():
        for load, results in zip(RUN_LOADS, sweep, strict=True):
            for seed in results.seeds:
                means = {each: mean_s(results.flows(each, seed)) / alone for each in DISCIPLINES}
                over = _over_formula(results, seed)
                row = {"sizes": name, "load": load, "seed": seed, "over_formula": over}
                rows.append(row | means)
    return Frame(pyarrow.Table.from_pylist(rows))


def _formula(name: str, load: float) -> dict[str, object]:
    if name == WITH_TRIPS:
        link = theory.Link(2.4e9, load, SIZES[HEAVY][1], rtt_s=0.1)
    else:
        link = theory.Link(CAPACITY, load, SIZES[name][1])
    alone = float(link.transmission_s(MEAN))
    means = {each: theory.mean_s(link, of) / alone for each, of in DISCIPLINES.items()}
    return {"sizes": name, "load": load, "seed": None, "over_formula": None, **means}


def _over_formula(results: Results, seed: int) -> float:
    """Processor sharing's mean completion time over that of the formula, for what came."""
    flows = results.flows("max_min", seed)
    measured = flows["measured"]
    alone = flows["size_bytes"][measured] * 8 / CAPACITY
    starts = flows["start_ns"][measured] / 1e9
    load = alone.sum() / numpy.ptp(starts)
    return float(mean_s(flows) * (1 - load) / alone.mean())


def check(table: Frame) -> list[Claim]:
    """At the load of figure 2, 0.9; of distributions, at each load of the runs."""
    high = {name: _formulas(table, name).where(load=0.9) for name in (*SIZES, WITH_TRIPS)}
    formula = {name: float(rows["max_min"][0] / rows["srpt"][0]) for name, rows in high.items()}
    unserved = {name: float(rows["fcfs"][0] / rows["max_min"][0]) for name, rows in high.items()}
    drawn = {name: _times(table, name, "max_min", 0.9) for name in SIZES}
    served = {name: _times(table, name, "fcfs", 0.9, "max_min") for name in SIZES}
    shared = {
        (name, load): Interval.of(_drawn(table, name).where(load=load)["over_formula"])
        for name in SIZES
        for load in RUN_LOADS
    }
    close = {f"of {name} sizes, by formula": Interval.exactly(formula[name]) for name in SIZES}
    close |= {f"of {name} sizes, in runs": found for name, found in drawn.items()}
    return [
        everywhere(
            "processor sharing's mean completion time over the least possible, where flows wait "
            "for each other (load 0.9)",
            "close",
            close,
            high=1.5,
            taken="below 1.5, whatever the distribution",
        ),
        Claim(
            "and where round trips take most of a flow's time (figure 2's link, load 0.9)",
            paper="close",
            ours=f"{formula[WITH_TRIPS]:.4f}",
            verdict=Verdict.of(formula[WITH_TRIPS] < 1.5),
            taken="below 1.5",
        ),
        everywhere(
            "flow durations do not depend on the distribution of sizes: the mean completion time "
            "of runs over the formula's, which knows the mean alone",
            "1, invariant",
            {f"of {name} sizes at {load}": found for (name, load), found in shared.items()},
            low=0.9,
            high=1.1,
        ),
        everywhere(
            "first come first served is worse than sharing for heavy tails: its mean completion "
            "time over processor sharing's (load 0.9)",
            "above 1",
            {
                f"of {name} sizes, {by}": times
                for name in SIZES
                if name.startswith("Pareto")
                for by, times in (
                    ("by formula", Interval.exactly(unserved[name])),
                    ("in runs", served[name]),
                )
            },
            low=1,
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Both in multiples of the least."""
    figure, panels = pyplot.subplots(1, 2, figsize=(7, 2.8))
    shown = (("max_min", "processor sharing"), ("fcfs", "first come first served"))
    for ax, (discipline, title) in zip(panels, shown, strict=True):
        looks = zip(SIZES, APART, style.COLOURS, style.MARKERS, strict=False)
        for name, apart, colour, marker in looks:
            formula = _formulas(table, name)
            over = formula[discipline] / formula["srpt"]
            ax.plot(formula["load"], over, color=colour, label=name)
            runs = [_times(table, name, discipline, load) for load in RUN_LOADS]
            for load, each in zip(RUN_LOADS, runs, strict=True):
                look = {"color": colour, "marker": marker, "linestyle": ""}
                drawing.with_lines(ax, [load + apart], [each], **look)
        ax.set(ylabel=f"{title} / least", xlim=(0, 1))
        scales.linear(ax, "x", "load", "")
    trips = _formulas(table, WITH_TRIPS)
    panels[0].plot(
        trips["load"],
        trips["max_min"] / trips["srpt"],
        color="black",
        ls="dashed",
        label=WITH_TRIPS,
    )
    panels[0].set(ylim=(0.8, None))
    scales.logarithmic(panels[1], "y", "first come first served / least", "")
    style.legend_above(figure, panels[0], columns=5)
    return figure


def _formulas(table: Frame, name: str) -> Frame:
    rows = table.where(sizes=name)
    return kept(rows, numpy.isnan(rows["seed"]))


def _drawn(table: Frame, name: str) -> Frame:
    return having(table.where(sizes=name), "seed")


def _times(table: Frame, name: str, over: str, load: float, under: str = "srpt") -> Interval:
    """Each seed's own ratio."""
    rows = _drawn(table, name).where(load=load)
    return Interval.of(rows[over] / rows[under])


FIGURE = Figure(
    id="fct-fn3",
    title="Processor sharing beside shortest remaining first and first come first served",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
