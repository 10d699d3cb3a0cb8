"""Section 10.2, NCP as core-stateless fair queueing (CSFQ), beside CSFQ of Stoica, Shenker and
Zhang (1998). The paper has a sketch: R_j is of the inter-arrival time dt = 1/R_j at the ingress
router, and "future work and analysis should show how such implementation of NCP compares".

*Ours* is the discipline `ncp_csfq`. The ingress labels packets with R_j: CSFQ's exponential
average over 100 ms, or dt itself ("dt"). Each link adds up s_j/R_j over 200 ms, which gives N by
(8) without state of flows, has R = (C - 0.6 q/d)/N, and drops what exceeds R as CSFQ does, with
probability 1 - R/R_j. By (8) flows below R count whole; (12), with N by (8), counts them as their
part of R. The 0.6 is NCP's default, and the paper prints none here: "beta 0" is without it. CSFQ
has its paper's constants, 100 and 200 ms. Deficit round robin (DRR) keeps a queue
for each flow, and drop tail no state at all.

*Cases*, on links of 10 Mb/s with 64 kB of buffer: stream i of 32 sends i + 1 times its share; 16
of them send a quarter of it, 16 four times as much; 32 send 0.9 of it; 10 send all of the link
each; 32 are on and off for 100 ms on average and send twice their share; 500 send a packet each
200 ms, twice theirs; a stream of the link's rate beside 31 flows of TCP; a stream over five links
with ten others each; the first with a buffer of 4 packets; and 12 streams of which four pass a
congested link before the ingress, or send as slowly by themselves. A source that its own link
blocks, which the paper has in mind, is not modelled: packets wait or are lost before the ingress.
The *deviation* is the mean over flows of |rate over max-min fair rate - 1|. Drops by draws alone
make a part of it, sqrt(2 (1 - p) / (pi n)) for n packets that each pass with probability p.
Runs count from 5 s on, for 10 s (full scale: 30 s); bars are 95 % intervals over seeds.

The other reading is NCP itself: 8 long flows of NCP, which keep to R, beside as many of TCP Reno
over each discipline; RTT 40 ms.
"""

from __future__ import annotations

import math
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...results import Results
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .fair_cases import (
    AS_MUCH,
    BELOW,
    CASES,
    HOSTS,
    INGRESS,
    LADDER,
    ON_OFF,
    ROW,
    SHARED,
    SLOW,
    TCP,
    TENFOLD,
    TINY,
    UNDER,
    WARM_UP_S,
)

CSFQ, BY_8, BY_12, BY_8_DT, BY_12_DT = "CSFQ", "NCP (8)", "NCP (12)", "NCP (8), dt", "NCP (12), dt"
NO_DRAIN = "NCP (12), beta 0"
DRR, TAIL, NCP = "DRR", "drop tail", "NCP hosts"
EQ12, GAP = {"counted": "eq12"}, {"labels": "gap"}
QUEUES: dict[str, Any] = {
    CSFQ: "csfq",
    BY_8: "ncp_csfq",
    BY_12: {"ncp_csfq": EQ12},
    BY_8_DT: {"ncp_csfq": GAP},
    BY_12_DT: {"ncp_csfq": EQ12 | GAP},
    NO_DRAIN: {"ncp_csfq": EQ12 | {"beta": 0}},
    DRR: "drr",
    TAIL: "drop_tail",
}
READINGS = (BY_8, BY_12, BY_8_DT, BY_12_DT, NO_DRAIN)
#: Cases in which the link is shared among more than it has room for.
CONTENDED = (LADDER, BELOW, TENFOLD, ON_OFF, SLOW, TCP, ROW, TINY, INGRESS)
QUICK = (LADDER, BELOW, UNDER, TCP, ON_OFF, INGRESS, AS_MUCH, HOSTS)
#: A rate is near the fair one within this number of standard deviations of drops by draws; N within
#: this part of the number of flows; two deviations, or two N, are alike within this difference.
#: Ours.
NEAR, EXACT, ALIKE = 3, 0.02, 0.005
#: By case and system.
Runs = dict[tuple[str, str], Results]


def run(scale: Scale) -> Runs:
    """Each case under each system; at quick scale, without DRR and drop tail in most."""
    stop_s = WARM_UP_S + _measured_s(scale.full)
    systems = [
        (case, name, queue, "tcp")
        for case in CASES
        for name, queue in QUEUES.items()
        if scale.full or name not in (DRR, TAIL) or (case, name) == (LADDER, TAIL)
    ]
    systems.append((HOSTS, NCP, "drop_tail", "ncp"))
    return {
        (case, system): scale.run(
            CASES[case].scenario(queue, stop_s, protocol),
            [protocol],
            name=f"ncp-10-csfq/{case}-{system}".translate({ord(at): "-" for at in " ,()"}),
            seeds=scale.pick(3, 5),
        )
        for case, system, queue, protocol in systems
        if case in scale.pick(QUICK, tuple(CASES))
    }


def _measured_s(is_full: bool) -> int:
    return 30 if is_full else 10


