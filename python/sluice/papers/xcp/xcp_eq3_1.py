"""Equation (3.1), TCP's throughput under loss: R = 1.2 s / (RTT sqrt(p)) with packets of s bytes
and a drop rate p. Lines are the equation with 1500 bytes, as in the thesis' example of 1 Gb/s over
100 ms (cross), which "needs a drop rate smaller than 10^-8, and a bit error rate (BER) less than
10^-12"; the equation leaves out the term of time-outs.

Markers are a TCP flow with Reno's recovery over 1 Gb/s that loses packets at random, and nearly
never to a full buffer of a bandwidth-delay product. Throughput counts what the link carried, in the
time in which the equation has two hundred losses, after a tenth of it. ssthresh begins at the
equation's window, so that slow start ends there: for Figure 5-14 the thesis uses the equation in
place of runs, which slow start would dominate. Each packet is acknowledged, as the constant
requires; time-outs are at least 200 ms. The drop rates of runs end where runs become long: one with
the rate of the example would have 10^10 packets. Five seeds; bars are 95 % intervals.
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
from ..link import bottleneck
from ..rows import by_seed, frame, kept
from ..scale import Scale
from ..verdict import Verdict
from .bottleneck import seconds

#: The equation's constant, and the example: bits of a packet, and bit/s over seconds.
CONSTANT, BITS = 1.2, 12_000
RATE, OVER = 1e9, 0.1
CAPACITY = 1e9
RTTS = (0.01, 0.1, 0.5)
RATES = (3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
#: Of the quick scale.
FEW_RTTS, FEW_RATES = (0.01, 0.1), (3e-4, 1e-3, 1e-2, 1e-1)
#: Losses in a run, as the equation has them.
LOSSES, WARM_UP = 200, 0.1
SEEDS = 5
#: Up to this drop rate windows are of 38 packets or more: losses rarely lead to a time-out.
RARE = 1e-3
Runs = dict[tuple[float, float], Results]


def throughput(p: float, rtt: float) -> float:
    """The equation, in bit/s."""
    return CONSTANT * BITS / (rtt * math.sqrt(p))


def drop_rate(rate: float, rtt: float) -> float:
    """The drop rate of a throughput."""
    return (CONSTANT * BITS / (rtt * rate)) ** 2


def _scenario(p: float, rtt: float) -> Scenario:
    dumbbell = {
        "capacity": f"{CAPACITY:.0f} bps",
        "access": f"{4 * CAPACITY:.0f} bps",
        "rtt": seconds(rtt),
        "error": p,
    }
    time = LOSSES / p * BITS / throughput(p, rtt)
    end = seconds((1 + WARM_UP) * time)
    window = max(2, round(CONSTANT / math.sqrt(p)))
    return Scenario(
        name="loss",
        packet=f"{BITS // 8} B",
        warm_up=seconds(WARM_UP * time),
        stop=end,
        limit=end,
        ideals=[],
        topology={"dumbbell": dumbbell},
        group=[{"name": "long", "from": "s0", "to": "d0", "long": {}}],
        tcp={"recovery": "reno", "initial_ssthresh": window},
    )


def run(scale: Scale) -> Runs:
    """By drop rate and round trip."""
    return {
        (p, rtt): scale.run(
            _scenario(p, rtt), ["tcp"], name=f"xcp-eq3-1/{p:g}-{rtt:g}", seeds=SEEDS
        )
        for p in scale.pick(FEW_RATES, RATES)
        for rtt in scale.pick(FEW_RTTS, RTTS)
    }


def table(runs: Runs) -> Frame:
    """The example's drop rate, then a row for each drop rate, round trip and seed."""
    rows: list[dict[str, float | int | str]] = [
        {"kind": "example", "p": drop_rate(RATE, OVER), "rtt_s": OVER, "bps": RATE}
    ]
    for (p, rtt), results in runs.items():
        for seed in results.seeds:
            used = float(bottleneck(results, "tcp", seed)["utilization"][0])
            found = {"bps": used * CAPACITY, "over": used * CAPACITY / throughput(p, rtt)}
            rows.append({"kind": "run", "p": p, "rtt_s": rtt, "seed": seed, **found})
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """The example by the equation, then the equation by packets."""
    p = float(table.where(kind="example")["p"][0])
    runs = table.where(kind="run")
    rare = kept(runs, runs["p"] <= RARE)
    return [
        _power("1 Gb/s over 100 ms needs a drop rate near 10^-8: by the equation", p, -8),
        _power("and a bit error rate near 10^-12: a bit's part of the drop rate", p / BITS, -12),
        everywhere(
            f"the equation is that of packets, up to a drop rate of {RARE:g}: simulated throughput "
            "over it",
            "R is about (3.1)",
            _over(rare),
            low=1 / 1.2,
            high=1.2,
        ),
        everywhere(
            "throughput falls as one over the root of the drop rate: the slope of its logarithm",
            "-0.5",
            {
                f"over {1000 * rtt:g} ms": Interval.of(
                    [_slope(rows) for rows in by_seed(rare.where(rtt_s=rtt))], minimum=-math.inf
                )
                for rtt in numpy.unique(rare["rtt_s"])
            },
            low=-0.55,
            high=-0.45,
            form=".3f",
        ),
        everywhere(
            "and as one over the round trip: throughput times round trip, the longest over the "
            "shortest",
            "1",
            {f"at {p:g}": _over_rtt(rare.where(p=p)) for p in numpy.unique(rare["p"])},
            low=0.9,
            high=1.1,
        ),
        everywhere(
            "with many losses time-outs matter, which the equation leaves out: simulated "
            "throughput over it at a drop rate of 0.1",
            "ignored",
            _over(runs.where(p=max(RATES))),
            high=0.75,
        ),
    ]


