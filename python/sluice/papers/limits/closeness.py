"""How close a protocol comes to processor sharing, by flow size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim
from ..interval import Interval
from ..scale import Scale
from .places import PACKET

#: Classes of flows: the packets they begin at, and how many they have.
CLASSES = {1: "up to 30", 30: "30 to 300", 300: "300 to 3000", 3000: "over 3000"}
EDGES = (*CLASSES, numpy.inf)
#: Where an axis of ratios that spans less than so many decades is marked.
MARKED = {0.7: (1, 1.2, 1.5, 2, 3, 5, 7), 2: (1, 2, 5), numpy.inf: (1,)}
#: No ratio drawn is below; bars that reach below it would take up the room of the others.
LEAST = 0.5
#: Why a claim is not borne out by a mean that is within its bound.
UNSURE = "the interval reaches beyond the bound: so few runs do not tell"
#: At most so many times processor sharing's time is close to it (ours; the papers give no bound).
CLOSE = 1.25


def by_size(
    results: Results,
    edges: Sequence[float] | numpy.ndarray = EDGES,
    unit: float = PACKET,
    *,
    group: str | None = None,
    **of: Any,
) -> list[dict[str, Any]]:
    """A row for each protocol, seed and class of sizes in which there are flows, with the columns
    ``of`` before. ``edges`` are sizes over ``unit`` bytes; with a ``group`` only its flows count.

    ``ratio`` is their mean completion time over that of the same flows under processor sharing
    (the ideal max-min, on one link). A flow that had not finished when the run ended counts as
    finished then: with such flows the ratio is a least one.
    """
    rows = []
    for name in results.protocols:
        for seed in results.seeds:
            flows = results.flows(name, seed)
            known = flows["measured"] & ~numpy.isnan(flows["ideal_ns"])
            if group is not None:
                known &= flows["group"] == group
            open_end = numpy.isnan(flows["completion_ns"])
            end = numpy.nanmax(flows["start_ns"] + flows["completion_ns"])
            seconds = numpy.where(open_end, end - flows["start_ns"], flows["completion_ns"]) / 1e9
            place = numpy.digitize(flows["size_bytes"] / unit, edges) - 1
            for index in range(len(edges) - 1):
                these = known & (place == index)
                if not these.any():
                    continue
                ideal = flows["ideal_ns"][these].mean() / 1e9
                rows.append(
                    of
                    | {
                        "protocol": name,
                        "seed": seed,
                        "size_from": float(edges[index]),
                        "flows": int(these.sum()),
                        "unfinished": int((these & open_end).sum()),
                        "repeats": _repeats(flows, these),
                        "mean_bytes": flows["size_bytes"][these].mean(),
                        "mean_s": seconds[these].mean(),
                        "ideal_s": ideal,
                        "ratio": seconds[these].mean() / ideal,
                    }
                )
    return rows


def _repeats(flows: Frame, these: numpy.ndarray) -> float:
    """How often a packet was sent again, on average."""
    packets = numpy.ceil(flows["size_bytes"][these] / PACKET)
    return float(flows["retransmissions"][these].sum() / packets.sum())


#: What TCP with selective acknowledgements is called: stronger than the Reno of the papers.
SACK = "TCP with SACK"


def run_beside_tcp(
    scale: Scale, place: Scenario, *, name: str, seeds: int
) -> tuple[Results, Results]:
    """RCP and TCP Reno, and TCP with SACK, over the same flows."""
    with_sack = place.set({"tcp.recovery": "sack"})
    return (
        scale.run(place, ["rcp", "tcp"], name=name, seeds=seeds),
        scale.run(with_sack, ["tcp"], name=f"{name}-sack", seeds=seeds),
    )


def beside_tcp(ran: tuple[Results, Results], **of: Any) -> list[dict[str, Any]]:
    """The rows of :func:`by_size` of all three."""
    plain, with_sack = ran
    return by_size(plain, **of) + [row | {"protocol": SACK} for row in by_size(with_sack, **of)]


def ratio(table: Frame, **where: Any) -> Interval:
    """Over the seeds of these rows."""
    return Interval.of(table.where(**where)["ratio"])


def over(table: Frame, other: str, **where: Any) -> Interval:
    """RCP's mean completion time over another protocol's, seed by seed."""
    own, its = (table.where(protocol=name, **where) for name in ("rcp", other))
    return Interval.of(own["mean_s"] / its["mean_s"])


def claim(where: str, table: Frame, why: str) -> Claim:
    """That RCP is close to processor sharing there, at every class of sizes."""
    rows = table.where(protocol="rcp")
    found = {size: ratio(rows, size_from=size) for size in numpy.unique(rows["size_from"])}
    size, farthest = max(found.items(), key=lambda each: _most(each[1]))
    missing = int(rows["unfinished"].sum())
    left = f"; {missing} flows did not finish" if missing else ""
    return Claim(
        f"{where} RCP is close to processor sharing",
        paper="close",
        ours=f"{farthest:.2f} times its time where it is farthest, flows of {CLASSES[size]} "
        f"packets{left}",
        holds=all(each.below(CLOSE) for each in found.values()),
        taken=f"below {CLOSE}, sizes by class",
        why=why if farthest.mean >= CLOSE else UNSURE,
    )


def sooner(table: Frame, other: str, x: str, why: str) -> Claim:
    """That flows take less time than under another protocol, at every place and class of sizes."""
    title = style.looks([other])[other].title
    times = {
        (place, size): over(table, other, **{x: place}, size_from=size)
        for place in numpy.unique(table[x])
        for size in CLASSES
    }
    slower = [each for each, took in times.items() if not took.below(1)]
    (_, size), worst = max(times.items(), key=lambda each: each[1].mean)
    return Claim(
        f"flows take less time than under {title}, at every place and size",
        paper="much faster" if other == "tcp" else "not said",
        ours=f"{worst:.2f} times its time at worst, flows of {CLASSES[size]} packets; not below 1 "
        f"at {len(slower)} of {len(times)} places and sizes",
        holds=not slower,
        taken="below 1",
        why=why if worst.mean >= 1 else UNSURE,
    )


def _most(interval: Interval) -> float:
    """What it may be at most; of one run, what that is."""
    return interval.high if numpy.isfinite(interval.high) else interval.mean


def panels(table: Frame, x: str) -> tuple[matplotlib.figure.Figure, list[Axes]]:
    """Ratios against a column: a panel for each protocol, a line for each class of sizes."""
    names = list(dict.fromkeys(table["protocol"]))
    figure, drawn = pyplot.subplots(1, len(names), figsize=(7, 2.8), sharey=True)
    for name, ax in zip(names, drawn, strict=True):
        look = style.looks(names)[name]
        # The longest flows are the darkest.
        shades = style.shades(look.colour, len(CLASSES))[::-1]
        for (size, title), shade, marker in zip(
            CLASSES.items(), shades, style.MARKERS, strict=False
        ):
            rows = table.where(protocol=name, size_from=size)
            # Short names, so that the legend of a narrow panel takes two rows.
            unit = " packets" if size == max(CLASSES) else ""
            line(ax, rows, x, color=shade, marker=marker, label=f"{title}{unit}")
        ax.set_ylabel(f"{look.title} / processor sharing")
    for ax in drawn:
        ratios(ax)
    return figure, list(drawn)


def line(ax: Axes, table: Frame, x: str, **look: Any) -> None:
    """Ratios against a column, with their intervals as bars."""
    places = numpy.unique(table[x])
    found = [ratio(table, **{x: place}) for place in places]
    means = numpy.array([each.mean for each in found])
    # One run has no interval, and no bar.
    ends = numpy.array([[each.low, each.high] for each in found])
    ends = numpy.where(numpy.isfinite(ends), ends, means[:, None])
    # An interval may reach below 0, which an axis in decades cannot show.
    low = means - numpy.maximum(ends[:, 0], means / 10)
    ax.errorbar(places, means, yerr=[low, ends[:, 1] - means], elinewidth=0.7, **look)


def ratios(ax: Axes) -> None:
    """An axis of ratios in plain numbers, with a line at processor sharing."""
    ax.set(yscale="log")
    ax.set_ylim(bottom=max(ax.get_ylim()[0], LEAST))
    low, high = ax.get_ylim()
    span = numpy.log10(high / low)
    marked = next(subs for most, subs in MARKED.items() if span < most)
    ax.yaxis.set_major_locator(LogLocator(subs=marked))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.axhline(1, color="black", linewidth=0.7)
