"""XCP derived from NCP, section 8.2, beside NCP, RCP and XCP on a link of 100 Mb/s with a round
trip of 80 ms: (21) as printed; with Delta R times R_j / R, "to keep the flow sending rate
proportional to its current rate"; and all of it times R / R_j, "to adjust the sending rates to the
equal share". Of the two readings of each factor, of Delta R or of all of (21), only these do what
the paper says of them (`docs/decisions/027-ncp-readings.md`). Gains on the spare bandwidth and on
the queue are XCP's, 0.4 and 0.226: the paper has none, with which the loop is unstable. NCP's alpha
is 1, so that all fill the link.

"NCP, XCP and RCP all have the same performance" has a condition, that all flows send at one rate:
here, that Jain's index is above 0.99 in the second after the link is filled. *At once*: five long
flows start at one instant, which need not make their rates the same. *Spread*: they start within a
tenth of a round trip. *Newcomer*: one and a third start at once, and another 10 s later, which
finds the link full; after 20 s the third leaves its share, and what is measured before is compared
with what is measured from 30 s on. XCP without shuffling, gamma 0, shows what shuffling does. The
buffer is a bandwidth-delay product. Four seeds draw starts; bars are 95 % intervals.
"""

from __future__ import annotations

import math
from typing import Any

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
from ..link import bottleneck
from ..rows import frame, having, kept
from ..scale import Scale
from ..verdict import Verdict
from .link_runs import CAPACITY, SEEDS, Settings, long_flows, scenario, seconds, throughput

RTT_S = 0.08
NCP, RCP, XCP = "NCP", "RCP", "XCP"
UNSHUFFLED = "XCP, gamma 0"
PRINTED, PROPORTIONAL, EQUAL_SHARE = "(21)", "(21), R_j / R", "(21), R / R_j"
#: Protocol and settings.
SYSTEMS: dict[str, tuple[str, Settings]] = {
    NCP: ("ncp", {"ncp": {"alpha": 1.0}}),
    RCP: ("rcp", {}),
    XCP: ("xcp", {}),
    UNSHUFFLED: ("xcp", {"xcp": {"gamma": 0.0}}),
    PRINTED: ("ncp_increments", {}),
    PROPORTIONAL: ("ncp_increments", {"ncp_increments": {"sharing": "proportional"}}),
    EQUAL_SHARE: ("ncp_increments", {"ncp_increments": {"sharing": "equal_share"}}),
}
AT_ONCE, SPREAD, NEWCOMER = "at once", "spread", "newcomer"
FLOWS = [f"of{number}" for number in range(5)]
JOIN_S, LEAVE_S, WARM_UP_S, STOP_S = 10.0, 20.0, 30.0, 40.0
#: Of the measured span, and of the one before the third flow leaves.
SPAN_S = STOP_S - WARM_UP_S
EARLY_S = (15.0, LEAVE_S)
#: Intervals of samples: of newcomers, and of flows that fill the link.
EVERY_S, FILL_EVERY_S = 0.08, 0.01
#: Performance is the same within this. Ours: the paper has no number.
CLOSE = 0.05
#: A difference or a ratio is kept within this. Ours: the paper has no number.
KEPT = 0.1
#: A link is filled when it carries this part of its capacity, as a mean over a round trip.
FILLED = 0.95
#: Alike is within a factor of 2. Ours.
ALIKE = 2.0
#: Flows send at one rate if Jain's index in the second after the link is filled is above this.
#: Ours.
ONE_RATE = 0.99
Runs = dict[tuple[str, str], Results]


def run(scale: Scale) -> Runs:
    """Each system with each of the starts."""
    return {
        (name, start): scale.run(
            _scenario(start, settings),
            [protocol],
            name=f"ncp-21/{number}-{start.replace(' ', '-')}",
            seeds=scale.pick(1, SEEDS),
        )
        for number, (name, (protocol, settings)) in enumerate(SYSTEMS.items())
        for start in (AT_ONCE, SPREAD, NEWCOMER)
    }


