"""The look of figures: colours, markers, dashes, names and defaults for print.

The colours are those of the report page (``sluice report``). They can be distinguished by
colour-blind readers, and each comes with its own marker. Ideals are grey and dashed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, count
from typing import Any

import matplotlib
import numpy
from matplotlib import colors
from matplotlib.axes import Axes
from matplotlib.figure import Figure

#: Protocols with fixed looks; other names get the first looks in colours not yet in the figure.
PROTOCOLS = (
    "rcp",
    "xcp",
    "ncp",
    "tcp",
    "cubic",
    "alpha_fair",
    "bbr1",
    "bbr3",
    "dctcp",
    "prague",
    "swift",
    "hpcc",
    "tfrc",
    "xcp_guaranteed",
    "ncp_increments",
    "ledger",
)
#: Those of them that are words; the others are abbreviations.
WORDS = ("prague", "swift", "ledger")
#: The end of the name of a measured protocol (``sluice demo``), which has its colour and marker.
MEASURED = "@linux"
#: Ideals, each with its own dashes.
IDEALS = ("max_min", "srpt", "fcfs")

COLOURS = (
    "#0060a8",
    "#007a5a",
    "#7a3e9d",
    "#a34700",
    "#8a6d00",
    "#0c7c93",
    "#a8325e",
    "#1f2328",
)
MARKERS = ("o", "s", "D", "^", "v", "P", "h", "*")
GREY = "#6e7781"
#: Dashes of protocols: full lines for the first eight, others where colours repeat. Lines over time
#: and distributions have no markers.
TURNS = ("-", (0, (4, 1)), (0, (4, 1, 1, 1)))
#: The colour for errors.
ALARM = "#c4001d"
MEASURED_DASHES = (0, (2.5, 1.5))
DASHES = ((0, (5, 2.5)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
DOTS = (0, (1, 2.5))

#: For a column of a paper: 3.5 inches wide, 8 points, embedded TrueType fonts.
RC: dict[Any, Any] = {
    "figure.figsize": (3.5, 2.6),
    "figure.dpi": 150,
    "figure.constrained_layout.use": True,
    "savefig.dpi": 300,
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "legend.handlelength": 2.2,
    "legend.handletextpad": 0.5,
    "legend.columnspacing": 1.1,
    "legend.labelspacing": 0.3,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#d5dae0",
    "grid.linewidth": 0.5,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
}


@dataclass(frozen=True)
class Look:
    """The look of a protocol, an ideal or a theory."""

    title: str
    colour: str
    marker: str | None = None
    dashes: Any = "-"

    def label(self, unfinished: int) -> str:
        """Its name in a legend, with the number of flows that did not finish."""
        return f"{self.title} ({unfinished} unfinished)" if unfinished else self.title

    def line(self) -> dict[str, Any]:
        """Arguments of a line without markers."""
        return {"color": self.colour, "linestyle": self.dashes}

    def marked(self, points: int) -> dict[str, Any]:
        """Arguments of a line with a marker at each of its points. Ideals have markers only where
        the line has a single point, which would be invisible otherwise."""
        return self.line() | {"marker": self.marker or ("_" if points == 1 else None)}

    def shades(self, number: int) -> list[str]:
        """Shades of its colour: see :func:`shades`."""
        return shades(self.colour, number)


#: Processor sharing by formula.
THEORY = Look("theory: PS", "black", dashes=DOTS)


def looks(names: Iterable[str]) -> dict[str, Look]:
    """The look of each of these protocols and ideals.

    Pass all names of the results, even if only some are drawn: an unknown name gets a colour that
    no other name has, as long as there is one, so it depends on the names.

    >>> looks(["rcp", "mine"])["rcp"] == looks(["tcp", "rcp"])["rcp"]
    True
    """
    names = list(dict.fromkeys(names))
    protocols = {name: name.removesuffix(MEASURED) for name in names}
    places = {
        name: PROTOCOLS.index(protocol)
        for name, protocol in protocols.items()
        if protocol in PROTOCOLS
    }
    others = [name for name in names if name not in places and name not in IDEALS]
    places |= zip(others, _further(places.values()), strict=False)
    return {name: _ideal(name) if name in IDEALS else _at(places[name], name) for name in names}


def look(name: str) -> Look:
    """The look of one protocol or ideal with a fixed colour.

    >>> look("rcp").title
    'RCP'
    """
    return looks([name])[name]


def _further(taken: Iterable[int]) -> Iterator[int]:
    """Places of looks after those of `PROTOCOLS`: first those in colours that are not taken."""
    colours = {place % len(COLOURS) for place in taken}
    after = len(PROTOCOLS) + len(COLOURS)
    turn = range(len(PROTOCOLS), after)
    return chain(sorted(turn, key=lambda place: place % len(COLOURS) in colours), count(after))


def _at(place: int, name: str) -> Look:
    protocol = name.removesuffix(MEASURED)
    title = _title(protocol) if protocol in PROTOCOLS else name
    # Beyond eight, colours repeat with other markers and dashes.
    turn, colour = divmod(place, len(COLOURS))
    marker = MARKERS[(colour + turn) % len(MARKERS)]
    if protocol in PROTOCOLS and name != protocol:
        return Look(f"{title} on Linux", COLOURS[colour], marker, MEASURED_DASHES)
    return Look(title, COLOURS[colour], marker, TURNS[min(turn, len(TURNS) - 1)])


def _title(name: str) -> str:
    return name.capitalize() if name in WORDS else name.upper().replace("_", "-")


def _ideal(name: str) -> Look:
    title = name.replace("_", "-") if "_" in name else name.upper()
    return Look(f"ideal: {title}", GREY, dashes=DASHES[IDEALS.index(name)])


def shades(colour: str, number: int) -> list[str]:
    """Shades of a colour, from the colour itself to a light one."""
    white, full = colors.to_rgb("white"), colors.to_rgb(colour)
    parts = 0.7 * numpy.arange(number) / max(number - 1, 1)
    mixed = numpy.outer(1 - parts, full) + numpy.outer(parts, white)
    return [colors.to_hex(tuple(rgb)) for rgb in mixed]


@contextmanager
def context() -> Iterator[None]:
    """Context manager for the print defaults, for figures that you create yourself.

    >>> import matplotlib.pyplot
    >>> with context():
    ...     figure, (left, right) = matplotlib.pyplot.subplots(1, 2, figsize=(7, 2.5))
    """
    # Not `rc_context`, which restores all settings: it would undo those of a backend loaded
    # meanwhile, and a notebook would show no further figure.
    before = {name: matplotlib.rcParams[name] for name in RC}
    matplotlib.rcParams.update(RC)
    try:
        yield
    finally:
        matplotlib.rcParams.update(before)


class PrintFigure(Figure):
    """A figure that is saved with the print defaults, too."""

    def savefig(self, *args: Any, **kwargs: Any) -> None:
        """As :meth:`matplotlib.figure.Figure.savefig`."""
        with context():
            super().savefig(*args, **kwargs)


@contextmanager
def axes(ax: Axes | None) -> Iterator[Axes]:
    """The given axes, or those of a new figure with the print defaults."""
    if ax is not None:
        if not isinstance(ax, Axes):
            raise TypeError(f"`ax`: expected axes of matplotlib, not {ax!r}")
        yield ax
        return
    # A new figure is pyplot's, so that notebooks and windows show it.
    from matplotlib import pyplot

    with context():
        yield pyplot.subplots(FigureClass=PrintFigure)[1]


def legend(ax: Axes) -> None:
    """A legend above the axes in as few rows as fit, so that it covers no data.

    In a figure without a layout engine, the legend is inside the axes.
    """
    if ax.figure.get_layout_engine() is None:
        ax.legend()
        return
    handles, labels = ax.get_legend_handles_labels()
    # The width of the axes and their labels.
    box = ax.get_tightbbox()
    room = box.width if box else 0.0
    for columns in range(len(labels), 0, -1):
        rows = -(-len(labels) // columns)
        made = ax.legend(
            handles,
            labels,
            ncols=-(-len(labels) // rows),
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            borderaxespad=0.2,
        )
        if made.get_window_extent().width <= room:
            return


def legend_above(figure: Figure, ax: Axes, *, columns: int) -> None:
    """One legend above all axes of a figure, of what these axes show."""
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=columns)
