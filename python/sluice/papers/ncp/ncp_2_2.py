"""Section 2.2: what flows send in the next round if RCP's R was right for another number of them.
"Let's consider an initial rate of [...] C/200": 4 flows then load the link with C/50. "On the other
hand if the initial value [...] is too large": 20 flows at C/4 send 5 C. The link has 100 Mb/s, a
round trip of 100 ms and a buffer of 10 BDP, which 5 C fills in 2.5 round trips; flows are long.

Each case is run in two ways. At the start: RCP's parameter `initial_rate` is R(0), and all flows
come within 20 ms to an idle link; NCP has no such parameter, and grants alpha C until it has
counted. After a change: 200 flows come within 20 s and all but 4 leave at once after 60 s, or 4 are
there and 16 more come within 20 ms, so that either protocol finds its R by itself. RCP is as
published (alpha 0.1, beta 1, an update each 10 ms), NCP has its defaults (alpha 0.95, beta 0.6, an
update each d0).

The load of the next round is that from 1.3 to 1.9 round trips after the event: after flows start,
before a reaction can return; after flows leave, it includes the first. Utilization and queue are of
the ten round trips that follow the first after the event. Losses are of the whole run, and none if
the queue stays below half the buffer after the event. Recovered is an R that stays within 10 % of
its mean in the last 15 s of 60 s after the event. NCP "avoids all limitations of RCP" if the same
bounds find none. Three seeds (full scale: five) draw starts; lines are of one of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ...theory import flow_count
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..link import link_metrics, loss_by_seed, samples
from ..rows import frame
from ..scale import Scale
from ..traffic import flow_group
from ..verdict import Verdict
from .ncp_16 import SOON, USED, WAITING

CAPACITY, RTT_S = 100e6, 0.1
#: How long runs are after the event, and before a change.
AFTER_S, BEFORE_S = 60.0, 60.0
EVERY_S, BUFFER_BDP = 0.01, 10
SEEDS = (3, 5)
PROTOCOLS = ("rcp", "ncp")
#: Ours: "5 times more" and "1/50" within this part, R recovered within that, over-utilization above
#: this load, and losses above this part of the packets. Unused capacity, delays and slowness are
#: those of the figure about RCP's count.
NEAR, SETTLED, FULL, LOST = 0.25, 0.1, 1.1, 0.001


@dataclass(frozen=True)
class Case:
    """Flows that meet an R of another number of flows."""

    title: str
    #: The flows for which R was right, and those that there are.
    before: int
    flows: int
    #: Whether R is the initial one, or the flows themselves change.
    initial: bool

    @property
    def event_s(self) -> float:
        """When flows come or leave, in seconds."""
        return 0.0 if self.initial else BEFORE_S

    @property
    def load(self) -> float:
        """That of the next round over the capacity, as the paper computes it."""
        return self.flows / flow_count.estimated(1 / self.before)

    def scenario(self) -> Scenario:
        """The flows on a dumbbell."""
        end = f"{self.event_s + AFTER_S:g} s"
        return Scenario(
            name="round",
            stop=end,
            limit=end,
            ideals=[],
            topology={
                "dumbbell": {
                    "capacity": f"{CAPACITY:.0f} bps",
                    "access": f"{40 * CAPACITY:.0f} bps",
                    "rtt": "100 ms",
                    "buffer": f"{BUFFER_BDP} bdp",
                }
            },
            group=self._groups(),
            metrics=[link_metrics("10 ms")],
            rcp={"initial_rate": 1 / self.before, "initial_rtt": "100 ms"},
        )

    def _groups(self) -> list[dict[str, Any]]:
        event = f"{self.event_s:g} s"
        if self.initial:
            return [flow_group("all", long={"count": self.flows, "within": "20 ms"})]
        stay, others = min(self.before, self.flows), abs(self.flows - self.before)
        both = [flow_group("stay", long={"count": stay, "within": "20 s"})]
        if self.flows > self.before:
            return [
                *both,
                flow_group("come", long={"count": others, "start": event, "within": "20 ms"}),
            ]
        return [
            *both,
            flow_group("leave", long={"count": others, "stop": event, "within": "20 s"}),
        ]


CASES = (
    Case("R(0) = C/200, 4 flows", 200, 4, initial=True),
    Case("R(0) = C/4, 20 flows", 4, 20, initial=True),
    Case("4 of 200 flows stay", 200, 4, initial=False),
    Case("16 flows join 4", 4, 20, initial=False),
)
FEWER, MORE = (tuple(each for each in CASES if (each.load < 1) is few) for few in (True, False))


def run(scale: Scale) -> dict[Case, Results]:
    """By case."""
    return {
        case: scale.run(
            case.scenario(), PROTOCOLS, name=f"ncp-2-2/{place}", seeds=scale.pick(*SEEDS)
        )
        for place, case in enumerate(CASES)
    }


def table(runs: dict[Case, Results]) -> Frame:
    """A row for each case, protocol and seed, then the round trips of the first seed."""
    rows = [
        _row(case, results, name, seed)
        for case, results in runs.items()
        for name in PROTOCOLS
        for seed in results.seeds
    ]
    trips = [
        row
        for case, results in runs.items()
        for name in PROTOCOLS
        for row in _trips(case, results, name)
    ]
    return frame(rows + trips)


def _row(case: Case, results: Results, name: str, seed: int) -> dict[str, Any]:
    load, rate, queue = (
        samples(results, name, quantity, seed) for quantity in ("load", "R", "queue_bytes")
    )
    seconds = load.seconds - case.event_s
    next_round = (seconds > 1.3 * RTT_S) & (seconds <= 1.9 * RTT_S)
    # The first round trip after flows start has SYNs only.
    first = (seconds > RTT_S) & (seconds <= (1 + SOON) * RTT_S)
    steady = rate.values[seconds > AFTER_S - 15].mean()
    off = seconds[(seconds > 0) & (abs(rate.values / steady - 1) > SETTLED)]
    in_bdp = queue.values * 8 / (CAPACITY * RTT_S)
    longest = in_bdp[seconds > 0].max()
    # Departures are arrivals less the growth of the queue, up to those of a link that is busy.
    grown = numpy.diff(in_bdp, prepend=0) * RTT_S / EVERY_S
    used = numpy.clip(load.values - grown, 0, 1)
    return {
        "kind": "run",
        "case": case.title,
        "protocol": name,
        "seed": seed,
        "load": float(load.values[next_round].mean()),
        "utilization": float(used[first].mean()),
        "queue_bdp": float(in_bdp[first].mean()),
        "lost": loss_by_seed(results, name)[seed] if longest > BUFFER_BDP / 2 else 0.0,
        "recovered_rtts": float(off[-1] / RTT_S) if len(off) else 0.0,
    }


def _trips(case: Case, results: Results, name: str) -> list[dict[str, Any]]:
    """Loads, one for each round trip of the first 60."""
    load = samples(results, name, "load", results.seeds[0])
    each = round(RTT_S / EVERY_S)
    begin = round(case.event_s / EVERY_S)
    loads = load.values[begin : begin + 60 * each].reshape(-1, each).mean(axis=1)
    return [
        {"kind": "trip", "case": case.title, "protocol": name, "rtts": place + 0.5, "load": found}
        for place, found in enumerate(loads.tolist())
    ]


def check(table: Frame) -> list[Claim]:
    """The example by equation and in packets, and what becomes of it."""
    runs = table.where(kind="run")
    rcp, ncp = (runs.where(protocol=name) for name in PROTOCOLS)
    return [
        *(
            Claim(
                f"the load of the next round by (2), {case.title}",
                paper=f"{printed:g} C",
                ours=f"{case.load:g} C",
                verdict=Verdict.of(abs(case.load - printed) < 1e-9),
                taken="equal",
            )
            for case, printed in zip(CASES[:2], (1 / 50, 5.0), strict=True)
        ),
        everywhere(
            "and under RCP in packets: the load of the next round over that of the example",
            "1",
            {
                case.title: Interval.of(rcp.where(case=case.title)["load"] / case.load)
                for case in CASES
            },
            low=1 - NEAR,
            high=1 + NEAR,
        ),
        everywhere(
            "an N that is too large leaves the link under-utilized: RCP's utilization",
            "under-utilization",
            _points(rcp, FEWER, "utilization"),
            high=USED,
        ),
        everywhere(
            "an N that is too small causes more queuing delays: RCP's mean queue in BDP",
            "more",
            _points(rcp, MORE, "queue_bdp"),
            low=WAITING,
        ),
        everywhere(
            "an N that is too small causes packet losses: the part of packets that RCP loses",
            "losses",
            _points(rcp, MORE, "lost"),
            low=LOST,
            form=".4f",
        ),
        everywhere(
            "RCP is slow to converge from a wrong N: round trips until its R has recovered",
            "so slow",
            _points(rcp, CASES, "recovered_rtts"),
            low=SOON,
            form=".0f",
        ),
        *(_avoided(ncp, rcp, *each) for each in AVOIDED),
    ]


#: What NCP avoids: what it is called, a column, its bounds, and its format.
AVOIDED = (
    ("under-utilization: its utilization", "utilization", (USED, math.inf), ".2f"),
    ("over-utilization: its load of the next round", "load", (-math.inf, FULL), ".2f"),
    ("queuing delays: its mean queue in BDP", "queue_bdp", (-math.inf, WAITING), ".2f"),
    ("losses: the part of packets that it loses", "lost", (-math.inf, LOST), ".4f"),
    ("slowness: round trips until its R has recovered", "recovered_rtts", (-math.inf, SOON), ".0f"),
)


def _avoided(
    ncp: Frame, rcp: Frame, what: str, column: str, bounds: tuple[float, float], form: str
) -> Claim:
    """A limitation of RCP, judged for NCP in all cases by the bound that RCP is judged by."""
    found, beside = (_points(rows, CASES, column) for rows in (ncp, rcp))
    low, high = bounds
    outside = [at for at, each in found.items() if not low < each.mean < high]
    listed = "; ".join(
        f"{at} {found[at].mean:{form}}, RCP {beside[at].mean:{form}}" for at in found
    )
    return everywhere(
        f"NCP avoids all limitations of RCP, {what}",
        "none",
        found,
        low=low,
        high=high,
        form=form,
        why=listed if outside else "",
    )


def _points(rows: Frame, cases: tuple[Case, ...], column: str) -> dict[str, Interval]:
    return {case.title: Interval.of(rows.where(case=case.title)[column]) for case in cases}


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Load against time; a panel for each case."""
    figure, panels = pyplot.subplots(2, 2, figsize=(7, 3.8), sharex=True, sharey=True)
    trips = table.where(kind="trip")
    for ax, case in zip(panels.T.flat, (*FEWER, *MORE), strict=True):
        for name, look in style.looks(PROTOCOLS).items():
            own = trips.where(case=case.title, protocol=name)
            ax.step(own["rtts"], own["load"], where="mid", label=look.title, lw=0.9, **look.line())
        ax.axhline(case.load, color=style.GREY, ls="dashed", lw=0.8, label="the example")
        ax.axhline(1, color="black", lw=0.5)
        ax.set(title=case.title, xlim=(0, 60), yscale="log", ylim=(0.008, 30))
    for ax in panels[-1]:
        scales.linear(ax, "x", "round trips", "")
    for ax in panels[:, 0]:
        ax.set_ylabel("load y / C")
    style.legend_above(figure, panels[0][0], columns=3)
    return figure


FIGURE = Figure(
    id="ncp-2-2",
    title="What flows send in the next round if R was right for others",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
