"""The congestion header (Figure 4-1), as [packets carry it](../wire.md) in a TCP option: 32 bits in
a row, coloured by who writes a field. Not copied from the thesis, which gives no sizes (9.3.3):
drawn from a list of the header's fields, which the package's tests compare with the source of the
simulator and with that page.

H_throughput is carried as X = s / r, the time between two packets of the flow, as draft-falk-xcp-
spec-03 has it: a router adds it up instead of dividing. H_rtt is 0 before the first sample, where
the thesis writes -1. The echo is the sum of H_feedback since the last acknowledgement; one that has
no data of its own carries the first two rows alone.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import matplotlib.figure
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...frame import Frame
from ...plot import style
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from ..verdict import Verdict

SENDER, ROUTER, RECEIVER, FIXED = "sender", "sender, then routers", "receiver", "the option itself"


@dataclass(frozen=True)
class Field:
    """A field of the option: its place, and what it can say."""

    name: str
    row: int
    first_bit: int
    bits: int
    writer: str
    #: What the thesis calls it; none has that of the option itself.
    thesis: str = ""
    #: Unit, as a part of a second or byte/s, and largest multiple of it.
    unit: float = 0.0
    largest: int = 0


TICK = 2.0**-28
FIELDS = (
    Field("kind 253", 0, 0, 8, FIXED),
    Field("length 20", 0, 8, 8, FIXED),
    Field("ExID 0x51CE", 0, 16, 16, FIXED),
    Field("version 1", 1, 0, 4, FIXED),
    Field("law 2", 1, 4, 4, FIXED),
    Field("echo: sum of H_feedback", 1, 8, 24, RECEIVER),
    Field("X = s / r (2^-28 s)", 2, 0, 32, SENDER, "H_throughput", TICK, 2**32 - 1),
    Field("RTT (2^-28 s)", 3, 0, 32, SENDER, "H_rtt", TICK, 2**32 - 1),
    Field("H_feedback (byte/s, signed)", 4, 0, 32, ROUTER, "H_feedback", 1.0, 2**31 - 1),
)
ROWS, WORD = 5, 32
#: The thesis' simulations (chapter 5): bit/s and seconds, and bits of a packet.
CAPACITIES, RTTS, PACKET = (1.5e6, 4e9), (0.01, 1.4), 8000
COLOURS = {SENDER: "#cfe0f0", ROUTER: "#f4d9c2", RECEIVER: "#d3ead9", FIXED: "#eceff2"}


def run(scale: Scale) -> tuple[Field, ...]:
    """Nothing is simulated."""
    return FIELDS


def table(fields: tuple[Field, ...]) -> Frame:
    """A row for each field."""
    return frame([asdict(field) for field in fields])


def check(table: Frame) -> list[Claim]:
    """What the fields can say. Which there are, and who writes them, the package's tests check."""
    stated = [name for name in table["thesis"] if name]
    return [
        everywhere(
            "the fields can say what chapter 5 needs (1.5 Mb/s to 4 Gb/s, 10 ms to 1.4 s, packets "
            "of 1000 bytes): unit over the least value",
            "not stated",
            {f"of {name}": Interval.exactly(_coarse(table, name)) for name in stated},
            high=0.01,
            form=".1e",
            also=Verdict.of(all(_reach(table, name) >= 1 for name in stated)),
            taken="below 0.01, and the largest value within reach",
        ),
    ]


def _needed(name: str) -> tuple[float, float]:
    """The least and the largest value, in seconds or byte/s. A packet carries at most the change
    from nothing to the largest capacity, and at the least one of a thousandth of the smallest."""
    if name == "H_throughput":
        # The longest time is that of a packet in a round trip.
        return PACKET / max(CAPACITIES), max(RTTS)
    if name == "H_rtt":
        return RTTS
    return min(CAPACITIES) / 8 / 1000, max(CAPACITIES) / 8


def _coarse(table: Frame, name: str) -> float:
    """The unit over the least value."""
    return float(table.where(thesis=name)["unit"][0]) / _needed(name)[0]


def _reach(table: Frame, name: str) -> float:
    """The largest multiple of the unit over the largest value."""
    row = table.where(thesis=name)
    return float(row["unit"][0] * row["largest"][0]) / _needed(name)[1]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Fields as boxes, a row for a word."""
    figure, ax = pyplot.subplots(figsize=(5.6, 2.6))
    columns = (table[name] for name in ("name", "row", "first_bit", "bits", "writer", "thesis"))
    for name, row, first, bits, writer, thesis in zip(*columns, strict=True):
        box = Rectangle((first, row), bits, 1, facecolor=COLOURS[writer], edgecolor="black", lw=0.6)
        ax.add_patch(box)
        text = f"{thesis}: {name}" if thesis and not name.startswith(thesis) else name
        ax.text(first + bits / 2, row + 0.5, text, ha="center", va="center", fontsize=7)
    _frame(ax)
    handles = [
        Rectangle((0, 0), 1, 1, facecolor=colour, edgecolor="black", lw=0.6, label=writer)
        for writer, colour in COLOURS.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure


def _frame(ax: Axes) -> None:
    """Bits above the words, and bytes beside them."""
    ax.set(xlim=(0, WORD), ylim=(ROWS, 0), xlabel="bit", ylabel="byte")
    ax.xaxis.set_label_position("top")
    ax.xaxis.tick_top()
    ax.set_xticks(range(0, WORD + 1, 8))
    ax.set_yticks([row + 0.5 for row in range(ROWS)], [str(4 * row) for row in range(ROWS)])
    ax.tick_params(length=0)
    ax.grid(False)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.spines["top"].set_color(style.GREY)


FIGURE = Figure(
    id="xcp-4-1",
    title="The congestion header",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
