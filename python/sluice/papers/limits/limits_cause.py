"""The time that RCP takes in excess of processor sharing, by cause, on PS-5's link (150 Mb/s, round
trip 100 ms, load 0.7, Pareto sizes of mean 30 packets and shape 1.2) with the settings of the
papers. Ten seeds.

On the left are R, the queue and the load around the longest queue of the first seed. On the right,
the excess of each class of flows is split, flow by flow, by means of R sampled every 10 ms. *Start*
is the deficit (or gain) in a flow's first round trip of data relative to one that sends at
processor sharing's rate; *later rate* is that of the rates granted from then on; *queue* is the
wait of the SYN and of the last packet; *rest* is the remainder: repair of losses and errors of this
account, which is ours.
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
from .. import places
from ..claim import Claim
from ..closeness import CLASSES, EDGES
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET, link_metrics, samples
from ..rows import by_seed, frame
from ..scale import Scale

CAPACITY, RTT = places.CAPACITY, places.RTT
BDP = places.bdp_bytes(CAPACITY, RTT)
EVERY = 0.01
#: Delay from sender to queue in seconds. The bottleneck of a dumbbell has a quarter of the round
#: trip each way; half of the remaining one-way delay is before it.
TO_QUEUE = RTT / 8
PARTS = {"start": "start", "later": "later rate", "queue": "queue", "rest": "rest"}
#: Seconds drawn before and after the longest queue.
BEFORE, AFTER = 2.0, 18.0
#: Minimum of a long queue, in bandwidth-delay products.
LONG_QUEUE = 0.5
#: Bound for a slow recovery in round trips (ours): RCP grants a rate within one.
SLOW = 10
LAST = max(CLASSES)


def run(scale: Scale) -> Results:
    """Sampled as often as R changes."""
    flows, seeds = scale.pick((10_000, 3), (40_000, 10))
    return scale.run(
        places.place(flows, metrics=[link_metrics(f"{1000 * EVERY:g} ms")]),
        ["rcp"],
        name="limits-cause",
        seeds=seeds,
    )


def table(results: Results) -> Frame:
    """Rows of three kinds: samples of the first seed, the parts of the excess by seed and class,
    and the effect of each long queue on R."""
    rows: list[dict[str, Any]] = []
    for seed in results.seeds:
        sampled = _sampled(results, seed)
        rows += _parts(results.flows("rcp", seed), sampled, seed)
        rows += _falls(sampled, seed)
        if seed == results.seeds[0]:
            rows += _samples(sampled)
    return frame(rows)


def _sampled(results: Results, seed: int) -> dict[str, numpy.ndarray]:
    """The samples, by quantity."""
    seen = {name: samples(results, "rcp", name, seed) for name in ("R", "queue_bytes", "load")}
    return {"seconds": seen["R"].seconds} | {name: each.values for name, each in seen.items()}


def _parts(flows: Frame, sampled: dict[str, numpy.ndarray], seed: int) -> list[dict[str, Any]]:
    """A row for each class: the mean of each part over processor sharing's mean time."""
    known = flows["measured"] & ~numpy.isnan(flows["completion_ns"])
    start, size, took, ideal = (
        flows[name][known].astype(float)
        for name in ("start_ns", "size_bytes", "completion_ns", "ideal_ns")
    )
    start, took, ideal = start / 1e9, took / 1e9, ideal / 1e9
    # Bits that a flow which began with the run would have sent by each sample.
    sent = numpy.concatenate(
        [[0.0], numpy.cumsum(sampled["R"][:-1] * numpy.diff(sampled["seconds"]))]
    )

    def by(time: numpy.ndarray) -> numpy.ndarray:
        return numpy.interp(time, sampled["seconds"], sent)

    def waits(time: numpy.ndarray) -> numpy.ndarray:
        return numpy.interp(time, sampled["seconds"], sampled["queue_bytes"]) * 8 / CAPACITY

    # When the SYN reaches the router, which puts the initial R into it.
    first = start + TO_QUEUE
    stamped_last = numpy.interp(by(first) + 8 * size, sent, sampled["seconds"])
    following = stamped_last - first
    fair = 8 * size / numpy.maximum(ideal - 1.5 * RTT, 8 * size / CAPACITY)
    within = numpy.minimum(following, RTT)
    gained = by(first + within) - by(first)
    lacks = within - gained / fair
    parts = {
        "start": lacks,
        "later": 1.5 * RTT + following - ideal - lacks,
        "queue": waits(first) + waits(start + RTT + following + TO_QUEUE),
    }
    parts["rest"] = took - ideal - sum(parts.values())
    place = numpy.digitize(size / PACKET, EDGES) - 1
    rows = []
    for index, begin in enumerate(CLASSES):
        these = place == index
        if these.any():
            shares = {
                name: part[these].mean() / ideal[these].mean() for name, part in parts.items()
            }
            rows.append({"kind": "parts", "seed": seed, "size_from": begin} | shares)
    return rows


def _falls(sampled: dict[str, numpy.ndarray], seed: int) -> list[dict[str, Any]]:
    """A row for each long queue: how far R fell from where it was a round trip before the queue
    grew, in how many round trips it was back at half of that, and how much of the link was used.
    One that is not ``back`` when the run ends counts as back then: its ``rtts`` are at least so
    many."""
    step = round(RTT / EVERY)
    queue, rate = sampled["queue_bytes"] / BDP, sampled["R"]
    rows, at = [], step
    while at < len(rate):
        if queue[at] < LONG_QUEUE:
            at += 1
            continue
        before = rate[at - step]
        low = at + int(numpy.argmin(rate[at : at + SLOW * step]))
        back = numpy.flatnonzero(rate[low:] >= before / 2)
        end = low + int(back[0]) if len(back) else len(rate)
        rows.append(
            {
                "kind": "fall",
                "seed": seed,
                "fell_to": rate[low] / before,
                "rtts": (end - at) / step,
                "back": len(back) > 0,
                "used": sampled["load"][low : end + 1].mean(),
            }
        )
        at = max(end, at + 1)
    return rows


