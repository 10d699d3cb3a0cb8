"""One legend for all panels of a figure, above them."""

from __future__ import annotations

import matplotlib.figure
from matplotlib.axes import Axes

COLUMNS = 5


def above(figure: matplotlib.figure.Figure, ax: Axes) -> None:
    """A legend of the lines of one panel."""
    handles, names = ax.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=COLUMNS)
