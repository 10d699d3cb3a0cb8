"""Five long flows on a path of 100 Mb/s with a round trip of 60 ms and a buffer of a
bandwidth-delay product, under one condition of RFC 9743 at a time: FQ-CoDel or PIE as the queue
discipline; one of 1000 or of 100 packets lost at random; round trips of 40, 60, 100, 200 and 300
ms; the packets of each flow in turn over two paths of 50 Mb/s, one of which also has bursts of
datagrams, 10 Mb/s on average, so that they arrive out of order; a path that changes at 20 s to one
of 50 Mb/s and 160 ms, and back at 30 s. On the left is the data delivered over what the path could
carry, on the right Jain's index of the flows' rates. Flows start at random within a second; runs
measure from 10 s to 40 s. Five seeds; bars are 95 % intervals. Other settings are those of
[explicit-hidden](#explicit-hidden).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import bars, means
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .legend import above
from .systems import EXPLICIT, SYSTEMS, Path, looks

CAPACITY, RTT = 100e6, 0.06
PATH = Path(congested=[], capacity=CAPACITY, rtt=RTT)
#: Systems for any network: the others need settings of each.
NAMES = (*EXPLICIT, "CUBIC", "BBR v3")
FLOWS = 5
WARM_UP_S, STOP_S = 10, 40
PAYLOAD = 1460
#: Bounds: of the part of a path that is used, and of Jain's index.
USED, FAIR = 0.8, 0.9

Fields = dict[str, Any]
Key = tuple[str, str]


@dataclass(frozen=True)
class Condition:
    """What the path is."""

    #: Links from ``left`` to ``right``.
    links: Sequence[Fields]
    #: Round trips of the flows in seconds.
    rtts: Sequence[float] = (RTT,) * FLOWS
    #: Whether packets take all paths in turn.
    spray: bool = False
    #: Times in seconds and nodes of the paths that flows change to.
    changes: Sequence[tuple[float, Sequence[str]]] = ()
    #: Groups beside the flows.
    beside: Sequence[Fields] = ()
    #: What the path carries for the flows while they are measured, over the capacity.
    room: float = 1.0


def _link(begin: str, end: str, **fields: Any) -> Fields:
    buffer = f"{CAPACITY * RTT / 8:.0f} B"
    shared = {"capacity": f"{CAPACITY:.0f} bps", "delay": "10 ms", "buffer": buffer}
    return {"from": begin, "to": end} | shared | fields


def _half(begin: str, middle: str, end: str, delay: str) -> list[Fields]:
    """A path over a further node, of half the capacity."""
    half = {"capacity": f"{CAPACITY / 2:.0f} bps", "delay": delay}
    return [_link(begin, middle, **half), _link(middle, end, **half)]


BOTTLENECK = _link("left", "right")
BURSTS = {
    "name": "bursts",
    "from": "left",
    "to": "upper",
    "udp": {"rate": "50 Mbps", "size": "1460 B", "on": "20 ms", "off": "80 ms"},
}
CONDITIONS = {
    "none": Condition([BOTTLENECK]),
    "FQ-CoDel": Condition([BOTTLENECK | {"queue": "fq_codel"}]),
    "PIE": Condition([BOTTLENECK | {"queue": "pie"}]),
    "loss 0.1 %": Condition([BOTTLENECK | {"error": 1e-3}]),
    "loss 1 %": Condition([BOTTLENECK | {"error": 1e-2}]),
    "many RTTs": Condition([BOTTLENECK], rtts=(0.04, 0.06, 0.1, 0.2, 0.3)),
    "reordering": Condition(
        [*_half("left", "upper", "right", "5 ms"), *_half("left", "lower", "right", "5 ms")],
        spray=True,
        beside=[BURSTS],
        # Twice what the bursts leave of one path, since each has half of the packets.
        room=0.8,
    ),
    "new path": Condition(
        [BOTTLENECK, *_half("left", "far", "right", "30 ms")],
        changes=[(20, ["left", "far", "right"]), (30, ["left", "right"])],
        # Half the capacity for a third of the time.
        room=5 / 6,
    ),
}


def run(scale: Scale) -> dict[Key, Results]:
    """By system and condition."""
    conditions = scale.pick(("none", "loss 1 %", "new path"), tuple(CONDITIONS))
    return {
        (name, condition): scale.run(
            _scenario(CONDITIONS[condition]).set(PATH.settings(SYSTEMS[name])),
            [SYSTEMS[name].protocol],
            name=f"explicit-conditions/{number}-{place}",
            seeds=scale.pick(1, 5),
        )
        for number, name in enumerate(NAMES)
        for place, condition in enumerate(conditions)
    }


def _scenario(condition: Condition) -> Scenario:
    fields: Fields = {
        "name": "explicit-conditions",
        "warm_up": f"{WARM_UP_S} s",
        "stop": f"{STOP_S} s",
        "limit": f"{STOP_S} s",
        "ideals": [],
        "packet": "1500 B",
        "topology": {"link": [*condition.links, *map(_host, range(FLOWS), condition.rtts), _END]},
        "group": [
            *(_flow(number, condition) for number in range(FLOWS)),
            *condition.beside,
        ],
    }
    return Scenario(**fields)


_NO_LAW = {"capacity": "1 Gbps", "router": False}
_END = _link("right", "receiver", delay="5 ms", **_NO_LAW)


def _host(number: int, rtt: float) -> Fields:
    """The link of a sender. Ten of the milliseconds one way are those of the bottleneck, five of
    the receiver's link.
    """
    return _link(f"sender-{number}", "left", delay=f"{500 * rtt - 15:g} ms", **_NO_LAW)


def _flow(number: int, condition: Condition) -> Fields:
    sender = f"sender-{number}"
    flow: Fields = {
        "name": f"flow-{number}",
        "from": sender,
        "to": "receiver",
        "routing": "spray" if condition.spray else "ecmp",
        "long": {"within": "1 s"},
    }
    if condition.changes:
        flow["reroute"] = [
            {"at": f"{at:g} s", "path": [sender, *nodes, "receiver"]}
            for at, nodes in condition.changes
        ]
    return flow


def table(runs: dict[Key, Results]) -> Frame:
    """A row for each run."""
    rows = []
    for (name, condition), results in runs.items():
        room = CONDITIONS[condition].room * CAPACITY * (STOP_S - WARM_UP_S)
        for seed in results.seeds:
            flows = results.flows(SYSTEMS[name].protocol, seed).where(kind="long")
            each = flows["delivered_bytes"]
            delivered = float(each.sum())
            rows.append(
                {
                    "system": name,
                    "condition": condition,
                    "seed": seed,
                    "used": 8 * delivered / room,
                    "jain": delivered**2 / FLOWS / float((each**2).sum()),
                    "repeats": float(flows["resent_measured"].sum()) * PAYLOAD / delivered,
                }
            )
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """Whether flows of each explicit law use the path, and share it."""
    return [
        everywhere(
            f"{what} under {own}",
            "not stated",
            {
                f"under {condition}": Interval.of(rows[column])
                for condition in CONDITIONS
                for rows in [table.where(system=own, condition=condition)]
                if len(rows)
            },
            low=bound,
        )
        for own in EXPLICIT
        for what, column, bound in (
            ("flows use the path: the data delivered over what it could carry,", "used", USED),
            ("flows share the path: Jain's index of their rates", "jain", FAIR),
        )
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Use and fairness by condition, the systems beside each other."""
    figure, axes = pyplot.subplots(1, 2, figsize=(7, 3.6), sharey=True)
    conditions = list(dict.fromkeys(table["condition"]))
    for ax, column in zip(axes, ("used", "jain"), strict=True):
        for number, name in enumerate(NAMES):
            rows = table.where(system=name)
            found = [Interval.of(rows.where(condition=each)[column]) for each in conditions]
            # Systems of a condition one below the other.
            at = numpy.arange(len(conditions)) + 0.12 * (number - (len(NAMES) - 1) / 2)
            look = looks(name) | {"linestyle": "none"}
            ax.errorbar(means(found), at, xerr=bars(found), elinewidth=0.7, **look)
        ax.set_xlim(0, 1.05)
    axes[0].set_yticks(range(len(conditions)), conditions)
    axes[0].invert_yaxis()
    axes[0].set_xlabel("data delivered / room of the path")
    axes[1].set_xlabel("Jain's index")
    above(figure, axes[0])
    return figure


FIGURE = Figure(
    id="explicit-conditions",
    title="Long flows under losses, reordering, other queues, mixed RTTs and new paths",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
