"""The paper's figures 2 and 3: exponential sizes of 10 MB on 100 Mb/s, a round trip of 10 ms, a
load of 0.8. Above: RCP's rate over time, with C / N, the rate that processor sharing would give to
the N active flows. Below: the distribution of the number of flows, with processor sharing's
geometric law.

The paper gives neither buffer nor duration. Ours: a buffer of BDP, alpha 0.4, beta 0.5,
retransmission in rounds, and 1000 s after a warm-up of 100 s with each of six seeds; the same flows
under fluid processor sharing; and once more under RCP with beta 0.1, to show the effect of its
queue term. The distance of two laws is the total variation, half the sum of |P(n) - Q(n)|: 0 for
equal laws, 1 for disjoint ones.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...scenario import Scenario
from ...sweeps import Sweep
from .. import under_way
from ..claim import Claim
from ..figure import Figure
from ..interval import Interval
from ..link import link_metrics, samples
from ..rows import by_seed, frame
from ..scale import Scale
from ..traffic import flow_group
from ..transport import NS2

CAPACITY = 100e6
LOAD = 0.8
#: The paper's, and one with hardly any influence of the queue.
BETAS = [0.5, 0.1]
#: Seconds.
WARM_UP = 100
#: Time drawn, in seconds.
DRAWN = 40
#: Largest number of flows considered; there are more with probability 0.8^61, 1e-6.
MAX_FLOWS = 60
#: Equation (3).
GEOMETRIC = (1 - LOAD) * LOAD ** numpy.arange(MAX_FLOWS + 1)
#: Number of probabilities drawn.
SHOWN = 21
SHARING = "max_min"
#: Bound for "R is C / N".
NEAR = 0.1
#: Bound for equal laws and means.
ALIKE = 0.05


def run(scale: Scale) -> Sweep:
    """RCP with the paper's beta and with a small one, and processor sharing."""
    scenario = Scenario(
        transport=NS2,
        name="buf-2",
        warm_up=f"{WARM_UP} s",
        stop=f"{WARM_UP + scale.pick(200, 1000)} s",
        ideals=[SHARING],
        rcp={"alpha": 0.4, "recovery": "rounds"},
        topology={"dumbbell": {"capacity": "100 Mbps", "rtt": "10 ms", "buffer": "1 bdp"}},
        group=[flow_group("flows", poisson={"load": LOAD, "sizes": {"exponential": "10 MB"}})],
        metrics=[link_metrics("100 ms")],
    )
    seeds = scale.pick(2, 6)
    return scale.sweep(scenario, {"rcp.beta": BETAS}, ["rcp"], name="buf-2", seeds=seeds)


def table(sweep: Sweep) -> Frame:
    """Parts: ``law``, for what part of the time there are n flows, by protocol, beta and seed;
    ``near``, for what part of the time that RCP has flows R is near C / N, by seed; ``rate``, R and
    N over time.
    """
    rows: list[dict[str, object]] = []
    for results, beta in zip(sweep, BETAS, strict=True):
        end, _ = scales.number(results.scenario["stop"]) or (0.0, "")
        for seed in results.seeds:
            for name in ("rcp", SHARING):
                law = _law(results.flows(name, seed), end)
                found = {"part": "law", "protocol": name, "beta": beta, "seed": seed}
                rows += [found | {"n": n, "probability": float(p)} for n, p in enumerate(law)]
    own = sweep[0]
    for seed in own.seeds:
        seconds, bps = samples(own, "rcp", "R", seed)
        measured = (seconds >= WARM_UP) & (seconds < end)
        seconds, bps = seconds[measured], bps[measured]
        n = under_way.at(own.flows("rcp", seed), seconds)
        near = abs(bps * n / CAPACITY - 1)[n > 0] < NEAR
        rows.append({"part": "near", "seed": seed, "probability": float(near.mean())})
        if seed == own.seeds[0]:
            drawn = seconds < WARM_UP + DRAWN
            for flows, at, value in zip(n[drawn], seconds[drawn], bps[drawn], strict=True):
                found = {"part": "rate", "seed": seed, "n": int(flows)}
                rows.append(found | {"seconds": at, "rate_bps": value})
    return frame(rows)


def _law(flows: Frame, end: float) -> numpy.ndarray:
    """The fraction of the measured time with 0, 1, ... flows."""
    # The number of flows changes only at these times.
    times = numpy.sort(numpy.concatenate([[WARM_UP], *under_way.spans(flows)])).clip(WARM_UP, end)
    spans = numpy.diff(times, append=end)
    held = numpy.bincount(under_way.at(flows, times), weights=spans, minlength=MAX_FLOWS + 1)
    return held[: MAX_FLOWS + 1] / (end - WARM_UP)


