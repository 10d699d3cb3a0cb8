"""Poisson arrivals of Pareto sizes (mean 25 packets, shape 1.2) at a load of 0.9 on 2.4 Gb/s, with
a round trip of 100 ms and a buffer of BDP; TCP is Reno with an initial window of 2. The paper ran
"until the performance measures converge" and gives no duration. Ours measures the flows that arrive
in 20 s after a warm-up of 5 s (5 s at the quick scale), and stops at 60 s (20 s).

With such a heavy tail, nothing converges in that time: a few long flows are most of the work, and
arrivals vary widely from run to run. Therefore equation (3) is supplemented by processor sharing of
the same flows, computed as a fluid ("max-min"). Sizes are bins of equal width in the logarithm,
except the last, which is wider because each bin needs ten flows in each run. XCP's mean in the last
bin lacks flows that were unfinished at the end, and is too low.

The vertical line separates what the paper draws as two panels. Its "about 4" and "about 30" are
taken as within a factor of two, at each size.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ... import theory
from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from .. import completion
from ..claim import Claim
from ..figure import Figure
from ..link import PACKET
from ..scale import Scale
from .by_size import LINK, SHORT, averages, longest, whole

#: Edges of bins in packets: four per decade, and a wide one up to the paper's largest size.
SIZES = numpy.append(completion.sizes(2, 2 * 10**3.75, 15), 1e5)


def run(scale: Scale) -> Results:
    """All protocols, and max-min fairness, which is processor sharing here, with the same flows."""
    own = {
        "stop": scale.pick("10 s", "25 s"),
        "limit": scale.pick("20 s", "60 s"),
        "ideals": ["max_min"],
        "tcp": {"recovery": "reno"},
    }
    scenario = Scenario.load("ps7-rcp").set(own)
    return scale.run(scenario, ["rcp", "xcp", "tcp"], name="ps-7", seeds=scale.pick(2, 10))


def table(results: Results) -> Frame:
    """Rows by protocol, seed and size; columns that begin with ``run_`` are for all sizes."""
    rows = completion.by_size(results, SIZES).arrow.to_pylist()
    runs = {
        (name, seed): _whole(results, name, seed)
        for name in [*results.protocols, *results.ideals]
        for seed in results.seeds
    }
    rows = [row | runs[row["protocol"], row["seed"]] for row in rows]
    return completion.with_formula(Frame(pyarrow.Table.from_pylist(rows)), LINK)


def _whole(results: Results, name: str, seed: int) -> dict[str, float]:
    """The offered load and drops of a run, and the flows and packets finished when the last
    measured flow arrived."""
    flows = results.flows(name, seed)
    measured = flows["measured"]
    begin, end = (each(flows["start_ns"][measured]) for each in (numpy.min, numpy.max))
    done = measured & (flows["start_ns"] + flows["completion_ns"] <= end)
    offered = 8e9 * flows["size_bytes"][measured].sum() / (end - begin)
    ideal = name in results.ideals
    return {
        "run_load": offered / LINK.capacity_bps,
        "run_drops": 0 if ideal else int(results.links(name, seed)["drops"].sum()),
        "run_flows": int(done.sum()),
        "run_packets": float(flows["size_bytes"][done].sum() / PACKET),
    }


def check(table: Frame) -> list[Claim]:
    """Claims about mean and longest completion times, and about whole runs."""
    return [*averages(table), *longest(table), *whole(table)]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Mean and longest completion time against size."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.8), sharey=True)
    completion.panel(left, table, title="mean completion time")
    completion.panel(right, table, "max_s", "longest completion time")
    packets = numpy.unique(table.where(protocol="rcp")["mean_packets"])
    slow_start = theory.slow_start.completion_s(packets, LINK.capacity_bps, LINK.rtt_s)
    left.plot(
        packets,
        slow_start,
        color=style.look("tcp").colour,
        linestyle=":",
        linewidth=0.8,
        label="slow start",
    )
    for ax in (left, right):
        ax.axvline(SHORT, color=style.GREY, linewidth=0.6)
    style.legend(left)
    return figure


FIGURE = Figure(
    id="ps-7",
    title="Completion time against flow size: RCP beside XCP, TCP and processor sharing",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
