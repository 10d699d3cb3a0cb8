"""Five long XCP flows that start two seconds apart on a link of 45 Mb/s with a round trip of 40 ms:
throughput of each flow, utilization and queue. Starts are at random within a round trip of 0, 2, 4,
6 and 8 s; drawn is the first of four seeds, in intervals of three round trips, since windows are
sent in bursts (the queue each 10 ms). Hosts are as ns-2's of the time, the buffer is a
bandwidth-delay product.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import by_seed, frame
from ..scale import Scale
from . import over_time
from .axis import SEEDS
from .bottleneck import Place, Settings, seconds
from .comparison import SENDER
from .systems import NS2

PLACE = Place(45e6, 0.04)
FLOWS, APART_S, STOP_S = 5, 2.0, 12.0
BIN_S = 3 * 0.04
#: A newcomer "has" its share from this part of it on. It "quickly" has it if that is before the
#: next one starts. The thesis has no numbers.
SHARE = 0.9
#: Utilization is "not disturbed" if no interval is below it once the first flow fills the link.
UNDISTURBED = 0.9
#: The time that the first flow has to fill the link.
FILLED_S = 0.5
#: The queue has "drained" if it is below this part of the buffer as the next flow starts.
DRAINED = 0.1


def run(scale: Scale) -> Results:
    """One scenario."""
    dumbbell = {
        "pairs": FLOWS,
        "capacity": f"{PLACE.capacity:.0f} bps",
        "access": "1 Gbps",
        "rtt": seconds(PLACE.rtt),
    }
    return over_time.run(
        scale,
        "xcp-5-9",
        dumbbell=dumbbell,
        stop=STOP_S,
        groups=[_flow(number) for number in range(FLOWS)],
        sampled=[{"group": f"flow-{number}", "every": seconds(BIN_S)} for number in range(FLOWS)],
        settings={"transport": NS2, "xcp": SENDER},
        protocol="xcp",
        seeds=scale.pick(1, SEEDS),
    )


def _flow(number: int) -> Settings:
    start = {"start": seconds(APART_S * number), "within": seconds(PLACE.rtt)}
    return {"name": f"flow-{number}", "from": f"s{number}", "to": f"d{number}", "long": start}


def table(runs: Results) -> Frame:
    """A row for each seed, quantity and time: ``flow-0`` to ``flow-4`` in bit/s, utilization, and
    queue in bytes.
    """
    rows = []
    for seed in runs.seeds:
        series = runs.series("xcp", seed)
        for number in range(FLOWS):
            found = series.where(group=f"flow-{number}", quantity="throughput_bps")
            rows += over_time.rows(seed, f"flow-{number}", found["time_ns"], found["value"])
        rows += over_time.link_rows(runs, "xcp", seed, PLACE.capacity, BIN_S)
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That newcomers soon have their share, the link stays full, and the queue drains."""
    seeds = by_seed(table)
    return [
        everywhere(
            "a newcomer quickly has its fair share: time from 2, 4, 6 or 8 s until it has "
            f"{SHARE:.0%} of it, in s",
            "reallocates bandwidth to maintain max-min fairness",
            {
                f"of flow {number + 1}": Interval.of([_arrives(rows, number) for rows in seeds])
                for number in range(1, FLOWS)
            },
            high=APART_S,
            taken="before the next flow starts, 2 s later, for each newcomer",
        ),
        everywhere(
            "the reallocation does not disturb utilization: the least of any interval once the "
            "first flow fills the link",
            "without disturbing the utilization",
            {"of the link": Interval.of([_least(rows) for rows in seeds])},
            low=UNDISTURBED,
        ),
        everywhere(
            "the queue drains after each start: queue as the next flow starts, over the buffer",
            "effectively absorbs the new traffic and then drains afterwards",
            {
                f"after start {number + 1}": Interval.of(
                    [_queue_before(rows, APART_S * (number + 1)) for rows in seeds]
                )
                for number in range(FLOWS)
            },
            high=DRAINED,
        ),
    ]


def _arrives(rows: Frame, number: int) -> float:
    """Seconds from the begin of the round trip in which a flow starts until the end of the first
    interval with its share.
    """
    found = rows.where(quantity=f"flow-{number}")
    enough = found["value"] >= SHARE * PLACE.capacity / (number + 1)
    return over_time.until(found["time_s"], enough, since=APART_S * number, latest=STOP_S)


def _least(rows: Frame) -> float:
    found = rows.where(quantity="utilization")
    return float(found["value"][found["time_s"] > FILLED_S].min())


def _queue_before(rows: Frame, time: float) -> float:
    found = rows.where(quantity="queue")
    return float(found["value"][found["time_s"] <= time + 1e-9][-1]) / PLACE.buffer_bytes


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughputs, utilization and queue over time."""
    first = by_seed(table)[0]
    figure, panels = pyplot.subplots(3, 1, figsize=(4.6, 5.6), sharex=True)
    for number in range(FLOWS):
        rows = first.where(quantity=f"flow-{number}")
        color = style.COLOURS[number]
        panels[0].plot(rows["time_s"], rows["value"], color=color, label=f"flow {number + 1}")
    for quantity, ax in (("utilization", panels[1]), ("queue", panels[2])):
        rows = first.where(quantity=quantity)
        ax.plot(rows["time_s"], rows["value"], color=style.COLOURS[0], linewidth=0.8)
        ax.set_ylim(bottom=0)
    scales.linear(panels[0], "y", "throughput", "b/s")
    panels[1].set_ylabel("utilization")
    scales.linear(panels[2], "y", "queue", "B")
    panels[2].set_xlabel("time (s)")
    panels[2].set_xlim(0, float(numpy.ceil(first["time_s"].max())))
    style.legend(panels[0])
    return figure


FIGURE = Figure(
    id="xcp-5-9",
    title="Five XCP flows start two seconds apart",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
