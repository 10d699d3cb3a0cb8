"""Ledger's loop beside packets: ten long flows share 150 Mb/s, all with a round trip of 100 ms, or
half of them with 40 ms and half with 160 ms, so that d0 is 100 ms; and ten such flows over links of
75 and of 175 Mb/s in either order, of which the wider carries ten more, also of 40 and 160 ms. Ten
flows of 100 ms cross links of 120 and then 75 Mb/s, of which the first carries two more. In the
last case, hosts state twice their round trip of 100 ms, so that d0 is wrong. The drain time tau
of [equation (6)](../explanation/ledger.md), in d0, is 1 by default. `sluice.theory.ledger` says
that a link is stable with any tau where flows have one round trip, from 0.33 on with these two
(vertical line), and from 0.32 on where hosts state twice theirs. A tau of 0.6, the mean distance of
both round trips from d0, is proved to be enough. Two links are as stable as one where the narrower
comes first. With the wider first, links of 120 and 75 Mb/s are stable from 0.58 on with one round
trip; with two there is no theory, and they are compared with one link.

On the left is the swing of R, between its highest and its lowest value over its mean, in the last
8 of 40 s, sampled every 10 ms, at the link where it is larger; on the right the mean queue
meanwhile, of the first link. At rest the queue is its target of 0.05 C d0 whatever tau is, since
the router counts all flows (`queue_bdp`). Ten seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes
from scipy import optimize

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ...theory import ledger
from .. import places
from ..claim import Claim, everywhere
from ..closeness import line
from ..figure import Figure
from ..interval import Interval
from ..link import FROM, TO, link_metrics, samples
from ..rows import by_seed, frame
from ..scale import Scale
from .systems import LEDGER, SYSTEMS, simulate

CAPACITY, MEAN_RTT_S, FLOWS = 150e6, 0.1, 10
ONE, TWO = "one round trip", "two round trips"
NARROW, WIDE = "two, narrower link first", "two, wider link first"
NEAR = "one, wider link first"
STATED = "one, stated as twice"
RTTS_S = {
    ONE: (0.1,),
    TWO: (0.04, 0.16),
    NARROW: (0.04, 0.16),
    WIDE: (0.04, 0.16),
    NEAR: (0.1,),
    STATED: (0.1,),
}
#: What a round trip is divided by as it is stated there.
GAIN = 0.5
#: Where the flows cross two: the capacities of both in Mb/s, the number of the wider one's other
#: flows, and the delay of each link.
MBPS, OTHERS, DELAY_S = {NARROW: (75, 175), WIDE: (175, 75), NEAR: (120, 75)}, {NEAR: 2}, 0.001
#: These links.
BOTH = [("a", "b"), ("b", "c")]
BUFFER = f"{4 * places.bdp_bytes(CAPACITY, MEAN_RTT_S):.0f} B"
DRAIN_TIMES = (0.25, 0.28, 0.31, 0.34, 0.37, 0.4, 0.45, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 1.0, 2.0)
QUICK = (0.25, 0.31, 0.37, 0.45, 0.6, 1.0)
SINCE_S, UNTIL_S = 32, 40
TARGET = 0.05
#: Bound on the swing of R that is at rest.
CALM = 0.05
#: Bounds on the boundary over the theory's, and on the queue over its target.
ALIKE, AT_TARGET = (0.8, 1.25), (0.9, 1.1)

Key = tuple[str, float]


def run(scale: Scale) -> dict[Key, Results]:
    """By round trips and drain time."""
    return {
        (rtts, tau): simulate(
            scale,
            SYSTEMS[LEDGER],
            scenario(rtts).set({"ledger.drain_time": tau}),
            f"own-stability/{list(RTTS_S).index(rtts)}-{tau}",
        )
        for rtts in RTTS_S
        for tau in scale.pick(QUICK, DRAIN_TIMES)
    }


def scenario(rtts: str) -> Scenario:
    """The network and its flows."""
    if rtts in MBPS:
        return _two_links(RTTS_S[rtts], MBPS[rtts], OTHERS.get(rtts, FLOWS))
    gain = {"conduct": {"rtt_gain": GAIN}} if rtts == STATED else {}
    return _one_link(RTTS_S[rtts], gain)


def _one_link(rtts: tuple[float, ...], conduct: dict[str, Any]) -> Scenario:
    dumbbell = {
        "capacity": f"{CAPACITY:.0f} bps",
        # For a pair of hosts without traffic; each group sets its own.
        "rtt": f"{1e3 * max(rtts):g} ms",
        "bottleneck_delay": "1 ms",
        "buffer": BUFFER,
    }
    groups = [
        {
            "name": f"rtt-{1e3 * rtt:g}",
            "rtt": f"{1e3 * rtt:g} ms",
            "long": {"count": FLOWS // len(rtts)},
        }
        | conduct
        for rtt in rtts
    ]
    return _until({"dumbbell": dumbbell}, groups, [link_metrics("10 ms")])


def _two_links(rtts: tuple[float, ...], capacities: tuple[int, ...], others: int) -> Scenario:
    """Flows over both links, and others over the wider alone."""
    wider = BOTH[capacities.index(max(capacities))]
    delay = f"{1e3 * DELAY_S:g} ms"
    links = [
        {"from": begin, "to": end, "capacity": f"{mbps} Mbps", "delay": delay, "buffer": BUFFER}
        for (begin, end), mbps in zip(BOTH, capacities, strict=True)
    ]
    groups = []
    for crossed, flows in ((BOTH, FLOWS), ([wider], others)):
        for rtt in rtts:
            source, sink = (f"{end}-{len(crossed)}-{1e3 * rtt:g}" for end in ("from", "to"))
            rest_s = rtt / 2 - len(crossed) * DELAY_S
            access = {"capacity": "10 Gbps", "delay": f"{1e3 * rest_s:g} ms"}
            links.append({"from": source, "to": crossed[0][0]} | access)
            links.append({"from": crossed[-1][1], "to": sink} | access | {"delay": "0 s"})
            long = {"count": flows // len(rtts)}
            groups.append({"name": source, "from": source, "to": sink, "long": long})
    metrics = [{"link": list(link), "every": "10 ms"} for link in BOTH]
    return _until({"link": links}, groups, metrics)


def _until(
    topology: dict[str, Any], groups: list[dict[str, Any]], metrics: list[dict[str, Any]]
) -> Scenario:
    return Scenario(
        name="own-stability",
        warm_up="1 s",
        stop=f"{UNTIL_S} s",
        limit=f"{UNTIL_S} s",
        ideals=[],
        protocols=["ledger"],
        topology=topology,
        group=groups,
        metrics=metrics,
    )


def table(runs: dict[Key, Results]) -> Frame:
    """A row for each run."""
    return frame(
        [
            {"rtts": rtts, "tau": tau, "seed": seed} | _measured(results, seed, rtts)
            for (rtts, tau), results in runs.items()
            for seed in results.seeds
        ]
    )


def _measured(results: Results, seed: int, rtts: str) -> dict[str, Any]:
    """The largest swing of R over its mean, and the mean queue of the first link over C d0, in the
    last seconds."""

    def seen(name: str, link: tuple[str, str]) -> numpy.ndarray:
        found = samples(results, "ledger", name, seed, link=">".join(link))
        return found.values[found.seconds > SINCE_S]

    links = BOTH if rtts in MBPS else [(FROM, TO)]
    rates = [seen("R", link) for link in links]
    capacity = 1e6 * MBPS[rtts][0] if rtts in MBPS else CAPACITY
    bdp = places.bdp_bytes(capacity, float(seen("d0", links[0]).mean()))
    return {
        "swing": max(float(numpy.ptp(rate) / rate.mean()) for rate in rates),
        "queue_bdp": float(seen("queue_bytes", links[0]).mean()) / bdp,
    }


def check(table: Frame) -> list[Claim]:
    """The theory's claims, in packets."""
    one, two, near, stated = (table.where(rtts=rtts) for rtts in (ONE, TWO, NEAR, STATED))
    least, enough = (f(RTTS_S[TWO]) for f in (ledger.least_drain_time, ledger.enough_drain_time))
    wrong = ledger.least_drain_time(RTTS_S[STATED], d0=RTTS_S[STATED][0] / GAIN)
    behind = _least_behind(MBPS[NEAR][0] / MBPS[NEAR][1])
    taus = numpy.unique(table["tau"])
    swing = "the swing of R over its mean"
    calm = f"the least tau from which on {swing} is below {CALM}, over that of the theory"
    return [
        everywhere(
            f"with one round trip the loop is stable with any tau: {swing}",
            "stable",
            _at(one, "swing", taus),
            high=CALM,
        ),
        everywhere(
            f"with round trips of a ratio of 4 it is not stable with a tau below {least:.2f}: "
            f"{swing}",
            "not stable",
            _at(two, "swing", taus[taus < least]),
            low=CALM,
        ),
        everywhere(
            f"it is stable with a tau of {enough:.1f} and more: {swing}",
            "stable",
            _at(two, "swing", taus[taus > enough - 1e-9]),
            high=CALM,
        ),
        _alike(calm, {"of it": (two, least)}),
        _alike(
            f"the same over two links: {calm}",
            {
                f"with the {rtts.removeprefix('two, ')}": (table.where(rtts=rtts), least)
                for rtts in (NARROW, WIDE)
            },
        ),
        _alike(
            f"the same with one round trip, where the wider link comes first: {calm}",
            {"of it": (near, behind)},
        ),
        _alike(f"the same where d0 is twice the round trip: {calm}", {"of it": (stated, wrong)}),
        everywhere(
            "the queue rests at its target whatever tau is: its mean over the target",
            "1",
            {
                at: Interval(*(end / TARGET for end in (found.mean, found.low, found.high)))
                for at, found in _at(one, "queue_bdp", taus).items()
            },
            low=AT_TARGET[0],
            high=AT_TARGET[1],
        ),
    ]


