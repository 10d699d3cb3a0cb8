"""Section 2: a router that granted the rate z a round trip ago and now sees the arrival rate y may
take y / z as the number N of flows, and grant C / N. The paper says that this naive scheme finds N
after one round trip if all flows have the same round trip, that it oscillates otherwise, and that
RCP settles in 5 to 10 round trips.

Ours: 20 long flows on 1 Gb/s that start at C / 100, with round trips of 100 ms, or spread evenly
from 20 to 180 ms. The naive router measures every 100 ms, starting when all flows send. RCP has
alpha 0.4, beta 0.5. On the right, one flow joins n others that have settled under RCP (100 ms).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ..._core import LinkSample
from ...frame import Frame
from ...laws import Law
from ...plot import style
from ...results import Results
from ...runs import run as simulate
from ...scenario import Scenario
from ...sweeps import Sweep
from ...theory import fluid
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..link import link_metrics, samples
from ..rows import frame
from ..scale import Scale
from ..traffic import flow_group
from ..transport import NS2
from ..verdict import Verdict
from .rcp import ALPHA, BETA

CAPACITY = 1e9
#: Seconds.
RTT = 0.1
#: Round trips of the first and the last flow.
SPREADS = {
    "round trips of 100 ms": ["100 ms", "100 ms"],
    "round trips of 20 to 180 ms": ["20 ms", "180 ms"],
}
FLOWS = 20
START = 0.01
#: The naive router's first measurement, and the end of runs, in seconds.
LOOKS_S, STOP_S = 3 * RTT, 4.0
#: Numbers of flows that another one joins, and the time at which it does, in seconds.
OTHERS = [1, 2, 5, 20]
JOINS_S = 10.0
#: Bound for "settled" at C / N.
NEAR = 0.05


class Naive(Law):
    """C / N, where N is the arrival rate over the rate granted a round trip ago."""

    interval = RTT
    #: The rates granted in the second to last interval and in the last.
    before = granted = START * CAPACITY

    def start(self) -> float:
        return self.granted

    def tick(self, sample: LinkSample) -> float:
        rate = self.granted
        # Earlier, SYNs arrive, which would be taken for slow flows.
        if sample.now > LOOKS_S - RTT / 2:
            flows = 8 * sample.arrived / sample.elapsed / self.before
            rate = min(sample.capacity / flows, sample.capacity)
        self.before, self.granted = self.granted, rate
        return rate


class Runs(NamedTuple):
    """Flows that start together, by spread of round trips, and one that joins others."""

    begun: dict[str, Results]
    joined: Sweep


def run(scale: Scale) -> Runs:
    """The same at both scales: nothing is left to chance, and it takes seconds."""
    both: dict[str, Any] = {
        "ideals": [],
        "rcp": {"alpha": ALPHA, "beta": BETA, "initial_rate": START, "initial_rtt": "100 ms"},
        "metrics": [link_metrics("10 ms")],
    }
    begun = {}
    for place, (name, spread) in enumerate(SPREADS.items()):
        dumbbell = {"capacity": "1 Gbps", "pairs": FLOWS, "rtt": spread, "buffer": "unlimited"}
        dumbbell["bottleneck_delay"] = "2 ms"
        flows = {"name": "flows", "pairs": "each", "long": {}}
        scenario = Scenario(
            transport=NS2,
            name="buf-n",
            stop=f"{STOP_S} s",
            topology={"dumbbell": dumbbell},
            group=[flows],
            **both,
        )
        out = scale.folder / f"buf-n-{place}"
        laws = {"naive": Naive}
        begun[name] = simulate(scenario, ["rcp"], laws=laws, out=out, progress=scale.progress)
    joining = Scenario(
        transport=NS2,
        name="buf-n-joined",
        stop=f"{JOINS_S + 5} s",
        variables={"others": 1},
        topology={"dumbbell": {"capacity": "1 Gbps", "rtt": "100 ms", "buffer": "unlimited"}},
        group=[
            flow_group("others", long={"count": "$others"}),
            flow_group("one", long={"start": f"{JOINS_S} s"}),
        ],
        **both,
    )
    return Runs(begun, scale.sweep(joining, {"others": OTHERS}, ["rcp"], name="buf-n-joined"))


def table(runs: Runs) -> Frame:
    """R N / C over time by law and spread, where flows begin together (``begun``); and how many
    round trips pass until it has settled, by law and n, where one joins (``joined``)."""
    rows = []
    for spread, results in runs.begun.items():
        for law in results.protocols:
            seconds, rate = samples(results, law, "R")
            columns = {"part": "begun", "law": law, "spread": spread}
            shares = FLOWS * rate / CAPACITY
            rtts = (seconds - RTT) / RTT
            rows += [columns | {"rtts": at, "share": x} for at, x in zip(rtts, shares, strict=True)]
    for others, results in zip(OTHERS, runs.joined, strict=True):
        seconds, rate = samples(results, "rcp", "R")
        # Its data arrive a round trip after its SYN.
        rtts = (seconds - JOINS_S - RTT) / RTT
        apart = abs((others + 1) * rate / CAPACITY - 1) > NEAR
        # The model has the load, which follows the rate a round trip later.
        model = fluid.path("rcp", ALPHA, BETA, load=[(others + 1) / others])
        settled = {"rcp": rtts[apart].max(), "fluid": fluid.settling_rtts(model)[0] - 1}
        rows += [
            {"part": "joined", "law": law, "others": others, "rtts": float(at)}
            for law, at in settled.items()
        ]
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """Claims about the naive scheme, and about the time in which RCP settles."""
    same, spread = SPREADS
    # From the first measurement on, and from 5 to 15 round trips later.
    looked = (LOOKS_S - RTT) / RTT
    at_once = _share(table, "naive", same, looked, STOP_S / RTT)
    late = _share(table, "naive", spread, looked + 5, looked + 15)
    dies = _settled(table, "naive", spread) - looked
    settled = {f"with {name}": Interval.exactly(_settled(table, "rcp", name)) for name in SPREADS}
    joined = {
        f"with n = {n}, {by}": Interval.exactly(float(rtts))
        for law, by in (("rcp", "in packets"), ("fluid", "by the fluid model"))
        for n, rtts in zip(OTHERS, table.where(part="joined", law=law)["rtts"], strict=True)
    }
    return [
        Claim(
            "the naive scheme knows N at once where flows have one round trip: its rate over C / N",
            paper="1 after one round trip",
            ours=f"{at_once.min():.3f} to {at_once.max():.3f} from the first look on",
            verdict=Verdict.of(abs(at_once - 1).max() < NEAR),
            taken="within 5 %",
        ),
        Claim(
            "it oscillates where round trips differ: its rate over C / N",
            paper="large-scale oscillations",
            ours=f"{late.min():.2f} to {late.max():.2f} 5 to 15 round trips "
            f"later; within 5 % after {dies:.0f}",
            verdict=Verdict.of(late.min() < 0.8 and late.max() > 1.2),
            taken="by 20 % and more, both ways",
        ),
        everywhere(
            "RCP settles from C / 100: after how many round trips",
            "5 to 10",
            settled,
            low=5,
            high=10,
            form=".1f",
        ),
        everywhere(
            "RCP settles where one flow joins n others: after how many round trips",
            "5 to 10",
            joined,
            high=10,
            form=".1f",
        ),
    ]


def _share(table: Frame, law: str, spread: str, begin: float, end: float) -> numpy.ndarray:
    """R N / C between two times in round trips."""
    rows = table.where(part="begun", law=law, spread=spread)
    return rows["share"][(rows["rtts"] > begin) & (rows["rtts"] < end)]


def _settled(table: Frame, law: str, spread: str) -> float:
    """The round trips after which R N / C stays near 1."""
    rows = table.where(part="begun", law=law, spread=spread)
    return float(rows["rtts"][abs(rows["share"] - 1) > NEAR].max())


def plot(table: Frame) -> matplotlib.figure.Figure:
    """R over time of both schemes, and how long RCP takes when a flow joins."""
    figure, axes = pyplot.subplots(1, 3, figsize=(7, 2.4), width_ratios=[3, 3, 2])
    looks = style.looks(["rcp", "naive"])
    for ax, spread in zip(axes, SPREADS, strict=False):
        for law, look in looks.items():
            rows = table.where(part="begun", law=law, spread=spread)
            ax.plot(rows["rtts"], rows["share"], label=look.title, **look.line())
        ax.axhline(1, color=style.GREY, lw=0.8, ls="dashed")
        ax.set(xlabel="round trips", xlim=(0, 30), ylim=(0, 1.6), title=spread)
    axes[0].set_ylabel("R N / C")
    axes[0].legend(loc="lower right")
    right = axes[2]
    for law, style_of, label in (
        ("rcp", looks["rcp"].marked(len(OTHERS)), "packets"),
        ("fluid", style.THEORY.line(), "fluid model"),
    ):
        rows = table.where(part="joined", law=law)
        right.plot(rows["others"], rows["rtts"], label=label, **style_of)
    right.axhspan(5, 10, color=style.GREY, alpha=0.15, lw=0)
    right.set(
        xscale="log",
        xlabel="flows before the arrival",
        ylabel="round trips until settled",
        ylim=(0, 18),
        title="RCP (grey: the paper's)",
        xticks=OTHERS,
        xticklabels=OTHERS,
    )
    right.minorticks_off()
    right.legend(loc="upper right")
    return figure


FIGURE = Figure(
    id="buf-n",
    title="Counting flows as y / z, and RCP",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
