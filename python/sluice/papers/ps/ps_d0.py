"""A router's d0, the mean round trip in RCP's equation, from every packet, as in the paper, and
from one packet in ten, a hundred and a thousand: footnote 4 says that a rough estimate is enough,
and that a router "can even just sample a few packets". Here the senders sample: the first packet of
a flow carries its round trip, and then one in N. Flows have 25 packets on average, so about one
packet in 25 carries it even for larger N. Left: d0 over ten seconds of one run. Right: mean
completion times relative to those with every packet, for the same flows, with 95 % intervals over
seeds; for all flows, and for the longest tenth.

The paper shows no such run. Ours has the round trips of its figure 11, ten pairs of hosts 20 to 200
ms apart, at a load of 0.9 with Pareto sizes (mean 25 packets, shape 1.2) on 150 Mb/s; it measures
60 s after a warm-up of 10 s (10 s at the quick scale).
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...scenario import Scenario
from ...sweeps import Sweep
from .. import drawing
from ..claim import Claim, everywhere
from ..completion import mean_s
from ..figure import Figure
from ..interval import Interval
from ..link import bottleneck, link_metrics, samples
from ..rows import frame, having, kept
from ..scale import Scale
from ..traffic import pareto
from ..transport import NS2
from ..verdict import Verdict

#: N, where one packet in N carries its sender's round trip.
EVERY = [1, 10, 100, 1000]
#: Time of the first run that is drawn, in seconds.
SHOWN = (10, 20)
#: The quantile of sizes from which flows are the longest tenth.
LONGEST = 0.9


def run(scale: Scale) -> Sweep:
    """The same flows with each N."""
    scenario = Scenario(
        transport=NS2,
        name="ps-d0",
        warm_up=f"{SHOWN[0]} s",
        stop=scale.pick("20 s", "70 s"),
        limit="600 s",
        ideals=[],
        topology={"dumbbell": {"pairs": 10, "capacity": "150 Mbps", "rtt": ["20 ms", "200 ms"]}},
        group=[
            {
                "name": "flows",
                "pairs": "each",
                "poisson": {"load": 0.9, "sizes": pareto("25 packets", 1.2)},
            }
        ],
        metrics=[link_metrics("50 ms")],
    )
    over = {"rcp.rtt_every": EVERY}
    return scale.sweep(scenario, over, ["rcp"], name="ps-d0", seeds=scale.pick(3, 8))


def table(sweep: Sweep) -> Frame:
    """A row for each N and seed; for the first seed also one for each sample of d0."""
    rows = []
    for every, results in zip(EVERY, sweep, strict=True):
        for seed in results.seeds:
            flows = results.flows("rcp", seed)
            shortest = numpy.quantile(flows["size_bytes"][flows["measured"]], LONGEST)
            longest = kept(flows, flows["size_bytes"] >= shortest)
            link = bottleneck(results, "rcp", seed)
            rows.append(
                {
                    "every": every,
                    "seed": seed,
                    "mean_s": mean_s(flows),
                    "longest_s": mean_s(longest),
                    "used": float(link["utilization"][0]),
                    "drops": int(link["drops"][0]),
                }
            )
        at, d0 = samples(results, "rcp", "d0", results.seeds[0])
        shown = (at >= SHOWN[0]) & (at <= SHOWN[1])
        rows += [
            {"every": every, "at_s": float(now), "d0_s": float(value)}
            for now, value in zip(at[shown], d0[shown], strict=True)
        ]
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """Claims about each N relative to 1, seed by seed."""
    runs = {every: _runs(table, every) for every in EVERY}
    few = EVERY[1:]
    mean, longest, used = (
        {every: _ratio(runs, column, every) for every in few}
        for column in ("mean_s", "longest_s", "used")
    )
    drops = {every: int(rows["drops"].sum()) for every, rows in runs.items()}
    few_listed = ", ".join(f"1 in {every}" for every in few)
    return [
        everywhere(
            "d0 from a few packets loses nothing visible in completion times: those over the ones "
            f"with every packet, sampling {few_listed}",
            "rough is enough",
            {f"in the mean, {at}": each for at, each in _named(mean).items()}
            | {f"in the longest tenth, {at}": each for at, each in _named(longest).items()},
            low=0.98,
            high=1.02,
            form=".3f",
        ),
        everywhere(
            "nor in what the link carries: that over what it carries with every packet",
            "rough is enough",
            _named(used),
            low=0.99,
            high=1.01,
            form=".3f",
        ),
        Claim(
            "nor in packets dropped: over all seeds, beside those with every packet",
            paper="rough is enough",
            ours="; ".join(f"{count} at 1 in {every}" for every, count in drops.items()),
            verdict=Verdict.of(all(drops[every] <= 1.1 * drops[1] for every in few)),
            taken="at most a tenth more"
            + ("" if any(drops.values()) else "; here nothing is dropped at all"),
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """d0 over time, and completion times."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.6))
    shades = style.look("rcp").shades(len(EVERY))
    for every, shade in zip(EVERY, shades, strict=True):
        rows = having(table.where(every=every), "d0_s")
        label = f"one in {every:,}" if every > 1 else "every packet"
        left.plot(rows["at_s"], rows["d0_s"], color=shade, label=label)
    left.set(ylim=(0, None))
    scales.linear(left, "x", "time", "s")
    scales.linear(left, "y", "d0", "s")
    style.legend(left)
    runs = {every: _runs(table, every) for every in EVERY}
    for column, title, marker in (("mean_s", "all", "o"), ("longest_s", "longest tenth", "s")):
        found = [_ratio(runs, column, every) for every in EVERY[1:]]
        at = numpy.array(EVERY[1:]) * (1.1 if column == "longest_s" else 0.9)
        colour = shades[0] if column == "mean_s" else shades[2]
        look = {"color": colour, "marker": marker, "linestyle": ""}
        drawing.with_lines(right, at, found, label=title, **look)
    right.axhline(1, color="black", lw=0.8)
    scales.logarithmic(right, "x", "packets per stated RTT", "")
    right.xaxis.set_major_formatter("{x:,.0f}")
    right.set(ylabel="completion time / that with all")
    style.legend(right)
    return figure


def _runs(table: Frame, every: int) -> Frame:
    return having(table.where(every=every), "mean_s")


def _ratio(runs: dict[int, Frame], column: str, every: int) -> Interval:
    return Interval.of(runs[every][column] / runs[EVERY[0]][column])


def _named(found: dict[int, Interval]) -> dict[str, Interval]:
    return {f"at 1 in {every}": each for every, each in found.items()}


FIGURE = Figure(
    id="ps-d0",
    title="d0 from a few packets",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
