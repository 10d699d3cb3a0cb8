"""Nine links in a row (Figure 5-2), of 100 Mb/s except the fifth of 50 Mb/s, 20 ms each: 50 long
flows over all of them in each direction, and 50 over each link in the forward direction.
Utilization, mean queue and drops by link: XCP, and TCP Reno with ECN over RED, CSFQ, REM and AVQ.

The buffer is the bandwidth-delay product of 100 Mb/s and the through flows' round trip of 360 ms;
cross flows have 40 ms, access links no delay. The thesis leaves the round trip of "the"
bandwidth-delay product open. Parameters of disciplines are those of a link of 100 Mb/s on all.
Flows start at random in the first 36 s, hosts are as ns-2's of the time. A run takes 300 round
trips of the through flows, of which 100 do not count. Means over four seeds; bars are 95 %
intervals.
"""

from __future__ import annotations

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
from ..link import PACKET
from ..rows import frame
from ..scale import Scale
from .axis import SEEDS
from .bottleneck import ACCESS, FLOWS, Place, Settings, bytes_of, seconds
from .comparison import PANELS, SYSTEMS, TCP, look

HOPS, NARROW = 9, 5
DELAY_S = 0.02
PLACE = Place(100e6, 2 * HOPS * DELAY_S)
CAPACITIES = [PLACE.capacity / (2 if hop == NARROW else 1) for hop in range(1, HOPS + 1)]
#: "The utilization is always higher than 90 %."
HIGH = 0.9
QUICK_STOP_S = 8.0


def run(scale: Scale) -> dict[str, Results]:
    """By system."""
    return {
        name: scale.run(
            _scenario(name, scale.full),
            [system.protocol],
            name=f"xcp-5-8/{name}",
            seeds=scale.pick(1, SEEDS),
        )
        for name, system in SYSTEMS.items()
    }


def _scenario(name: str, full: bool) -> Scenario:
    system = SYSTEMS[name]
    hop = {
        "capacity": f"{PLACE.capacity:.0f} bps",
        "delay": seconds(DELAY_S),
        "buffer": bytes_of(PLACE.buffer_bytes),
        "queue": system.queue(PLACE),
    }
    access = {"capacity": f"{ACCESS * PLACE.capacity:.0f} bps", "delay": "0 s"}
    warm_up, stop = (PLACE.warm_up, PLACE.stop) if full else (QUICK_STOP_S / 2, QUICK_STOP_S)
    lot = {
        "hops": HOPS,
        "cross": FLOWS,
        "hop": hop,
        "capacities": [f"{capacity:.0f} bps" for capacity in CAPACITIES],
        "access": access,
    }
    return Scenario(
        name="parking-lot",
        warm_up=seconds(warm_up),
        stop=seconds(stop),
        limit=seconds(stop),
        ideals=[],
        topology={"parking_lot": lot},
        group=_groups(warm_up),
        **system.settings(PLACE),
    )


def _groups(within: float) -> list[Settings]:
    long = {"within": seconds(within)}
    through = {"long": long | {"count": FLOWS}}
    return [
        {"name": "through", "from": "s", "to": "d"} | through,
        {"name": "back", "from": "d", "to": "s"} | through,
        {"name": "cross", "pairs": "each", "long": long},
    ]


def table(runs: dict[str, Results]) -> Frame:
    """A row for each system, seed and link."""
    rows = []
    for name, results in runs.items():
        for seed in results.seeds:
            links = results.links(SYSTEMS[name].protocol, seed)
            for hop in range(1, HOPS + 1):
                link, back = (
                    links.where(**{"from": f"r{start}", "to": f"r{end}"})
                    for start, end in ((hop - 1, hop), (hop, hop - 1))
                )
                rows.append(
                    {
                        "system": name,
                        "seed": seed,
                        "link": hop,
                        "utilization": float(link["utilization"][0]),
                        "queue_packets": float(link["mean_queue_bytes"][0]) / PACKET,
                        "drops": int(link["drops"][0]),
                        "drops_back": int(back["drops"][0]),
                    }
                )
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That XCP uses all links, with smaller queues than TCP."""
    links = range(1, HOPS + 1)
    return [
        everywhere(
            "XCP's utilization is above 0.9 on each link: utilization",
            "always higher than 90%",
            {f"of link {hop}": _mean(table, "XCP", hop, "utilization") for hop in links},
            low=HIGH,
        ),
        everywhere(
            "XCP has smaller queues than TCP on each link: its mean over TCP's",
            "a considerably smaller queue size",
            {
                f"over {name} on link {hop}": Interval.of(
                    _values(table, "XCP", hop, "queue_packets")
                    / _values(table, name, hop, "queue_packets")
                )
                for name in TCP
                for hop in links
            },
            high=1,
        ),
        everywhere(
            "XCP drops no packet on any link after the warm-up, in either direction: the most of "
            "any seed",
            "no drops (drawn)",
            {
                f"on link {hop}{way}": Interval.exactly(
                    float(_values(table, "XCP", hop, column).max())
                )
                for hop in links
                for way, column in (("", "drops"), (" back", "drops_back"))
            },
            high=0.5,
            form=".0f",
            taken="none in any run",
        ),
        everywhere(
            "links before the narrow one are used less than those after it, since through flows "
            "cannot use what the former shuffle to them: utilization of links 6 to 9 over that of "
            "1 to 4, on average",
            "mitigated at links downstream from link 5",
            {
                "under XCP": Interval.of(
                    _over(table, range(NARROW + 1, HOPS + 1)) / _over(table, range(1, NARROW))
                )
            },
            low=1,
            form=".3f",
        ),
    ]


def _values(table: Frame, name: str, hop: int, column: str) -> numpy.ndarray:
    return table.where(system=name, link=hop)[column]


def _mean(table: Frame, name: str, hop: int, column: str) -> Interval:
    return Interval.of(_values(table, name, hop, column))


def _over(table: Frame, hops: range) -> numpy.ndarray:
    """XCP's mean utilization over links, of each seed."""
    return numpy.mean([_values(table, "XCP", hop, "utilization") for hop in hops], axis=0)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Utilization, queue and drops by link."""
    figure, panels = pyplot.subplots(3, 1, figsize=(4.6, 6), sharex=True)
    links = range(1, HOPS + 1)
    for (column, title), ax in zip(PANELS.items(), panels, strict=True):
        for name in SYSTEMS:
            found = [_mean(table, name, hop, column) for hop in links]
            with_bars(ax, links, found, label=name, elinewidth=0.7, **look(name))
        ax.set_ylabel(title)
    for ax in panels[1:]:
        ax.set_yscale("symlog", linthresh=1)
        ax.set_ylim(bottom=-0.2)
    panels[2].set_xlabel("link")
    panels[2].set_xticks(links)
    panels[0].set_ylim(top=1.01)
    style.legend(panels[0])
    return figure


FIGURE = Figure(
    id="xcp-5-8",
    title="XCP and TCP over nine links in a row",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
