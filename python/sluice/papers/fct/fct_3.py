"""Two flows of 50 packets start in every round trip, on a link that carries 100 packets in one.
Under processor sharing, each pair finishes before the next arrives. In slow start, a flow sends 1,
2, 4, 8, 16 and 19 packets, so that six pairs are active at a time.

The paper counts in rounds, without SYN exchange and propagation. So does the model, with an initial
window of 1, which gives the paper's count. Also shown are the same flows as packets: TCP on 8 Mb/s
and 100 ms (ours; packets of 1000 bytes) with an unlimited buffer, and processor sharing of them as
a fluid. Both include SYN exchange and propagation.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from .. import under_way
from ..claim import Claim
from ..figure import Figure
from ..scale import Scale
from ..transport import NS2
from ..verdict import Verdict
from . import rounds

#: Packets per round trip, and the two flows of each round.
CAPACITY, SIZES = 100, [50, 50]
RTT = 0.1
ROUNDS = 40


def run(scale: Scale) -> Results:
    """The same at both scales: it takes a second."""
    end = f"{ROUNDS * RTT} s"
    scenario = Scenario(
        transport=NS2,
        name="fct-3",
        stop=end,
        limit=end,
        ideals=["max_min"],
        topology={"dumbbell": {"capacity": "8 Mbps", "rtt": "100 ms", "buffer": "unlimited"}},
        group=rounds.groups(SIZES, RTT),
        tcp={"initial_window": 1},
    )
    return scale.run(scenario, ["tcp"], name="fct-3")


def table(results: Results) -> Frame:
    """A row for each round: active flows in the model, and in the run on average."""
    edges = numpy.arange(ROUNDS + 1) * RTT
    return Frame(
        pyarrow.table(
            {
                "round": numpy.arange(ROUNDS),
                "slow_start": rounds.slow_start(SIZES, ROUNDS).flows,
                "shared": rounds.shared(CAPACITY, SIZES, ROUNDS).flows,
                "tcp": under_way.mean(results.flows("tcp"), edges),
                "max_min": under_way.mean(results.flows("max_min"), edges),
            }
        )
    )


def check(table: Frame) -> list[Claim]:
    """Claims about the steady state, the second half."""
    late = {name: table[name][ROUNDS // 2 :] for name in ("slow_start", "shared", "tcp", "max_min")}
    flows = {name: found.mean() for name, found in late.items()}
    steady = all(numpy.ptp(late[name]) == 0 for name in ("slow_start", "shared"))
    times = flows["tcp"] / flows["max_min"]
    # By Little's law, in round trips.
    waits = {name: found / len(SIZES) for name, found in flows.items()}
    return [
        Claim(
            "in steady state slow start has 12 flows and processor sharing 2",
            paper="12 and 2",
            ours=f"{flows['slow_start']:g} and {flows['shared']:g}, round by round",
            verdict=Verdict.of(steady and flows["slow_start"] == 12 and flows["shared"] == 2),
            why="" if steady else "the model does not settle",
        ),
        Claim(
            "six times as many, so flows take six times as long: TCP's flows over processor "
            "sharing's, in packets",
            paper="6",
            ours=f"{times:.1f} ({flows['tcp']:.1f} and {flows['max_min']:.1f} flows)",
            verdict=Verdict.of(abs(times / 6 - 1) < 0.2),
            taken="within 20 %",
            why="with the SYN exchange and the way of the data, which the paper leaves out, flows "
            f"take {waits['tcp']:.1f} and {waits['max_min']:.1f} round trips, without "
            f"{waits['slow_start']:g} and {waits['shared']:g}",
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The first twenty rounds; later ones do not differ."""
    figure, ax = pyplot.subplots(figsize=(3.5, 2.4))
    looks = style.looks(["tcp", "max_min"])
    shown = slice(ROUNDS // 2)
    at = table["round"][shown]
    ax.step(at, table["slow_start"][shown], where="mid", color="black", label="model: slow start")
    ax.step(at, table["shared"][shown], where="mid", **style.THEORY.line(), label="model: PS")
    for name, title in (("tcp", "TCP, packets"), ("max_min", "ideal: PS, with SYN")):
        ax.plot(at, table[name][shown], label=title, **looks[name].marked(len(at)))
    scales.linear(ax, "x", "time (round trips)", "")
    ax.set(ylabel="active flows", ylim=(0, None))
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="fct-3",
    title="Flows in slow start pile up",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