def _scenario(start: str, settings: Settings) -> Scenario:
    soon = seconds(RTT_S / 10)
    every = EVERY_S if start == NEWCOMER else FILL_EVERY_S
    if start == NEWCOMER:
        groups = [
            long_flows("first", RTT_S, start="0 ns"),
            long_flows("second", RTT_S, start=seconds(JOIN_S), within=soon),
            long_flows("third", RTT_S, start="0 ns", stop=seconds(LEAVE_S)),
        ]
    elif start == AT_ONCE:
        groups = [long_flows(name, RTT_S, start="0 ns") for name in FLOWS]
    else:
        groups = [long_flows(name, RTT_S, within=soon) for name in FLOWS]
    sampled = [{"group": group["name"], "every": seconds(every)} for group in groups]
    return scenario(
        groups,
        warm_up=WARM_UP_S,
        stop=STOP_S,
        buffer=RTT_S,
        settings=settings,
        metrics=sampled,
    )


def table(runs: Runs) -> Frame:
    """A row for each system, start and seed; and rates over time, of the first seed."""
    rows: list[dict[str, Any]] = []
    for (system, start), results in runs.items():
        for seed in results.seeds:
            rows.append(_row(system, start, results, seed))
            if start == NEWCOMER and seed == results.seeds[0]:
                rows += _course(system, results, seed)
    return frame(rows)


def _row(system: str, start: str, results: Results, seed: int) -> dict[str, Any]:
    protocol = SYSTEMS[system][0]
    own: dict[str, Any] = {"system": system, "start": start, "seed": seed}
    link = bottleneck(results, protocol, seed)
    own["utilization"] = float(link["utilization"][0])
    own["queue_ms"] = 8e3 * float(link["mean_queue_bytes"][0]) / CAPACITY
    if start == NEWCOMER:
        return own | _newcomer(system, results, seed)
    return own | _filling(results, protocol, seed)


def _filling(results: Results, protocol: str, seed: int) -> dict[str, float]:
    """Flows that fill the link together: when, at which rates, and what becomes of those."""
    times, rates = _rates(results, protocol, seed, FLOWS[0])
    each = numpy.array([rates, *(_rates(results, protocol, seed, name)[1] for name in FLOWS[1:])])
    window = round(RTT_S / FILL_EVERY_S)
    means = numpy.convolve(each.sum(axis=0), numpy.ones(window) / window, "valid")
    filled = numpy.flatnonzero(means >= FILLED * CAPACITY)
    first = float(times[window - 1 + filled[0]]) if len(filled) else STOP_S - 1
    early = each[:, (times > first) & (times <= first + 1)].mean(axis=1)
    late = numpy.array([throughput(results, protocol, seed, name, SPAN_S)[0] for name in FLOWS])
    return {
        "least": float(late.min()),
        "most": float(late.max()),
        "filled_rtts": first / RTT_S,
        "jain": float(early.sum() ** 2 / len(early) / (early**2).sum()),
        "spread": _spread(early),
        "late_spread": _spread(late),
    }


def _spread(rates: numpy.ndarray) -> float:
    return float((rates.max() - rates.min()) / rates.mean())


def _newcomer(system: str, results: Results, seed: int) -> dict[str, float]:
    """The newcomer beside the first flow, before and after the third one leaves."""
    protocol = SYSTEMS[system][0]
    groups = ("first", "second")
    first, second = (throughput(results, protocol, seed, group, SPAN_S)[0] for group in groups)
    own = {"newcomer": 2 * second / (first + second)}
    # Laws with which rates become equal leave no difference to divide by.
    if system not in (PRINTED, PROPORTIONAL):
        return own
    early = [_early(results, protocol, seed, group) for group in groups]
    return own | {
        "difference": (first - second) / (early[0] - early[1]),
        "ratio": first / second / (early[0] / early[1]),
    }


