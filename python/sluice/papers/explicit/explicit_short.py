"""The time of a flow alone on an idle link of 1 Gb/s with a round trip of 60 ms, from its start
until its last byte arrives, in round trips. Rates that routers state arrive with the answer to the
SYN, so that every flow waits a round trip for them. Under CUBIC, BBR v3 and HPCC a connection may
be open already (*open*), and the first window, 10 packets or under HPCC a bandwidth-delay product
at the host's rate of 10 Gb/s, leaves at once. The buffer is a bandwidth-delay product; hosts have
no jitter, and so nothing is random. Other settings are those of [explicit-wan](#explicit-wan).
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from ..traffic import fixed, flow_group
from .legend import above
from .systems import EXPLICIT, SYSTEMS, Path, looks

CAPACITY, RTT = 1e9, 0.06
PATH = Path(congested=[("left", "right")], capacity=CAPACITY, rtt=RTT)
PACKETS = (1, 3, 10, 30, 100, 300, 1000, 3000)
#: Sizes that fit into the first window of 10 packets.
IN_FIRST_WINDOW = tuple(packets for packets in PACKETS if packets <= 10)
#: Systems that can use a connection that is open.
OPEN = ("CUBIC", "BBR v3", "HPCC")
#: Seconds between the flows, each of which is alone.
APART_S = 10
#: Bounds for "the same time".
SAME = (0.95, 1.05)

Key = tuple[str, bool]


def run(scale: Scale) -> dict[Key, Results]:
    """By system and whether connections are open."""
    wanted = [(name, False) for name in SYSTEMS] + [(name, True) for name in OPEN]
    return {
        (name, is_open): scale.run(
            _scenario(is_open).set(PATH.settings(SYSTEMS[name])),
            [SYSTEMS[name].protocol],
            name=f"explicit-short/{number}",
        )
        for number, (name, is_open) in enumerate(wanted)
    }


def _scenario(is_open: bool) -> Scenario:
    groups = [
        flow_group(
            f"of-{packets}",
            incast={
                "every": "1 h",
                "start": f"{(number + 1) * APART_S} s",
                "senders": 1,
                "sizes": fixed(packets),
            },
        )
        for number, packets in enumerate(PACKETS)
    ]
    transport: dict[str, Any] = {"jitter": 0.0, "handshake": not is_open}
    end = f"{(len(PACKETS) + 1) * APART_S} s"
    return Scenario(
        name="explicit-short",
        stop=end,
        limit=end,
        ideals=[],
        packet="1500 B",
        transport=transport,
        topology={
            "dumbbell": {
                "capacity": f"{CAPACITY:.0f} bps",
                "access": "10 Gbps",
                "rtt": f"{1000 * RTT:g} ms",
                "buffer": "1 bdp",
            }
        },
        group=groups,
    )


def table(runs: dict[Key, Results]) -> Frame:
    """A row for each system and size."""
    return frame(
        [
            {
                "system": name,
                "open": is_open,
                "packets": packets,
                "round_trips": float(flows.where(group=f"of-{packets}")["completion_ns"][0])
                / (1e9 * RTT),
            }
            for (name, is_open), results in runs.items()
            for flows in [results.flows(SYSTEMS[name].protocol)]
            for packets in PACKETS
        ]
    )


def check(table: Frame) -> list[Claim]:
    """What a stated rate gains a flow, and what it cannot."""
    return [
        everywhere(
            "a flow that fits into the first window gains nothing: its time under each explicit "
            "law over that under CUBIC",
            "not stated",
            _over_cubic(table, EXPLICIT, IN_FIRST_WINDOW, is_open=False),
            low=SAME[0],
            high=SAME[1],
        ),
        everywhere(
            "a flow that fits into the first window takes longer than over an open connection: its "
            "time under each explicit law over that under CUBIC there",
            "not stated",
            _over_cubic(table, EXPLICIT, IN_FIRST_WINDOW, is_open=True),
            low=SAME[1],
        ),
        *(
            everywhere(
                "a flow of ten first windows or more takes less time even than over an open "
                f"connection: its time under {own} over that under CUBIC there",
                "not stated",
                _over_cubic(table, (own,), [size for size in PACKETS if size >= 100], is_open=True),
                high=1,
            )
            for own in EXPLICIT
        ),
    ]


def _over_cubic(
    table: Frame, names: tuple[str, ...], sizes: tuple[int, ...] | list[int], *, is_open: bool
) -> dict[str, Interval]:
    return {
        f"under {name} with {packets} packets": Interval.exactly(
            _trips(table, name, packets) / _trips(table, "CUBIC", packets, is_open=is_open)
        )
        for name in names
        for packets in sizes
    }


def _trips(table: Frame, name: str, packets: int, *, is_open: bool = False) -> float:
    rows = table.where(system=name, packets=packets)
    return float(rows.where(open=is_open)["round_trips"][0])


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Round trips against size; dotted over open connections."""
    figure, ax = pyplot.subplots(figsize=(7, 3.2))
    for name in SYSTEMS:
        for is_open in (False, True):
            rows = table.where(system=name).where(open=is_open)
            look = looks(name)
            if is_open:
                look |= {"label": f"{name}, open", "linestyle": ":", "markerfacecolor": "white"}
            if len(rows):
                ax.plot(rows["packets"], rows["round_trips"], **look)
    scales.logarithmic(ax, "x", "flow size (packets)", "")
    scales.logarithmic(ax, "y", "round trips", "")
    above(figure, ax)
    return figure


FIGURE = Figure(
    id="explicit-short",
    title="What a stated rate gains a flow alone, by its size",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
