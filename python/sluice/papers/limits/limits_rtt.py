"""RCP and TCP over processor sharing at round trips of 1 ms to 300 ms on 150 Mb/s, at the settings
of the papers (and TCP with SACK), load 0.7 and the sizes of PS-5 (Pareto, mean 30 packets, shape
1.2). Ten seeds; bars are 95 % intervals. A run ends at three times what is measured; flows that
have not finished then count as finished, so that their ratios are least ones.

Section 3.1 has T = min(10 ms, d0), so RCP updates R once a round trip at 10 ms and less, and more
often than that beyond. The paper says that RCP matches processor sharing closely at other round
trips, and leaves the figures to its technical report.
"""

from __future__ import annotations

import matplotlib.figure
import pyarrow

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim
from ..scale import Scale
from . import places
from .closeness import SACK, beside_tcp, claim, panels, run_beside_tcp, sooner

TITLE = "RCP and TCP beside processor sharing, at round trips of 1 ms to 300 ms"

#: In seconds.
RTTS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3]
SHORT = (
    "T is d0 there, so that a burst's queue takes most of R in one update; how much of it that is, "
    "and what else, is told of by limits-short"
)
LONG = (
    "a burst's queue takes R far below C/N, and alpha brings it back in tens of round trips "
    "(limits-cause)"
)
#: The round trip up to which T is d0, in seconds.
INTERVAL = 0.01


def run(scale: Scale) -> list[tuple[Results, Results]]:
    """Every round trip with the same flows."""
    flows, seeds = scale.pick((10_000, 3), (40_000, 10))
    return [
        run_beside_tcp(
            scale, places.place(flows, rtt=rtt), name=f"limits-rtt/{1000 * rtt:g}", seeds=seeds
        )
        for rtt in RTTS
    ]


def table(ran: list[tuple[Results, Results]]) -> Frame:
    """A row for each round trip, protocol, seed and class of sizes."""
    rows = [
        row
        for rtt, results in zip(RTTS, ran, strict=True)
        for row in beside_tcp(results, rtt_s=rtt)
    ]
    return Frame(pyarrow.Table.from_pylist(rows))


def check(table: Frame) -> list[Claim]:
    """Of each round trip; and against TCP, of all."""
    close = [
        claim(
            f"at a round trip of {1000 * rtt:g} ms",
            table.where(rtt_s=rtt),
            SHORT if rtt <= INTERVAL else LONG,
        )
        for rtt in RTTS
    ]
    return close + [sooner(table, other, "rtt_s", SHORT) for other in ("tcp", SACK)]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel a protocol, a line a class of sizes."""
    figure, axes = panels(table, "rtt_s")
    for ax in axes:
        scales.logarithmic(ax, "x", "round trip", "s")
        style.legend(ax)
    return figure
