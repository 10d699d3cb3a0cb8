"""Section 2.1: three flows of 50 packets begin with a window of 1 beside one whose window is 60,
and there is room for 20 packets more in a round trip. "XCP shares it equally among all four flows"
(10 rounds for 50 packets), "NCP and RCP [...] by dividing the entire link capacity (say 80
packets/RTT) equally" (2.5). Left: sent by a short flow against the round, by hand (lines: XCP's
share of 5 packets, and NCP's of 20.75). Right: round trips of sending of the short flows, in
packets.

In packets, a long flow fills a link of 60 packets in a round trip of 100 ms, whose capacity becomes
83 packets, the three windows included, when the first data of the three can reach it, a round trip
after their SYNs. The long flow does not end; the paper's, of 500 packets, would after 8 rounds.
Packets have 1000 bytes, XCP's initial window is 1, and the queue has no limit. As in the paper, SYN
exchange and propagation, 1.5 round trips, are not counted. The window set for short flows is R of
the round trip that precedes their data, times a round trip. Ten starts (quick: five), evenly within
a round trip; bars are 95 % intervals over them.
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
from ...theory import increments
from ..claim import Claim, everywhere
from ..completion import mean_s
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET, link_metrics, samples
from ..rows import frame
from ..scale import Scale
from ..traffic import fixed, flow_group
from ..verdict import Verdict

#: The example, in packets.
SHORT, FLOWS, WINDOW, LONG_WINDOW, SPARE = 50, 3, 1, 60, 20
#: As printed: XCP's increment, the capacity, NCP's window, and the rounds of XCP and of NCP.
PRINTED_STEP, PRINTED_CAPACITY, PRINTED_WINDOW, PRINTED_XCP, PRINTED_NCP = 4, 80, 20, 10, 2.5
PRINTED_ROUNDS = {"xcp": PRINTED_XCP, "ncp": PRINTED_NCP, "rcp": PRINTED_NCP}
CAPACITY = FLOWS * WINDOW + LONG_WINDOW + SPARE
RTT_S, PACKET_BITS = 0.1, 8000
STARTS = (5, 10)
PROTOCOLS = ("xcp", "ncp", "rcp")
#: SYN exchange and propagation, in round trips.
SETUP = 1.5
#: Ours: equal to a printed number within this part, by hand and in packets.
EQUAL = 0.1
#: "Much": XCP's rounds over the others'. The example has 4.
MUCH = 2.0


def _scenario(step: float) -> Scenario:
    """The capacity grows at this time in seconds."""
    return Scenario(
        name="windows",
        stop="20 s",
        limit="60 s",
        ideals=[],
        topology={
            "dumbbell": {
                "capacity": _rate(LONG_WINDOW),
                "access": _rate(20 * CAPACITY),
                "rtt": f"{RTT_S:g} s",
                "buffer": "unlimited",
                "schedule": {"steps": [[f"{step:.3f} s", _rate(CAPACITY)]]},
            }
        },
        group=[
            flow_group("long", long={}),
            flow_group(
                "short",
                incast={
                    "every": "100 s",
                    "start": f"{step - RTT_S:.3f} s",
                    "senders": FLOWS,
                    "sizes": fixed(SHORT),
                },
            ),
        ],
        metrics=[link_metrics("10 ms")],
        xcp={"initial_window": WINDOW},
    )


def _rate(packets: int) -> str:
    return f"{packets * PACKET_BITS / RTT_S:.0f} bps"


def run(scale: Scale) -> dict[float, Results]:
    """By the time of the step, in seconds."""
    starts = scale.pick(*STARTS)
    steps = [10 + RTT_S * place / starts for place in range(starts)]
    return {
        step: scale.run(_scenario(step), PROTOCOLS, name=f"ncp-2-1/{step:.3f}") for step in steps
    }


def table(runs: dict[float, Results]) -> Frame:
    """The example by hand, then a row for each start and protocol."""
    windows = numpy.array([WINDOW] * FLOWS + [LONG_WINDOW]) / CAPACITY
    step = CAPACITY * increments.increment(windows)
    share = CAPACITY * increments.share(windows)
    rows: list[dict[str, Any]] = [
        {"kind": "hand", "protocol": "xcp", "step": step, "rtts": SHORT / (WINDOW + step)},
        {"kind": "hand", "protocol": "ncp", "step": share - WINDOW, "rtts": SHORT / share},
    ]
    rows += [_row(step, results, name) for step, results in runs.items() for name in PROTOCOLS]
    return frame(rows)


def _row(step: float, results: Results, name: str) -> dict[str, Any]:
    seconds = mean_s(results.flows(name).where(group="short"))
    queue = samples(results, name, "queue_bytes")
    row = {
        "kind": "run",
        "protocol": name,
        "start": step,
        "rtts": seconds / RTT_S - SETUP,
        "queue": float(queue.values[queue.seconds > step - RTT_S].max()) / PACKET,
    }
    if name == "xcp":
        return row
    rate = samples(results, name, "R")
    granted = (rate.seconds > step - RTT_S) & (rate.seconds <= step)
    return row | {"window": float(rate.values[granted].mean()) * RTT_S / PACKET_BITS}


def check(table: Frame) -> list[Claim]:
    """The numbers of the example by hand, then in packets."""
    xcp, ncp = (
        table.where(kind="hand", protocol=name).arrow.to_pylist()[0] for name in ("xcp", "ncp")
    )
    runs = {name: table.where(kind="run", protocol=name) for name in PROTOCOLS}
    shared = {name: runs[name] for name in ("ncp", "rcp")}
    return [
        *(
            _by_hand(*each)
            for each in (
                ("20 packets over four flows increase each window by", PRINTED_STEP, xcp["step"]),
                (
                    "the entire link capacity, in packets in a round trip",
                    PRINTED_CAPACITY,
                    CAPACITY,
                ),
                ("window that NCP sets for each flow", PRINTED_WINDOW, WINDOW + ncp["step"]),
                ("rounds that a short flow takes under XCP", PRINTED_XCP, xcp["rtts"]),
                ("rounds that a short flow takes under NCP", PRINTED_NCP, ncp["rtts"]),
            )
        ),
        _in_packets(
            "window that NCP and RCP set for each short flow", PRINTED_WINDOW, shared, "window"
        ),
        *(
            _in_packets(
                f"rounds that a short flow takes under {name.upper()}",
                printed,
                {name: runs[name]},
                "rtts",
            )
            for name, printed in PRINTED_ROUNDS.items()
        ),
        everywhere(
            "XCP makes short flows last much longer: XCP's round trips of sending over those of "
            "NCP and of RCP, in packets",
            f"{PRINTED_XCP / PRINTED_NCP:g}",
            {
                f"of {name.upper()}": Interval.of(runs["xcp"]["rtts"] / own["rtts"])
                for name, own in shared.items()
            },
            low=MUCH,
        ),
    ]


def _by_hand(says: str, printed: float, ours: float) -> Claim:
    right = abs(ours / printed - 1) <= EQUAL
    return Claim(
        f"{says}, by hand",
        paper=f"{printed:g}",
        ours=f"{ours:.3g}",
        verdict=Verdict.of(right),
        taken=f"within {EQUAL:.0%}",
        why="" if right else f"{ours / printed:.3g} times what is printed",
    )


def _in_packets(says: str, printed: float, runs: dict[str, Frame], column: str) -> Claim:
    queues = (f"{own['queue'].mean():.0f} packets" for own in runs.values())
    return everywhere(
        f"{says}, in packets",
        f"{printed:g}",
        {f"under {name.upper()}": Interval.of(own[column]) for name, own in runs.items()},
        low=printed * (1 - EQUAL),
        high=printed * (1 + EQUAL),
        note=f"; longest queue {', '.join(queues)}",
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """By hand, and in packets."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.6), width_ratios=[3, 2])
    looks = style.looks(PROTOCOLS)
    for row in table.where(kind="hand").arrow.to_pylist():
        look, rounds = looks[row["protocol"]], row["rtts"]
        left.plot([0, rounds], [0, SHORT], label=f"{look.title}, by hand", **look.line())
    left.plot([0, PRINTED_XCP], [0, SHORT], color=style.GREY, ls="dashed", label="XCP, printed")
    left.set(
        xlabel="rounds", ylabel="sent by a short flow (packets)", xlim=(0, None), ylim=(0, None)
    )
    for place, (name, look) in enumerate(looks.items()):
        found = Interval.of(table.where(kind="run", protocol=name)["rtts"])
        with_bars(right, [place], [found], color=look.colour, marker=look.marker)
    right.hlines([PRINTED_XCP, PRINTED_NCP], -0.5, 2.5, style.GREY, "dashed", lw=0.8)
    right.set_xticks(range(len(PROTOCOLS)), [look.title for look in looks.values()])
    right.set(ylabel="round trips of sending", xlim=(-0.5, 2.5), ylim=(0, None))
    style.legend(left)
    return figure


FIGURE = Figure(
    id="ncp-2-1",
    title="Three short flows beside a long one, by rounds and in packets",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
