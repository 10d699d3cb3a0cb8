"""Twenty long flows at 0 s, twenty more at 40 s, of which twenty leave at 100 s; alpha 0.1, beta 1,
a round trip of 100 ms, a buffer of BDP. The capacity is not printed: ours is 1 Gb/s.
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
from ..claim import Claim
from ..scale import Scale

TITLE = "C/R follows the number of flows"

CAPACITY = 1e9
#: Of the probe, in seconds.
SAMPLE = 0.1
#: From when to when, in seconds, and how many flows there are.
PHASES = ((0.0, 40.0, 20), (40.0, 100.0, 40), (100.0, 140.0, 20))


def run(scale: Scale) -> Results:
    """The same at both scales: it takes seconds."""
    return scale.run(Scenario.load("ps2-rcp"), ["rcp"], name="ps-2")


def table(results: Results) -> Frame:
    """R/C and the link's utilization, every 100 ms."""
    series = results.series("rcp")
    rate, load, queue = (series.where(quantity=name) for name in ("R", "load", "queue_bytes"))
    # What leaves is what arrives, less what the queue keeps of it.
    kept = numpy.diff(queue["value"], prepend=0) * 8 / (CAPACITY * SAMPLE)
    return Frame(
        pyarrow.table(
            {
                "seconds": rate["time_ns"] / 1e9,
                "rate_share": rate["value"] / CAPACITY,
                "utilization": load["value"] - kept,
            }
        )
    )


def check(table: Frame) -> list[Claim]:
    """Over the last quarter of each phase."""
    claims = []
    for begin, end, flows in PHASES:
        late = (table["seconds"] > end - (end - begin) / 4) & (table["seconds"] < end)
        counts = 1 / table["rate_share"][late]
        holds = bool(numpy.abs(counts / flows - 1).max() < 0.02)
        claims.append(
            Claim(
                f"with {flows} flows, from {begin:.0f} s on, C/R converges to N",
                paper=f"{flows}",
                ours=f"{counts.mean():.2f} ({counts.min():.2f} to {counts.max():.2f})",
                holds=holds,
                taken="within 2 % in the last quarter",
                why="" if holds else "it is not within 2 % at the end of the phase",
            )
        )
    return claims


def plot(table: Frame) -> matplotlib.figure.Figure:
    """R/C above the link's utilization, as in the paper."""
    figure, (above, below) = pyplot.subplots(2, 1, sharex=True, figsize=(3.5, 3.2))
    look = style.looks(["rcp"])["rcp"]
    above.plot(table["seconds"], table["rate_share"], **look.line())
    for begin, end, flows in PHASES:
        above.hlines(1 / flows, begin, end, colors="black", linestyles="dashed", linewidth=0.8)
        above.annotate(
            f"1/{flows}", (end, 1 / flows), (0, 3), textcoords="offset points", ha="right"
        )
    above.set(ylabel="R / C", ylim=(0, 0.1))
    below.plot(table["seconds"], table["utilization"], **look.line())
    below.set(xlabel="time (s)", ylabel="utilization", ylim=(0, 1.05))
    return figure
