"""What figures of loss against load share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...sweeps import Sweep
from ..interval import Interval

#: Bytes.
PACKET = 1000


def lost(sweep: Sweep) -> Iterator[dict[str, Any]]:
    """What part of all packets the dumbbell's link lost at each load, by seed."""
    for point, results in zip(sweep.points, sweep, strict=True):
        links = results.links("rcp")
        here = (links["from"] == "left") & (links["to"] == "right")
        drops, sent = links["drops"][here], links["sent_bytes"][here] / PACKET
        for seed, loss in zip(links["seed"][here], drops / (drops + sent), strict=True):
            found = {"load": point["load"], "seed": int(seed), "loss": float(loss)}
            yield {"form": "packets", **found}


def by_load(packets: Frame) -> dict[float, Interval]:
    """The loss over seeds, of such rows."""
    loads = numpy.unique(packets["load"]).tolist()
    return {load: Interval.of(packets.where(load=load)["loss"]) for load in loads}


def dots(ax: Axes, packets: Frame) -> None:
    """A dot with its interval for each load."""
    found = by_load(packets)
    means = [loss.mean for loss in found.values()]
    bars = [[loss.mean - loss.low, loss.high - loss.mean] for loss in found.values()]
    colour = style.looks(["rcp"])["rcp"].colour
    ax.errorbar(list(found), means, numpy.transpose(bars), fmt="o", color=colour, label="packets")
