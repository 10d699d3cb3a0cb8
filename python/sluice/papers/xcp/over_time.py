"""A bottleneck over time: runs, and rows of its utilization and queue."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy

from ...frame import Frame
from ...results import Results
from ...scenario import Scenario
from ..link import link_metrics, samples
from ..rows import by_seed
from ..scale import Scale
from .bottleneck import Settings, seconds

#: Interval between samples of the queue.
QUEUE_S = 0.01


def run(
    scale: Scale,
    name: str,
    *,
    dumbbell: Settings,
    stop: float,
    groups: Sequence[Settings],
    settings: Mapping[str, Any],
    protocol: str,
    seeds: int,
    sampled: Sequence[Settings] = (),
) -> Results:
    """Runs a dumbbell with samples of its bottleneck, measured from the begin."""
    scenario = Scenario(
        name="bottleneck",
        stop=seconds(stop),
        limit=seconds(stop),
        ideals=[],
        topology={"dumbbell": dumbbell},
        group=list(groups),
        metrics=[link_metrics(seconds(QUEUE_S)), *sampled],
        **settings,
    )
    return scale.run(scenario, [protocol], name=name, seeds=seeds)


def each(table: Frame, name: str, measure: Callable[[Frame], float]) -> numpy.ndarray:
    """A measure of the runs of a system, by seed."""
    return numpy.array([measure(rows) for rows in by_seed(table.where(system=name))])


def until(
    times: numpy.ndarray, holds: numpy.ndarray, *, since: float, latest: float, span: int = 1
) -> float:
    """The time from ``since`` to the first of ``times`` after it from which a condition holds
    ``span`` times in a row; to ``latest`` if there is none up to then.

    >>> times, holds = numpy.arange(1.0, 7.0), numpy.array([1, 0, 1, 0, 1, 1], bool)
    >>> until(times, holds, since=1.5, latest=9.0)
    1.5
    >>> until(times, holds, since=1.5, latest=9.0, span=2)
    3.5
    >>> until(times, ~holds, since=1.5, latest=9.0, span=2)
    7.5
    """
    lasting = numpy.convolve(holds, numpy.ones(span), "valid") > span - 0.5
    found = times[: len(lasting)][lasting]
    return float(found[(found > since) & (found <= latest)].min(initial=latest) - since)


def rows(
    seed: int, quantity: str, time_ns: numpy.ndarray, values: numpy.ndarray
) -> list[dict[str, Any]]:
    """A row for each time."""
    return [
        {"seed": seed, "quantity": quantity, "time_s": time / 1e9, "value": value}
        for time, value in zip(time_ns.tolist(), values.tolist(), strict=True)
    ]


def link_rows(
    results: Results, protocol: str, seed: int, capacity: float, every: float
) -> list[dict[str, Any]]:
    """Rows of ``queue`` in bytes, and of ``utilization`` in intervals of ``every`` seconds, a whole
    number of samples each.

    What a link sent in an interval is what arrived, less the growth of the queue. Arrivals count
    packets that are dropped, too; a link that drops is full, so that the sum is limited to 1.
    """
    queue, load = (samples(results, protocol, each, seed) for each in ("queue_bytes", "load"))
    count = round(every / (queue.seconds[1] - queue.seconds[0]))
    bins = len(load.values) // count
    arrived = load.values[: bins * count].reshape(bins, count).mean(axis=1)
    ends = queue.values[count - 1 : bins * count : count]
    growth = numpy.diff(ends, prepend=0.0) * 8 / (capacity * every)
    times = numpy.arange(1, bins + 1) * every * 1e9
    return [
        *rows(seed, "queue", queue.seconds * 1e9, queue.values),
        *rows(seed, "utilization", times, numpy.minimum(arrived - growth, 1.0)),
    ]
