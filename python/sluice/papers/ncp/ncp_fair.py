"""Does NCP beat RCP, and where? One place of reference, and others that differ from it in a single
dimension (but for several bottlenecks, see below): a link of 150 Mb/s, a round trip of 100 ms, a
buffer of a bandwidth-delay product (BDP, 1875 packets of 1000 bytes), Poisson arrivals of Pareto
sizes (mean 30 packets, shape 1.4) at a load of 0.8. On the left is NCP's mean completion time over
RCP's of the same flows, then that of classes of sizes; then the queue that is exceeded for 1 % of
the time, and the part of packets dropped.

NCP has this program's alpha 0.95 and beta 0.6, as its paper prints none, and (8); RCP has its
papers' 0.1 and 1; RCP 0.4 has 0.4 for both. Hosts are the same for all: loss recovery with SACK,
each packet acknowledged, time-outs of at least 200 ms and 200 ms above the smoothed RTT, a SYN that
is repeated after 1 s, and a rate from the routers with the answer to it. Hosts take a random time
of up to half a packet's for a packet, and time-outs are late by up to an eighth. Headers take no
room, as in the papers.

Completion times that differ by 2 % at most count as equal; the paper has no number. Shorter, longer
or equal is where the whole interval of their ratio is below 0.98, above 1.02 or between.

A crowd is flows of the same sizes that start at one instant beside the load. Round trips of 10 to
300 ms are those of ten pairs of hosts, with a buffer of a BDP of their mean; with a single round
trip the buffer is a BDP of it. Of several bottlenecks in a row each has half its load from flows
that cross all of them in 100 ms, and half from others that cross this one in 36 ms, so that round
trips differ too; the longest queue counts, and all drops. At a load of 1.2 arrivals end with the
time measured: the link has to serve the excess afterwards, and completion times depend on how long
that was.

Flows that arrive in 10 s after a warm-up of 5 s are measured (quick: 4 s), for the web search 40 s
(10 s), data mining 80 s, RPCs 3 s. Load goes on until these have finished, for 20 s or twice the
time measured at most; what has not finished then counts with its age. Classes with fewer than ten
flows in some run are left out, and claims about a class need three places. Ten seeds (quick: two,
and fewer places). Bars on the left are 95 % intervals over seeds for each place alone, so that one
in twenty may miss; the other panels have means alone. On the left the colour is NCP's where its
flows take less time, RCP's where they take more, black where equal, and grey where not decided.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ..claim import Claim, everywhere
from ..closeness import CLASSES
from ..drawing import bars, means
from ..figure import Figure
from ..interval import Interval
from .fair_claims import (
    DROPPED,
    QUEUED,
    answered,
    apart,
    by_class,
    by_dimension,
    can,
    present,
    times,
)
from .fair_places import DIMENSIONS, NCP, RCP, REFERENCE, SYSTEMS
from .fair_runs import ALL, run, table
from .sides import EQUAL, LONGER, OPEN, SHORTER, side

#: NCP; section 2.2 has these of RCP.
AVOIDS = '"avoids all limitations of RCP and XCP" (section 2.3)'
#: Colours by the side of 1 on which a ratio is.
COLOURS = {
    SHORTER: style.look("ncp").colour,
    LONGER: style.look("rcp").colour,
    EQUAL: "black",
    OPEN: style.GREY,
}
#: Room beside the ratios of all flows, as a factor.
MARGIN = 1.6


def check(table: Frame) -> list[Claim]:
    """The paper's claim, and over all places; then by dimension, by size, and what it costs."""
    return [
        can(table, NCP, RCP),
        answered(table),
        *by_dimension(table),
        *by_class(table),
        everywhere(
            "NCP drops no more than RCP: part of packets dropped, less RCP's",
            f'{AVOIDS}, such as "packet losses" (section 2.2)',
            apart(table, "dropped"),
            high=DROPPED,
            form=".4f",
        ),
        everywhere(
            "NCP's queue is no longer than RCP's: what it exceeds for 1 % of the time in BDP, less "
            "RCP's",
            f'{AVOIDS}, such as "more queuing delays" (section 2.2)',
            apart(table, "queue_bdp"),
            high=QUEUED,
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A line for each place."""
    lines = _lines(table)
    height = 1.2 + 0.13 * len(lines)
    figure, panels = pyplot.subplots(
        1, 4, figsize=(7, height), sharey=True, width_ratios=(3, 2.6, 1.6, 1.6)
    )
    _ratios(panels[0], table, lines)
    _classes(panels[1], table, lines)
    _links(panels[2], table, lines, "queue_bdp", 1.0, "long queue (BDP)")
    _links(panels[3], table, lines, "dropped", 100.0, "dropped (%)")
    _legend(panels[2], 1)
    for ax in panels:
        ax.grid(visible=False, axis="y")
        ax.tick_params(axis="y", length=0)
        for at, (_, name) in lines.items():
            if name:
                ax.axhline(at, color=style.RC["grid.color"], linewidth=0.5, zorder=0)
    panels[0].set_yticks([*lines], [title for title, _ in lines.values()])
    for label, (_, name) in zip(panels[0].get_yticklabels(), lines.values(), strict=True):
        label.set_fontweight("normal" if name else "bold")
    panels[0].set_ylim(max(lines) + 0.7, min(lines) - 0.7)
    figure.align_xlabels()
    return figure


def _lines(table: Frame) -> dict[int, tuple[str, str]]:
    """By height: a title, and the name of the place or nothing for that of a dimension."""
    found = [("reference", REFERENCE.name)]
    for dimension in DIMENSIONS.values():
        own = [
            (label, place.name)
            for label, place in dimension.places.items()
            if place.name in present(table) and place is not REFERENCE
        ]
        if own:
            found += [(dimension.title, ""), *own]
    return dict(enumerate(found))


def _ratios(ax: Axes, table: Frame, lines: dict[int, tuple[str, str]]) -> None:
    named = {at: name for at, (_, name) in lines.items() if name}
    found = {at: times(table, NCP, RCP, {"": name})[""] for at, name in named.items()}
    for at, ratio in found.items():
        colour = COLOURS[side(ratio)]
        ax.errorbar(ratio.mean, at, xerr=bars([ratio]), color=colour, marker="o", elinewidth=1)
    for words, colour in COLOURS.items():
        ax.plot([], [], "o", color=colour, label=words)
    ax.set_xlabel("NCP / RCP, all flows")
    # Few seeds have intervals of decades, which are cut.
    ends = means([*found.values()])
    ax.set_xlim(ends.min() / MARGIN, ends.max() * MARGIN)
    _of_ratios(ax)
    _legend(ax, 1)


def _classes(ax: Axes, table: Frame, lines: dict[int, tuple[str, str]]) -> None:
    shades = style.shades(style.look("ncp").colour, len(CLASSES))[::-1]
    for sizes, shade, marker in zip(CLASSES.values(), shades, style.MARKERS, strict=False):
        found = {
            at: ratio
            for at, (_, name) in lines.items()
            for ratio in times(table, NCP, RCP, {"": name} if name else {}, sizes).values()
        }
        ax.plot(means([*found.values()]), [*found], ls="", marker=marker, color=shade, label=sizes)
    ax.set_xlabel("NCP / RCP, by size (packets)")
    _of_ratios(ax)
    _legend(ax, 2)


def _of_ratios(ax: Axes) -> None:
    ax.axvline(1, color="black", linewidth=0.7)
    ax.set_xscale("log")
    low, high = ax.get_xlim()
    ticks = [each for each in (0.1, 0.2, 0.5, 1, 2, 5, 10) if low <= each <= high]
    ax.set_xticks(ticks, [f"{each:g}" for each in ticks])
    ax.minorticks_off()


def _links(
    ax: Axes, table: Frame, lines: dict[int, tuple[str, str]], column: str, unit: float, title: str
) -> None:
    rows = table.where(sizes=ALL)
    for system in (RCP, NCP):
        found = {
            at: Interval.of(unit * rows.where(place=name, system=system)[column])
            for at, (_, name) in lines.items()
            if name
        }
        look = style.look(SYSTEMS[system].protocol)
        place = numpy.array([*found])
        mean = means([*found.values()])
        ax.plot(mean, place, ls="", marker=look.marker, color=look.colour, label=system)
    ax.set_xlabel(title)
    ax.set_xlim(left=0)


def _legend(ax: Axes, columns: int) -> None:
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns, borderaxespad=0.2)


FIGURE = Figure(
    id="ncp-fair",
    title="Does NCP beat RCP, and where? One dimension at a time",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
