"""Throughput of guaranteed flows over their profiles in the network of [xcp-6-8](#xcp-6-8), and
its standard deviation over intervals of a second; of its runs, the flows that were admitted.

Bounds are those of the thesis' table: all of its flows have 0.908 to 1.254 times their profile,
and a deviation of up to 0.005. Of how long intervals the deviations are, it does not say; ours are
of a second, in which a flow of 1.5 Mb/s has 187.5 packets, so that a whole number of them alone
deviates by 0.0027 of the profile. How many flows are admitted depends on the network.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from . import guaranteed_network as network
from .guaranteed_network import REQUESTS, SENDERS

#: The least and the most in the thesis' table, its largest deviation, and the number of its flows.
LEAST, MOST, SMOOTH, ADMITTED = 0.908, 1.254, 0.005, 27


def check(table: Frame) -> list[Claim]:
    """That admitted flows get their profiles all the time."""
    return [
        everywhere(
            "all flows obtain a throughput very close to their profile: throughput over the "
            "profile of the flow with the least and of that with the most",
            f"all flows; from {LEAST} to {MOST}",
            {
                f"the {which}, {name}": Interval.of(_of_each(table, name, pick))
                for name in SENDERS
                for which, pick in (("least", _least), ("most", _most))
            },
            low=LEAST,
            high=MOST,
            form=".3f",
            note=_admitted(table),
            why=_outside(table),
        ),
        everywhere(
            "throughput is constant and smooth: the largest standard deviation over intervals of a "
            "second, over the profile",
            f"constant and smooth; up to {SMOOTH}",
            {name: Interval.of(_of_each(table, name, _deviation)) for name in SENDERS},
            high=SMOOTH,
            form=".4f",
            why=_varying(table),
        ),
    ]


def _by_seed(table: Frame, name: str) -> list[Frame]:
    rows = table.where(kind="flow", sender=name)
    return [rows.where(seed=seed) for seed in numpy.unique(rows["seed"])]


def _of_each(table: Frame, name: str, measure: Callable[[Frame], float]) -> list[float]:
    return [measure(rows) for rows in _by_seed(table, name)]


def _least(rows: Frame) -> float:
    return float(rows["over_profile"].min())


def _most(rows: Frame) -> float:
    return float(rows["over_profile"].max())


def _deviation(rows: Frame) -> float:
    return float(rows["deviation"].max())


def _admitted(table: Frame) -> str:
    """The number of flows that were admitted."""
    admitted = numpy.mean([len(rows) for name in SENDERS for rows in _by_seed(table, name)])
    return f"; {admitted:.1f} of {REQUESTS} flows were admitted, {ADMITTED} in the thesis"


def _outside(table: Frame) -> str:
    """How many flows are outside the bounds, and on which paths."""
    parts = []
    for name in SENDERS:
        rates = table.where(kind="flow", sender=name)["over_profile"]
        outside = float(((rates < LEAST) | (rates > MOST)).mean())
        parts.append(f"{100 * outside:.1f} % ({name})")
    away = _by_path(table, lambda rows: numpy.abs(rows["over_profile"] - 1))
    return f"of all flows, {' and '.join(parts)} are outside the bounds; {away} away from 1"


def _varying(table: Frame) -> str:
    """Where throughput varies."""
    return f"it is {_by_path(table, lambda rows: rows['deviation'])}"


def _by_path(table: Frame, measure: Callable[[Frame], numpy.ndarray]) -> str:
    """The median of a measure over the flows of each sender on short and on long paths."""
    parts = []
    for name in SENDERS:
        rows = table.where(kind="flow", sender=name)
        middle = numpy.median(rows["delay_s"])
        values, short = measure(rows), rows["delay_s"] <= middle
        parts += [
            f"{numpy.median(values[chosen]):.4f} {name} on {words} {1e3 * middle:.0f} ms"
            for words, chosen in (("paths of up to", short), ("those above", ~short))
        ]
    return f"{', '.join(parts)} (medians)"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput over the profile by flow, of the first seed."""
    figure, ax = pyplot.subplots(figsize=(5.4, 3))
    for number, name in enumerate(SENDERS):
        rows = _by_seed(table, name)[0]
        look: dict[str, Any] = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        flows, rates = rows["flow"], rows["over_profile"]
        ax.errorbar(
            flows, rates, rows["deviation"], ls="none", markersize=3, lw=0.7, label=name, **look
        )
    ax.axhline(1, color=style.GREY, lw=0.6)
    ax.set(xlabel="flow", ylabel="throughput over profile")
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="xcp-t6-2",
    title="Throughputs of guaranteed flows over their profiles",
    doc=__doc__,
    run=network.run,
    table=network.table,
    check=check,
    plot=plot,
)