def _early(results: Results, protocol: str, seed: int, group: str) -> float:
    times, rates = _rates(results, protocol, seed, group)
    return float(rates[(times > EARLY_S[0]) & (times <= EARLY_S[1])].mean())


def _rates(
    results: Results, protocol: str, seed: int, group: str
) -> tuple[numpy.ndarray, numpy.ndarray]:
    series = results.series(protocol, seed).where(quantity="throughput_bps", group=group)
    return series["time_ns"] / 1e9, series["value"]


def _course(system: str, results: Results, seed: int) -> list[dict[str, Any]]:
    return [
        {"system": system, "flow": group, "time_s": float(time), "rate": float(rate)}
        for group in ("first", "second")
        for time, rate in zip(*_rates(results, SYSTEMS[system][0], seed, group), strict=True)
    ]


def check(table: Frame) -> list[Claim]:
    """Where the laws coincide, and where they do not."""
    others = [system for system in SYSTEMS if system != NCP]
    left_out = _not_at_one_rate(table)
    return [
        everywhere(
            "NCP, XCP and RCP have the same performance if all flows send at one rate: "
            "throughput of a flow over NCP's mean",
            "if this value is known and the same for all flows then NCP, XCP and RCP all have the "
            "same performance (section 8.2)",
            {
                f"{word} of {system}": Interval.of(rows[column] / _ncps_mean(table))
                for system in SYSTEMS
                if len(rows := _at_one_rate(table, system))
                for word, column in (("the least", "least"), ("the most", "most"))
            },
            low=1 - CLOSE,
            high=1 + CLOSE,
            note=f"; Jain's index is {_least_jain(table):.4f} at least once the link is filled",
            why=left_out,
            taken=f"{1 - CLOSE:g} to {1 + CLOSE:g} in each run with an index above {ONE_RATE}; not "
            "decided without one under each law",
            also=Verdict.UNDECIDED if left_out else Verdict.HOLDS,
        ),
        everywhere(
            f"and they fill the link alike: time until it carries {FILLED} of C, over NCP's",
            "all have the same performance (section 8.2)",
            {
                system: Interval.of(
                    _rows(table, system, AT_ONCE)["filled_rtts"]
                    / _rows(table, NCP, AT_ONCE)["filled_rtts"]
                )
                for system in others
            },
            low=1 / ALIKE,
            high=ALIKE,
            why=_filled(table),
        ),
        _keeps_spread(table),
        _kept(
            table,
            "increments leave differences, and those with R_j / R do not: that of the two flows' "
            "throughputs after a third flow has left its share, over that before",
            "all flows increase their sending rates by the same amount (section 2, of XCP)",
            "difference",
            (PRINTED, PROPORTIONAL),
        ),
        _kept(
            table,
            "with R_j / R rates stay in proportion, and without they do not: the two flows' ratio "
            "after a third flow has left its share, over that before",
            "to keep the flow sending rate proportional to its current rate (section 8.2)",
            "ratio",
            (PROPORTIONAL, PRINTED),
        ),
        everywhere(
            "with R / R_j rates adjust to the equal share: a newcomer's throughput over it",
            "to adjust the sending rates to the equal share (section 8.2)",
            {EQUAL_SHARE: Interval.of(_rows(table, EQUAL_SHARE, NEWCOMER)["newcomer"])},
            low=1 - CLOSE,
            high=1 + CLOSE,
        ),
        everywhere(
            "XCP's shuffling makes the rates at which flows send the same: a newcomer's throughput "
            "over the equal share, over that without shuffling (gamma 0)",
            "XCP can behave like NCP if the rate at which flows send packets R_j is the same "
            "(section 8.2)",
            {
                "": Interval.of(
                    _rows(table, XCP, NEWCOMER)["newcomer"]
                    / _rows(table, UNSHUFFLED, NEWCOMER)["newcomer"]
                )
            },
            low=1 + CLOSE,
        ),
    ]


