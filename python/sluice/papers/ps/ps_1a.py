"""Poisson arrivals of Pareto sizes (mean 30 packets, shape 1.4) at a load of 0.9 on 2.4 Gb/s, with
a round trip of 100 ms, under TCP Reno and XCP; processor sharing by formula. The paper leaves open
the buffer, TCP's initial window and the duration. Ours: a buffer of BDP and a window of 2 packets,
both from its section 3.1, and 20 s of measurement after a warm-up of 5 s (5 s at the quick scale).
A flow is active from its SYN to the arrival of its last byte.

The paper gives the completion time of processor sharing twice. Footnote 2, which belongs to this
figure, adds one round trip to the transmission of a flow, equation (3) adds 1.5. So do simulated
flows: one for the SYN exchange, half a one for the last byte. By Little's law, that is 909 or 1359
active flows. Both are drawn; claims are compared with the 1.5 round trips of the simulated flows.
"""

from __future__ import annotations

import dataclasses

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import StrMethodFormatter

from ... import theory
from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from .. import completion, under_way
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET, link_metrics
from ..rows import having
from ..scale import Scale
from ..traffic import flow_group, pareto
from ..transport import NS2

#: Warm-up and interval of samples, in seconds.
WARM_UP, EVERY = 5, 0.1
PROTOCOLS = {"tcp": "TCP", "xcp": "XCP"}
#: Equation (3) of the paper, and footnote 2.
EQUATION = theory.Link(2.4e9, load=0.9, sizes=theory.pareto(30_000, 1.4), rtt_s=0.1)
FOOTNOTE = dataclasses.replace(EQUATION, round_trips=1.0)
#: Bound for an order of magnitude: nearer to ten than to one, in the logarithm.
ORDER = 10**0.5
#: Bound for "many times".
MANY = 3


def run(scale: Scale) -> Results:
    """Both protocols with the same flows."""
    scenario = Scenario(
        transport=NS2,
        name="ps-1",
        warm_up=f"{WARM_UP} s",
        stop=scale.pick("10 s", "25 s"),
        limit=scale.pick("20 s", "60 s"),
        ideals=[],
        tcp={"recovery": "reno"},
        topology={"dumbbell": {"capacity": "2.4 Gbps", "rtt": "100 ms", "buffer": "1 bdp"}},
        group=[flow_group("flows", poisson={"load": 0.9, "sizes": pareto("30 packets", 1.4)})],
        metrics=[link_metrics(f"{EVERY} s")],
    )
    return scale.run(scenario, PROTOCOLS, name="ps-1", seeds=scale.pick(2, 5))


def table(results: Results) -> Frame:
    """Rows by protocol, seed and size, then rows by protocol, seed and time, every 100 ms."""
    sizes = completion.by_size(results, completion.sizes(2, 2e6, 24))
    times = [_times(results, name, seed) for name in PROTOCOLS for seed in results.seeds]
    parts = [completion.with_formula(sizes, EQUATION).arrow, *times]
    return Frame(pyarrow.concat_tables(parts, promote_options="permissive"))


def _times(results: Results, name: str, seed: int) -> pyarrow.Table:
    """Active flows, and the load offered and carried, while measured flows arrive.

    The load carried is that of arrivals less the growth of the queue; with a full queue it is 1.
    """
    flows, series = results.flows(name, seed), results.series(name, seed)
    load, queue = (series.where(quantity=each) for each in ("load", "queue_bytes"))
    at = load["time_ns"]
    capacity = EQUATION.capacity_bps / 8 * EVERY
    offered, _ = numpy.histogram(
        flows["start_ns"], numpy.append(0, at), weights=flows["size_bytes"] / capacity
    )
    counts = at <= flows["start_ns"][flows["measured"]].max()
    columns = {
        "protocol": [name] * len(at),
        "seed": [seed] * len(at),
        "seconds": at / 1e9,
        "active": under_way.at(flows, at / 1e9),
        "offered": offered,
        "carried": numpy.minimum(
            1, load["value"] - numpy.diff(queue["value"], prepend=0) / capacity
        ),
    }
    return pyarrow.table(columns).filter(pyarrow.array(counts))


