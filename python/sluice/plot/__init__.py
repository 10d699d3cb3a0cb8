"""The field's usual figures, on matplotlib.

Each function takes results, draws one figure and returns its axes::

    import sluice

    results = sluice.load("results/websearch")
    ax = sluice.plot.completion(results, figure="p99")
    ax.figure.savefig("p99.pdf")

They draw into the axes of ``ax=``, in the caller's own style; without it into a new figure that is
ready for print: as wide as a column, its fonts embedded as TrueType. :func:`context` gives these
defaults to figures that you begin yourself. matplotlib's own settings stay as they are. Legends
stand above the axes if the figure's layout makes room for them (``layout="constrained"``), else
within.

A protocol has one colour and one marker in all figures, ideals are grey and dashed
(``sluice.plot.style``). Data are in seconds, bytes, packets and bits a second; axes choose the
multiple that reads best.
"""

from __future__ import annotations

from .by_size import completion, slowdown
from .distribution import cdf
from .over_time import cwnd, queue, rate, series
from .packets import sequence
from .picture import inline
from .portrait import phase
from .sharing import convergence, fairness
from .style import context
from .sweeps import sweep
from .topology import network

__all__ = [
    "cdf",
    "completion",
    "context",
    "convergence",
    "cwnd",
    "fairness",
    "inline",
    "network",
    "phase",
    "queue",
    "rate",
    "sequence",
    "series",
    "slowdown",
    "sweep",
]
