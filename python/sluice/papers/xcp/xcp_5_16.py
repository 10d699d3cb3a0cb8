"""A random network of a WAN and three LANs with 50 nodes and 153 links, in the manner of Tiers,
with 1000 long flows between random nodes: utilization, mean queue and drops of each link, in the
order of XCP's utilization. XCP with Reno's recovery and with RACK, and TCP Reno with ECN over RED.

The thesis drew its network with Tiers (Figure 5-15, which is not drawn here) and does not publish
it; ours has its numbers of nodes and links, capacities (100 Mb/s in the WAN, 10 Mb/s in and to the
LANs) and delays (2 to 45 ms), and the buffers of 150 packets. With 1000 flows, links to the LANs
have flows whose share is less than a packet in a round trip; the smallest window is one packet.
RED's thresholds are 50 and 100 packets. Flows start at random in the first 20 s and are measured
from 20 s to 60 s. Means over four seeds, which draw the starts; drawn is the mean.

A buffer of 150 packets is less than half of the bandwidth-delay product of a WAN link. One XCP flow
alone on such a link sends bursts that overflow it, [in ns-2's XCP as
well](../validation.md#one-flow-and-a-small-buffer).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET
from ..rows import frame
from ..scale import Scale
from .axis import SEEDS
from .bottleneck import Settings, seconds
from .comparison import PANELS, SENDER
from .systems import NS2

WAN = {"nodes": 20, "extra": 55, "max_delay": "45 ms"}
LAN = {"networks": 3, "nodes": 10}
WAN_BPS = 100e6
DESTINATIONS = 20
#: Starts are before the first; the run is measured up to the second.
FULL_S, QUICK_S = (20.0, 60.0), (3.0, 6.0)
RED = {
    "min_th": "50 packets",
    "max_th": "100 packets",
    "max_p": 0.1,
    "weight": 0.002,
    "gentle": True,
    "wait": True,
}
#: Protocol, its table, and the queue discipline.
SYSTEMS: dict[str, tuple[str, Settings, Settings]] = {
    "XCP": ("xcp", SENDER, {"drop_tail": {}}),
    "XCP, RACK": ("xcp", SENDER | {"recovery": "rack"}, {"drop_tail": {}}),
    "TCP over RED": ("tcp", {"recovery": "reno", "ecn": True}, {"red": RED}),
}
#: "In most cases", and the packets that XCP dropped in all.
MOST, DROPPED = 0.5, 5
#: Flows of a link on which a single one makes bursts.
FEW = 10
#: Of the links of a run, as XCP and as TCP use them.
Measure = Callable[[Frame, Frame], float]


def run(scale: Scale) -> dict[str, Results]:
    """By system."""
    starts, stop = scale.pick(QUICK_S, FULL_S)
    return {
        name: scale.run(
            _scenario(name, starts, stop),
            [SYSTEMS[name][0]],
            name=f"xcp-5-16/{name.replace(', ', '-').replace(' ', '-')}",
            seeds=scale.pick(1, SEEDS),
        )
        for name in SYSTEMS
    }


def topology(link: Callable[[str], Settings]) -> Settings:
    """The network, whose links of a capacity are as ``link`` has them."""
    return {
        "tiers": {
            "wan": WAN | {"link": link("100 Mbps")},
            "lan": LAN | {"link": link("10 Mbps")},
        }
    }


def _scenario(name: str, starts: float, stop: float) -> Scenario:
    protocol, parameters, queue = SYSTEMS[name]

    def link(capacity: str) -> Settings:
        return {"capacity": capacity, "delay": "2 ms", "buffer": "150 packets", "queue": queue}

    settings: Settings = {"transport": NS2, protocol: parameters}
    return Scenario(
        name="tiers",
        warm_up=seconds(starts),
        stop=seconds(stop),
        limit=seconds(stop),
        ideals=[],
        topology=topology(link),
        group=[
            {
                "name": "flows",
                "pairs": {"random": {"destinations": DESTINATIONS}},
                "long": {"within": seconds(starts)},
            }
        ],
        **settings,
    )


def table(runs: dict[str, Results]) -> Frame:
    """A row for each system, seed and link, with the number of its flows."""
    rows = []
    for name, results in runs.items():
        for seed in results.seeds:
            links = results.links(SYSTEMS[name][0], seed)
            flows = _flows(results.flows(SYSTEMS[name][0], seed)["path"])
            ends = [f"{a}>{b}" for a, b in zip(links["from"], links["to"], strict=True)]
            rows += [
                {
                    "system": name,
                    "seed": seed,
                    "link": link,
                    "capacity_bps": float(links["capacity_bps"][at]),
                    "flows": flows.get(link, 0),
                    "utilization": float(links["utilization"][at]),
                    "queue_packets": float(links["mean_queue_bytes"][at]) / PACKET,
                    "drops": int(links["drops"][at]),
                }
                for at, link in enumerate(ends)
            ]
    return frame(rows)


def _flows(paths: numpy.ndarray) -> dict[str, int]:
    """The number of flows whose data cross each link."""
    counts: dict[str, int] = {}
    for path in paths:
        nodes = path.split(">")
        for ends in pairwise(nodes):
            link = ">".join(ends)
            counts[link] = counts.get(link, 0) + 1
    return counts


def check(table: Frame) -> list[Claim]:
    """That XCP uses links better, with smaller queues and hardly a drop."""
    drops = {name: Interval.of(_total(table, name, "drops")) for name in SYSTEMS}
    sums = {name: numpy.array(_total(table, name, "utilization")) for name in SYSTEMS}
    more = Interval.of(sums["XCP"] - sums["TCP over RED"], minimum=-numpy.inf)
    return [
        everywhere(
            "XCP improves utilization on most links that carry data: the part of them on which "
            "its is above TCP's",
            "in most cases XCP improves utilization",
            {"with Reno's recovery": Interval.of(_of_links(table, _better))},
            low=MOST,
            note=f"; XCP's less TCP's, summed over links: {more:.1f}",
        ),
        everywhere(
            "XCP always has smaller queues than TCP: the part of congested links on which its "
            "mean is below TCP's",
            "always maintains smaller queues than TCP",
            {"with Reno's recovery": Interval.of(_of_links(table, _shorter))},
            low=0.999,
            taken="all links on which TCP's mean is above one packet",
            why=_longer(*(_by_link(table, name) for name in ("XCP", "TCP over RED"))),
        ),
        everywhere(
            "XCP drops hardly a packet: packets dropped on all links after the warm-up",
            "5 packets, of the whole run",
            {"with Reno's recovery": drops["XCP"], "with RACK": drops["XCP, RACK"]},
            high=10 * DROPPED,
            form=".0f",
            taken=f"below {10 * DROPPED}",
            why=_where_dropped(table),
        ),
        everywhere(
            "TCP drops tens of thousands of packets in spite of ECN: packets dropped on all links "
            "after the warm-up",
            "tens of thousands, of the whole run",
            {"over RED": drops["TCP over RED"]},
            low=10_000,
            form=".0f",
        ),
    ]


def _of_links(table: Frame, measure: Measure) -> list[float]:
    """A measure of XCP's and TCP's links, of each seed."""
    own, tcp = (table.where(system=name) for name in ("XCP", "TCP over RED"))
    return [
        measure(own.where(seed=seed), tcp.where(seed=seed)) for seed in numpy.unique(own["seed"])
    ]


def _total(table: Frame, name: str, column: str) -> list[float]:
    """The sum over links, of each seed."""
    rows = table.where(system=name)
    return [float(rows.where(seed=seed)[column].sum()) for seed in numpy.unique(rows["seed"])]


def _by_link(table: Frame, name: str) -> dict[str, numpy.ndarray]:
    """Means over seeds, by link in the order of the network."""
    rows = table.where(system=name)
    seeds = [rows.where(seed=seed) for seed in numpy.unique(rows["seed"])]
    columns = ("flows", "capacity_bps", *PANELS)
    return {column: numpy.mean([each[column] for each in seeds], axis=0) for column in columns}


def _better(own: Frame, tcp: Frame) -> float:
    used = own["flows"] > 0
    return float((own["utilization"] > tcp["utilization"])[used].mean())


def _shorter(own: Frame, tcp: Frame) -> float:
    congested = tcp["queue_packets"] > 1
    return float((own["queue_packets"] < tcp["queue_packets"])[congested].mean())


def _longer(own: dict[str, numpy.ndarray], tcp: dict[str, numpy.ndarray]) -> str:
    longer = (tcp["queue_packets"] > 1) & (own["queue_packets"] >= tcp["queue_packets"])
    slow = own["capacity_bps"] < WAN_BPS
    return (
        f"XCP's is longer on {longer.sum()} links, {(longer & slow).sum()} of them of LANs, with "
        f"a median of {numpy.median(own['flows'][longer]):.0f} flows"
        if longer.any()
        else ""
    )


def _where_dropped(table: Frame) -> str:
    """Which links drop XCP's packets."""
    own = _by_link(table, "XCP")
    few, slow = own["flows"] <= FEW, own["capacity_bps"] < WAN_BPS
    total = own["drops"].sum()
    return (
        f"with Reno's recovery {own['drops'][few & ~slow].sum() / total:.0%} of them on links of "
        f"the WAN with at most {FEW} flows, {own['drops'][slow].sum() / total:.0%} on links of LANs"
        if total
        else ""
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Utilization, queue and drops by link, in the order of XCP's utilization."""
    figure, panels = pyplot.subplots(3, 1, figsize=(4.6, 6), sharex=True)
    means = {name: _by_link(table, name) for name in SYSTEMS}
    order = numpy.argsort(means["XCP"]["utilization"], kind="stable")
    for (column, title), ax in zip(PANELS.items(), panels, strict=True):
        for number, name in enumerate(SYSTEMS):
            values = means[name][column][order]
            color = style.COLOURS[number]
            ax.plot(values, color=color, linewidth=0.8, label=name)
        ax.set_ylabel(title)
        ax.set_ylim(bottom=0)
    panels[2].set_yscale("symlog", linthresh=1)
    panels[2].set_xlabel("link, by XCP's utilization")
    panels[2].set_xlim(0, len(order) - 1)
    style.legend(panels[0])
    return figure


FIGURE = Figure(
    id="xcp-5-16",
    title="A random network of 50 nodes and 153 links",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
