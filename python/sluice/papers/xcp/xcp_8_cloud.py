"""A stream of datagrams beside twenty flows of TCP that cross a cloud by two ingress routers: under
drop tail, under CSFQ, and as an XCP cloud (section 8.1), in which the stream has a macro-flow of
its own, or one with the flows of its ingress ("mixed"). The thesis prints no figure: "CSFQ
shares these objectives, but our simulations indicate that XCP provides more fairness, higher
utilization, lower delay, and smaller drop rate". Against the stream's rate over its share of the
core link: its throughput; Jain's index of all throughputs over their max-min fair shares; the
largest departure of a macro-flow from these; utilization; packets that TCP sends again, and the
mean time of TCP's packets in queues, ingress routers' included; the same for all packets, with
drops, and dotted what of that is in the core. Core link 20 Mb/s, 60 ms, of which 40 ms are the
cloud's. The core link has room for a bandwidth-delay product, 150 kB, and each of the three
macro-flows for a third of that: what waits before the bottleneck has as much room under each system
([xcp-8-buffer](#xcp-8-buffer) has other sizes). CSFQ has time constants of two round trips. TCP's
time in queues is that of flows by the second ingress, where the stream does not enter. That the
core of the cloud drops less holds by construction: packets find no room at the ingresses. And a
stream that sends more than its share keeps its own queue full under a cloud, where CSFQ drops its
packets before they wait: means over all packets are decided by the stream.
Measured from 10 s to 40 s; means over ten seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..drawing import means, with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .clouds import (
    BUFFER_KB,
    CAPACITY,
    CLOSE,
    CLOUD,
    MIXED,
    ONE,
    OTHER,
    SYSTEMS,
    TWO,
    core,
    delay_ms,
    empty,
    flows,
    less,
    scenario,
    stream,
    throughputs,
)

FLOWS = 10
SHARE = CAPACITY / (2 * FLOWS + 1)
#: The stream's rate over its share; the last is nearly the link's.
GAINS, QUICK = (0.5, 1.0, 2.0, 5.0, 20.0), (0.5, 5.0)
SEEDS = 10
#: Of each macro-flow: those of TCP by either ingress, and the stream.
INGRESS_KB = BUFFER_KB / 3
PANELS = {
    "stream": "stream (of its share)",
    "jain": "Jain's index",
    "off": "largest departure",
    "utilization": "utilization",
    "tcp_drops": "TCP sends again",
    "all_drops": "dropped of all",
    "tcp_ms": "TCP in queues (ms)",
    "all_ms": "all in queues (ms)",
}
#: What of a measure is in the core, dotted.
INSIDE = {"all_drops": "core_drops", "all_ms": "core_ms"}
#: Measures on logarithmic axes, with ticks.
LOGARITHMIC = {
    "stream": GAINS,
    "off": (0.01, 0.1, 1, 10),
    "tcp_drops": (0.01, 0.1),
    "all_ms": (1, 10, 50),
}
#: By system and rate.
Runs = dict[tuple[str, float], Results]


def run(scale: Scale) -> Runs:
    """Each system at each rate."""
    return {
        (name, gain): scale.run(
            scenario(
                name,
                [
                    flows("one", ONE, FLOWS),
                    flows("two", TWO, FLOWS),
                    stream("stream", ONE, gain * SHARE),
                ],
                INGRESS_KB,
            ),
            ["tcp"],
            name=f"xcp-8-cloud/{name.replace(', ', '-').replace(' ', '-')}-{gain:g}",
            seeds=scale.pick(1, SEEDS),
        )
        for name in SYSTEMS
        for gain in scale.pick(QUICK, GAINS)
    }


def table(runs: Runs) -> Frame:
    """A row for each system, rate and seed."""
    rows = []
    for (name, gain), results in runs.items():
        for seed in results.seeds:
            own = float(throughputs(results, seed, "stream")[0])
            tcp = numpy.concatenate([throughputs(results, seed, of) for of in ("one", "two")])
            fair = min(gain, 1.0) * SHARE
            shares = tcp / ((CAPACITY - fair) / len(tcp))
            parts = numpy.append(shares, own / fair)
            # One macro-flow each: the flows of either ingress, and the stream.
            means = (shares[:FLOWS].mean(), shares[FLOWS:].mean(), own / fair)
            rows.append(
                {
                    "system": name,
                    "gain": gain,
                    "seed": seed,
                    "stream": own / SHARE,
                    "off": max(abs(float(mean) - 1) for mean in means),
                    "jain": float(parts.sum() ** 2 / (parts**2).sum() / len(parts)),
                    "empty": empty(results, seed),
                    "stream_ms": delay_ms(results, seed, "stream"),
                }
                | core(results, seed)
            )
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That the cloud holds the stream to its share, and compares with CSFQ as the thesis has it."""
    gains = [float(gain) for gain in numpy.unique(table["gain"])]
    above = [gain for gain in gains if gain > 1]
    below = [gain for gain in gains if gain < 1]
    return [
        everywhere(
            "a stream that sends more than its share is held to it: its throughput over the share",
            "would force unresponsive or UDP flows to use a fair share",
            _each(above, lambda gain: _of(table, CLOUD, gain, "stream")),
            low=1 - CLOSE,
            high=1 + CLOSE,
        ),
        everywhere(
            "one that sends less gets what it sends: its throughput over its rate",
            "not stated",
            _each(below, lambda gain: Interval.of(_rows(table, CLOUD, gain)["stream"] / gain)),
            low=1 - CLOSE,
            form=".3f",
        ),
        everywhere(
            "more fairness than CSFQ among flows: the difference of Jain's indices",
            "more fairness",
            _each(gains, lambda gain: _less(table, gain, "jain")),
            low=0,
            form=".4f",
            why=_within(table, gains),
        ),
        everywhere(
            "more fairness than CSFQ among macro-flows: the difference of the largest departures "
            "from max-min fair shares",
            "more fairness",
            _each(gains, lambda gain: _less(table, gain, "off")),
            high=0,
            form=".4f",
            why=_departs(table, gains),
        ),
        everywhere(
            f"higher utilization than CSFQ, with {INGRESS_KB:g} kB a macro-flow: the difference",
            "higher utilization",
            _each(gains, lambda gain: _less(table, gain, "utilization")),
            low=0,
            form=".4f",
            why=_empty(table, gains),
        ),
        everywhere(
            "lower delay than CSFQ in the core: the mean time in the queue, over CSFQ's",
            "lower delay",
            _each(gains, lambda gain: _over(table, gain, "core_ms")),
            high=1,
        ),
        everywhere(
            f"lower delay of TCP, with the queues of ingress routers, of {INGRESS_KB:g} kB each: "
            "the mean time of its packets in queues, over CSFQ's",
            "lower delay",
            _each(gains, lambda gain: _over(table, gain, "tcp_ms")),
            high=1,
        ),
        everywhere(
            "lower delay of all packets, the stream's included: the mean time in these queues, "
            "over CSFQ's",
            "lower delay",
            _each(gains, lambda gain: _over(table, gain, "all_ms")),
            high=1,
            why=_waits(table, gains),
        ),
        everywhere(
            "a smaller drop rate than CSFQ in the core: the difference",
            "smaller drop rate",
            _each(gains, lambda gain: _less(table, gain, "core_drops")),
            high=0,
            form=".4f",
        ),
        everywhere(
            f"a smaller drop rate of TCP, with the queues of ingress routers, of {INGRESS_KB:g} kB "
            "each: the difference of packets sent again, over those delivered",
            "smaller drop rate",
            _each(gains, lambda gain: _less(table, gain, "tcp_drops")),
            high=0,
            form=".4f",
            why=_again(table, gains),
        ),
        everywhere(
            "a smaller drop rate of all packets, the stream's included: the difference",
            "smaller drop rate",
            _each(gains, lambda gain: _less(table, gain, "all_drops")),
            high=0,
            form=".4f",
            why=_refuses(table, gains),
        ),
        everywhere(
            "in a macro-flow with responsive flows, a stream is not held to its share: its "
            "throughput over the share",
            "care should be taken not to mix responsive (e.g., TCP) and unresponsive (e.g., UDP) "
            "flows in the same macro-flow",
            _each(above, lambda gain: _of(table, MIXED, gain, "stream")),
            low=1 + CLOSE,
        ),
    ]