def _alike(text: str, points: dict[str, tuple[Frame, float]]) -> Claim:
    """That the boundary of each table is the theory's, stated beside it."""
    parts = {
        at: Interval.of(_boundary(own) / theory for own in by_seed(rows))
        for at, (rows, theory) in points.items()
    }
    return everywhere(text, "1", parts, low=ALIKE[0], high=ALIKE[1])


def _least_behind(ratio: float) -> float:
    """The drain time from which on two links with this ratio of capacities are stable."""

    def above(tau: float) -> float:
        return ledger.least_capacity_ratio(tau) - ratio

    return float(optimize.brentq(above, 0.25, 1))


def _at(table: Frame, column: str, taus: numpy.ndarray) -> dict[str, Interval]:
    return {f"with {tau:g}": Interval.of(table.where(tau=tau)[column]) for tau in taus}


def _boundary(table: Frame) -> float:
    """The middle between the largest tau that is not calm and the next one."""
    taus = numpy.unique(table["tau"])
    calm = numpy.array([table.where(tau=tau)["swing"][0] < CALM for tau in taus])
    if calm.all():
        return float(taus[0])
    last = int(numpy.flatnonzero(~calm)[-1])
    return float(taus[last : last + 2].mean())


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The swing of R and the queue against the drain time."""
    figure, axes = pyplot.subplots(1, 2, figsize=(7, 2.8))
    for ax, column in zip(axes, ("swing", "queue_bdp"), strict=True):
        _lines(ax, table, column)
        ax.set(xscale="log", xlabel="drain time tau (d0)")
        ax.set_xticks((0.25, 0.5, 1, 2), ("0.25", "0.5", "1", "2"))
        ax.minorticks_off()
        ax.axvline(ledger.least_drain_time(RTTS_S[TWO]), color=style.GREY, linestyle=style.DOTS)
    axes[0].set(ylabel="swing of R / mean", yscale="log")
    swings = (0.003, 0.01, 0.03, 0.1, 0.3, 1)
    axes[0].set_yticks(swings, [f"{swing:g}" for swing in swings])
    axes[0].yaxis.minorticks_off()
    axes[1].axhline(TARGET, color="black", linewidth=0.7)
    axes[1].set(ylabel="mean queue (C d0)", ylim=(0, 5 * TARGET))
    style.legend_above(figure, axes[0], columns=3)
    return figure


def _lines(ax: Axes, table: Frame, column: str) -> None:
    for number, rtts in enumerate(RTTS_S):
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number], "label": rtts}
        line(ax, table.where(rtts=rtts), "tau", column, **look)


FIGURE = Figure(
    id="own-stability",
    title="Ledger's loop beside packets, against its drain time",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