def table(runs: Runs) -> Frame:
    """A row for each flow and seed, with its rate over its fair rate; and one for each run, with
    the mean deviation, that of the stream that is judged by itself, what drops by draws make of
    it, the largest deviation in standard deviations of these, the utilization of the shared link,
    its drops over arrivals, and N as sampled over the number of flows."""
    return frame(
        [
            row
            for (case, system), results in runs.items()
            for seed in results.seeds
            for row in _rows(case, system, results, seed)
        ]
    )


def _rows(case: str, system: str, results: Results, seed: int) -> list[dict[str, Any]]:
    protocol = results.scenario["protocols"][0]
    measured = float(str(results.scenario["stop"]).removesuffix(" s")) - WARM_UP_S
    flows = results.flows(protocol, seed)
    common = {"case": case, "system": system, "seed": seed}
    stream = CASES[case].stream
    own = [
        (each, each.over_fair(float(delivered), measured))
        for each in CASES[case].flows
        for delivered in flows.where(group=each.name)["delivered_bytes"]
    ]
    rates = numpy.array([over for _, over in own])
    noise = numpy.array([each.noise(measured) for each, _ in own])
    alone = [abs(over - 1) for each, over in own if each.name == stream]
    start, end = CASES[case].shared[0]
    link = results.links(protocol, seed).where(**{"from": start, "to": end})
    drops = float(link["drops"][0])
    sent = float(link["sent_bytes"][0]) / 1000
    whole = {
        "kind": "run",
        "deviation": float(numpy.abs(rates - 1).mean()),
        "stream": alone[0] if alone else math.nan,
        "noise": math.sqrt(2 / math.pi) * float(noise.mean()),
        "worst": float(numpy.abs(rates - 1).max() / noise.max()) if noise.any() else math.nan,
        "utilization": float(link["utilization"][0]),
        "loss": drops / (drops + sent),
        "counted": _counted(results, protocol, seed, len(rates)) if not stream else math.nan,
    }
    each = [{"kind": "flow", "flow": place, "over": over} for place, (_, over) in enumerate(own)]
    return [common | row for row in ([whole, *each] if case == LADDER else [whole])]


def _counted(results: Results, protocol: str, seed: int, flows: int) -> float:
    """N over the number of flows, on average after the warm-up; NaN where no router counts."""
    rows = results.series(protocol, seed).where(quantity="counted_flows", link=">".join(SHARED))
    values = rows["value"][rows["time_ns"] > 1e9 * WARM_UP_S]
    return float(values.mean()) / flows if len(values) else math.nan


def check(table: Frame) -> list[Claim]:
    """Accuracy beside CSFQ, the count N, and the assumption about the ingress."""
    runs = table.where(kind="run")
    cases = list(dict.fromkeys(runs["case"]))
    contended = [case for case in cases if case in CONTENDED]

    def of(case: str, system: str, column: str = "deviation") -> numpy.ndarray:
        return numpy.asarray(runs.where(case=case, system=system)[column], float)

    def apart(one: tuple[str, str], other: tuple[str, str], column: str = "deviation") -> Interval:
        return Interval.of(of(*one, column) - of(*other, column), minimum=-math.inf)

    def beside(system: str) -> str:
        """Both deviations at each case, and what is used of the link in all."""
        deviations = "; ".join(
            f"{of(case, system).mean():.3f} and CSFQ's {of(case, CSFQ).mean():.3f}, of which draws "
            f"make {of(case, CSFQ, 'noise').mean():.3f} ({case})"
            for case in contended
        )
        used, by_csfq = (
            float(numpy.mean([of(case, name, "utilization").mean() for case in contended]))
            for name in (system, CSFQ)
        )
        return f"deviations {deviations}; {used:.3f} of the link used, {by_csfq:.3f} under CSFQ"

    streams = [case for case in contended if CASES[case].stream]
    spoiled = {
        f"{column}, {system}": apart((INGRESS, system), (AS_MUCH, system), column)
        for system in READINGS
        for column in ("deviation", "counted")
    }
    accuracy = [
        everywhere(
            f"more accuracy than CSFQ, by {system}: deviation from max-min shares less that of "
            "CSFQ, over the same seeds",
            '"We hope that this scheme will achieve more simplicity and accuracy over CSFQ"',
            {case: apart((case, system), (case, CSFQ)) for case in contended},
            high=0,
            form=".3f",
            why=beside(system),
        )
        for system in READINGS
    ]
    return [
        *accuracy,
        everywhere(
            "a stream beside TCP, or over five links, gets its share with more accuracy than under "
            "CSFQ: its own deviation less that under CSFQ",
            '"more simplicity and accuracy over CSFQ"',
            {
                f"{case}, {system}": apart((case, system), (case, CSFQ), "stream")
                for case in streams
                for system in READINGS
            },
            high=0,
            form=".3f",
        ),
        everywhere(
            "each of 32 streams, of which the i-th sends i + 1 times its share, gets the share: "
            "the largest deviation of a stream, in standard deviations of drops by draws",
            "not stated; approximately fair (CSFQ's paper)",
            {system: Interval.of(of(LADDER, system, "worst")) for system in (CSFQ, *READINGS)},
            high=NEAR,
            form=".2f",
        ),
        everywhere(
            "sums of s_j/R_j over labels count the flows, (8): N over their number",
            '"without having to count the exact number of concurrent flows" (section 5)',
            {
                f"{case}, {system}": Interval.of(of(case, system, "counted"))
                for case in cases
                for system in (BY_8, BY_8_DT)
                if case in (LADDER, TENFOLD, SLOW, ON_OFF)
            },
            low=1 - EXACT,
            high=1 + EXACT,
            form=".3f",
        ),
        everywhere(
            "flows that leave room to the link lose nothing: drops over arrivals of 32 streams of "
            "0.9 of their shares",
            "not stated; CSFQ's rule",
            {system: Interval.of(of(UNDER, system, "loss")) for system in READINGS},
            high=0.001,
            form=".4f",
        ),
        everywhere(
            "what flows below the share leave, the others get: utilization where 16 of 32 streams "
            "send a quarter of their shares",
            "not stated for 10.2; by (12) (section 6)",
            {system: Interval.of(of(BELOW, system, "utilization")) for system in READINGS},
            low=0.95,
            form=".3f",
        ),
        everywhere(
            "a congested link before the ingress leaves shares and N as they are: deviation, and N "
            "over the number of flows, with one less that without",
            '"assumes that the packet inter-arrival time [...] is the same as the interval between '
            'two packet sends"',
            spoiled,
            low=-ALIKE,
            high=ALIKE,
            form=".4f",
            why=f"{max(abs(each.mean) for each in spoiled.values()):.4f} apart at most",
            note="; deviations without: "
            + ", ".join(f"{of(AS_MUCH, system).mean():.3f} ({system})" for system in READINGS),
        ),
        everywhere(
            "NCP itself, with hosts that keep to R, is more accurate than TCP over CSFQ: deviation "
            "of 8 long flows less that under CSFQ",
            '"more simplicity and accuracy over CSFQ"',
            {NCP: apart((HOSTS, NCP), (HOSTS, CSFQ))},
            high=0,
            form=".3f",
            why=f"deviations {of(HOSTS, NCP).mean():.3f} and {of(HOSTS, CSFQ).mean():.3f}, "
            f"utilization {of(HOSTS, NCP, 'utilization').mean():.3f} and "
            f"{of(HOSTS, CSFQ, 'utilization').mean():.3f}",
        ),
    ]


