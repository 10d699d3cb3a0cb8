"""Draws `stability.png`, the figure of `docs/theory.md`."""

from pathlib import Path

from matplotlib import pyplot
from sluice import plot
from sluice.theory import fluid, plots

COMMON = {
    "RCP, papers": (0.1, 1.0),
    "RCP, ns-2": (0.4, 0.4),
    "RCP, NetFPGA": (0.4, 0.5),
    "XCP": (0.4, 0.226),
}
STARTS = [(0.05, 0.0), (0.5, 1.0), (2.0, 0.0), (4.0, 0.5)]

with plot.context():
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.8))
    plots.region("rcp", COMMON, rtts=1000, ax=left)
    paths = [fluid.path("rcp", 0.1, 1.0, load, queue, rtts=300) for load, queue in STARTS]
    plots.portrait(paths, ax=right)
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=150)
