"""Ten unresponsive abusers beside ten compliant flows: throughput of both groups, utilization and
mean queue against the abusers' rate together, over the capacity, under XCP and under TCP Reno with
ECN over RED. An abuser of XCP declares its throughput and RTT, and keeps its rate whatever routers
grant; what it loses it sends again, and with Reno's recovery some of what arrived. Beside TCP it is
a stream of datagrams. As abusers with a low rate ignore the increases that XCP apportions to them,
and compliant flows bear nearly all of the decreases of shuffling, the link is not full: dashed is
the equilibrium of Low, Andrew and Wydrowski (2005). 20 Mb/s, 80 ms, 20 flows in the other
direction. Runs have 300 round trips, of which 100 do not count. Means over sixteen seeds; bars are
95 % intervals.
"""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET, bottleneck
from ..rows import frame
from ..scale import Scale
from .bottleneck import WARM_UP_RTTS, Place, Settings, seconds
from .cheats import FLOWS, PLACE, SEEDS, SYSTEMS, THESIS
from .equilibrium import utilization

ABUSERS = FLOWS // 2
GAINS, QUICK = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0, 1.25, 1.5), (0.75, 1.25)
#: Up to it, abusers get what they send, and the link "stays efficient".
WANTED, EFFICIENT = 0.95, 0.9
#: How close utilization is to its equilibrium.
CLOSE = 0.03
PANELS = {
    "abusers": "abusers (of capacity)",
    "compliant": "compliant flows (of capacity)",
    "utilization": "utilization",
    "queue_packets": "mean queue (packets)",
}
#: By system and rate.
Runs = dict[tuple[str, float], Results]


def run(scale: Scale) -> Runs:
    """Each system at each rate."""
    return {
        (name, gain): scale.run(
            _scenario(name, gain),
            [SYSTEMS[name].protocol],
            name=f"xcp-7-8/{name}-{gain:g}",
            seeds=scale.pick(1, SEEDS),
        )
        for name in THESIS
        for gain in scale.pick(QUICK, GAINS)
    }


def _scenario(name: str, gain: float) -> Scenario:
    within = {"within": seconds(WARM_UP_RTTS * PLACE.rtt)}
    rate = f"{gain * PLACE.capacity / ABUSERS:.0f} bps"
    abuses: Settings = (
        {"long": within, "conduct": {"fixed_rate": rate}}
        if name == "XCP"
        else {"udp": {"rate": rate, "size": f"{PACKET} B", "phase": "random"}}
    )
    flows = tuple(
        {
            "name": f"{'abuser' if pair < ABUSERS else 'compliant'}-{pair}",
            "from": f"s{pair}",
            "to": f"d{pair}",
        }
        | (abuses if pair < ABUSERS else {"long": within})
        for pair in range(FLOWS)
    )
    place = Place(PLACE.capacity, PLACE.rtt, flows=0, back=PLACE.back, also=flows)
    return SYSTEMS[name].scenario(place)


def table(runs: Runs) -> Frame:
    """A row for each system, rate and seed."""
    rows = []
    for (name, gain), results in runs.items():
        protocol = SYSTEMS[name].protocol
        for seed in results.seeds:
            link, flows = bottleneck(results, protocol, seed), results.flows(protocol, seed)
            abusers, compliant = _part(flows, "abuser"), _part(flows, "compliant")
            queue = float(link["mean_queue_bytes"][0])
            rows.append(
                {
                    "system": name,
                    "gain": gain,
                    "seed": seed,
                    "abusers": abusers,
                    "abusers_share": abusers * FLOWS / ABUSERS,
                    "compliant": compliant,
                    "compliant_share": compliant * FLOWS / (FLOWS - ABUSERS),
                    "utilization": float(link["utilization"][0]),
                    "queue_packets": queue / PACKET,
                    "queue_over_buffer": queue / PLACE.buffer_bytes,
                    "drops": int(link["drops"][0]),
                }
            )
    return frame(rows)