def _power(says: str, value: float, power: int) -> Claim:
    return Claim(
        says,
        paper=f"smaller than 10^{power}",
        ours=f"{value:.2g}, {value / 10.0**power:.1f} times that",
        verdict=Verdict.of(round(math.log10(value)) == power),
        taken=f"nearer to 10^{power} than to another power of ten",
    )


def _over(runs: Frame) -> dict[str, Interval]:
    return {
        f"at {p:g} over {1000 * rtt:g} ms": Interval.of(runs.where(p=p, rtt_s=rtt)["over"])
        for rtt in numpy.unique(runs["rtt_s"])
        for p in numpy.unique(runs["p"])
    }


def _slope(runs: Frame) -> float:
    return float(numpy.polyfit(numpy.log(runs["p"]), numpy.log(runs["bps"]), 1)[0])


def _over_rtt(runs: Frame) -> Interval:
    """Within a seed."""
    short, long = (runs.where(rtt_s=pick(runs["rtt_s"])) for pick in (min, max))
    return Interval.of(long["over"] / short["over"])


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput against drop rate."""
    figure, ax = pyplot.subplots(figsize=(4.4, 3.4))
    rates = numpy.geomspace(1e-9, 0.2, 50)
    runs = table.where(kind="run")
    for number, rtt in enumerate(numpy.unique(runs["rtt_s"])):
        colour, marker = style.COLOURS[number], style.MARKERS[number]
        equation = [throughput(p, rtt) for p in rates]
        ax.plot(rates, equation, color=colour, linewidth=0.8)
        own = runs.where(rtt_s=rtt)
        at = numpy.unique(own["p"])
        found = [Interval.of(own.where(p=p)["bps"]) for p in at]
        look = {"color": colour, "marker": marker, "linestyle": "", "elinewidth": 0.7}
        with_bars(ax, at, found, label=f"{1000 * rtt:g} ms", **look)
    example = table.where(kind="example")
    label = "1 Gb/s over 100 ms"
    ax.plot(example["p"], example["bps"], "x", color=style.ALARM, ms=6, mew=1.5, label=label)
    ax.plot([], [], color="black", linewidth=0.8, label="(3.1)")
    ax.set(ylim=(3e4, 3e10))
    ax.set(xscale="log", xlabel="drop rate p")
    scales.logarithmic(ax, "y", "throughput", "b/s")
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="xcp-eq3-1",
    title="TCP's throughput under loss, by the equation and in packets",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
