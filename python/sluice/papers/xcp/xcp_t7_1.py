"""Table 7.1, cell by cell: what each misconduct does to efficiency and fairness, and whether it
pays, on 20 Mb/s with a round trip of 80 ms. Left, utilization where all of twenty flows cheat;
middle, the throughput of one cheat among nineteen compliant flows over its fair share; right, where
all cheat, the round trips (at most 600) from a common start until the link is full to 0.9, and
those until a newcomer has 0.8 of its share. A dot is a gain, the larger the further from 1; dashed
are compliant flows. Unresponsive abusers are ten beside ten compliant flows, and their gain is
their rate together over the capacity, 0.1 to 1.5.

The runs are those of figures 7-1 to 7-8, with the thesis' sender and 20 flows in the other
direction; those of the right panel have none there, and twenty seeds. The queue under XCP is drop-
tail, where the thesis has RED. Our own choices are the bounds: utilization of 0.95 is "no impact",
0.8 "fairly robust", below 0.9 "instability"; a share within 0.05 of the fair one is "no", within
0.2 "no significant" impact, and below 5 "limited unfairness". "No incentive" is that a cheat has no
more than 1.05 times what the same flow has when it complies; an unresponsive one can gain only if
its rate is above its fair share. That DG < 1 has no significant impact contradicts the section's
text and its figure 7-5, in which it gets more than its fair share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ..claim import Claim, everywhere
from ..drawing import bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from . import xcp_7_1, xcp_7_2, xcp_7_3, xcp_7_4, xcp_7_5, xcp_7_6, xcp_7_7, xcp_7_8
from .arrival import Arrival
from .cheats import FLOWS, Cheats
from .misconducts import CELLS, INCREASE, MEASURES, ROWS, Cell, Row

#: Gains of all flows in the right panel; 1 is compliance.
ARRIVALS = {
    "T-liar": Arrival("xcp-t7-1/throughput", "throughput_gain", (0.1, 1.0, 10.0)),
    "D-liar": Arrival("xcp-t7-1/rtt", "rtt_gain", (0.1, 0.3, 1.0, 1.5, 3.0)),
    "increase": Arrival("xcp-t7-1/increase", "increase_gain", (1.0, 2.0, 10.0)),
    "decrease": Arrival("xcp-t7-1/decrease", "decrease_gain", (0.1, 0.3, 1.0)),
}
#: Runs in which all cheat, and those in which one does.
ALL = {
    "T-liar": xcp_7_2.CHEATS,
    "D-liar": xcp_7_4.CHEATS,
    "increase": xcp_7_6.CHEATS,
    "decrease": xcp_7_7.CHEATS,
}
ONE = {
    "T-liar": xcp_7_1.CHEATS,
    "D-liar": xcp_7_3.CHEATS,
    "increase": xcp_7_5.INCREASE,
    "decrease": xcp_7_5.DECREASE,
}
UNRESPONSIVE = "unresponsive"
#: By what is run, and kind of misconduct.
Runs = dict[tuple[str, str], Any]


def run(scale: Scale) -> Runs:
    """Those of figures 7-1 to 7-8, and those of convergence."""
    parts: dict[str, Mapping[str, Cheats | Arrival]] = {"all": ALL, "one": ONE, "arrival": ARRIVALS}
    runs: Runs = {
        (part, kind): each.run(scale)
        for part, kinds in parts.items()
        for kind, each in kinds.items()
    }
    return runs | {("all", UNRESPONSIVE): xcp_7_8.run(scale)}


def table(runs: Runs) -> Frame:
    """A row for each kind, gain, measure and seed."""
    rows: list[dict[str, Any]] = []
    for kind, cheats in ALL.items():
        found = cheats.table(runs["all", kind]).where(system="XCP", cheats=FLOWS)
        rows += _rows(kind, found, {"utilization": "utilization"})
    for kind, cheats in ONE.items():
        found = cheats.table(runs["one", kind]).where(system="XCP")
        rows += _rows(kind, found, {"share": "first"})
    for kind, arrival in ARRIVALS.items():
        found = arrival.table(runs["arrival", kind])
        rows += _rows(kind, found, {name: name for name in ("fill_rtts", "share_rtts")})
    found = xcp_7_8.table(runs["all", UNRESPONSIVE]).where(system="XCP")
    columns = {
        "utilization": "utilization",
        "share": "abusers_share",
        "compliant": "compliant_share",
        "queue": "queue_over_buffer",
    }
    return frame(rows + _rows(UNRESPONSIVE, found, columns))


def _rows(kind: str, found: Frame, columns: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {"kind": kind, "gain": row["gain"], "seed": row["seed"], "measure": measure}
        | {"value": row[column]}
        for row in found.arrow.to_pylist()
        for measure, column in columns.items()
    ]


def check(table: Frame) -> list[Claim]:
    """The table's cells, in its order."""
    return [_claim(table, cell) for cell in CELLS]


