"""Poisson arrivals of Pareto sizes (mean 25 packets, shape 1.2) on 10 Mb/s, with a round trip of 50
ms. The paper gives 400 flows per second. That is 80 Mb/s, eight times the capacity, and has no
steady state. Ours has 40 per second: the load is then 0.8, and the mean flow size 0.4 times the
bandwidth-delay product, as the text requires ("close to or greater"). With 400 per second on 100
Mb/s it would be 0.04 times, in contradiction to the text. R(0) is 0.05 C and the buffer BDP, as
elsewhere in the paper. The duration is left open: ours is 200 s after a warm-up of 20 s (40 s at
the quick scale). N counts flows from their SYN to the arrival of their last byte. Fewer are
sending: set-up takes a round trip, and nothing is left to send in the last half of one.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from .. import drawing, under_way
from ..claim import Claim
from ..figure import Figure
from ..interval import Interval
from ..link import link_metrics, samples
from ..rows import by_seed, kept
from ..scale import Scale
from ..traffic import flow_group, pareto
from ..transport import NS2

CAPACITY = 10e6
#: Seconds.
RTT, WARM_UP, SAMPLE = 0.05, 20, 0.1
#: Delays of C/R that are tried, in samples.
LAGS = range(11)
#: Time of the first run that is drawn, in seconds.
SHOWN = (20, 60)
#: Minimum number of samples in each run for a number of flows to be drawn.
ENOUGH = 10


def run(scale: Scale) -> Results:
    """RCP alone."""
    scenario = Scenario(
        transport=NS2,
        name="ps-3",
        warm_up=f"{WARM_UP} s",
        stop=scale.pick("60 s", "220 s"),
        ideals=[],
        topology={"dumbbell": {"capacity": f"{CAPACITY:.0f} bps", "rtt": f"{RTT} s"}},
        group=[flow_group("flows", poisson={"rate": "40 /s", "sizes": pareto("25 packets", 1.2)})],
        metrics=[link_metrics(f"{SAMPLE} s")],
    )
    return scale.run(scenario, ["rcp"], name="ps-3", seeds=scale.pick(3, 8))


def table(results: Results) -> Frame:
    """For each seed and sample: active flows, sending flows, and C/R."""
    end = results.scenario["stop"]
    parts = []
    for seed in results.seeds:
        flows = results.flows("rcp", seed)
        seconds, rate = samples(results, "rcp", "R", seed)
        measured = (seconds >= WARM_UP) & (seconds <= float(end.split()[0]))
        begun, done = under_way.spans(flows)
        # Short flows send all their packets at once.
        sent = numpy.maximum(done - RTT / 2, begun + RTT)
        columns = {
            "seed": numpy.full(len(seconds), seed),
            "seconds": seconds,
            "flows": under_way.at(flows, seconds),
            "sending": under_way.between(begun + RTT, sent, seconds),
            "estimate": CAPACITY / rate,
        }
        parts.append(pyarrow.table({name: each[measured] for name, each in columns.items()}))
    return Frame(pyarrow.concat_tables(parts))


def check(table: Frame) -> list[Claim]:
    """Claims about means, correlation and steps within a run."""
    runs = by_seed(table)
    share, of_sending = (
        Interval.of(own["estimate"].mean() / own[column].mean() for own in runs)
        for column in ("flows", "sending")
    )
    follows = numpy.array([[_correlation(own, lag) for lag in LAGS] for own in runs])
    lag = int(follows.mean(axis=0).argmax())
    delay = SAMPLE * lag
    at_once, best = (Interval.of(follows[:, each], minimum=-1) for each in (0, lag))
    changes = [[numpy.diff(own[column]) for column in ("estimate", "flows")] for own in runs]
    travelled = Interval.of(numpy.abs(own).sum() / numpy.abs(n).sum() for own, n in changes)
    spread = Interval.of(own.std() / n.std() for own, n in changes)
    return [
        Claim(
            "C/R is a good estimate of the number of active flows: the mean of C/R over that of N",
            paper="good",
            ours=f"{share:.2f} times N, and {of_sending:.2f} times those that send",
            verdict=share.within(0.8, 1.25),
            taken="0.8 to 1.25 times N",
        ),
        Claim(
            "C/R is a good estimate of the number of active flows: the correlation of C/R with N",
            paper="good",
            ours=f"correlation {at_once:.2f} at once, {best:.2f} after {1000 * delay:.0f} ms",
            verdict=best.above(0.7),
            taken="a correlation above 0.7 at the best delay",
        ),
        Claim(
            "it is a smoothing estimate: how far C/R moves from sample to sample over how far N "
            "does",
            paper="smoother than N",
            ours=f"from sample to sample it moves {travelled:.2f} times as far as N in all; "
            f"the standard deviation of its steps is {spread:.2f} times N's",
            verdict=travelled.below(1),
            taken="it moves less far than N",
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """N and C/R over time, as in the paper, and C/R against N over all runs."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.6), width_ratios=(5, 2))
    look = style.look("rcp")
    first = table.where(seed=1)
    first = kept(first, first["seconds"] <= SHOWN[1])
    left.step(first["seconds"], first["flows"], where="post", color=style.GREY, label="flows, N")
    left.plot(first["seconds"], first["estimate"], label="estimate, C/R", **look.line())
    left.set(xlabel="time (s)", ylabel="number of flows", xlim=SHOWN, ylim=(0, None))
    style.legend(left)
    runs = by_seed(table)
    highest = int(table["flows"].max())
    means = numpy.full((len(runs), highest + 1), numpy.nan)
    for place, own in enumerate(runs):
        for count in range(highest + 1):
            found = own["estimate"][own["flows"] == count]
            if len(found) >= ENOUGH:
                means[place, count] = found.mean()
    counts = numpy.flatnonzero(~numpy.isnan(means).any(axis=0))
    found = [Interval.of(means[:, count]) for count in counts]
    drawing.with_bars(right, counts, found, fmt="o", color=look.colour, elinewidth=0.8)
    right.plot([0, counts.max()], [0, counts.max()], label="C/R = N", **style.THEORY.line())
    right.set(xlabel="flows, N", ylabel="mean of C/R", xlim=(0, None), ylim=(0, None))
    style.legend(right)
    return figure


def _correlation(own: Frame, lag: int) -> float:
    """The correlation of N with C/R ``lag`` samples later."""
    flows, estimate = own["flows"], own["estimate"]
    return float(numpy.corrcoef(flows[: len(flows) - lag], estimate[lag:])[0, 1])


FIGURE = Figure(
    id="ps-3",
    title="C/R is a smooth estimate of the number of active flows",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
