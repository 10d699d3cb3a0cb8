"""Twenty long XCP flows fill a link; then new ones start together, without end. Drawn are the
packets that each has sent on average, against the round trips since, with slow start for
comparison: 1, 3, 7, ... packets from an initial window of 1, and 2, 6, 14, ... from the 2 of the
papers' TCP. Left: 1, 10 or 100 newcomers on a full link. Right: 10 newcomers while part of the link
is free, because the old flows are limited by a narrower access link.

The paper says this of "many simulations" and shows none. All of it is ours: 100 Mb/s and 100 ms, as
in its figure 5 (1250 packets of 1000 bytes in a round trip), a buffer of BDP, an initial window of
1 for XCP, and five runs in which the newcomers start 0.7 s apart; intervals are over these.
"""

from __future__ import annotations

import math

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
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET
from ..scale import Scale
from ..transport import NS2

CAPACITY, RTT = 100e6, 0.1
#: The part of the capacity that is free, for each number of newcomers.
FREE = {1: [0.0], 10: [0.0, 0.1, 0.25, 0.5], 100: [0.0]}
#: Seconds. Sampled in the middle of each round trip since.
STARTS = [10.05 + 0.7 * n for n in range(5)]
ROUNDS = 16
#: Rounds of data after which slow start has sent the 15 packets of a typical flow.
TYPICAL = 4
#: Packets by the end of each round of data, from initial windows of 1 and 2.
SLOW_START = {window: window * (2 ** numpy.arange(ROUNDS) - 1) for window in (1, 2)}


def run(scale: Scale) -> dict[int, Sweep]:
    """For each number of newcomers; the same at both scales: it takes seconds."""
    runs = {}
    for count, shares in FREE.items():
        over = {
            # What is ten times as wide limits nothing.
            "access": [f"{100 * (1 - free) if free else 1000} Mbps" for free in shares],
            "start": [f"{start:.2f} s" for start in STARTS],
        }
        runs[count] = scale.sweep(_scenario(count), over, ["xcp"], name=f"fct-new-{count}")
    return runs


def _scenario(newcomers: int) -> Scenario:
    stop = f"{STARTS[-1] + ROUNDS * RTT:.2f} s"
    wide = {"capacity": "1 Gbps", "delay": "1 ms", "buffer": "unlimited"}
    bottleneck = {"capacity": "100 Mbps", "delay": "48 ms"}
    return Scenario(
        transport=NS2,
        name="fct-new",
        stop=stop,
        limit=stop,
        ideals=[],
        topology={
            "link": [
                {"from": "old", "to": "left"} | wide | {"capacity": "$access"},
                {"from": "new", "to": "left"} | wide,
                {"from": "left", "to": "right"} | bottleneck,
                {"from": "right", "to": "all"} | wide,
            ]
        },
        group=[
            {"name": "old", "from": "old", "to": "all", "long": {"count": 20}},
            {
                "name": "new",
                "from": "new",
                "to": "all",
                "long": {"count": newcomers, "start": "$start"},
            },
        ],
        metrics=[
            {"flow": {"group": "new", "index": place}, "every": "100 ms"}
            for place in range(newcomers)
        ],
        variables={"access": "1 Gbps", "start": "10 s"},
    )


def table(runs: dict[int, Sweep]) -> Frame:
    """A row for each round: what a newcomer has sent, and how much of the bandwidth-delay product
    all of them have as their windows."""
    rows = []
    for count, sweep in runs.items():
        cases = [(free, start) for free in FREE[count] for start in STARTS]
        for (free, start), results in zip(cases, sweep, strict=True):
            sent = _sum(results, "sequence_packets") / count
            windows = _sum(results, "cwnd") * PACKET * 8 / (CAPACITY * RTT)
            for each, (packets, share) in enumerate(zip(sent, windows, strict=True)):
                rows.append(
                    {
                        "newcomers": count,
                        "free": free,
                        "start_s": start,
                        "rounds": each,
                        "sent_packets": float(packets),
                        "window_share": float(share),
                    }
                )
    return Frame(pyarrow.Table.from_pylist(rows))


def check(table: Frame) -> list[Claim]:
    """What a typical flow needs, and the largest step that windows take in a round."""
    full = {count: table.where(newcomers=count, free=0.0) for count in FREE}
    sent = {
        count: Interval.of(rows.where(rounds=TYPICAL)["sent_packets"])
        for count, rows in full.items()
    }
    steps = {count: _step(rows) for count, rows in full.items()}
    half = _step(table.where(newcomers=10, free=0.5))
    at_once = {f"with {count} at once": found for count, found in sent.items()}
    return [
        *(
            everywhere(
                "on a full link new XCP flows start slower than slow start from "
                f"{window}: packets sent after {TYPICAL} rounds",
                f"below {packets[TYPICAL]}",
                at_once,
                high=packets[TYPICAL],
                form=".1f",
                taken="fewer packets by then, however many newcomers",
            )
            for window, packets in SLOW_START.items()
        ),
        everywhere(
            "when the link is full, newcomers share but 10 % of its capacity: growth of their "
            "windows together in a round trip, over a round trip's capacity",
            "0.1 at most",
            {f"with {count} at once": found for count, found in steps.items()},
            high=0.1,
            form=".3f",
        ),
        Claim(
            "newcomers are granted more where more is free: growth of the windows of 10 in a round "
            "trip, over a round trip's capacity",
            paper="slower only close to full utilization",
            ours=f"{half:.3f} where half is free, {steps[10]:.3f} where nothing is",
            verdict=half.over(steps[10]),
            taken="intervals apart",
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Means over the starts; what the runs differ by would not be seen."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.8), sharey=True)
    for ax, cases in (
        (left, [(count, 0.0, f"{count} at once") for count in FREE]),
        (right, [(10, free, f"{free:.0%} free") for free in FREE[10]]),
    ):
        shades = style.look("xcp").shades(len(cases))
        # The darkest has most.
        for (count, free, label), shade, marker in zip(
            cases, shades[::-1], style.MARKERS, strict=False
        ):
            rows = table.where(newcomers=count, free=free)
            sent = rows["sent_packets"].reshape(len(STARTS), ROUNDS).mean(axis=0)
            ax.plot(range(1, ROUNDS), sent[1:], marker=marker, color=shade, label=f"XCP, {label}")
        _slow_start(ax)
        style.legend(ax)
    left.set(ylabel="sent by a flow (packets)")
    return figure


def _slow_start(ax: Axes) -> None:
    for (window, packets), dashes in zip(SLOW_START.items(), style.DASHES, strict=False):
        label = f"slow start from {window}"
        ax.plot(range(1, ROUNDS), packets[1:], color="black", ls=dashes, label=label)
    scales.logarithmic(ax, "y", "", "")
    ax.yaxis.set_major_formatter("{x:,.0f}")
    ax.set(ylim=(0.8, 1000))
    scales.linear(ax, "x", "rounds of data", "")


def _sum(results: Results, quantity: str) -> numpy.ndarray:
    """Of all newcomers, in each round from that of the SYN."""
    series = results.series("xcp").where(quantity=quantity)
    times, place = numpy.unique(series["time_ns"], return_inverse=True)
    return numpy.bincount(place, series["value"], len(times))[:ROUNDS]


def _step(rows: Frame) -> Interval:
    """The largest step of their windows together from one round to the next, for each start."""
    windows = rows["window_share"].reshape(-1, ROUNDS)
    return Interval.of(numpy.diff(windows, axis=1).max(axis=1), minimum=-math.inf)


FIGURE = Figure(
    id="fct-new",
    title="How fast a new XCP flow starts",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