def _claim(table: Frame, cell: Cell) -> Claim:
    over = ", over that of the same run without cheats" if cell.over_honest else ""
    points = {
        f"at {gain:g}": _found(table, cell, gain)
        for gain in _gains(table, cell.row, cell.measure)
        if cell.asks(gain)
    }
    return everywhere(
        f"{cell.row.label}, {cell.column}: {MEASURES[cell.measure]}{over}",
        cell.paper,
        points,
        low=cell.low,
        high=cell.high,
    )


def _gains(table: Frame, row: Row, measure: str) -> list[float]:
    gains = numpy.unique(table.where(kind=row.kind, measure=measure)["gain"])
    return [float(gain) for gain in gains if row.has(gain)]


def _found(table: Frame, cell: Cell, gain: float) -> Interval:
    values = _values(table, cell.row, cell.measure, gain)
    if cell.over_honest:
        values = values / _values(table, cell.row, cell.measure, 1.0)
    return Interval.of(values)


def _values(table: Frame, row: Row, measure: str, gain: float) -> numpy.ndarray:
    """By seed, so that those of two gains can be compared pair by pair."""
    rows = table.where(kind=row.kind, measure=measure, gain=gain)
    return rows["value"][numpy.argsort(rows["seed"])]


#: Measures of the panels, and their titles.
PANELS = {
    ("utilization",): "utilization, all cheat",
    ("share",): "a cheat's throughput\nover its fair share",
    ("fill_rtts", "share_rtts"): "round trips to fill the link\n(●), to a newcomer's share (■)",
}


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A row for each misconduct, a panel for each effect."""
    figure, panels = pyplot.subplots(1, len(PANELS), figsize=(8.6, 3.6), sharey=True)
    for (measures, title), ax in zip(PANELS.items(), panels, strict=True):
        for number, measure in enumerate(measures):
            _panel(ax, table, measure, number)
        ax.set_title(title, fontsize="medium")
        ax.grid(axis="y", linewidth=0.5)
    panels[0].set_yticks(range(len(ROWS)), [row.label for row in ROWS])
    panels[0].invert_yaxis()
    panels[0].set_xlim(0, 1.05)
    for ax in panels[1:]:
        scales.logarithmic(ax, "x", "", "")
    return figure


def _panel(ax: Axes, table: Frame, measure: str, number: int) -> None:
    marker, shift = "os"[number], 0.3 * number - 0.15 * (measure in ("fill_rtts", "share_rtts"))
    compliant = _values(table, INCREASE, measure, 1.0).mean()
    ax.axvline(compliant, color=style.COLOURS[number], linestyle=style.DASHES[0], linewidth=0.8)
    for place, row in enumerate(ROWS):
        for gain in _gains(table, row, measure):
            found = Interval.of(_values(table, row, measure, gain))
            size = 2.5 + 1.5 * abs(numpy.log10(gain))
            look = {"color": style.COLOURS[number], "marker": marker, "markersize": size}
            ax.errorbar([found.mean], [place + shift], xerr=bars([found]), **look)


FIGURE = Figure(
    id="xcp-t7-1",
    title="What misconduct does, and whether it pays",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
