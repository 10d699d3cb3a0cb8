"""Inside the macro-flows of an XCP cloud (section 8.1), which share the core link in proportion to
their micro-flows, packets are first in, first out. Left: two streams of datagrams by one ingress,
one that sends half its share and one that sends nearly the link's rate, beside twenty flows of TCP;
what either receives over the share of one. Middle: the latter stream with further ones at its
ingress, each of a packet every 4 s, which one sender can have at no cost; what it receives over its
max-min fair share. Right: ten flows of TCP by one ingress, over equal round trips or half of them
over one three times as long; Jain's index of their throughputs. The network is that of
[xcp-8-cloud](#xcp-8-cloud), and each macro-flow has room for a bandwidth-delay product. Means over
ten seeds; bars are 95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .bottleneck import Settings
from .clouds import (
    CAPACITY,
    CLOSE,
    CLOUD,
    FAR,
    NAMES,
    ONE,
    TWO,
    flows,
    scenario,
    stated,
    stream,
    throughputs,
)
from .xcp_8_cloud import FLOWS

#: Of one of all micro-flows, the streams included.
SHARE = CAPACITY / (2 * FLOWS + 2)
#: Of the two streams, over the share.
LOW, HIGH = 0.5, 20.0
#: Numbers of quiet streams, and the rate of each in bit/s: a packet every 4 s.
QUIETS, QUICK, QUIET_BPS = (0, 10, 100), (0, 100), 2e3
SEEDS = 10
#: Least index that counts as fair: two of which one has twice the other's.
FAIR = 0.9
#: The kinds of loads without quiet streams.
STREAMS, ROUND_TRIPS = "streams", "round-trips"
#: By system and load: one of these, or a number of quiet streams.
Runs = dict[tuple[str, str | int], Results]


def run(scale: Scale) -> Runs:
    """Each system with each load."""
    tcp = [flows("one", ONE, FLOWS), flows("two", TWO, FLOWS)]
    high = stream("high", ONE, HIGH * SHARE)
    half = FLOWS // 2
    loads: dict[str | int, list[Settings]] = {
        STREAMS: [*tcp, stream("low", ONE, LOW * SHARE), high],
        ROUND_TRIPS: [
            flows("near", ONE, half),
            flows("far", FAR, half),
            flows("two", TWO, FLOWS),
        ],
    }
    for count in scale.pick(QUICK, QUIETS):
        quiet = [stream("quiet", ONE, QUIET_BPS, count)] if count else []
        loads[count] = [*tcp, high, *quiet]
    return {
        (name, load): scale.run(
            scenario(name, groups),
            ["tcp"],
            name=f"xcp-8-within/{name.replace(' ', '-')}-{load}",
            seeds=scale.pick(1, SEEDS),
        )
        for name in NAMES
        for load, groups in loads.items()
    }


def table(runs: Runs) -> Frame:
    """A row for each system, load and seed."""
    rows = []
    for (name, load), results in runs.items():
        for seed in results.seeds:
            row = {"system": name, "load": str(load), "seed": seed}
            rows.append(row | _measures(results, seed, load))
    return frame(rows)


def _measures(results: Results, seed: int, load: str | int) -> dict[str, float]:
    if load == ROUND_TRIPS:
        near, far, two = (throughputs(results, seed, of) for of in ("near", "far", "two"))
        both = {"jain": _index(numpy.append(near, far)), "alike": _index(two)}
        return both | {"ratio": near.sum() / far.sum()}
    high = float(throughputs(results, seed, "high")[0])
    if load == STREAMS:
        low = float(throughputs(results, seed, "low")[0])
        fair = (CAPACITY - LOW * SHARE) / (2 * FLOWS + 1)
        return {"low": low / SHARE, "high": high / SHARE, "of_fair": high / fair}
    fair = (CAPACITY - int(load) * QUIET_BPS) / (2 * FLOWS + 1)
    return {"of_fair": high / fair, "weight": stated(results, seed, place=1)}


def _index(parts: numpy.ndarray) -> float:
    """Jain's index."""
    return float(parts.sum() ** 2 / (parts**2).sum() / len(parts))