LOOKS = {
    CSFQ: (style.COLOURS[0], "o"),
    BY_8: (style.COLOURS[1], "s"),
    BY_12: (style.COLOURS[2], "D"),
    BY_8_DT: (style.COLOURS[3], "^"),
    BY_12_DT: (style.COLOURS[4], "v"),
    NO_DRAIN: (style.COLOURS[6], "P"),
    DRR: ("black", "x"),
    TAIL: (style.GREY, "+"),
    NCP: (style.COLOURS[5], "*"),
}


def plot(table: Frame) -> matplotlib.figure.Figure:
    """What each stream of the first case gets, and the deviation in each case."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3.6), width_ratios=[1, 1.2])
    _streams(left, table.where(kind="flow"))
    _deviations(right, table.where(kind="run"))
    style.legend_above(figure, right, columns=4)
    return figure


def _streams(ax: Axes, rows: Frame) -> None:
    for system in (CSFQ, BY_8, BY_12, TAIL):
        own = rows.where(system=system)
        flows = numpy.unique(own["flow"])
        found = [Interval.of(own.where(flow=flow)["over"]) for flow in flows]
        colour, marker = LOOKS[system]
        line = "none" if system == TAIL else "solid"
        means = [each.mean for each in found]
        ax.plot(flows, means, color=colour, marker=marker, ms=3, lw=0.8, linestyle=line)
    ax.axhline(1, color="black", lw=0.7)
    ax.set(xlabel="stream i, which sends i + 1 shares", ylabel="rate over max-min", ylim=(0, 2.2))


def _deviations(ax: Axes, rows: Frame) -> None:
    cases = list(dict.fromkeys(rows["case"]))
    for number, system in enumerate(LOOKS):
        own = rows.where(system=system)
        places = [at for at, case in enumerate(cases) if len(own.where(case=case))]
        found = [Interval.of(own.where(case=cases[at])["deviation"]) for at in places]
        colour, marker = LOOKS[system]
        look: dict[str, Any] = {
            "color": colour,
            "marker": marker,
            "linestyle": "none",
            "ms": 4,
            "lw": 0.8,
        }
        heights = numpy.array(places) + 0.085 * (number - 4)
        for height, each in zip(heights, found, strict=True):
            ends = [each.low, each.high] if math.isfinite(each.high) else [each.mean] * 2
            ax.plot(ends, [height] * 2, color=colour, lw=0.8)
        ax.plot([each.mean for each in found], heights, label=system, **look)
    ax.set_yticks(range(len(cases)), cases)
    ax.invert_yaxis()
    ax.set(xscale="log", xlabel="deviation from max-min", xlim=(1e-4, 5))


FIGURE = Figure(
    id="ncp-10-csfq",
    title="NCP as core-stateless fair queueing, beside CSFQ",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
