"""Completion time with twice the arrivals of [ncp-1](#ncp-1), NCP's Figure 2: f = 2 load C / size
with a load of 0.9, a link pressure of 1.8. More arrives than the link can carry, so there is no
steady state, and completion times depend on how long it lasts, which the paper does not print:
here flows arrive for 1 s (2.4 Gb/s) or 10 s (150 Mb/s; quick: half of these) on an idle link, and
then no more, so that it serves the excess for 0.8 of that time at least. All flows count; those
that have not finished 100 s later count with their age. The rest is as in ncp-1.
"""

from __future__ import annotations

import matplotlib.figure

from ...frame import Frame
from ..claim import Claim
from ..figure import Figure
from ..scale import Scale
from .arrivals import LOAD, NCP, RCP, TCP, XCP, Runs, beside, table
from .arrivals import plot as draw
from .arrivals import run as simulate

#: f = 2 rho C / F (section 11.2).
PRESSURE = 2 * LOAD
WORSE = '"the performance of RCP is worse than XCP and TCP as shown in Figure 2"'
BEST = "Figure 2 (its curves are not in the text)"


def run(scale: Scale) -> Runs:
    """Both readings."""
    return simulate(scale, PRESSURE, "ncp-2")


def check(table: Frame) -> list[Claim]:
    """The sentence about the figure, and NCP beside all."""
    return [
        *beside(table, RCP, XCP, "RCP is worse than XCP", WORSE, low=1),
        *beside(table, RCP, TCP, "RCP is worse than TCP", WORSE, low=1),
        *beside(table, NCP, RCP, "NCP outperforms RCP", BEST, high=1),
        *beside(table, NCP, XCP, "NCP outperforms XCP", BEST, high=1),
        *beside(table, NCP, TCP, "NCP outperforms TCP", BEST, high=1),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Without a formula: there is no steady state."""
    return draw(table)


FIGURE = Figure(
    id="ncp-2",
    title="Completion time at a link pressure of 1.8: NCP beside RCP, XCP, TCP and max-min",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