def check(table: Frame) -> list[Claim]:
    """That micro-flows share their macro-flow."""
    fair_share = "It would force unresponsive or UDP flows to use a fair share"
    with_quiet = {f"beside {count} quiet streams": str(count) for count in _quiets(table)}
    cases = {"beside one that sends half its share": STREAMS} | with_quiet
    return [
        everywhere(
            "the macro-flow of two streams has the share of two micro-flows: what both receive, "
            "over two shares",
            "each XCP macro-flow to obtain a throughput proportional to the number of micro-flows "
            "in it",
            {"together": Interval.of((_of(table, "low") + _of(table, "high")) / 2)},
            low=1 - CLOSE,
            high=1 + CLOSE,
        ),
        everywhere(
            "one that sends half its share receives it, beside one that exceeds its own in the "
            "same macro-flow: its throughput over its rate",
            fair_share,
            {"the one": Interval.of(_of(table, "low") / LOW)},
            low=1 - CLOSE,
            why=_pushed(table),
        ),
        everywhere(
            "the stream that exceeds its share is held to it, whatever else its macro-flow has: "
            "its throughput over its max-min fair share",
            f"{fair_share} without needing per-flow state",
            {at: Interval.of(_of(table, "of_fair", load=load)) for at, load in cases.items()},
            low=1 - CLOSE,
            high=1 + CLOSE,
            why=_quiet(table),
        ),
        everywhere(
            "flows of one macro-flow over equal round trips share it fairly: Jain's index",
            "TCP will naturally cause the micro-flows to converge to share the XCP macro-flow "
            "fairly",
            {"all ten": Interval.of(_of(table, "alike"))},
            low=FAIR,
            form=".3f",
        ),
        everywhere(
            "flows of one macro-flow share it fairly, though round trips of half of them are "
            "three times as long: Jain's index",
            "TCP will naturally cause the micro-flows to converge to share the XCP macro-flow "
            "fairly",
            {"all ten": Interval.of(_of(table, "jain"))},
            low=FAIR,
            why=f"the nearer ones have {_mean(table, 'ratio'):.1f} times the throughput",
        ),
    ]


def _of(table: Frame, column: str, name: str = CLOUD, load: str | None = None) -> numpy.ndarray:
    if load is None:
        load = ROUND_TRIPS if column in ("jain", "alike", "ratio") else STREAMS
    return table.where(system=name, load=load)[column]


def _quiets(table: Frame) -> list[int]:
    loads = {str(load) for load in table["load"]} - {STREAMS, ROUND_TRIPS}
    return sorted(map(int, loads))


def _mean(table: Frame, column: str, name: str = CLOUD, load: str | None = None) -> float:
    return Interval.of(_of(table, column, name, load)).mean


def _quiet(table: Frame) -> str:
    """What the macro-flow of streams states with most quiet ones, and the stream has elsewhere."""
    most = _quiets(table)[-1]
    weight = _mean(table, "weight", load=str(most))
    others = ", ".join(
        f"{_mean(table, 'of_fair', name, str(most)):.2f} under {name}"
        for name in NAMES
        if name != CLOUD
    )
    return (
        f"beside {most} quiet streams, its macro-flow states {weight:.1f} micro-flows; it has "
        f"{others}"
    )


def _pushed(table: Frame) -> str:
    low, high = (_mean(table, column) for column in ("low", "high"))
    return (
        f"it has {low / (low + high):.1%} of what both receive, and {LOW / (LOW + HIGH):.1%} of "
        "what they send"
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The streams' throughputs, also over the number of quiet ones, and the index, by system."""
    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(8.2, 2.8))
    places = list(range(len(NAMES)))
    for number, column in enumerate(("low", "high")):
        found = [Interval.of(_of(table, column, name)) for name in NAMES]
        label = f"sends {LOW if column == 'low' else HIGH:g} shares"
        look = {"color": style.COLOURS[3 + number], "marker": style.MARKERS[3 + number]}
        with_bars(left, places, found, label=label, linestyle="none", **look)
    quiets = _quiets(table)
    for number, name in enumerate(NAMES):
        found = [Interval.of(_of(table, "of_fair", name, str(count))) for count in quiets]
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        with_bars(middle, range(len(quiets)), found, label=name, **look)
    for number, (column, label) in enumerate({"alike": "equal RTTs", "jain": "RTTs 1:3"}.items()):
        found = [Interval.of(_of(table, column, name)) for name in NAMES]
        look = {"color": style.COLOURS[5 + number], "marker": style.MARKERS[5 + number]}
        with_bars(right, places, found, label=label, linestyle="none", **look)
    middle.set_xlabel("quiet streams beside it")
    middle.set_xticks(range(len(quiets)), [str(count) for count in quiets])
    right.set_ylabel("Jain's index in a macro-flow")
    for ax in (left, right):
        ax.set_xticks(places, NAMES)
        ax.set_xlim(-0.5, len(NAMES) - 0.5)
    scales.logarithmic(left, "y", "received (shares)", "")
    scales.logarithmic(middle, "y", "received (of its fair share)", "")
    right.set_ylim(0, 1.05)
    for ax in (left, middle, right):
        style.legend(ax)
    return figure


FIGURE = Figure(
    id="xcp-8-within",
    title="Inside a macro-flow",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
