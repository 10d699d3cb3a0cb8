"""Throughput of flows over time, from the packets acknowledged to their senders."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy

from ..arguments import number
from . import choose, samples, scales

if TYPE_CHECKING:
    from ..results import Results


@dataclass(frozen=True)
class Throughput:
    """Throughput of the sampled flows of one run, by window of time."""

    #: The ends of the windows, in seconds.
    times: numpy.ndarray
    #: The flows, by group and index, in order of their start.
    flows: list[samples.Subject]
    #: In bit/s, a row for each flow. NaN in windows for which it was not present throughout.
    rates: numpy.ndarray

    @property
    def active(self) -> numpy.ndarray:
        """The number of flows present in each window."""
        return numpy.sum(~numpy.isnan(self.rates), axis=0)

    @property
    def jain(self) -> numpy.ndarray:
        """Jain's index of each window: (sum of rates)^2 / (flows x sum of squares).

        It is 1 for equal rates, and 1 / flows if a single flow has all. NaN for fewer than two
        flows, and without throughput.
        """
        squares = numpy.nansum(self.rates**2, axis=0)
        defined = (self.active > 1) & (squares > 0)
        sums = numpy.nansum(self.rates, axis=0)
        return numpy.divide(
            sums**2, self.active * squares, out=numpy.full_like(squares, numpy.nan), where=defined
        )


def of_run(results: Results, protocol: str, seed: int | None, window: float | None) -> Throughput:
    """The throughput of the sampled flows of a run, over windows of this many seconds.

    Windows are never shorter than the interval between samples, which is the default.
    """
    step_s = None if window is None else number("window", window)
    lines = samples.lines(results, "acked_packets", protocol=protocol, seed=seed)
    starts = _starts(results, protocol, seed)
    lines = sorted(lines, key=lambda line: starts[line.subject])
    # In whole nanoseconds, so that windows end at samples.
    known = [
        (numpy.append(starts[line.subject], numpy.rint(line.times * 1e9)), line.values)
        for line in lines
    ]
    gap = max(numpy.diff(times).max() for times, _ in known)
    step = gap if step_s is None else max(step_s * 1e9, gap)
    edges = numpy.arange(0.0, max(times[-1] for times, _ in known) + 1, step)
    bits = 8 * _payload(results)
    rates = [
        numpy.diff(_at(edges, times, numpy.append(0.0, values))) * bits / (step / 1e9)
        for times, values in known
    ]
    return Throughput(edges[1:] / 1e9, [line.subject for line in lines], numpy.array(rates))


def fair_share(
    results: Results, found: Throughput, protocol: str, seed: int | None
) -> numpy.ndarray | None:
    """The throughput of each flow in each window if all shared the bottleneck evenly.

    ``None`` if it is unknown: some flows were not sampled, do not cross the bottleneck, or have
    weights.
    """
    frame = results.flows(protocol, choose.seed(results, seed))
    link = results.of(protocol)["bottleneck"]
    paths = [path.split(">") for path in frame["path"]]
    crossing = all((link["from"], link["to"]) in itertools.pairwise(path) for path in paths)
    even = all(group["weight"] == 1 for group in results.scenario["group"])
    if len(found.flows) < len(frame) or not crossing or not even:
        return None
    data = results.summary["bottleneck_capacity"] * _payload(results)
    share = data / scales.size(results.scenario["packet"])
    active = numpy.where(found.active > 0, found.active, numpy.nan)
    return share / active


def _starts(results: Results, protocol: str, seed: int | None) -> dict[samples.Subject, float]:
    """The start of each flow, in nanoseconds."""
    frame = results.flows(protocol, choose.seed(results, seed))
    names = zip(frame["group"], frame["index"].tolist(), strict=True)
    return dict(zip(names, frame["start_ns"].astype(float), strict=True))


def _at(edges: numpy.ndarray, times: numpy.ndarray, values: numpy.ndarray) -> numpy.ndarray:
    """A flow's progress at these times; NaN before its start and after its last sample."""
    return numpy.interp(edges, times, values, left=numpy.nan, right=numpy.nan)


def _payload(results: Results) -> float:
    """Bytes of data in a full packet."""
    scenario = results.scenario
    return scales.size(scenario["packet"]) - scales.size(scenario["header"])