def _each(gains: list[float], of: Callable[[float], Interval]) -> dict[str, Interval]:
    return {f"at {gain:g}": of(gain) for gain in gains}


def _rows(table: Frame, name: str, gain: float) -> Frame:
    return table.where(system=name, gain=gain)


def _of(table: Frame, name: str, gain: float, column: str) -> Interval:
    return Interval.of(_rows(table, name, gain)[column])


def _less(table: Frame, gain: float, column: str) -> Interval:
    return less(*(_rows(table, name, gain)[column] for name in (CLOUD, OTHER)))


def _over(table: Frame, gain: float, column: str) -> Interval:
    own, other = (_rows(table, name, gain)[column] for name in (CLOUD, OTHER))
    return Interval.of(own / other)


def _within(table: Frame, gains: list[float]) -> str:
    """How unequal flows are beside their macro-flows."""
    least = min(gains, key=lambda gain: _of(table, CLOUD, gain, "jain").mean)
    index, off = (_of(table, CLOUD, least, column).mean for column in ("jain", "off"))
    return (
        f"at {least:g}, macro-flows are within {off:.1%} of their shares, and the index of flows "
        f"is {index:.3f}: within a macro-flow, TCP divides"
    )


def _departs(table: Frame, gains: list[float]) -> str:
    """What CSFQ lets through of the stream, at most, and where the cloud departs more than CSFQ."""
    most = max(gains, key=lambda gain: _of(table, OTHER, gain, "stream").mean)
    share = _of(table, OTHER, most, "stream").mean
    worst = max(gains, key=lambda gain: _less(table, gain, "off").mean)
    off, used, other = (
        _of(table, name, worst, column).mean
        for name, column in ((CLOUD, "off"), (CLOUD, "utilization"), (OTHER, "off"))
    )
    return (
        f"at {most:g}, CSFQ lets {share:.2f} shares of the stream through; at {worst:g}, the cloud "
        f"departs by {off:.1%}, with {1 - used:.1%} of the link unused, and CSFQ by {other:.1%}"
    )


