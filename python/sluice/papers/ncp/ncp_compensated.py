"""Section 7, fairness in a fast changing network: two long flows each with round trips of 10, 30,
100 and 300 ms share 100 Mb/s by NCP with and without the compensation of (14) and (15). Eight more
flows of 100 ms join at one instant and leave at one instant, fifteen times, two seconds apart, so
that d stays near 100 ms. The buffer is 100 ms. Four seeds draw starts of the long flows; bars are
95 % intervals.

"If the variance of the round trip times (RTT) of the flows is too big and if the number of active
flows changes every average RTT (d), then the rate allocation may not be fair for or against flows
of short or long RTT." A flow with RTT_k above d learns a rate RTT_k - d later than others do: when
flows leave it misses service in that time, (14), and when flows join it has too much, (15). So what
a flow of 300 ms receives in the second after such a step is compared with what one of 100 ms does,
which "always discovers the latest allocation".

Over times in which R goes up as often as down both cancel, and what each flow receives is the mean
of R, whatever its delay. With g = 1 - d / RTT, (14) passes changes of R on with
(1 + g) / (1 + g e^(-s RTT)), which is 1 at rest: it is expected to change no mean. After a step it
gives back what was missed in one round trip, and takes a part of that back in the next.
"""

from __future__ import annotations

import math

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..link import bottleneck, link_metrics, samples
from ..rows import frame
from ..scale import Scale
from .link_runs import CAPACITY, SEEDS, long_flows, scenario, seconds

TRIPS = (0.01, 0.03, 0.1, 0.3)
EACH = 2
#: The flow that learns rates late, and the one it is compared with.
LATE, REFERENCE = 0.3, 0.1
#: Of the flows that join and leave.
STEP = 8
PLAIN, COMPENSATED = "plain", "compensated"
SYSTEMS = {PLAIN: False, COMPENSATED: True}
WARM_UP_S, STOP_S = 10.0, 70.0
#: Flows join every so often, and leave half of it later.
CYCLE_S = 4.0
CYCLES = numpy.arange(WARM_UP_S, STOP_S, CYCLE_S)
JOIN, LEAVE = "after flows join", "after flows leave"
STEPS = {JOIN: CYCLES, LEAVE: CYCLES + CYCLE_S / 2}
#: What is received is measured in this time after a step: some round trips of each flow.
AFTER_S = 1.0
#: Fair is to receive this close to what flows of 100 ms do. Ours: the paper has no number.
CLOSE = 0.05
#: Unfairness below this is too small for a comparison. Ours.
FLOOR = 0.01
#: Interval of the throughputs.
EVERY_S = 0.1
BUFFER_S = 0.1
Runs = dict[str, Results]


def run(scale: Scale) -> Runs:
    """With and without."""
    return {
        name: scale.run(
            _scenario(compensated),
            ["ncp"],
            name=f"ncp-compensated/{name}",
            seeds=scale.pick(1, SEEDS),
        )
        for name, compensated in SYSTEMS.items()
    }


def _scenario(compensated: bool) -> Scenario:
    groups = [long_flows(_name(rtt), rtt, EACH, within="2 s") for rtt in TRIPS]
    steps = [
        long_flows(f"step{number}", REFERENCE, STEP, start=seconds(join), stop=seconds(leave))
        for number, (join, leave) in enumerate(zip(STEPS[JOIN], STEPS[LEAVE], strict=True))
    ]
    sampled = [{"group": _name(rtt), "every": seconds(EVERY_S)} for rtt in TRIPS]
    return scenario(
        [*groups, *steps],
        warm_up=WARM_UP_S,
        stop=STOP_S,
        buffer=BUFFER_S,
        settings={"ncp": {"compensated": compensated}},
        metrics=[link_metrics(seconds(EVERY_S)), *sampled],
    )


def _name(rtt_s: float) -> str:
    return f"of{1e3 * rtt_s:.0f}"


def table(runs: Runs) -> Frame:
    """A row for each system, round trip, kind of step and seed."""
    return frame(
        [
            row
            for system, results in runs.items()
            for seed in results.seeds
            for row in _rows_of(system, results, seed)
        ]
    )


