"""Windows of few packets: throughput of the fastest of twenty long XCP flows over that of the
slowest, and utilization, against the fair window, with round trips evenly from 40 to 120 ms.
Windows are real numbers, and packets are whole. A sender may state its window as a whole number of
packets, as ns-2's does (`stated_window = "whole"`), or accumulate the fraction and send a packet
more in some round trips (`"exact"`, the default here, [decision 3](../decisions/003-xcp.md)). The
capacity makes the fair window at 80 ms that number of packets; flows start in the first second and
are measured from 30 s to 90 s. Means over four seeds; bars are 95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..link import bottleneck
from ..rows import frame
from ..scale import Scale
from .axis import SEEDS
from .bottleneck import PACKET_BITS

FLOWS, RTT_S = 20, 0.08
WINDOWS, QUICK = (1, 2, 3, 4, 6, 12, 50), (2, 6)
STATED = ("whole", "exact")
#: By what is stated, and the fair window.
Runs = dict[tuple[str, int], Results]


def run(scale: Scale) -> Runs:
    """Each way of stating windows at each fair window."""
    return {
        (stated, window): scale.run(
            _scenario(stated, window),
            ["xcp"],
            name=f"xcp-windows/{stated}-{window}",
            seeds=scale.pick(1, SEEDS),
        )
        for stated in STATED
        for window in scale.pick(QUICK, WINDOWS)
    }


def _scenario(stated: str, window: int) -> Scenario:
    capacity = FLOWS * window * PACKET_BITS / RTT_S
    dumbbell = {
        "pairs": FLOWS,
        "capacity": f"{capacity:.0f} bps",
        "rtt": ["40 ms", "120 ms"],
    }
    return Scenario(
        name="small-windows",
        warm_up="30 s",
        stop="90 s",
        limit="90 s",
        ideals=[],
        topology={"dumbbell": dumbbell},
        xcp={"stated_window": stated},
        group=[{"name": "long", "pairs": "each", "long": {"within": "1 s"}}],
    )


def table(runs: Runs) -> Frame:
    """A row for each way, window and seed."""
    rows = []
    for (stated, window), results in runs.items():
        for seed in results.seeds:
            delivered = results.flows("xcp", seed)["delivered_bytes"]
            rows.append(
                {
                    "stated": stated,
                    "window": window,
                    "seed": seed,
                    "fastest": float(delivered.max() / delivered.min()),
                    "utilization": float(bottleneck(results, "xcp", seed)["utilization"][0]),
                }
            )
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """How unfair few packets are, and that fractions help."""
    windows = [int(each) for each in numpy.unique(table["window"])]
    return [
        everywhere(
            "the smaller the windows, the less fair is XCP: what the fastest flow has more than "
            "the slowest, at the smallest window over that at the largest",
            "as the fair window size decreases, the effect of the rounding error increases (5.2.3)",
            {
                f"with {stated} windows": Interval.of(
                    (table.where(stated=stated, window=windows[0])["fastest"] - 1)
                    / (table.where(stated=stated, window=windows[-1])["fastest"] - 1)
                )
                for stated in STATED
            },
            low=1,
            form=".0f",
        ),
        everywhere(
            "windows with their fraction are fairer than whole ones: the fastest over the "
            "slowest, exact over whole",
            "not stated",
            _exact_over_whole(table, "fastest"),
            high=1,
            form=".3f",
        ),
        everywhere(
            "and use more of the link: utilization, exact over whole",
            "not stated",
            _exact_over_whole(table, "utilization"),
            low=1,
            form=".4f",
        ),
    ]


def _exact_over_whole(table: Frame, column: str) -> dict[str, Interval]:
    return {
        f"at {window}": Interval.of(
            table.where(stated="exact", window=int(window))[column]
            / table.where(stated="whole", window=int(window))[column]
        )
        for window in numpy.unique(table["window"])
    }


def _mean(table: Frame, stated: str, window: int, column: str) -> Interval:
    return Interval.of(table.where(stated=stated, window=window)[column])


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Unfairness and utilization against the fair window."""
    figure, panels = pyplot.subplots(1, 2, figsize=(7, 2.8))
    windows = numpy.unique(table["window"])
    for column, ax in zip(("fastest", "utilization"), panels, strict=True):
        for number, stated in enumerate(STATED):
            found = [_mean(table, stated, int(window), column) for window in windows]
            look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
            with_bars(ax, windows, found, label=stated, **look)
        scales.logarithmic(ax, "x", "fair window (packets)", "")
    panels[0].set_ylabel("fastest over slowest flow")
    panels[1].set_ylabel("utilization")
    style.legend_above(figure, panels[0], columns=len(STATED))
    return figure


FIGURE = Figure(
    id="xcp-windows",
    title="Windows of few packets",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
