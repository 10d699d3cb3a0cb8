"""The completion time of L packets in slow start, by the paper's formula ceil(log2(L + 1) + 1/2) x
RTT + L/C, on the link of its example: 1 Mb/s and a round trip of 200 ms, where it says that 15
packets take 800 ms, four times the minimum. The minimum is SYN exchange, propagation and
transmission: 1.5 x RTT + L/C. Markers are a simulated TCP flow alone on that link.

Ours, since the paper leaves both open: packets of 1000 bytes, initial windows of 1 and 2.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...sweeps import Sweep
from ...theory import slow_start
from ..claim import Claim
from ..figure import Figure
from ..link import PACKET
from ..scale import Scale
from ..verdict import Verdict
from . import alone

CAPACITY = 1e6
RTT = 0.2
#: The paper's example: packets, seconds, and how many times the least.
EXAMPLE, SAID, TIMES = 15, 0.8, 4
WINDOWS = [1, 2]
#: At the last size of a round and the first of the next, where the formula steps.
SIZES = [1, 2, 3, 4, 5, 6, 8, 10, 11, 12, EXAMPLE, 16, 22, 23, 30, 31, 32, 38, 45, 46, 54, 64]


def run(scale: Scale) -> Sweep:
    """The same at both scales: it takes seconds."""
    link = {"capacity": "1 Mbps", "rtt": "200 ms"}
    return alone.sweep(scale, link, SIZES, {"tcp.initial_window": WINDOWS}, "fct-ss")


def table(sweep: Sweep) -> Frame:
    """A row for each size: the least, by formula, and simulated from both windows."""
    simulated = [alone.completion_s(results, SIZES) for results in sweep]
    sent = numpy.array(SIZES) * PACKET * 8 / CAPACITY
    return Frame(
        pyarrow.table(
            {
                "packets": SIZES,
                "min_s": 1.5 * RTT + sent,
                "formula_s": slow_start.completion_s(SIZES, CAPACITY, RTT),
                **{f"window_{n}_s": found for n, found in zip(WINDOWS, simulated, strict=True)},
            }
        )
    )


def check(table: Frame) -> list[Claim]:
    """The example by formula and in packets; then all sizes."""
    example = table.where(packets=EXAMPLE)
    least, formula, simulated = (
        float(example[name][0]) for name in ("min_s", "formula_s", "window_1_s")
    )
    sending = least - 1.5 * RTT
    columns = (table[name] for name in ("packets", "window_1_s", "formula_s"))
    beside = {
        f"at {int(packets)} packets": (ours, by_formula)
        for packets, ours, by_formula in zip(*columns, strict=True)
    }
    return [
        Claim(
            f"{EXAMPLE} packets over 200 ms and 1 Mb/s take 800 ms: the completion time by formula",
            paper=f"{SAID} s",
            ours=f"{formula:.2f} s by the formula, {simulated:.2f} s in packets",
            verdict=Verdict.of(abs(formula / SAID - 1) < 0.05),
            taken="the formula within 5 % of it",
            why=f"the formula has {slow_start.rounds(EXAMPLE)} round trips and {sending:.2f} s of "
            f"sending; {SAID} s are {SAID / RTT:g} round trips",
        ),
        Claim(
            "which is about four times the least possible: the formula's time over the least",
            paper=f"{TIMES}",
            ours=f"{formula / least:.2f} by the formula, {simulated / least:.2f} in packets; "
            f"the least is {least:.2f} s",
            verdict=Verdict.of(abs(formula / least / TIMES - 1) < 0.2),
            taken="3.2 to 4.8 by the formula",
            why=f"{SAID} s are {SAID / least:.2f} times the least, and {SAID / RTT:g} round trips",
        ),
        alone.as_by_formula(beside),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The formula at every size, the simulation at some."""
    figure, ax = pyplot.subplots(figsize=(3.5, 2.6))
    sizes = numpy.arange(SIZES[0], SIZES[-1] + 1)
    formula = slow_start.completion_s(sizes, CAPACITY, RTT)
    ax.step(sizes, formula, where="mid", color="black", label="formula")
    ax.plot(table["packets"], table["min_s"], color=style.GREY, ls="dashed", label="least")
    colour = style.look("tcp").colour
    for window, shade, marker in zip(WINDOWS, style.shades(colour, 2), style.MARKERS, strict=False):
        label = f"simulated, initial window {window}"
        ax.plot(table["packets"], table[f"window_{window}_s"], marker, color=shade, label=label)
    ax.plot(EXAMPLE, SAID, "x", color=style.ALARM, ms=6, mew=1.5, label="the text's 800 ms")
    scales.linear(ax, "x", "flow size (packets)", "")
    scales.linear(ax, "y", "completion time", "s")
    ax.set(xlim=(0, None), ylim=(0, None))
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="fct-ss",
    title="Fifteen packets in slow start",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
