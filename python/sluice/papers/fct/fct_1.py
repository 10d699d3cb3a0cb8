"""The effect of a faster link on a single flow: completion time against bandwidth, relative to that
at 45 Mb/s, with a round trip of 40 ms, in slow start throughout. Lines are the paper's formula,
markers a simulated TCP flow alone on the link.

The paper speaks of "typical downloads" and gives no size, so several are drawn: 15 packets is what
it calls typical elsewhere, and 2755 the size for which the formula gives half the time. Also ours:
packets of 1000 bytes, an initial window of 1, as in the formula, and an unlimited buffer.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...sweeps import Sweep
from ...theory import slow_start
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale
from ..verdict import Verdict
from . import alone

MIN_BANDWIDTH = 45e6
RTT = 0.04
#: In packets: what the paper calls typical, and the size with half the completion time.
TYPICAL, HALVED = 15, 2755
SIZES = [TYPICAL, 100, 1000, HALVED, 10_000]
#: In bit/s, two decades.
BANDWIDTHS = [MIN_BANDWIDTH * by for by in (1, 2, 5, 10, 20, 50, 100)]


def run(scale: Scale) -> Sweep:
    """The same at both scales: it takes seconds."""
    over = {"topology.dumbbell.capacity": [f"{bandwidth:.0f} bps" for bandwidth in BANDWIDTHS]}
    return alone.sweep(scale, {"capacity": "45 Mbps", "rtt": "40 ms"}, SIZES, over, "fct-1")


def table(sweep: Sweep) -> Frame:
    """A row for each bandwidth and size: by formula and simulated."""
    rows = []
    for bandwidth, results in zip(BANDWIDTHS, sweep, strict=True):
        formula = slow_start.completion_s(SIZES, bandwidth, RTT)
        simulated = alone.completion_s(results, SIZES)
        for size, by_formula, by_packets in zip(SIZES, formula, simulated, strict=True):
            rows.append(
                {
                    "bandwidth_bps": bandwidth,
                    "packets": size,
                    "formula_s": float(by_formula),
                    "simulated_s": float(by_packets),
                }
            )
    return Frame(pyarrow.Table.from_pylist(rows))


def check(table: Frame) -> list[Claim]:
    """Claims about the fastest link relative to the slowest."""
    left = {size: _share(table.where(packets=size), "formula_s")[-1] for size in SIZES}
    seen = {size: _share(table.where(packets=size), "simulated_s")[-1] for size in SIZES}
    lowest = min(*left.values(), *seen.values())
    beside = {
        f"at {row['packets']:,} packets and {row['bandwidth_bps'] / 1e6:g} Mb/s": (
            row["simulated_s"],
            row["formula_s"],
        )
        for row in table.arrow.to_pylist()
    }
    return [
        everywhere(
            "100 times the bandwidth halves the completion time: the time at 4.5 Gb/s over that at "
            f"45 Mb/s, of {TYPICAL} and of {HALVED} packets",
            "0.5",
            {
                f"of {size:,} packets, {by}": Interval.exactly(found[size])
                for size in (TYPICAL, HALVED)
                for by, found in (("by formula", left), ("in packets", seen))
            },
            low=0.4,
            high=0.6,
            form=".3f",
            why=f"by the formula sending takes {1 - left[TYPICAL]:.1%} of the time of {TYPICAL} "
            f"packets at 45 Mb/s, and {1 - left[HALVED]:.1%} of that of {HALVED:,}",
        ),
        Claim(
            "a flow in slow start does not complete faster in proportion to the bandwidth: the "
            "time at 45 Mb/s over that at 4.5 Gb/s",
            paper="not 100",
            ours=f"{1 / lowest:.1f} at most, up to {SIZES[-1]:,} packets",
            verdict=Verdict.of(1 / lowest < 10),
            taken="less than 10",
        ),
        alone.as_by_formula(beside, counted="fct-ss"),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A line for each size."""
    figure, ax = pyplot.subplots(figsize=(3.5, 2.6))
    for size, colour, marker in zip(SIZES, style.COLOURS, style.MARKERS, strict=False):
        rows = table.where(packets=size)
        bandwidths = rows["bandwidth_bps"]
        ax.plot(bandwidths, _share(rows, "formula_s"), color=colour, label=f"{size:,} packets")
        ax.plot(bandwidths, _share(rows, "simulated_s"), marker, color=colour)
    ax.axhline(0.5, color="black", linestyle="dashed", linewidth=0.8)
    ax.annotate("half", (MIN_BANDWIDTH, 0.5), (2, 3), textcoords="offset points")
    ax.set(ylabel="completion time / that at 45 Mb/s", ylim=(0, 1.05))
    scales.logarithmic(ax, "x", "bandwidth", "b/s")
    style.legend(ax)
    return figure


def _share(rows: Frame, column: str) -> numpy.ndarray:
    """A column relative to its value on the slowest link."""
    return rows[column] / rows[column][0]


FIGURE = Figure(
    id="fct-1",
    title="A hundred times the bandwidth does little for a short flow",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
