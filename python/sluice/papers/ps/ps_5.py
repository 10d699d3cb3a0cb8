"""Poisson arrivals of Pareto sizes (mean 30 packets, shape 1.2) at a load of 0.7 on 150 Mb/s, with
a round trip of 100 ms: R over time, from R(0) = 0.05 C. To see whether the start matters, the same
flows run again from other R(0), which the paper does not print.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...scenario import Scenario
from ...sweeps import Sweep
from ..claim import Claim
from ..scale import Scale

TITLE = "R sweeps its whole range, and its start value does not matter"

CAPACITY = 150e6
#: R(0) / C; the paper's first.
STARTS = [0.05, 0.01, 0.5, 1.0]


def run(scale: Scale) -> Sweep:
    """The same flows from every start."""
    scenario = Scenario(
        name="ps-5",
        warm_up="10 s",
        stop=scale.pick("60 s", "610 s"),
        ideals=[],
        topology={"dumbbell": {"capacity": "150 Mbps", "rtt": "100 ms", "buffer": "1 bdp"}},
        group=[
            {
                "name": "flows",
                "from": "s0",
                "to": "d0",
                "poisson": {"load": 0.7, "sizes": {"pareto": {"mean": "30 packets", "shape": 1.2}}},
            }
        ],
        probe=[{"link": ["left", "right"], "every": "100 ms"}],
    )
    seeds = scale.pick(2, 5)
    return scale.sweep(scenario, {"rcp.initial_rate": STARTS}, ["rcp"], name="ps-5", seeds=seeds)


def table(sweep: Sweep) -> Frame:
    """R/C over time for each start, of the first seed, with the mean completion time of all."""
    parts = []
    for start, results in zip(STARTS, sweep, strict=True):
        rate = results.series("rcp", 1).where(quantity="R")
        completion = results.of("rcp")["all"]["completion"]["mean"]
        columns = {
            "start": [start] * len(rate),
            "seconds": rate["time_ns"] / 1e9,
            "rate_share": rate["value"] / CAPACITY,
            "mean_completion_s": [completion] * len(rate),
        }
        parts.append(pyarrow.table(columns))
    return Frame(pyarrow.concat_tables(parts))


def check(table: Frame) -> list[Claim]:
    """Over the whole run."""
    own = table.where(start=STARTS[0])["rate_share"]
    means = numpy.array([table.where(start=start)["mean_completion_s"][0] for start in STARTS])
    apart = means.max() / means.min() - 1
    return [
        Claim(
            "R sweeps its whole range",
            paper="0 to C",
            ours=f"{own.min():.3f} C to {own.max():.3f} C",
            holds=bool(own.min() < 0.1 and own.max() > 0.9),
            taken="below 0.1 C and above 0.9 C",
            why="the flows of this run do not drive it so far",
        ),
        Claim(
            "the start value does not matter to the mean completion time",
            paper="no difference",
            ours=f"{1000 * means.min():.1f} to {1000 * means.max():.1f} ms",
            holds=bool(apart < 0.02),
            taken="2 % between the same flows",
            why="flows of the first seconds are in the mean of a short run",
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """R/C over the first minute."""
    figure, ax = pyplot.subplots(figsize=(3.5, 2.4))
    shades = style.shades(style.looks(["rcp"])["rcp"].colour, len(STARTS))
    for start, shade in zip(STARTS, shades, strict=True):
        rows = table.where(start=start)
        ax.plot(rows["seconds"], rows["rate_share"], color=shade, label=f"R(0) = {start} C")
    ax.set(xlabel="time (s)", ylabel="R / C", xlim=(0, 60), ylim=(0, 1.05))
    style.legend(ax)
    return figure