def _kept(table: Frame, says: str, paper: str, column: str, systems: tuple[str, str]) -> Claim:
    """Something that the first system keeps and the second does not."""
    keeps, other = (
        Interval.of(_rows(table, system, NEWCOMER)[column], minimum=-math.inf) for system in systems
    )
    bounds = f"{1 - KEPT:g} to {1 + KEPT:g}"
    return everywhere(
        says,
        paper,
        {systems[0]: keeps},
        low=1 - KEPT,
        high=1 + KEPT,
        note=f"; {other:.2f} {systems[1]}",
        taken=f"{bounds}, and {systems[1]} outside",
        also=other.below(1 - KEPT) if other.mean < 1 else other.above(1 + KEPT),
    )


def _keeps_spread(table: Frame) -> Claim:
    rows, equal = (_rows(table, system, SPREAD) for system in (PRINTED, EQUAL_SHARE))
    apart = rows["spread"] > CLOSE
    late = Interval.of(equal["late_spread"])
    ratios = rows["late_spread"][apart] / rows["spread"][apart]
    return everywhere(
        "(21) keeps what starts differ by, and R / R_j does not: spread of the five throughputs "
        f"in the last {SPAN_S:g} s over that in the second after the link is filled",
        "if the rate at which flows send packets R_j is the same (section 8.2)",
        {PRINTED: Interval.of(ratios)} if apart.any() else {},
        low=1 - KEPT,
        high=1 + KEPT,
        note=f"; the spread over the mean ends at {rows['late_spread'].mean():.2f} with (21), "
        f"{late:.3f} with R / R_j",
        taken=f"{1 - KEPT:g} to {1 + KEPT:g} where it was above {CLOSE}, and below {CLOSE} in the "
        "end with R / R_j",
        also=late.below(CLOSE),
    )


def _at_one_rate(table: Frame, system: str) -> Frame:
    """Runs in which all flows send at one rate once the link is filled."""
    rows = _rows(table, system, AT_ONCE)
    return kept(rows, rows["jain"] > ONE_RATE)


def _not_at_one_rate(table: Frame) -> str:
    out = [system for system in SYSTEMS if not len(_at_one_rate(table, system))]
    return f"no run at one rate under {', '.join(out)}" if out else ""


def _least_jain(table: Frame) -> float:
    return min(float(_rows(table, system, AT_ONCE)["jain"].min()) for system in SYSTEMS)


def _filled(table: Frame) -> str:
    found = {system: _rows(table, system, AT_ONCE)["filled_rtts"].mean() for system in SYSTEMS}
    if max(found.values()) < ALIKE * min(found.values()):
        return ""
    return "round trips: " + ", ".join(f"{value:.1f} {system}" for system, value in found.items())


def _ncps_mean(table: Frame) -> float:
    rows = _rows(table, NCP, AT_ONCE)
    return float(numpy.mean((rows["least"] + rows["most"]) / 2))


def _rows(table: Frame, system: str, start: str) -> Frame:
    return table.where(system=system, start=start)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Rates of the two flows over time; a panel for each system."""
    figure, panels = pyplot.subplots(2, 4, figsize=(7, 3.6), sharex=True, sharey=True)
    course = having(table, "time_s")
    for system, ax in zip(SYSTEMS, panels.flat, strict=False):
        for number, flow in enumerate(("first", "second")):
            rows = course.where(system=system, flow=flow)
            ax.plot(rows["time_s"], rows["rate"] / 1e6, color=style.COLOURS[number], label=flow)
        ax.set_title(system)
        ax.set(ylim=(0, 110))
    for ax in panels.flat[len(SYSTEMS) :]:
        ax.set_axis_off()
    for ax in panels[-1]:
        ax.set_xlabel("time (s)")
    for ax in panels[:, 0]:
        ax.set_ylabel("Mb/s")
    style.legend_above(figure, panels[0][0], columns=2)
    return figure


FIGURE = Figure(
    id="ncp-21",
    title="XCP derived from NCP, and its two factors",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