def _empty(table: Frame, gains: list[float]) -> str:
    """How often a queue of TCP's flows is empty, where most of the link is unused."""
    least = min(gains, key=lambda gain: _of(table, CLOUD, gain, "utilization").mean)
    used, part = (_of(table, CLOUD, least, column).mean for column in ("utilization", "empty"))
    return (
        f"at {least:g}, {1 - used:.1%} of the link are unused, and the queue of flows of TCP at "
        f"the first ingress is empty in {part:.0%} of samples"
    )


def _waits(table: Frame, gains: list[float]) -> str:
    """How long packets of the stream take, and those of TCP wait, where all wait longest."""
    worst = max(gains, key=lambda gain: _over(table, gain, "all_ms").mean)
    (own, tcp), (other, _) = (
        [_of(table, name, worst, column).mean for column in ("stream_ms", "tcp_ms")]
        for name in (CLOUD, OTHER)
    )
    return (
        f"at {worst:g}, packets of the stream take {own:.0f} ms on their way, and {other:.0f} ms "
        f"under CSFQ; TCP's are {tcp:.0f} ms in queues"
    )


def _again(table: Frame, gains: list[float]) -> str:
    """What TCP sends again, and lacks of its shares, where it sends most beside CSFQ."""
    worst = max(gains, key=lambda gain: _less(table, gain, "tcp_drops").mean)
    own, other = (_of(table, name, worst, "tcp_drops").mean for name in (CLOUD, OTHER))
    passed, lets = (_of(table, name, worst, "stream").mean for name in (CLOUD, OTHER))
    return (
        f"at {worst:g}, TCP sends {own:.2%} again beside {passed:.2f} shares of the stream, under "
        f"CSFQ {other:.2%} beside {lets:.2f}"
    )


def _refuses(table: Frame, gains: list[float]) -> str:
    """What is dropped, and let through of the stream, where the cloud drops most beside CSFQ."""
    worst = max(gains, key=lambda gain: _less(table, gain, "all_drops").mean)
    (own, passed), (other, lets) = (
        (_of(table, name, worst, "all_drops").mean, _of(table, name, worst, "stream").mean)
        for name in (CLOUD, OTHER)
    )
    return (
        f"at {worst:g}, the cloud drops {own:.1%} of packets and lets {passed:.2f} shares of the "
        f"stream through, CSFQ {other:.1%} and {lets:.2f}"
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The measures against the stream's rate."""
    figure, grid = pyplot.subplots(2, 4, figsize=(8.2, 4.2), sharex=True)
    gains = [float(gain) for gain in numpy.unique(table["gain"])]
    for (column, title), ax in zip(PANELS.items(), grid.flat, strict=True):
        for number, name in enumerate(SYSTEMS):
            look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
            found = [_of(table, name, gain, column) for gain in gains]
            with_bars(ax, gains, found, label=name, elinewidth=0.7, **look)
            if column in INSIDE and SYSTEMS[name][1]:
                inside = [_of(table, name, gain, INSIDE[column]) for gain in gains]
                ax.plot(gains, means(inside), linestyle=":", color=style.COLOURS[number])
        scales.logarithmic(ax, "x", "", "")
        ax.set_xticks(gains)
        if column in LOGARITHMIC:
            scales.logarithmic(ax, "y", title, "")
            ax.set_yticks(LOGARITHMIC[column])
            ax.minorticks_off()
        else:
            ax.locator_params("y", nbins=4)
        ax.set_ylabel(title)
    first = grid[0][0]
    first.axhline(1, color=style.GREY, linestyle=style.DASHES[0], zorder=3, linewidth=0.8)
    first.plot([], [], color=style.GREY, linestyle=":", label="in the core alone")
    for ax in grid[-1]:
        ax.set_xlabel("stream's rate (of its share)")
    style.legend_above(figure, first, columns=len(SYSTEMS) + 1)
    return figure


FIGURE = Figure(
    id="xcp-8-cloud",
    title="A stream of datagrams and flows of TCP across a cloud",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