def apart(one: numpy.ndarray, other: numpy.ndarray) -> float:
    """The total variation between two laws.

    >>> round(apart(numpy.array([0.5, 0.5]), numpy.array([0.6, 0.4])), 3)
    0.1
    """
    return float(abs(one - other).sum() / 2)


def check(table: Frame) -> list[Claim]:
    """Claims seed by seed, since RCP and processor sharing have the same arrivals."""
    own, small = BETAS
    near = Interval.of(table.where(part="near")["probability"])
    same = _apart(table, own)
    means = _means(table, own)
    differences = (
        apart(rcp, GEOMETRIC) - apart(sharing, GEOMETRIC) for rcp, sharing in _pairs(table, own)
    )
    farther = Interval.of(differences, minimum=-1)
    beside = (
        f"at beta {small} the laws are {_apart(table, small):.3f} apart, with "
        f"{_means(table, small):.3f} times as many flows"
    )
    return [
        Claim(
            "for most of the time RCP's rate is that of processor sharing: R over C / N",
            paper="most",
            ours=f"{near:.2f} of the time within {NEAR:.0%} of C / N",
            verdict=near.above(0.5),
            taken="more than half of the time",
            why=beside,
        ),
        Claim(
            "the number of flows under RCP has the law it has under processor sharing: total "
            "variation between the two",
            paper="the same",
            ours=f"{same:.3f} apart, of the same flows",
            verdict=same.below(ALIKE),
            taken=f"total variation below {ALIKE}",
            why=beside,
        ),
        Claim(
            "there are as many flows on average: RCP's over processor sharing's",
            paper="as many",
            ours=f"{means:.3f} times as many, of the same flows",
            verdict=means.within(1 - ALIKE, 1 + ALIKE),
            taken=f"within {ALIKE:.0%}",
            why=beside,
        ),
        Claim(
            "that law is geometric, (3): RCP's total variation from it less processor sharing's",
            paper="geometric",
            ours=f"{farther:.3f} farther from it than processor sharing in the same run",
            verdict=farther.below(ALIKE),
            taken=f"less than {ALIKE} farther, in total variation",
            why=beside,
        ),
    ]


def _pairs(table: Frame, beta: float) -> list[tuple[numpy.ndarray, numpy.ndarray]]:
    """RCP's law and processor sharing's, by seed."""
    return list(zip(*(_laws(table, name, beta) for name in ("rcp", SHARING)), strict=True))


def _laws(table: Frame, name: str, beta: float) -> list[numpy.ndarray]:
    rows = table.where(part="law", protocol=name, beta=beta)
    return [own["probability"] for own in by_seed(rows)]


def _apart(table: Frame, beta: float) -> Interval:
    return Interval.of(apart(rcp, sharing) for rcp, sharing in _pairs(table, beta))


def _means(table: Frame, beta: float) -> Interval:
    n = numpy.arange(MAX_FLOWS + 1)
    return Interval.of(float((rcp @ n) / (sharing @ n)) for rcp, sharing in _pairs(table, beta))


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The rate over time above, as figure 2, and the law of N below, as figure 3."""
    figure, (above, below) = pyplot.subplots(2, 1, figsize=(3.5, 4.4))
    looks = style.looks(["rcp", SHARING])
    rows = table.where(part="rate")
    share = CAPACITY / numpy.maximum(rows["n"], 1)
    above.plot(
        rows["seconds"], share, drawstyle="steps-post", color="#c5ccd4", lw=2.5, label="C / N"
    )
    above.plot(rows["seconds"], rows["rate_bps"], label="RCP's rate", **looks["rcp"].line())
    scales.linear(above, "y", "rate", "b/s")
    above.set(xlabel="time (s)", xlim=(WARM_UP, WARM_UP + DRAWN))
    style.legend(above)
    n = numpy.arange(SHOWN)
    for (name, look), label in zip(looks.items(), ("RCP", "PS, the same flows"), strict=True):
        laws = numpy.array(_laws(table, name, BETAS[0]))[:, :SHOWN]
        found = [Interval.of(of_n) for of_n in laws.T]
        below.plot(n, laws.mean(axis=0), label=label, **look.marked(len(n)))
        if name == "rcp":
            low, high = ([getattr(each, end) for each in found] for end in ("low", "high"))
            below.fill_between(n, low, high, color=look.colour, alpha=0.2, lw=0)
    below.plot(n, GEOMETRIC[:SHOWN], color="black", ls=style.DOTS, label="geometric law (3)")
    below.set(xlabel="flows, n", ylabel="fraction of time", xlim=(0, SHOWN - 1), xticks=n[::5])
    below.set_ylim(0, 0.3)
    style.legend(below)
    return figure


FIGURE = Figure(
    id="buf-2",
    also=("buf-3",),
    title="RCP's flows, and processor sharing's geometric law",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
