"""XCP and TCP over the disciplines of chapter 5: what is compared, and its drawing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ..drawing import with_bars
from .axis import Axis
from .bottleneck import Settings
from .systems import OF_THE_THESIS, System

#: TCP Reno with ECN over the disciplines of section 5.1, where CSFQ has constants of 100 ms.
TCP = {name: OF_THE_THESIS[name] for name in ("RED", "CSFQ", "REM", "AVQ")} | {
    "CSFQ": replace(OF_THE_THESIS["CSFQ"], differs=dict.fromkeys(("k", "k_alpha", "k_c"), "100 ms"))
}
#: The thesis' sender: "the effective (i.e., used) congestion window is an integer number of
#: packets" (5.2.3), and losses are repaired as by TCP Reno.
SENDER: Settings = {"recovery": "reno", "stated_window": "whole"}
#: XCP has hosts as TCP's: ns-2's of the time.
SYSTEMS = {"XCP": System("xcp", parameters=lambda place: SENDER, ns2=True)} | TCP
#: Columns of the panels, and their titles.
PANELS = {
    "utilization": "utilization",
    "queue_packets": "mean queue (packets)",
    "drops": "drops (packets)",
}


def look(name: str, systems: Iterable[str] = SYSTEMS) -> dict[str, str]:
    """Colour and marker of a system, by its place among these."""
    number = list(systems).index(name)
    return {"color": style.COLOURS[number], "marker": style.MARKERS[number]}


def plot(axis: Axis, table: Frame) -> matplotlib.figure.Figure:
    """Utilization, queue and drops against the quantity."""
    figure, panels = pyplot.subplots(3, 1, figsize=(4.6, 6.4), sharex=True)
    for column, ax in zip(PANELS, panels, strict=True):
        _lines(ax, axis, table, column)
    panels[0].set_ylim(top=1.02)
    panels[1].set_yscale("symlog", linthresh=1)
    panels[1].set_ylim(bottom=0)
    panels[2].set_yscale("symlog", linthresh=1)
    panels[2].set_ylim(bottom=-0.2)
    scales.logarithmic(panels[2], "x", *axis.label)
    style.legend(panels[0])
    return figure


def _lines(ax: Axes, axis: Axis, table: Frame, column: str) -> None:
    values = numpy.unique(table[axis.column])
    for name in axis.systems:
        found = [axis.mean(table, name, value, column) for value in values]
        with_bars(ax, values, found, label=name, elinewidth=0.7, **look(name, axis.systems))
    ax.set_ylabel(PANELS[column])
