"""Flows from much smaller than the bandwidth-delay product (1875 packets) to larger. Left: the
number of active flows, C/R, and the number of active flows that have at least a round trip's worth
of data, which is a size of R x RTT or more, our reading of the paper's "effective" number. Right:
mean completion times of RCP and of processor sharing of the same flows, and that if every active
flow were given exactly C/N. It would then take T = 1.5 RTT + L N/C, where N is the arrival rate
times T, so that T is 1.5 RTT / (1 - load) for any size. That calculation with means holds for many
flows, where it is drawn.

The paper shows no such run. Ours has the link of its figure 5, 150 Mb/s and 100 ms, at the same
load of 0.7, with exponential sizes; 60 s after a warm-up of 10 s (10 s at the quick scale).
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ...sweeps import Sweep
from .. import drawing, under_way
from ..claim import Claim, everywhere
from ..completion import mean_s
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET, link_metrics, samples
from ..scale import Scale
from ..traffic import flow_group
from ..transport import NS2
from ..verdict import Verdict

CAPACITY, RTT, LOAD = 150e6, 0.1, 0.7
#: In packets.
BDP = CAPACITY * RTT / (8 * PACKET)
MEANS = [10, 25, 100, 400, 2000, 8000]
#: "Much smaller" than BDP, and "close to or greater".
SHORT, LONG = [10, 25], [2000, 8000]
#: Round trips of a flow in addition to sending.
SETUP = 1.5
SAMPLE = 0.05


def run(scale: Scale) -> Sweep:
    """RCP at each mean size."""
    scenario = Scenario(
        transport=NS2,
        name="ps-ne",
        warm_up="10 s",
        stop=scale.pick("20 s", "70 s"),
        limit="300 s",
        ideals=["max_min"],
        topology={"dumbbell": {"capacity": "150 Mbps", "rtt": "100 ms"}},
        group=[flow_group("flows", poisson={"load": LOAD, "sizes": {"exponential": "$mean"}})],
        metrics=[link_metrics(f"{SAMPLE} s")],
        variables={"mean": "25 packets"},
    )
    over = {"mean": [f"{mean} packets" for mean in MEANS]}
    return scale.sweep(scenario, over, ["rcp"], name="ps-ne", seeds=scale.pick(2, 8))


def table(sweep: Sweep) -> Frame:
    """A row for each mean size and seed, with means over the measured time."""
    rows = []
    for mean, results in zip(MEANS, sweep, strict=True):
        for seed in results.seeds:
            counts = _counts(results, seed)
            rows.append(
                {
                    "mean_packets": mean,
                    "seed": seed,
                    **counts,
                    "rcp_s": mean_s(results.flows("rcp", seed)),
                    "shared_s": mean_s(results.flows("max_min", seed)),
                }
            )
    return Frame(pyarrow.Table.from_pylist(rows))


def _counts(results: Results, seed: int) -> dict[str, float]:
    """Means over samples: active flows, C/R, and active flows of at least R x RTT."""
    flows = results.flows("rcp", seed)
    begin, end = under_way.spans(flows)
    measured = begin[flows["measured"]]
    times, rates = samples(results, "rcp", "R", seed)
    inside = (times > measured.min()) & (times < measured.max())
    times, rates = times[inside], rates[inside]
    enough = [
        ((begin <= now) & (end > now) & (8 * flows["size_bytes"] >= bps * RTT)).sum()
        for now, bps in zip(times, rates, strict=True)
    ]
    found = {"flows": under_way.at(flows, times), "by_rate": CAPACITY / rates, "effective": enough}
    return {name: float(numpy.mean(each)) for name, each in found.items()}


def check(table: Frame) -> list[Claim]:
    """Claims about ratios within a run, at each mean size."""
    of = {mean: table.where(mean_packets=mean) for mean in MEANS}
    all_of = {mean: Interval.of(rows["by_rate"] / rows["flows"]) for mean, rows in of.items()}
    # R cannot exceed C, so C/R is at least 1.
    effective = {
        mean: Interval.of(rows["by_rate"] / numpy.maximum(rows["effective"], 1))
        for mean, rows in of.items()
    }
    times = {mean: Interval.of(of[mean]["rcp_s"] / of[mean]["shared_s"]) for mean in SHORT}
    exactly = SETUP * RTT / (1 - LOAD)
    longest = max(of[mean]["rcp_s"].max() for mean in SHORT)
    return [
        everywhere(
            "where the mean flow is much smaller than BDP, C/R is below the number of flows: C/R "
            "over N",
            "N_e < N",
            _named(all_of, SHORT),
            high=0.5,
        ),
        everywhere(
            "where it is close to BDP or greater, C/R is the number of flows: C/R over N",
            "a good estimate",
            _named(all_of, LONG),
            low=0.8,
            high=1.25,
            note="; bounds as in PS-3",
        ),
        everywhere(
            "C/R is the number of flows that have at least a round trip's worth of data: C/R over "
            "that, or over 1 if that is less",
            "N_e",
            _named(effective, MEANS),
            low=0.5,
            high=2,
        ),
        everywhere(
            "and rightly so, since at C/N each the pipe would not be filled: RCP's mean completion "
            "time over processor sharing's, and its longest over that at C/N each",
            "never filled",
            _named(times, SHORT),
            high=1.1,
            taken="below 1.1, and below 1",
            note=f"; {longest:.3f} s at most, {exactly:.2f} s at C/N each",
            also=Verdict.of(longest < exactly),
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Means over seeds, with intervals."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.8))
    looks = style.looks(["rcp", "max_min"])
    _line(left, table, "flows", "N, under way", color="black", marker="s")
    _line(left, table, "by_rate", "C/R", color=looks["rcp"].colour, marker="o")
    _line(
        left,
        table,
        "effective",
        "of R x RTT or more (1 at least)",
        color=style.GREY,
        marker="^",
        ls="dashed",
    )
    left.set(ylim=(0.8, 300))
    _line(right, table, "rcp_s", "RCP", **looks["rcp"].marked(len(MEANS)))
    _line(right, table, "shared_s", "ideal: PS", **looks["max_min"].line())
    many = numpy.array([mean for mean in MEANS if mean < BDP / 4]) / BDP
    exactly = numpy.full(len(many), SETUP * RTT / (1 - LOAD))
    right.plot(many, exactly, color="black", ls=style.DOTS, label="C/N each")
    for ax, title, unit in ((left, "flows", ""), (right, "mean completion time", "s")):
        scales.logarithmic(ax, "y", title, unit)
        scales.logarithmic(ax, "x", "mean flow size (BDP)", "")
        style.legend(ax)
    return figure


def _line(ax: Axes, table: Frame, column: str, label: str, **line: Any) -> None:
    """Draws a column against the mean size; numbers of flows below 1 as 1, the minimum of C/R."""
    floor = 0.0 if column.endswith("_s") else 1.0
    found = [
        Interval.of(numpy.maximum(table.where(mean_packets=mean)[column], floor)) for mean in MEANS
    ]
    sizes = numpy.array(MEANS) / BDP
    drawing.with_lines(ax, sizes, found, label=label, **line)


def _named(found: dict[int, Interval], means: list[int]) -> dict[str, Interval]:
    return {f"at {mean} packets": found[mean] for mean in means}


FIGURE = Figure(
    id="ps-ne",
    title="C/R counts few of the flows that are much smaller than the pipe",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
