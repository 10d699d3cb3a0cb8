"""A long flow fills a link of 100 Mb/s with a round trip of 0.1 s; in round trip 100, three flows
of 300 packets start together. Drawn are the packets sent by the three in total, against the round
trips since. Under processor sharing, each has a quarter of the link at once, and they need 0.96
round trips to send; SYN exchange and propagation, which the paper does not count, make it 2.46.

Ours: packets of 1000 bytes, a buffer of BDP, and initial windows of 2 for TCP and 1 for XCP, whose
thesis gives none. Under TCP, the state of the long flow when they start is a matter of chance, so
that there are ten runs with starts at round trips 100, 111, ... 199; intervals are over these.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ...sweeps import Sweep
from ..claim import Claim
from ..completion import mean_s
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale
from ..verdict import Verdict

RTT = 0.1
PACKETS, FLOWS = 300, 3
#: In seconds, every eleven round trips.
STARTS = [10 + 1.1 * n for n in range(10)]
PROTOCOLS = ["rcp", "xcp", "tcp"]
#: Round trips of SYN exchange and propagation.
SETUP = 1.5


def run(scale: Scale) -> Sweep:
    """The same at both scales: it takes seconds."""
    fields = {
        "stop": "30 s",
        "ideals": ["max_min"],
        "tcp": {"recovery": "reno"},
        "metrics": [
            {"flow": {"group": "short", "index": n}, "every": "10 ms"} for n in range(FLOWS)
        ],
    }
    scenario = Scenario.load("fct-5").set(fields)
    over = {"group.short.incast.start": [f"{start:.1f} s" for start in STARTS]}
    return scale.sweep(scenario, over, PROTOCOLS, name="fct-5")


def table(sweep: Sweep) -> Frame:
    """For each protocol and start what the three have sent, each hundredth of a second, and their
    mean completion time, with that of processor sharing of the same flows, in round trips."""
    parts = []
    for start, results in zip(STARTS, sweep, strict=True):
        for name in results.protocols:
            rtts, sent = _sent(results, name)
            columns = {
                "protocol": [name] * len(rtts),
                "start_s": [start] * len(rtts),
                "rtts": rtts - start / RTT,
                "sent_packets": sent,
                "mean_rtts": [_mean_rtts(results, name)] * len(rtts),
                "shared_rtts": [_mean_rtts(results, "max_min")] * len(rtts),
            }
            parts.append(pyarrow.table(columns))
    return Frame(pyarrow.concat_tables(parts))


def check(table: Frame) -> list[Claim]:
    """Completion times without the SYN exchange and the way of the data, as the paper counts."""
    shared = table["shared_rtts"][0] - SETUP
    times = {}
    for name in PROTOCOLS:
        means = [table.where(protocol=name, start_s=start)["mean_rtts"][0] for start in STARTS]
        times[name] = Interval.of((numpy.array(means) - SETUP) / shared)
    return [
        Claim(
            "under processor sharing the three finish in one round trip: round trips of sending",
            paper="1 round trip",
            ours=f"{shared:.2f}",
            verdict=Verdict.of(shared <= 1),
            taken="1 at most",
        ),
        *(
            Claim(
                f"{name.upper()} makes them last eight times as long: {name.upper()}'s round trips "
                "of sending over processor sharing's",
                paper="8",
                ours=f"{times[name]:.2f}",
                verdict=times[name].within(6, 10),
                taken="6 to 10",
            )
            for name in ("xcp", "tcp")
        ),
        Claim(
            "RCP lets them complete close to the minimum possible: RCP's round trips of sending "
            "over processor sharing's",
            paper="close",
            ours=f"{times['rcp']:.2f}",
            verdict=times["rcp"].below(1.5),
            taken="below 1.5",
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A line for each start."""
    figure, ax = pyplot.subplots(figsize=(3.5, 2.6))
    for name, look in style.looks(PROTOCOLS).items():
        for start in STARTS:
            rows = table.where(protocol=name, start_s=start)
            label = look.title if start == STARTS[0] else None
            ax.plot(rows["rtts"], rows["sent_packets"], lw=0.8, label=label, **look.line())
    # As a sender sees it, half a round trip before it arrives.
    ends = [SETUP - 0.5, float(table["shared_rtts"][0]) - 0.5]
    ax.plot(ends, [0, FLOWS * PACKETS], label="ideal: PS", color="black", ls=style.DASHES[0])
    scales.linear(ax, "x", "round trips since the start", "")
    scales.linear(ax, "y", "sent by all three (packets)", "")
    ax.set(xlim=(0, 12), ylim=(0, None))
    style.legend(ax)
    return figure


def _sent(results: Results, name: str) -> tuple[numpy.ndarray, numpy.ndarray]:
    """When, in round trips, and how many packets; a flow that is done has sent all of its."""
    series = results.series(name).where(quantity="sequence_packets")
    flows = [series.where(index=n) for n in range(FLOWS)]
    longest = max(flows, key=len)
    sent = [numpy.pad(each["value"], (0, len(longest) - len(each)), "edge") for each in flows]
    return longest["time_ns"] / 1e9 / RTT, numpy.sum(sent, axis=0)


def _mean_rtts(results: Results, name: str) -> float:
    return mean_s(results.flows(name).where(group="short")) / RTT


FIGURE = Figure(
    id="fct-5",
    title="Three short flows against one long one",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