def _samples(sampled: dict[str, numpy.ndarray]) -> list[dict[str, Any]]:
    longest = sampled["seconds"][numpy.argmax(sampled["queue_bytes"])]
    since = sampled["seconds"] - longest
    near = (since > -BEFORE) & (since < AFTER)
    # Of a round trip: an interval of 10 ms has the load of single bursts.
    step = round(RTT / EVERY)
    load = numpy.convolve(sampled["load"], numpy.full(step, 1 / step), "same")
    return [
        {
            "kind": "sample",
            "seconds": s,
            "rate_share": r / CAPACITY,
            "queue_bdp": q / BDP,
            "load": y,
        }
        for s, r, q, y in zip(
            since[near] + BEFORE,
            *(each[near] for each in (sampled["R"], sampled["queue_bytes"], load)),
            strict=True,
        )
    ]


def _over_seeds(rows: Frame, column: str) -> Interval:
    """The median of a column within each run."""
    return Interval.of(numpy.median(own[column]) for own in by_seed(rows))


def _whole(parts: Frame) -> numpy.ndarray:
    """The excess in each run."""
    return numpy.sum([parts[name] for name in PARTS], axis=0)


def check(table: Frame) -> list[Claim]:
    """Claims of our own about the delay of the longest flows, and the effect of a long queue."""
    parts = table.where(kind="parts", size_from=LAST)
    shares = {name: Interval.of(parts[name], minimum=-math.inf) for name in PARTS}
    excess = Interval.of(_whole(parts), minimum=-1)
    later = Interval.of(parts["later"] / _whole(parts), minimum=-math.inf)
    falls = table.where(kind="fall")
    fell, rtts, used = (_over_seeds(falls, each) for each in ("fell_to", "rtts", "used"))
    listed = "; ".join(f"{title} {shares[name]:.2f}" for name, title in PARTS.items())
    return [
        Claim(
            f"most of the excess of flows of {CLASSES[LAST]} packets over processor sharing is the "
            "rate they are granted after their first round trip: its part of the excess",
            paper="not stated",
            ours=f"{later:.2f} of an excess of {excess:.2f} times processor sharing's time: "
            f"{listed}",
            verdict=later.above(0.5),
            taken="above half",
        ),
        Claim(
            f"a queue of {LONG_QUEUE} BDP throws R far down: R after it over R before",
            paper="mistakes of the rate are short",
            ours=f"to {fell:.2f} of what it was ({len(falls)} such queues)",
            verdict=fell.below(0.5),
            taken="below half, the median of a run's",
        ),
        Claim(
            "alpha brings it back slowly: round trips until R is half of what it was",
            paper="mistakes of the rate are short",
            ours=f"half of what it was after {rtts:.0f} round trips; meanwhile {used:.2f} of the "
            f"link is used; {len(falls.where(back=False))} of {len(falls)} times it was not back "
            "when the run ended, and counts as back then",
            verdict=rtts.above(SLOW),
            taken=f"above {SLOW} round trips, the median of a run's",
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """R, queue and load over time, and the parts of the excess."""
    figure = pyplot.figure(figsize=(7, 3.4))
    grid = figure.add_gridspec(3, 2)
    drawn, colour = table.where(kind="sample"), style.look("rcp").colour
    above = None
    for row, (column, title) in enumerate(
        (("rate_share", "R / C"), ("queue_bdp", "queue (BDP)"), ("load", "load"))
    ):
        ax = above = figure.add_subplot(grid[row, 0], sharex=above)
        ax.plot(drawn["seconds"], drawn[column], color=colour, linewidth=0.8)
        ax.set(ylabel=title, ylim=(0, None))
        ax.tick_params(labelbottom=row == 2)
    ax.set_xlabel("time (s)")
    parts = figure.add_subplot(grid[:, 1])
    _bars(parts, table.where(kind="parts"))
    return figure


def _bars(ax: Axes, rows: Frame) -> None:
    """Draws a stack for each class of the mean parts, negative ones downwards, and the total excess
    with its interval."""
    titles = list(CLASSES.values())
    up, down = numpy.zeros(len(CLASSES)), numpy.zeros(len(CLASSES))
    shades = style.look("rcp").shades(len(PARTS))
    for (name, title), shade in zip(PARTS.items(), shades, strict=True):
        means = numpy.array([rows.where(size_from=size)[name].mean() for size in CLASSES])
        bottom = numpy.where(means > 0, up, down)
        ax.bar(titles, means, 0.6, bottom, color=shade, label=title)
        up, down = up + numpy.maximum(means, 0), down + numpy.minimum(means, 0)
    for place, size in enumerate(CLASSES):
        excess = Interval.of(_whole(rows.where(size_from=size)), minimum=-1)
        if numpy.isfinite(excess.low):
            ends = [[excess.mean - excess.low], [excess.high - excess.mean]]
            ax.errorbar(place, excess.mean, ends, fmt="_", color="black", elinewidth=0.8)
    ax.axhline(0, color="black", linewidth=0.7)
    ax.use_sticky_edges = False
    ax.grid(visible=False, axis="x")
    ax.set(xlabel="packets of a flow", ylabel="excess over processor sharing")
    style.legend(ax)


FIGURE = Figure(
    id="limits-cause",
    title="Why long flows take longer under RCP than under processor sharing",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
