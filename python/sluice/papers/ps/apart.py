"""Short and long flows as two bins, as in Figures 9 and 11 of PS."""

from __future__ import annotations

import math
from collections.abc import Mapping

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.ticker import StrMethodFormatter

from ...frame import Frame
from ...plot import scales, style
from ...plot.by_size import bands
from .. import completion
from ..claim import Claim, everywhere
from ..interval import Interval

#: RCP with the gains of the paper on buffers, with which R recovers faster than with those of PS.
QUICKER, GAINS = "rcp with alpha 0.4, beta 0.5", {"alpha": 0.4, "beta": 0.5}
NAMES = ["rcp", "xcp", "tcp", "max_min"]
#: Both kinds of processor sharing, with their names in claims.
SHARING = {completion.FORMULA: "formula (3)", "max_min": "same flows"}
#: Bound for "close to processor sharing", as a factor.
CLOSE = 1.5
#: Above all sizes, in packets.
NEVER = 1e12


def edges(longer: int) -> numpy.ndarray:
    """The edges of the two bins, in packets; long flows have ``longer`` or more."""
    return numpy.array([1, longer, NEVER])


def protocol(name: str) -> str:
    """The protocol in the results of its runs."""
    return "rcp" if name == QUICKER else name


def times(table: Frame, over: str, under: str) -> numpy.ndarray:
    """The ratio of mean completion times in each run."""
    return table.where(protocol=over)["mean_s"] / table.where(protocol=under)["mean_s"]


def close(says: str, rows: Mapping[str, Frame], sides: Mapping[str, int]) -> Claim:
    """The claim that RCP is close to processor sharing at several points.

    ``rows`` are the rows of each point, such as ``at 20 ms``; ``sides`` the two bins by how their
    flows are described, such as ``below 7000``.
    """
    found, beside = (
        {
            f"{at}, flows {what} packets, {which}": Interval.of(
                times(own.where(packets_from=side), name, under)
            )
            for what, side in sides.items()
            for under, which in SHARING.items()
            for at, own in rows.items()
        }
        for name in ("rcp", QUICKER)
    )
    return everywhere(says, "close", found, low=1 / CLOSE, high=CLOSE, why=with_gains(beside))


def with_gains(beside: dict[str, Interval]) -> str:
    """The range of ratios with other gains, to follow a claim that RCP is close."""
    lowest, largest = (pick(each.mean for each in beside.values()) for pick in (min, max))
    return f"with alpha {GAINS['alpha']} and beta {GAINS['beta']}: {lowest:.2f} to {largest:.2f}"


def panels(
    table: Frame, longer: int, column: str, title: str, *, logarithmic: bool
) -> matplotlib.figure.Figure:
    """Mean completion times against a column, in a panel for each bin."""
    figure, axes = pyplot.subplots(1, 2, figsize=(7, 2.9))
    at = list(numpy.unique(table[column]))
    looks = style.looks(NAMES) | {completion.FORMULA: style.THEORY}
    for ax, side, which in zip(axes, (1, longer), ("below", "from"), strict=True):
        drawn = []
        for name, look in looks.items():
            rows = table.where(packets_from=side, protocol=name)
            found = [Interval.of(rows.where(**{column: each})["mean_s"]) for each in at]
            middle = [each.mean for each in found]
            ax.plot(at, middle, label=look.title, **look.marked(len(at)))
            if name in style.PROTOCOLS and math.isfinite(found[0].low):
                drawn.append((look, at, [(each.low, each.high) for each in found]))
        if logarithmic:
            scales.logarithmic(ax, "x", title, "")
            ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        else:
            ax.set(xticks=at, xlabel=title)
        scales.logarithmic(ax, "y", f"mean of flows {which} {longer} packets", "s")
        bands(ax, drawn)
    style.legend(axes[0])
    return figure
