"""Poisson arrivals of Pareto sizes (mean 30 packets, shape 1.2) at a load of 0.7 on 150 Mb/s, with
a round trip of 100 ms and a buffer of BDP: R over time, from R(0) = 0.05 C. To test whether the
start matters, the same flows are run from other R(0), which the paper does not show, and compared
run by run with those from 0.05 C. The paper does not give the duration: ours is 200 s after a
warm-up of 10 s (50 s at the quick scale). E[D] is the mean completion time of all flows that arrive
in that time, E[N] the mean number of flows present. Processor sharing is computed as a fluid, for
the same flows.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...scenario import Scenario
from ...sweeps import Sweep
from .. import under_way
from ..claim import Claim, everywhere
from ..completion import mean_s
from ..figure import Figure
from ..interval import Interval
from ..link import link_metrics, samples
from ..scale import Scale
from ..traffic import flow_group, pareto
from ..transport import NS2
from ..verdict import Verdict

CAPACITY = 150e6
#: R(0) / C; the first is the paper's.
STARTS = [0.05, 0.01, 0.5, 1.0]
#: Seconds.
WARM_UP = 10
#: Time of the first run that is drawn, in seconds.
SHOWN = 60


def run(scale: Scale) -> Sweep:
    """The same flows from each start."""
    scenario = Scenario(
        transport=NS2,
        name="ps-5",
        warm_up=f"{WARM_UP} s",
        stop=scale.pick("60 s", "210 s"),
        ideals=["max_min"],
        topology={"dumbbell": {"capacity": f"{CAPACITY:.0f} bps", "rtt": "100 ms"}},
        group=[flow_group("flows", poisson={"load": 0.7, "sizes": pareto("30 packets", 1.2)})],
        metrics=[link_metrics("100 ms")],
    )
    seeds = scale.pick(2, 6)
    return scale.sweep(scenario, {"rcp.initial_rate": STARTS}, ["rcp"], name="ps-5", seeds=seeds)


def table(sweep: Sweep) -> Frame:
    """For each start and seed: E[D] and E[N] of RCP and processor sharing, and the range of R/C;
    for the first seed also R/C over time."""
    rows: list[dict[str, Any]] = []
    for start, results in zip(STARTS, sweep, strict=True):
        for seed in results.seeds:
            seconds, rate = samples(results, "rcp", "R", seed)
            share = rate / CAPACITY
            settled = share[seconds >= WARM_UP]
            shared = _means(results.flows("max_min", seed))
            found = {
                "lowest R/C": settled.min(),
                "largest R/C": settled.max(),
                **_means(results.flows("rcp", seed)),
                **{f"{quantity} of PS": value for quantity, value in shared.items()},
            }
            own = {"start": start, "seed": seed}
            rows += [own | _value(quantity, None, value) for quantity, value in found.items()]
            if seed == 1:
                shown = seconds <= SHOWN
                pairs = zip(seconds[shown], share[shown], strict=True)
                rows += [own | _value("R/C", *pair) for pair in pairs]
    return Frame(pyarrow.Table.from_pylist(rows))


def check(table: Frame) -> list[Claim]:
    """Claims about the range of R, its start, and processor sharing."""
    lowest, largest = (
        Interval.of(table.where(start=STARTS[0], quantity=end)["value"])
        for end in ("lowest R/C", "largest R/C")
    )
    moved, over, notes = {}, {}, []
    for quantity, unit in (("E[D]", " s"), ("E[N]", "")):
        first = table.where(start=STARTS[0], quantity=quantity)["value"]
        notes.append(f"{quantity} is {Interval.of(first):.3g}{unit} from {STARTS[0]} C")
        for start in STARTS[1:]:
            other = table.where(start=start, quantity=quantity)["value"]
            moved[f"of {quantity} from {start} C"] = Interval.of(other / first)
        shared = table.where(start=STARTS[0], quantity=f"{quantity} of PS")["value"]
        over[f"of {quantity}"] = Interval.of(first / shared)
    return [
        Claim(
            "R sweeps its range: its least and largest value over C",
            paper="from the least rate to C",
            ours=f"{lowest:.3f} and {largest:.3f}",
            verdict=Verdict.all([lowest.below(0.1), largest.above(0.9)]),
            taken="below 0.1 and above 0.9 in a run, which is ours",
        ),
        everywhere(
            "the start value does not matter to the mean completion time E[D] and the number of "
            f"flows E[N]: those from another R(0) over those from {STARTS[0]} C",
            "1",
            moved,
            low=0.98,
            high=1.02,
            form=".3f",
            taken="0.98 to 1.02 between the same flows",
            note=f"; {', '.join(notes)}",
        ),
        everywhere(
            "E[D] and E[N] converge to processor sharing's: RCP's over those",
            "1",
            over,
            low=0.8,
            high=1.25,
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """R/C over the first minute."""
    figure, ax = pyplot.subplots(figsize=(5, 2.6))
    shades = style.look("rcp").shades(len(STARTS))
    # The paper's start is drawn on top.
    for place, (start, shade) in enumerate(zip(STARTS, shades, strict=True)):
        rows = table.where(start=start, quantity="R/C")
        ax.plot(
            rows["seconds"],
            rows["value"],
            color=shade,
            zorder=3 - place / len(STARTS),
            label=f"R(0) = {start} C",
        )
    ax.set(xlabel="time (s)", ylabel="R / C", xlim=(0, SHOWN), ylim=(0, 1.05))
    style.legend(ax)
    return figure


def _means(flows: Frame) -> dict[str, float]:
    """E[D] in seconds and E[N]."""
    measured = flows["measured"]
    stop = flows["start_ns"][measured].max() / 1e9
    (there,) = under_way.mean(flows, numpy.array([WARM_UP, stop]))
    return {
        "E[D]": mean_s(flows),
        "E[N]": float(there),
    }


def _value(quantity: str, seconds: float | None, value: float) -> dict[str, Any]:
    return {"quantity": quantity, "seconds": seconds, "value": float(value)}


FIGURE = Figure(
    id="ps-5",
    title="R sweeps its whole range, and its start value does not matter",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
