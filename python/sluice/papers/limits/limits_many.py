"""More flows than a round trip has packets, under RCP: long flows on 20 Mb/s with a buffer of a
bandwidth-delay product (BDP), with the settings of the papers. A BDP is 125 packets of 1000 bytes
at a round trip of 50 ms; packets of a tenth of the size, or a round trip ten times as long, make it
1250. Flows start one by one over 100 round trips; after 200 more, 400 are measured. Five runs
differ in the time between starts; bars are 95 % intervals over them.

On the right are overloads, without long flows: Poisson arrivals of Pareto sizes (mean 30 kB, shape
1.4) at 1.2 to 3 times the capacity of 100 Mb/s, from ten pairs of hosts with round trips of 20 to
80 ms, measured for 10 s after a warm-up of 2 s. More flows arrive than finish, so that they pile
up. Settings of RCP are changed one at a time.

By hand: R is constant where alpha (C - y) = beta q / d0, so that each packet that waits on average
leaves beta / alpha packets of a BDP idle. q is sampled ten times per round trip, less half a packet
for the one in transmission; the lines without markers are the utilization that follows. At C / N,
each of N flows sends one packet in the time of N packets. Flows that receive a new R together send
together; with more flows than packets in a round trip, each receives it less often than once in a
round trip.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from .. import under_way
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET, bottleneck, link_metrics, samples
from ..rows import frame
from ..scale import Scale
from ..traffic import flow_group, pareto
from ..transport import NS2

CAPACITY = 20e6
#: Cases of long flows: packet in bytes, round trip in seconds, settings of RCP.
PAPERS = "1000 B, 50 ms"
CASES: dict[str, tuple[int, float, dict[str, float]]] = {
    PAPERS: (1000, 0.05, {}),
    "100 B, 50 ms": (100, 0.05, {}),
    "1000 B, 500 ms": (1000, 0.5, {}),
    "alpha and beta 0.4": (1000, 0.05, {"alpha": 0.4, "beta": 0.4}),
}
#: Cases that differ from the papers' only in the number of packets in a BDP.
SCALED = ("100 B, 50 ms", "1000 B, 500 ms")
#: Numbers of flows over packets in a BDP.
PARTS = (0.25, 0.5, 1, 2, 4, 8)
#: Round trips over which flows begin, that pass before measuring, and until the end.
BEGIN, WARM_UP, STOP = 100, 300, 700
#: Factors on the time between starts, one for each run.
SPACED = (0.8, 0.9, 1.0, 1.1, 1.2)
LOADS = (1.2, 1.5, 2.0, 3.0)
OVERLOADED = 100e6
#: Of the overload, in seconds: mean round trip, when measuring begins and ends.
MEAN_RTT, SINCE, UNTIL = 0.05, 2, 12
#: Bounds for a link that is used, and for equal utilization.
USED, ALIKE = 0.9, (0.8, 1.25)
#: RCP's own gains.
ALPHA, BETA = 0.1, 1.0
#: Bounds of utilization relative to that left by alpha (C - y) = beta q / d0, and the largest
#: number of flows over packets in a BDP to which they apply: an overflowing buffer costs more.
BY_HAND, UP_TO = (0.9, 1.1), 1
#: One setting changed at a time in an overload.
SETTINGS: dict[str, dict[str, float]] = {
    "papers": {},
    "alpha and beta 0.4": {"alpha": 0.4, "beta": 0.4},
    "least R x 100": {"min_rate": 1.0},
}


class Runs(NamedTuple):
    """Results of long flows and of overloads."""

    #: By case, number of flows over packets of a BDP, and factor on the time between starts.
    long: dict[tuple[str, float, float], Results]
    #: By setting and load.
    over: dict[tuple[str, float], Results]


def run(scale: Scale) -> Runs:
    """Long flows, one run for each spacing of their starts; overloads over seeds."""
    seeds = scale.pick(2, 5)
    long = {
        (case, part, times): scale.run(
            _long(case, part, times), ["rcp"], name=f"limits-many/{index}-{part}-{times}"
        )
        for index, case in enumerate(CASES)
        for part in PARTS
        for times in SPACED[:seeds]
    }
    over = {
        (setting, load): scale.run(
            _overload(load, parameters),
            ["rcp"],
            name=f"limits-many/load-{index}-{load}",
            seeds=seeds,
        )
        for index, (setting, parameters) in enumerate(SETTINGS.items())
        for load in LOADS
    }
    return Runs(long, over)


def _bdp(packet: int, rtt: float, capacity: float = CAPACITY) -> float:
    """The bandwidth-delay product in packets."""
    return capacity * rtt / 8 / packet


def _long(case: str, part: float, times: float) -> Scenario:
    packet, rtt, settings = CASES[case]
    count = round(part * _bdp(packet, rtt))
    spacing = times * BEGIN * rtt / count
    stop = f"{STOP * rtt:g} s"
    return Scenario(
        name="limits-many",
        warm_up=f"{WARM_UP * rtt:g} s",
        stop=stop,
        limit=stop,
        ideals=[],
        packet=f"{packet} B",
        topology={"dumbbell": {"capacity": f"{CAPACITY:.0f} bps", "rtt": f"{1000 * rtt:g} ms"}},
        transport=NS2,
        rcp=settings,
        group=[flow_group("flows", long={"count": count, "spacing": f"{spacing * 1e9:.0f} ns"})],
        metrics=[link_metrics(f"{100 * rtt:g} ms")],
    )


def _overload(load: float, parameters: dict[str, float]) -> Scenario:
    sizes = pareto("30 kB", 1.4)
    return Scenario(
        name="limits-overload",
        warm_up=f"{SINCE} s",
        stop=f"{UNTIL} s",
        limit=f"{UNTIL} s",
        ideals=[],
        transport=NS2,
        rcp=parameters,
        topology={
            "dumbbell": {
                "pairs": 10,
                "capacity": f"{OVERLOADED:.0f} bps",
                "rtt": ["20 ms", "80 ms"],
            }
        },
        group=[{"name": "flows", "pairs": "each", "poisson": {"load": load, "sizes": sizes}}],
    )


def table(runs: Runs) -> Frame:
    """A row for each run: utilization; for long flows also the utilization that the queue leaves,
    for overloads the number of flows over packets in a BDP."""
    rows: list[dict[str, Any]] = []
    for (case, part, times), results in runs.long.items():
        left = 1 - _asked_idle(results, case)
        rows.append({"case": case, "part": part, "run": times, "left": left} | _used(results, 1))
    for (setting, load), results in runs.over.items():
        for seed in results.seeds:
            flows = under_way.mean(results.flows("rcp", seed), numpy.array([SINCE, UNTIL]))[0]
            part = float(flows) / _bdp(PACKET, MEAN_RTT, OVERLOADED)
            of = {"setting": setting, "load": load, "part": part, "run": seed}
            rows.append(of | _used(results, seed))
    return frame(rows)


def _used(results: Results, seed: int) -> dict[str, Any]:
    link = bottleneck(results, "rcp", seed)
    return {"used": float(link["utilization"][0]), "drops": int(link["drops"][0])}


def _asked_idle(results: Results, case: str) -> float:
    """The idle fraction by alpha (C - y) = beta q / d0 with the mean queue."""
    packet, rtt, settings = CASES[case]
    queue, d0 = (samples(results, "rcp", name) for name in ("queue_bytes", "d0"))
    late = queue.seconds > WARM_UP * rtt
    in_transmission = float(bottleneck(results, "rcp")["utilization"][0]) * packet / 2
    waiting = queue.values[late].mean() - in_transmission
    ratio = settings.get("beta", BETA) / settings.get("alpha", ALPHA)
    return float(ratio * waiting * 8 / CAPACITY / d0.values[late].mean())


def check(table: Frame) -> list[Claim]:
    """Claims of our own about utilization, and about the law as the reason."""
    used = {
        (case, part): _of(table, "used", case=case, part=part) for case in CASES for part in PARTS
    }
    by_hand = {
        f"{case}, {part:g} of BDP": Interval.of(
            table.where(case=case, part=part)["used"] / table.where(case=case, part=part)["left"]
        )
        for case in CASES
        for part in PARTS
        if part <= UP_TO
    }
    alike = {
        f"{case}, {part:g} of BDP": Interval.of(
            table.where(case=case, part=part)["used"] / table.where(case=PAPERS, part=part)["used"]
        )
        for case in SCALED
        for part in PARTS
    }
    return [
        everywhere(
            "RCP uses its link with any number of long flows: utilization",
            "any number of flows",
            {
                f"with {part:g} times as many as BDP has packets": used[PAPERS, part]
                for part in PARTS
            },
            low=USED,
        ),
        everywhere(
            "the number of flows matters relative to the packets of a BDP: utilization with ten "
            "times as many packets in a BDP over that with the same number of flows per packet",
            "not stated",
            alike,
            low=ALIKE[0],
            high=ALIKE[1],
        ),
        everywhere(
            "the idle fraction is the one that the law implies: utilization over what "
            "alpha (C - y) = beta q / d0 leaves, up to as many flows as BDP has packets",
            "equation (2)",
            by_hand,
            low=BY_HAND[0],
            high=BY_HAND[1],
        ),
        everywhere(
            "RCP uses an overloaded link: utilization",
            "not stated",
            {
                f"at a load of {load}": _of(table, "used", setting="papers", load=load)
                for load in LOADS
            },
            low=USED,
            why="; ".join(
                f"{setting}: {_of(table, 'used', setting=setting, load=LOADS[-1]):.2f} at "
                f"{LOADS[-1]}"
                for setting in SETTINGS
                if setting != "papers"
            )
            + f"; with {_of(table, 'part', setting='papers', load=LOADS[-1]):.1f} times as many "
            "flows as BDP has packets there",
        ),
    ]


def _of(table: Frame, column: str, **where: Any) -> Interval:
    return Interval.of(table.where(**where)[column])


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Long flows against their number, and overloads against the load."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.8), sharey=True)
    for case, colour, marker in zip(CASES, style.COLOURS, style.MARKERS, strict=False):
        found = [_of(table, "used", case=case, part=part) for part in PARTS]
        with_bars(left, PARTS, found, elinewidth=0.7, color=colour, marker=marker, label=case)
        asked = [max(0.0, _of(table, "left", case=case, part=part).mean) for part in PARTS]
        left.plot(PARTS, asked, color=colour, ls=style.DOTS)
    for setting, colour, marker in zip(SETTINGS, style.COLOURS, style.MARKERS, strict=False):
        found = [_of(table, "used", setting=setting, load=load) for load in LOADS]
        with_bars(right, LOADS, found, elinewidth=0.7, color=colour, marker=marker, label=setting)
    scales.logarithmic(left, "x", "long flows over packets of BDP", "")
    right.set(xlabel="load")
    left.set(ylabel="utilization", ylim=(0, 1.05))
    style.legend(left)
    style.legend(right)
    return figure


FIGURE = Figure(
    id="limits-many",
    title="More flows than a round trip has packets, and overload",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
