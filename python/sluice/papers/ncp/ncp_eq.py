"""NCP's three derivations of its rate, (5), (6) and (8), as router laws on a link of 100 Mb/s: two
long flows with a round trip of 125 ms each, and with 50 ms and 200 ms, whose mean is 125 ms; and,
below, ten with 100 ms each, and with 40 ms to 160 ms. Parameters are this program's (alpha 0.95,
beta 0.6; for NCP-S also 0, 0.2 and 1), as the paper prints none; the share is alpha C / N. The
buffer is 125 ms. Four seeds draw starts; bars are 95 % intervals.

(5) and (8) count two flows of 125 ms as two. With 50 ms and 200 ms (5) counts d0 / RTT of each:
2.5 and 0.625, 3.125 in all, which leaves a third of the link idle, and its rearrangement (9) holds
only where every round trip is d0. NCP-S, (6), has the last rate in place of what flows send. Since
they send at the rate of a round trip ago, it is R' = alpha C R / (N R_before): in logarithms
z^2 - z + 1 = 0, a swing with a period of 6 d0 that neither grows nor decays. beta adds the queue
that the swing makes; round trips that differ from d0 change the delay.

"Needs less work at the routers" is said of (6): its sum is of bytes, which a link counts anyway,
where (8) adds a word of each header and (5) divides two. The router here adds all of them, for
whichever option; no time is measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
from ..link import bottleneck, link_metrics, samples
from ..rows import frame
from ..scale import Scale
from .link_runs import CAPACITY, SEEDS, long_flows, scenario, seconds, throughput

ALPHA = 0.95
EQ8, EQ5, SIMPLE = "(8)", "(5)", "NCP-S, (6)"
LAWS = {EQ8: "eq8", EQ5: "eq5", SIMPLE: "eq6"}
#: Round trips in seconds, of one flow each.
TWO_ALIKE, TWO_APART = "125 ms twice", "50 and 200 ms"
TEN_ALIKE, TEN_APART = "100 ms, ten", "40 to 160 ms, ten"
TRIPS = {
    TWO_ALIKE: [0.125, 0.125],
    TWO_APART: [0.05, 0.2],
    TEN_ALIKE: [0.1] * 10,
    TEN_APART: [float(rtt) for rtt in numpy.linspace(0.04, 0.16, 10)],
}
#: With beta 0.6, and for NCP-S without a queue term, with a small one and with all of it.
BETAS = {EQ8: (0.6,), EQ5: (0.6,), SIMPLE: (0.6, 0.0, 0.2, 1.0)}
WARM_UP_S, STOP_S = 20.0, 50.0
EVERY_S = 0.02
BUFFER_S = 0.125
#: Throughputs within this are processor sharing's. Ours: the paper has no number.
CLOSE = 0.05
#: A rate that settles has a standard deviation of its logarithm below this. Ours.
STEADY = 0.05


@dataclass(frozen=True)
class Case:
    """A law and its flows."""

    law: str
    trips: str
    beta: float

    def scenario(self) -> Scenario:
        """One group for each flow."""
        groups = [
            long_flows(f"of{number}", rtt, within="2 s")
            for number, rtt in enumerate(TRIPS[self.trips])
        ]
        ncp = {"counted": LAWS[self.law], "alpha": ALPHA, "beta": self.beta}
        return scenario(
            groups,
            warm_up=WARM_UP_S,
            stop=STOP_S,
            buffer=BUFFER_S,
            settings={"ncp": ncp},
            metrics=[link_metrics(seconds(EVERY_S))],
        )

    def row(self, results: Results, seed: int) -> dict[str, Any]:
        """Throughputs over the share, and how the rate moves."""
        count = len(TRIPS[self.trips])
        received = numpy.array(
            [
                throughput(results, "ncp", seed, f"of{number}", STOP_S - WARM_UP_S)[0]
                for number in range(count)
            ]
        )
        share = ALPHA * CAPACITY / count
        rate, d0 = (self._late(results, seed, name) for name in ("R", "d0"))
        link = bottleneck(results, "ncp", seed)
        return {
            "law": self.law,
            "trips": self.trips,
            "beta": self.beta,
            "seed": seed,
            "least": float(received.min() / share),
            "most": float(received.max() / share),
            "jain": float(received.sum() ** 2 / count / (received**2).sum()),
            "utilization": float(link["utilization"][0]),
            "queue_ms": 8e3 * float(link["mean_queue_bytes"][0]) / CAPACITY,
            "flows": float(self._late(results, seed, "N").mean()),
            "swing": float(numpy.log(rate).std()),
            "period": period(rate) * EVERY_S / float(d0.mean()),
        }

    def _late(self, results: Results, seed: int, quantity: str) -> numpy.ndarray:
        found = samples(results, "ncp", quantity, seed)
        return found.values[found.seconds > WARM_UP_S]


def period(values: numpy.ndarray) -> float:
    """The period of the strongest oscillation, in samples.

    >>> round(period(numpy.sin(numpy.arange(600) * 2 * numpy.pi / 30)))
    30
    """
    spectrum = numpy.abs(numpy.fft.rfft(values - values.mean()))
    return len(values) / max(int(spectrum.argmax()), 1)


Runs = dict[Case, Results]


def run(scale: Scale) -> Runs:
    """Each law and its flows; the seed draws starts."""
    cases = [
        Case(law, trips, beta) for law, betas in BETAS.items() for beta in betas for trips in TRIPS
    ]
    return {
        case: scale.run(
            case.scenario(), ["ncp"], name=f"ncp-eq/{number}", seeds=scale.pick(1, SEEDS)
        )
        for number, case in enumerate(cases)
    }


def table(runs: Runs) -> Frame:
    """A row for each case and seed."""
    return frame(
        [case.row(results, seed) for case, results in runs.items() for seed in results.seeds]
    )


def check(table: Frame) -> list[Claim]:
    """Whether each law achieves processor sharing, and whether its rate settles."""
    return [
        *(_shares(table, law) for law in LAWS),
        everywhere(
            "(8) counts flows: the mean of N over their number",
            "without having to count the exact number of concurrent flows (section 5)",
            {
                trips: Interval.of(_rows(table, EQ8, trips)["flows"] / len(rtts))
                for trips, rtts in TRIPS.items()
            },
            low=1 - CLOSE,
            high=1 + CLOSE,
            form=".3f",
        ),
        everywhere(
            "the rate of (8) settles: standard deviation of the logarithm of R",
            "not stated",
            {trips: Interval.of(_rows(table, EQ8, trips)["swing"]) for trips in TRIPS},
            high=STEADY,
            form=".3f",
        ),
        everywhere(
            "the rate of NCP-S settles: standard deviation of the logarithm of R",
            "not stated",
            {
                _words(SIMPLE, trips, beta): Interval.of(_rows(table, SIMPLE, trips, beta)["swing"])
                for trips in TRIPS
                for beta in BETAS[SIMPLE]
            },
            high=STEADY,
            form=".3f",
            why=_periods(table),
        ),
    ]


def _shares(table: Frame, law: str) -> Claim:
    ends = {
        f"{word} of {_words(law, trips, beta)}": Interval.of(_rows(table, law, trips, beta)[column])
        for trips in TRIPS
        for beta in BETAS[law]
        for word, column in (("the least", "least"), ("the most", "most"))
    }
    return everywhere(
        f"{law} achieves processor sharing: throughput of a flow over alpha C / N",
        "which in turn is the Processor Sharing rate (section 5)",
        ends,
        low=1 - CLOSE,
        high=1 + CLOSE,
        why=_periods(table) if law == SIMPLE else _counts(table, law),
    )


def _words(law: str, trips: str, beta: float) -> str:
    return f"{trips}, beta {beta:g}" if len(BETAS[law]) > 1 else trips


def _counts(table: Frame, law: str) -> str:
    """The reason where N is not the number of flows."""
    found = [
        f"{flows:.2f} for {len(rtts)} ({trips})"
        for trips, rtts in TRIPS.items()
        if abs((flows := _rows(table, law, trips)["flows"].mean()) / len(rtts) - 1) > CLOSE
    ]
    return f"the mean of N is {', '.join(found)}" if found else ""


def _periods(table: Frame) -> str:
    found = [
        f"{rows['period'].mean():.1f} d0 ({_words(SIMPLE, trips, beta)})"
        for trips in TRIPS
        for beta in BETAS[SIMPLE]
        if (rows := _rows(table, SIMPLE, trips, beta))["swing"].mean() >= STEADY
    ]
    return f"R swings with a period of {', '.join(found)}" if found else ""


def _rows(table: Frame, law: str, trips: str, beta: float = 0.6) -> Frame:
    return table.where(law=law, trips=trips, beta=beta)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Shares, utilization and swings of each law, by the flows' round trips."""
    figure, panels = pyplot.subplots(1, 3, figsize=(7, 3.0))
    columns = {
        "least": "least throughput over alpha C / N",
        "utilization": "utilization",
        "swing": "deviation of log R",
    }
    for ax, (column, label) in zip(panels, columns.items(), strict=True):
        for number, (law, beta) in enumerate(
            (law, beta) for law, betas in BETAS.items() for beta in betas
        ):
            found = [Interval.of(_rows(table, law, trips, beta)[column]) for trips in TRIPS]
            look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
            at = numpy.arange(len(TRIPS)) + 0.1 * (number - 2.5)
            text = f"{law}, beta {beta:g}" if law == SIMPLE else law
            with_bars(ax, at, found, label=text, linestyle="none", **look)
        ax.set_xticks(range(len(TRIPS)), TRIPS, rotation=30, ha="right")
        ax.set(ylabel=label, ylim=(0, None))
    style.legend_above(figure, panels[0], columns=3)
    return figure


FIGURE = Figure(
    id="ncp-eq",
    title="NCP's three rates as router laws",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
