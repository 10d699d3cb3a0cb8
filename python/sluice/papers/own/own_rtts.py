"""Flows with round trips of 10 to 300 ms over one link of 150 Mb/s, under Ledger, RCP with both
settings of [own-places](#own-places), NCP, and TCP with selective acknowledgements. The buffer is a
bandwidth-delay product at the mean round trip.

On the left, two long flows of each round trip share the link: the part of an equal share that they
get in 15 s after 10 s. In the middle and on the right are flows that arrive at random (Poisson, a
load of 0.7, the same part of it for each round trip, Pareto sizes of mean 30 packets and shape
1.2): mean completion time over max-min's. Ten seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from .. import places
from ..claim import Claim, everywhere
from ..closeness import by_size, ratios
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET
from ..rows import frame
from ..scale import Scale
from .beside import Points, near, no_longer
from .systems import LEDGER, SYSTEMS, lines, simulate

RTTS_S = (0.01, 0.03, 0.06, 0.1, 0.2, 0.3)
#: Those at ticks of the axis.
MARKED_S = (0.01, 0.03, 0.1, 0.3)
NAMES = (LEDGER, "RCP", "RCP 0.4", "NCP", "TCP SACK")
#: Long flows of each round trip.
EACH = 2
#: Classes of sizes: the smallest in packets, and the name.
CLASSES = {1: "up to 30", 30: "30 to 300", 300: "over 300"}
#: Seconds before measuring, and expected flows that are measured, at the quick and full scale.
WARM_UP_S = 10
FLOWS = (3_000, 15_000)
LONG_S = 15
#: Bound on Jain's index of the long flows' throughputs.
EQUAL = 0.999

Key = tuple[str, str]


def run(scale: Scale) -> dict[Key, Results]:
    """By system, and long flows or arrivals."""
    measured = scale.pick(*FLOWS) * places.MEAN_PACKETS * PACKET * 8
    seconds = {"long": LONG_S, "arrivals": measured / (places.LOAD * places.CAPACITY)}
    return {
        (name, kind): simulate(
            scale, SYSTEMS[name], _scenario(kind, seconds[kind]), f"own-rtts/{kind}-{number}"
        )
        for number, name in enumerate(NAMES)
        for kind in seconds
    }


def _scenario(kind: str, seconds: float) -> Scenario:
    load = {"load": places.LOAD / len(RTTS_S), "sizes": places.sizes(places.MEAN_PACKETS)}
    traffic: dict[str, Any] = {"long": {"long": {"count": EACH}}, "arrivals": {"poisson": load}}
    stop = WARM_UP_S + seconds
    return Scenario(
        name="own-rtts",
        warm_up=f"{WARM_UP_S} s",
        stop=f"{stop:g} s",
        limit=f"{places.PATIENCE * stop:g} s",
        ideals=["max_min"] if kind == "arrivals" else [],
        topology={
            "dumbbell": {
                "capacity": f"{places.CAPACITY:.0f} bps",
                # For a pair of hosts without traffic; each group sets its own.
                "rtt": f"{1e3 * max(RTTS_S):g} ms",
                "bottleneck_delay": "1 ms",
                "buffer": f"{places.bdp_bytes(places.CAPACITY, sum(RTTS_S) / len(RTTS_S)):.0f} B",
            }
        },
        group=[{"name": _group(rtt), "rtt": f"{1e3 * rtt:g} ms"} | traffic[kind] for rtt in RTTS_S],
        tcp={"recovery": "sack"},
    )


def _group(rtt: float) -> str:
    return f"rtt-{1e3 * rtt:g}"


def table(runs: dict[Key, Results]) -> Frame:
    """Rows of two kinds: throughputs of long flows by round trip with Jain's index of all, and
    completion times by round trip and class."""
    rows: list[dict[str, Any]] = []
    for (name, kind), results in runs.items():
        of: dict[str, Any] = {"kind": kind, "system": name}
        if kind == "long":
            for seed in results.seeds:
                rows += _shares(results.flows(results.protocols[0], seed), seed=seed, **of)
        else:
            edges = (*CLASSES, numpy.inf)
            for rtt in RTTS_S:
                rows += by_size(results, edges, group=_group(rtt), rtt_s=rtt, **of)
    return frame(rows)


def _shares(flows: Frame, **of: Any) -> list[dict[str, Any]]:
    """A row for each round trip: its flows' part of an equal share of what all of them get."""
    got = flows["delivered_bytes"].astype(float)
    jain = float(got.sum() ** 2 / (len(got) * (got**2).sum()))
    return [
        of
        | {
            "rtt_s": rtt,
            "share": float(got[flows["group"] == _group(rtt)].mean() / got.mean()),
            "jain": jain,
        }
        for rtt in RTTS_S
    ]


def check(table: Frame) -> list[Claim]:
    """Claims about Ledger's shares and completion times."""
    long, flows = (table.where(kind=kind) for kind in ("long", "arrivals"))
    first = long.where(rtt_s=RTTS_S[0])
    points: Points = {
        f"at {1e3 * rtt:g} ms, {title} packets": {"rtt_s": rtt, "size_from": size}
        for rtt in RTTS_S
        for size, title in CLASSES.items()
    }
    others = ", ".join(
        f"{Interval.of(first.where(system=name)['jain']).mean:.4f} under {name}"
        for name in NAMES
        if name != LEDGER
    )
    return [
        everywhere(
            "long flows of all round trips get the same share under Ledger: Jain's index",
            "not stated",
            {"of their throughputs": Interval.of(first.where(system=LEDGER)["jain"])},
            low=EQUAL,
            form=".4f",
            note=f"; {others}",
            taken=f"above {EQUAL}",
        ),
        near(
            "short flows of all round trips are near max-min fairness under Ledger, up to 30 "
            "packets",
            flows.where(system=LEDGER),
            {at: of for at, of in points.items() if of["size_from"] == min(CLASSES)},
        ),
        no_longer("flows take no longer than under RCP at any round trip", flows, points),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Shares of long flows, and ratios of the shortest and the longest class of arrivals."""
    figure, axes = pyplot.subplots(1, 3, figsize=(7, 2.8))
    lines(axes[0], table.where(kind="long"), "rtt_s", "share", marked=NAMES)
    axes[0].set_ylabel("part of an equal share")
    axes[0].axhline(1, color="black", linewidth=0.7)
    for ax, size in zip(axes[1:], (min(CLASSES), max(CLASSES)), strict=True):
        lines(ax, table.where(kind="arrivals", size_from=size), "rtt_s", marked=NAMES)
        ax.set_ylabel(f"{CLASSES[size]} packets:\ntime / max-min's")
        ratios(ax)
    for ax in axes:
        ax.set(xscale="log", xlabel="round trip (ms)")
        ax.set_xticks(MARKED_S, [f"{1e3 * rtt:g}" for rtt in MARKED_S])
        ax.minorticks_off()
    style.legend_above(figure, axes[0], columns=5)
    return figure


FIGURE = Figure(
    id="own-rtts",
    title="Ledger where round trips differ",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
