"""Five long flows over a link of 100 Mb/s with every system's router, then over one of 20 to 100
Mb/s without: a bottleneck hidden from RCP, XCP and NCP, and as well from DCTCP, whose queue marks
nothing there, and HPCC, of which it counts nothing. The round trip is 60 ms, each buffer a
bandwidth-delay product at 100 Mb/s. On the left is the data delivered over what the slower link
could carry, on the right the retransmissions over the packets delivered. Flows start at random
within a second; runs measure from 10 s to 40 s. Five seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .legend import above
from .systems import EXPLICIT, SYSTEMS, Path, lines

CAPACITY, RTT = 100e6, 0.06
PATH = Path(congested=[("first", "second")], capacity=CAPACITY, rtt=RTT)
#: Capacity of the link without a router's law over that of the one before it.
HIDDEN = (0.2, 0.5, 0.8, 0.95, 1.0)
FLOWS = 5
WARM_UP_S, STOP_S = 10, 40
PACKET, PAYLOAD = 1500, 1460
#: Bounds for a bottleneck that is used, and of what is sent again.
USED, REPEATED = 0.8, 0.05
#: Bound for equal shares.
FAIR = 0.99

Key = tuple[str, float]


def run(scale: Scale) -> dict[Key, Results]:
    """By system and share of capacity."""
    return {
        (name, share): scale.run(
            _scenario(share).set(PATH.settings(system)),
            [system.protocol],
            name=f"explicit-hidden/{number}-{share}",
            seeds=scale.pick(1, 5),
        )
        for number, (name, system) in enumerate(SYSTEMS.items())
        for share in scale.pick(HIDDEN[1::3], HIDDEN)
    }


def _scenario(share: float) -> Scenario:
    hidden = {"capacity": f"{share * CAPACITY:.0f} bps", "delay": f"{500 * RTT - 10:g} ms"}
    no_law = {"router": False}
    fields: dict[str, Any] = {
        "name": "explicit-hidden",
        "warm_up": f"{WARM_UP_S} s",
        "stop": f"{STOP_S} s",
        "limit": f"{STOP_S} s",
        "ideals": [],
        "packet": f"{PACKET} B",
        "topology": {
            "link": [
                _link("sender", "first", capacity="1 Gbps", delay="0 ms", **no_law),
                _link("first", "second", capacity=f"{CAPACITY:.0f} bps", delay="10 ms"),
                _link("second", "receiver", **hidden, **no_law),
            ]
        },
        "group": [
            {
                "name": "flows",
                "from": "sender",
                "to": "receiver",
                "long": {"count": FLOWS, "within": "1 s"},
            }
        ],
    }
    return Scenario(**fields)


def _link(begin: str, end: str, **fields: Any) -> dict[str, Any]:
    buffer = f"{CAPACITY * RTT / 8:.0f} B"
    return {"from": begin, "to": end, "buffer": buffer} | fields


def table(runs: dict[Key, Results]) -> Frame:
    """A row for each run. ``jain`` is Jain's index of the flows' rates, ``queue_s`` the 99th
    percentile of the queue at the link that every router knows.
    """
    rows = []
    for (name, share), results in runs.items():
        protocol = SYSTEMS[name].protocol
        for seed in results.seeds:
            flows = results.flows(protocol, seed)
            links = results.links(protocol, seed).where(**{"from": "first", "to": "second"})
            each = flows["delivered_bytes"]
            delivered = float(each.sum())
            rows.append(
                {
                    "system": name,
                    "share": share,
                    "seed": seed,
                    "delivered": 8 * delivered / (share * CAPACITY * (STOP_S - WARM_UP_S)),
                    "repeats": float(flows["resent_measured"].sum()) * PAYLOAD / delivered,
                    "jain": delivered**2 / FLOWS / float((each**2).sum()),
                    "queue_s": 8 * float(links["p99_queue_bytes"][0]) / CAPACITY,
                }
            )
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """Whether laws use a hidden bottleneck, and what they lose there."""
    behind, nothing_hidden = table.where(share=0.5), table.where(share=1.0)
    fairness = {
        f"under {own}": Interval.of(rows["jain"])
        for own in EXPLICIT
        for rows in [nothing_hidden.where(system=own)]
        if len(rows)
    }
    return [
        everywhere(
            "long flows share a bottleneck that is not hidden equally: Jain's index",
            "not stated",
            fairness,
            low=FAIR,
            form=".4f",
        ),
        *_of_each(table, behind),
    ]


def _of_each(table: Frame, behind: Frame) -> list[Claim]:
    return [
        claim
        for own in EXPLICIT
        for claim in (
            everywhere(
                f"a hidden bottleneck of any capacity is used under {own}: the data delivered over "
                "what it could carry",
                "not stated",
                {
                    f"at {share:.0%}": Interval.of(
                        table.where(system=own, share=share)["delivered"]
                    )
                    for share in numpy.unique(table["share"])
                },
                low=USED,
            ),
            everywhere(
                f"{own} loses few packets at a hidden bottleneck of half the capacity: "
                "retransmissions over packets delivered",
                "not stated",
                {"at 50%": Interval.of(behind.where(system=own)["repeats"])},
                high=REPEATED,
                form=".3f",
            ),
        )
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Data delivered and retransmissions against the hidden capacity."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 3.2))
    lines(left, table, "share", "delivered")
    lines(right, table, "share", "repeats")
    for ax in (left, right):
        ax.set_xlabel("capacity of the hidden link over the other's")
    left.set(ylabel="data delivered / hidden capacity", ylim=(0, 1.05))
    right.set_ylabel("retransmissions / packets delivered")
    above(figure, left)
    return figure


FIGURE = Figure(
    id="explicit-hidden",
    title="A bottleneck that is hidden from routers' laws",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
