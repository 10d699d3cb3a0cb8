"""A long flow that joins nine others on a link of 100 Mb/s with a round trip of 80 ms: its
throughput over its fair share, in round trips after its start, under XCP with the thesis' gamma of
0.1, with 0.02 and with 0.3, and under RCP with its defaults. Dashed is what shuffling alone gives:
of h = gamma y moved in each round trip it gets a tenth and bears its part, so that it has
1 - exp(-gamma t / d) of its share after t. That "at least 10% of the traffic is redistributed" in a
round trip is the thesis' choice between "the time to converge to fairness and the disturbance the
shuffling imposes" (4.7.2); the papers on completion times object to that time. RCP's newcomer has
its share after four round trips, and then less for another ten, while the queue that its arrival
caused drains. Means over eight seeds.
"""

from __future__ import annotations

import math

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
from ..rows import by_seed, frame
from ..scale import Scale
from . import over_time
from .bottleneck import Settings, seconds

CAPACITY, RTT_S, FLOWS = 100e6, 0.08, 10
JOIN_S, STOP_S = 20.0, 32.0
DRAWN_RTTS = 100
SEEDS = 8
GAMMAS = {"XCP, gamma 0.02": 0.02, "XCP": 0.1, "XCP, gamma 0.3": 0.3}
#: A newcomer "has" its share from this part of it on, which takes ln(10) / gamma round trips.
SHARE = 0.9


def run(scale: Scale) -> dict[str, Results]:
    """By system."""
    systems: dict[str, Settings] = {
        name: {"xcp": {"gamma": gamma}} for name, gamma in GAMMAS.items()
    }
    return {
        name: scale.run(
            _scenario(settings),
            [_protocol(name)],
            name=f"xcp-newcomer/{number}",
            seeds=scale.pick(1, SEEDS),
        )
        for number, (name, settings) in enumerate((systems | {"RCP": {}}).items())
    }


def _protocol(name: str) -> str:
    return "xcp" if name in GAMMAS else "rcp"


def _scenario(settings: Settings) -> Scenario:
    comes = {"start": seconds(JOIN_S), "within": seconds(RTT_S)}
    return Scenario(
        name="newcomer",
        stop=seconds(STOP_S),
        limit=seconds(STOP_S),
        ideals=[],
        topology={"dumbbell": {"capacity": f"{CAPACITY:.0f} bps", "rtt": seconds(RTT_S)}},
        group=[
            {
                "name": "present",
                "from": "s0",
                "to": "d0",
                "long": {"count": FLOWS - 1, "within": "2 s"},
            },
            {"name": "newcomer", "from": "s0", "to": "d0", "long": comes},
        ],
        metrics=[{"group": "newcomer", "every": seconds(RTT_S)}],
        **settings,
    )


def table(runs: dict[str, Results]) -> Frame:
    """A row for each system, seed and round trip: the part of the fair share."""
    share = CAPACITY / FLOWS
    rows = []
    for name, results in runs.items():
        for seed in results.seeds:
            flows = results.flows(_protocol(name), seed).where(group="newcomer")
            series = results.series(_protocol(name), seed).where(quantity="throughput_bps")
            after = (series["time_ns"] - int(flows["start_ns"][0])) / 1e9 / RTT_S
            rows += [
                {"system": name, "seed": seed, "rtts": float(at), "share": float(value) / share}
                for at, value in zip(after, series["value"], strict=True)
                if 0 < at <= DRAWN_RTTS
            ]
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That newcomers arrive as shuffling has it, and much later than under RCP."""
    took = {name: _times(table, name) for name in (*GAMMAS, "RCP")}
    return [
        everywhere(
            "a newcomer arrives no later than shuffling alone has it: round trips until it has 0.9 "
            "of its share, over ln(10) / gamma",
            "at least 10% of the traffic is redistributed every average RTT",
            {
                f"under {name}": Interval.of(took[name] * gamma / math.log(10))
                for name, gamma in GAMMAS.items()
            },
            high=1,
        ),
        everywhere(
            "newcomers of XCP arrive later than those of RCP: round trips, XCP's over RCP's",
            "XCP stretches flows over many round trips (Dukkipati and McKeown, 2006)",
            {f"under {name}": Interval.of(took[name] / took["RCP"]) for name in GAMMAS},
            low=1,
            form=".1f",
            note=(
                f"; XCP's take {took['XCP'].mean():.0f} round trips, RCP's {took['RCP'].mean():.0f}"
            ),
        ),
    ]


def _times(table: Frame, name: str) -> numpy.ndarray:
    """Round trips until three in a row have the share on average, of each seed."""

    def measure(rows: Frame) -> float:
        smooth = numpy.convolve(rows["share"], numpy.ones(3) / 3, "valid")
        return over_time.until(rows["rtts"][1:-1], smooth >= SHARE, since=0, latest=DRAWN_RTTS)

    return over_time.each(table, name, measure)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The part of the fair share against round trips."""
    figure, ax = pyplot.subplots(figsize=(4.6, 3.2))
    for number, name in enumerate((*GAMMAS, "RCP")):
        rows = by_seed(table.where(system=name))
        length = min(len(each) for each in rows)
        shares = numpy.mean([each["share"][:length] for each in rows], axis=0)
        color = style.COLOURS[number]
        ax.plot(rows[0]["rtts"][:length], shares, color=color, label=name, linewidth=1)
        if gamma := GAMMAS.get(name):
            at = numpy.linspace(0, DRAWN_RTTS, 200)
            ax.plot(at, 1 - numpy.exp(-gamma * at), color=color, dashes=(4, 2), linewidth=0.7)
    ax.set(xlabel="round trips after its start", ylabel="throughput over fair share")
    ax.set(xlim=(0, DRAWN_RTTS), ylim=(0, 1.5))
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="xcp-newcomer",
    title="A newcomer's share after its start",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