def check(table: Frame, counted: str = "") -> list[Claim]:
    """Claims about sizes, and about averages after the warm-up.

    ``counted`` is the figure that counts them, if it is another one.
    """
    return [
        claim
        for name, title in PROTOCOLS.items()
        for claim in (
            _completions(table, name, title, counted),
            _active(table, name, title, counted),
        )
    ]


def _completions(table: Frame, name: str, title: str, counted: str) -> Claim:
    """A claim about completion times by size."""
    sizes = by_size(table)
    times = completion.ratios(sizes, name, completion.FORMULA)
    return everywhere(
        f"{title}'s mean completion time over processor sharing's by equation (3), at each size",
        "10, an order of magnitude",
        completion.points(times),
        low=ORDER,
        taken=f"above {ORDER:.1f}, nearer to ten than to one, at each size",
        note=completion.unfinished(sizes, name),
        why=f"by the paper's own formulas slow start takes at most {_slow_start():.1f} times as "
        "long as processor sharing, at any size"
        if name == "tcp"
        else "",
        counted=counted,
    )


def _active(table: Frame, name: str, title: str, counted: str) -> Claim:
    """A claim about the mean number of active flows after the warm-up."""
    active = means(table, name, "active")
    equation, footnote = (theory.active_flows(link) for link in (EQUATION, FOOTNOTE))
    many, beside = (Interval.of(active / flows) for flows in (equation, footnote))
    return Claim(
        f"{title}'s active flows over processor sharing's",
        paper=f"many times; E[N] is {footnote:.0f} or {equation:.0f}",
        ours=f"{Interval.of(active):.0f} flows, {many:.2f} times {equation:.0f}, "
        f"{beside:.2f} times {footnote:.0f}",
        verdict=many.above(MANY),
        taken=f"above {MANY} times {equation:.0f}",
        why=f"beside footnote 2's {footnote:.0f} flows: {beside.above(MANY)}",
        counted=counted,
    )


def by_size(table: Frame) -> Frame:
    """The rows by size."""
    return having(table, "packets_from")


def over_time(table: Frame, name: str) -> Frame:
    """A protocol's rows by time."""
    return having(table.where(protocol=name), "seconds")


def means(table: Frame, name: str, column: str) -> numpy.ndarray:
    """The mean of a column after the warm-up, for each seed."""
    rows = over_time(table, name)
    late = rows["seconds"] > WARM_UP
    seeds = numpy.unique(rows["seed"])
    return numpy.array([rows[column][late & (rows["seed"] == seed)].mean() for seed in seeds])


def _slow_start() -> float:
    """The largest ratio of slow start to processor sharing over sizes, by formula."""
    packets = numpy.unique(numpy.geomspace(1, 1e6, 1000).astype(int))
    seconds = theory.slow_start.completion_s(packets, EQUATION.capacity_bps, EQUATION.rtt_s)
    return float((seconds / theory.ps(EQUATION, packets * PACKET)).max())


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The paper's two panels."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.8))
    completion.panel(left, by_size(table), title="mean completion time")
    style.legend(left)
    draw_active(right, table)
    return figure


def draw_active(ax: Axes, table: Frame) -> None:
    """Draws the active flows of the first seed over time."""
    looks = style.looks(PROTOCOLS)
    for name, title in PROTOCOLS.items():
        rows = over_time(table, name).where(seed=1)
        ax.plot(rows["seconds"], rows["active"], label=title, **looks[name].line())
    for link, dashes in ((EQUATION, style.DOTS), (FOOTNOTE, style.DASHES[0])):
        label = f"PS: {theory.active_flows(link):,.0f}"
        ax.axhline(theory.active_flows(link), color="black", linestyle=dashes, label=label)
    ax.set(xlabel="time (s)", xlim=(0, None))
    scales.logarithmic(ax, "y", "active flows", "")
    ax.set_ylim(bottom=500)
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    style.legend(ax)


FIGURE = Figure(
    id="ps-1a",
    also=("ps-1b",),
    title="TCP and XCP beside processor sharing: completion time by size, and active flows",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