def _rows_of(system: str, results: Results, seed: int) -> list[dict[str, float | str]]:
    link = bottleneck(results, "ncp", seed)
    series = results.series("ncp", seed).where(quantity="throughput_bps")
    d0 = samples(results, "ncp", "d0", seed)
    rates = {rtt: series.where(group=_name(rtt)) for rtt in TRIPS}
    common: dict[str, float | str] = {
        "system": system,
        "seed": seed,
        "queue_ms": 8e3 * float(link["mean_queue_bytes"][0]) / CAPACITY,
        "utilization": float(link["utilization"][0]),
        "d0_s": float(d0.values[d0.seconds > WARM_UP_S].mean()),
    }
    return [
        common
        | {
            "rtt_s": rtt,
            "step": step,
            "over": _after(own, times) / _after(rates[REFERENCE], times),
            "mean_over": _mean(own) / _mean(rates[REFERENCE]),
        }
        for rtt, own in rates.items()
        for step, times in STEPS.items()
    ]


def _after(rates: Frame, steps: numpy.ndarray) -> float:
    """Mean throughput after each step, of all of them."""
    # A sample is the mean of the interval that ends at its time.
    since = rates["time_ns"] / 1e9 - steps[:, None]
    after = ((since > EVERY_S / 2) & (since < AFTER_S + EVERY_S / 2)).any(axis=0)
    return float(rates["value"][after].mean())


def _mean(rates: Frame) -> float:
    return float(rates["value"][rates["time_ns"] > WARM_UP_S * 1e9].mean())


def check(table: Frame) -> list[Claim]:
    """Section 7: unfair without, and fair with."""
    unfair = (
        f"difference of what a flow of {1e3 * LATE:g} ms receives in {AFTER_S:g} s after a step "
        f"from what one of {1e3 * REFERENCE:g} ms does, over that"
    )
    plain, compensated = (
        {step: _unfair(table, system, step) for step in STEPS} for system in SYSTEMS
    )
    return [
        everywhere(
            f"without compensation NCP is unfair: {unfair}",
            "the rate allocation may not be fair (section 7)",
            {step: Interval.of(found) for step, found in plain.items()},
            low=CLOSE,
            form=".3f",
            note=_over_cycles(table, PLAIN),
        ),
        everywhere(
            f"with compensation it is fair: {unfair}",
            "to achieve fairness (section 7)",
            {step: Interval.of(found) for step, found in compensated.items()},
            high=CLOSE,
            form=".3f",
            note=_over_cycles(table, COMPENSATED),
            why=_ratios(table),
        ),
        everywhere(
            f"compensation makes it fairer: {unfair}, less the same without",
            "for sending at a lower rate [...] to achieve fairness (section 7)",
            {
                step: Interval.of(compensated[step] - plain[step], minimum=-math.inf)
                for step in STEPS
                if plain[step].mean() > FLOOR
            },
            high=0,
            form=".3f",
            taken=f"below 0 where it is above {FLOOR:g} without",
            why=_ratios(table),
        ),
    ]


def _unfair(table: Frame, system: str, step: str) -> numpy.ndarray:
    """For each seed."""
    return abs(table.where(system=system, rtt_s=LATE, step=step)["over"] - 1)


def _over_cycles(table: Frame, system: str) -> str:
    over = table.where(system=system, rtt_s=LATE, step=JOIN)["mean_over"].mean()
    return f"; over whole cycles it receives {over:.3f} of it"


def _ratios(table: Frame) -> str:
    """What the late flow receives over the other, each way."""
    found = [
        f"{table.where(system=system, rtt_s=LATE, step=step)['over'].mean():.3f} {step} ({system})"
        for step in STEPS
        for system in SYSTEMS
    ]
    return f"it receives {', '.join(found)}"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """What flows receive after each kind of step, against the round trip."""
    figure, panels = pyplot.subplots(1, 2, figsize=(7, 2.8), sharey=True)
    for ax, step in zip(panels, STEPS, strict=True):
        ax.axhspan(1 - CLOSE, 1 + CLOSE, color=style.GREY, alpha=0.2, linewidth=0)
        for number, system in enumerate(SYSTEMS):
            rows = [table.where(system=system, rtt_s=rtt, step=step)["over"] for rtt in TRIPS]
            look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
            with_bars(ax, TRIPS, [Interval.of(each) for each in rows], label=system, **look)
        scales.logarithmic(ax, "x", "round trip", "s")
        ax.set_title(f"{AFTER_S:g} s {step}")
    panels[0].set_ylabel(f"received over that of {1e3 * REFERENCE:g} ms")
    style.legend_above(figure, panels[0], columns=2)
    return figure


FIGURE = Figure(
    id="ncp-compensated",
    title="NCP's compensation of long round trips",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