def _part(flows: Frame, group: str) -> float:
    """What flows of groups of this name received, of the capacity."""
    own = numpy.array([str(name).startswith(group) for name in flows["group"]])
    flowed = flows["delivered_bytes"].astype(float)[own].sum()
    return float(8 * flowed / (PLACE.stop - PLACE.warm_up) / PLACE.capacity)


def check(table: Frame) -> list[Claim]:
    """That abusers get what they send, and the others the rest."""
    gains = [float(gain) for gain in numpy.unique(table["gain"])]
    below = [gain for gain in gains if gain < 1]
    return [
        everywhere(
            "abusers obtain the throughput they want as long as it is below the capacity: their "
            "throughput over their rate",
            "both in XCP and TCP networks",
            {
                f"under {name} at {gain:g}": Interval.of(_rows(table, name, gain)["abusers"] / gain)
                for name in THESIS
                for gain in below
            },
            low=WANTED,
            form=".3f",
        ),
        *(
            everywhere(
                f"the others fill up the rest under {name}: utilization",
                "the system stays efficient (though unfair)",
                {f"at {gain:g}": _mean(table, name, gain, "utilization") for gain in below},
                low=EFFICIENT,
                why=_ignored(below) if name == "XCP" else "",
            )
            for name in THESIS
        ),
        everywhere(
            "XCP's utilization is that of its equilibrium beside flows that do not use their "
            "share: the ratio of the two",
            "not stated",
            {
                f"at {gain:g}": Interval.of(
                    _rows(table, "XCP", gain)["utilization"] / equilibrium(gain)
                )
                for gain in below
            },
            low=1 - CLOSE,
            high=1 + CLOSE,
        ),
        everywhere(
            "XCP uses more of the link than TCP when the abusive traffic is below the capacity: "
            "its utilization over TCP's",
            "better utilization than TCP",
            {
                f"at {gain:g}": Interval.of(
                    _rows(table, "XCP", gain)["utilization"]
                    / _rows(table, "TCP", gain)["utilization"]
                )
                for gain in below
            },
            low=1,
            form=".3f",
        ),
    ]


def equilibrium(gain: float) -> float:
    """The utilization beside abusers with this rate together, of the capacity.

    >>> round(equilibrium(0.1), 3), equilibrium(0.9)
    (0.901, 1.0)
    """
    return utilization(FLOWS - ABUSERS, ABUSERS, gain / ABUSERS)


def _ignored(gains: Sequence[float]) -> str:
    least = min(gains)
    return f"at {least:g} the equilibrium is {equilibrium(least):.2f}"


def _rows(table: Frame, name: str, gain: float) -> Frame:
    return table.where(system=name, gain=gain)


def _mean(table: Frame, name: str, gain: float, column: str) -> Interval:
    return Interval.of(_rows(table, name, gain)[column])


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The four measures against the abusers' rate."""
    figure, panels = pyplot.subplots(2, 2, figsize=(7, 4.8), sharex=True)
    gains = [float(gain) for gain in numpy.unique(table["gain"])]
    for (column, title), ax in zip(PANELS.items(), panels.flat, strict=True):
        for number, name in enumerate(THESIS):
            found = [_mean(table, name, gain, column) for gain in gains]
            look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
            with_bars(ax, gains, found, label=name, elinewidth=0.7, **look)
        ax.set_ylabel(title)
        ax.set_ylim(0, 1.03 if column == "utilization" else None)
    lows = [gain for gain in gains if gain < 1]
    expected = [equilibrium(gain) for gain in lows]
    panels[1, 0].plot(lows, expected, color=style.GREY, linestyle=style.DASHES[0], zorder=0)
    for ax in panels[1]:
        ax.set_xlabel("abusers' rate (of capacity)")
    style.legend_above(figure, panels[0, 0], columns=len(THESIS))
    return figure


FIGURE = Figure(
    id="xcp-7-8",
    title="Ten flows that ignore feedback, and ten that do not",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
