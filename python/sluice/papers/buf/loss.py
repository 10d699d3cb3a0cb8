"""Loss against load."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...sweeps import Sweep
from ..drawing import with_bars
from ..interval import Interval
from ..link import loss_by_seed


def lost(sweep: Sweep) -> Iterator[dict[str, Any]]:
    """Rows with the fraction of packets that the bottleneck lost, by load and seed."""
    for point, results in zip(sweep.points, sweep, strict=True):
        for seed, loss in loss_by_seed(results, "rcp").items():
            yield {"form": "packets", "load": point["load"], "seed": seed, "loss": loss}


def by_load(packets: Frame) -> dict[float, Interval]:
    """The loss at each load, over seeds."""
    loads = numpy.unique(packets["load"]).tolist()
    return {load: Interval.of(packets.where(load=load)["loss"]) for load in loads}


def dots(ax: Axes, packets: Frame) -> None:
    """Draws the loss at each load with error bars."""
    found = by_load(packets)
    colour = style.look("rcp").colour
    with_bars(ax, list(found), list(found.values()), fmt="o", color=colour, label="packets")
