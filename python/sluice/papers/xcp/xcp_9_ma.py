"""Links of unknown capacity (section 9.3.1): both proposals of the thesis beside XCP with (4.3).

Ten long flows with a round trip of 80 ms over a link of 100 Mb/s and a buffer of a bandwidth-delay
product. A router either *knows* the capacity, where it varies its mean over each control interval;
or it is *configured* with one; or it *measures* "the speed at which the router drains packets"
(`measure_capacity`); or it goes by the *queue alone* (`efficiency = "queue"`): it increases by a
tenth of the configured capacity while the queue is empty, and decreases by beta Q / d while it is
not. Only one router sends into each link here; the thesis' case of several, on a multi-access link,
is not simulated.

*The speed at which it drains packets* is read as what left over the time in which the router had
packets to send. Over all of an interval, it would be at most the input rate, and the traffic could
only shrink; and a router without packets sees no speed.

*Left*, the capacity is 100 Mb/s for half of a period and 50 Mb/s for the other. *Middle*, it is
constant, and routers are configured with another one; crosses are the equilibrium of (4.3).
*Right*, the cycle of the last controller, in packets, as a fluid (`queue_cycle.py`), and with as
many flows the other way: phi is never zero, so that rate and queue go round, the further the larger
the increase. With rates as in Appendix B it would go further (dotted): there the queue is the
integral of the rate's excess, but ack-clocked senders have no excess beyond a round trip, as what
waits delays acknowledgements. Utilization is of what the link could send. Four seeds draw when
flows start; bars are 95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET
from ..rows import frame
from . import queue_cycle
from .claims import OPTIMAL
from .unknown import FIXED, KNOWS, MEASURES, PLACE, QUEUE, SYSTEMS, Runs, run

ALPHA, BETA = 0.4, 0.226
#: Packets and the fluid agree to this: in utilization, and as a factor of the queue.
CLOSE_USE, CLOSE_PEAK = 0.005, 1.15
#: Configured with this, (4.3) has an equilibrium with a queue that fits the buffer.
FITS = 1.25


def equilibrium(stated: float) -> float:
    """The queue, in bandwidth-delay products, at which (4.3) rests if it is configured with this
    multiple of the capacity; infinite if it does not rest.

    alpha (stated - 1) C = beta Q / d, with the round trip d = rtt + Q / C.

    >>> equilibrium(0.9), round(equilibrium(1.1), 3), equilibrium(2.0)
    (0.0, 0.215, inf)
    """
    part = ALPHA / BETA * max(stated - 1, 0.0)
    return part / (1 - part) if part < 1 else numpy.inf


def table(runs: Runs) -> Frame:
    """A row for each case and seed, and the fluid's cycle at each increase."""
    rows = [case.row(results, seed) for case, results in runs.items() for seed in results.seeds]
    increases = sorted({case.at for case in runs if case.kind == "cycle"})
    fluid = [
        {"kind": kind, "at": at, **queue_cycle.cycle(at, rates=kind == "rates")._asdict()}
        for kind in ("fluid", "rates")
        for at in increases
    ]
    return frame(rows + fluid)


def check(table: Frame) -> list[Claim]:
    """Where capacity is stated wrongly, where it varies, and how the second controller swings."""
    return [
        *_stated(table.where(kind="stated")),
        *_varies(table.where(kind="varies")),
        *_cycle(table),
    ]


def _stated(table: Frame) -> list[Claim]:
    fixed = table.where(system=FIXED)
    low = {
        f"at {at:g}": Interval.of(fixed.where(at=at)["utilization"] / at)
        for at in _points(fixed)
        if at < 1
    }
    return [
        everywhere(
            "a router uses no more than the capacity that it is configured with: utilization over "
            "the configured part",
            "(4.3) assumes that the administrator configures the capacity (9.3.1)",
            low,
            low=0.98,
            high=1.02,
            form=".3f",
        ),
        everywhere(
            "configured with more than there is, it keeps a queue: the mean queue over that at "
            "which (4.3) rests",
            "not stated",
            {
                f"at {at:g}": Interval.of(fixed.where(at=at)["queue"] / equilibrium(at))
                for at in _points(fixed)
                if 1 < at <= FITS
            },
            low=0.9,
            high=1.1,
        ),
        *(
            everywhere(
                f"{words} it is near the optimum whatever it is configured with: utilization",
                "a potential solution (9.3.1)",
                _each(table, name, "utilization", "at"),
                low=OPTIMAL,
                form=".3f",
            )
            for name, words in (
                (MEASURES, "measuring the capacity,"),
                (QUEUE, "by the queue alone"),
            )
        ),
        everywhere(
            "and drops nothing: the greatest part of packets dropped of both",
            "almost never drops packets (5)",
            {
                f"{name}, {at}": Interval.exactly(float(rows["drop_rate"].max()))
                for name in (MEASURES, QUEUE)
                for at, rows in _rows(table, name, "at").items()
            },
            high=1e-9,
            form=".1e",
            taken="none in any run",
        ),
    ]


def _varies(table: Frame) -> list[Claim]:
    def over(name: str, other: str, column: str) -> dict[str, Interval]:
        return {
            at: Interval.of(rows[column] / _rows(table, other, "period")[at][column])
            for at, rows in _rows(table, name, "period").items()
        }

    known = _each(table, KNOWS, "utilization", "period")
    least = min(known, key=lambda at: known[at].mean)
    why = f"one that knows the capacity has {known[least].mean:.2f} {least}"
    return [
        everywhere(
            "a router that measures the capacity does as one that knows its mean over the interval "
            "before: utilization over the other's",
            "robustness to typical variations needs further work (9.3.1)",
            over(MEASURES, KNOWS, "utilization"),
            low=0.99,
            high=1.01,
            form=".3f",
        ),
        *(
            everywhere(
                f"{words} works on a link whose capacity varies: utilization",
                "a potential solution (9.3.1)",
                _each(table, name, "utilization", "period"),
                low=OPTIMAL,
                form=".3f",
                why=why if _below(table, name) else "",
            )
            for name, words in ((MEASURES, "measuring"), (QUEUE, "going by the queue alone"))
        ),
        everywhere(
            "both keep shorter queues than a router that is configured with the highest capacity, "
            "which fills its buffer: 99th percentile over the other's",
            "this assumption becomes incorrect (9.3.1)",
            {
                f"{name}, {at}": each
                for name in (MEASURES, QUEUE)
                for at, each in over(name, FIXED, "p99").items()
            },
            high=1,
        ),
    ]


def _below(table: Frame, name: str) -> bool:
    return any(
        each.above(OPTIMAL).value != "holds"
        for each in _each(table, name, "utilization", "period").values()
    )


def _cycle(table: Frame) -> list[Claim]:
    packets, fluid = table.where(kind="cycle"), table.where(kind="fluid")

    def model(at: float, column: str) -> float:
        return float(fluid.where(at=at)[column][0])

    def peaks(rows: Frame) -> dict[str, Interval]:
        return {
            f"increase {at:g}": Interval.of(rows.where(at=at)["peak"] / (2 * at))
            for at in _points(rows)
        }

    return [
        everywhere(
            "the cycle of the controller of the queue is that of a fluid: utilization less the "
            "fluid's",
            "not stated",
            {
                f"increase {at:g}": Interval.of(
                    packets.where(at=at)["utilization"] - model(at, "utilization"),
                    minimum=-numpy.inf,
                )
                for at in _points(packets)
            },
            low=-CLOSE_USE,
            high=CLOSE_USE,
            form="+.3f",
        ),
        everywhere(
            "and its greatest queue over the fluid's",
            "not stated",
            {
                f"increase {at:g}": Interval.of(packets.where(at=at)["peak"] / model(at, "peak"))
                for at in _points(packets)
            },
            low=1 / CLOSE_PEAK,
            high=CLOSE_PEAK,
            why=_coarse(packets),
        ),
        everywhere(
            "the greatest queue is at most twice the increase of a bandwidth-delay product, with "
            "flows both ways too: over that",
            "its impact on the stability of the control loop should be studied (9.3.1)",
            {f"{at}, both ways": each for at, each in peaks(table.where(kind="two-way")).items()}
            | {f"{at}, one way": each for at, each in peaks(packets).items()},
            high=CLOSE_PEAK,
            why=_delayed(table),
        ),
        everywhere(
            "the load swings in proportion to the increase: its standard deviation over the "
            "increase",
            "its impact on the stability of the control loop should be studied (9.3.1)",
            {
                f"increase {at:g}": Interval.of(packets.where(at=at)["load_sd"] / at)
                for at in _points(packets)
            },
            high=0.5,
        ),
    ]


def _coarse(packets: Frame) -> str:
    """How the greatest queue compares with a packet, at the least increase."""
    least = min(_points(packets))
    mean = packets.where(at=least)["peak"].mean() * PLACE.buffer_bytes / PACKET
    return f"at increase {least:g} the greatest queue is {mean:.0f} packets, in whole packets"


def _delayed(table: Frame) -> str:
    """What acknowledgements that wait do."""
    two = table.where(kind="two-way")
    most = max(_points(two))
    return (
        "both ways, acknowledgements wait in the other queue: the 99th percentile of a queue is "
        f"{two.where(at=most)['p99'].mean():.2f} of a bandwidth-delay product at increase {most:g}"
    )


def _points(table: Frame) -> list[float]:
    return [float(at) for at in numpy.unique(table["at"])]


def _rows(table: Frame, name: str, word: str) -> dict[str, Frame]:
    unit = " RTTs" if word == "period" else ""
    own = table.where(system=name)
    return {f"{word} {at:g}{unit}": own.where(at=at) for at in _points(own)}


def _each(table: Frame, name: str, column: str, word: str) -> dict[str, Interval]:
    return {at: Interval.of(rows[column]) for at, rows in _rows(table, name, word).items()}


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Utilization above, queues below; a column for each of the three."""
    figure, panels = pyplot.subplots(2, 3, figsize=(7, 4.6), sharex="col")
    rows = {"utilization": panels[0], "p99": panels[1]}
    for column, (varies, wrong, cycle) in rows.items():
        _systems(varies, table.where(kind="varies"), column, list(SYSTEMS))
        _systems(wrong, table.where(kind="stated"), column, [FIXED, MEASURES, QUEUE])
        _swing(cycle, table, "peak" if column == "p99" else column)
    stated = numpy.unique(table.where(kind="stated")["at"])
    rest = numpy.array([equilibrium(float(at)) for at in stated])
    panels[0][1].plot(
        stated, numpy.minimum(stated, 1), "x", color="black", ms=5, zorder=9, label="equilibrium"
    )
    panels[1][1].plot(stated[rest < 1], rest[rest < 1], "x", color="black", ms=5, zorder=9)
    scales.logarithmic(panels[1][0], "x", "period (RTTs)", "")
    panels[1][1].set_xlabel("configured over true capacity")
    scales.logarithmic(panels[1][2], "x", "increase", "")
    panels[0][0].set_ylabel("utilization")
    panels[1][0].set_ylabel("99th percentile of queue (BDP)")
    panels[1][2].set_ylabel("greatest queue (BDP)")
    for ax, title in zip(panels[0], ("varies", "stated wrongly", "queue alone"), strict=True):
        ax.set_title(title)
        ax.set_ylim(top=1.02)
    for ax in panels[1]:
        ax.set_ylim(bottom=0)
    named = {
        name: handle
        for ax in panels[0]
        for handle, name in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    figure.legend(list(named.values()), list(named), loc="outside upper center", ncols=len(named))
    return figure


def _systems(ax: Axes, table: Frame, column: str, names: list[str]) -> None:
    for name in names:
        own = table.where(system=name)
        found = [Interval.of(own.where(at=at)[column]) for at in _points(own)]
        number = list(SYSTEMS).index(name)
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        with_bars(ax, _points(own), found, label=name, **look)


def _swing(ax: Axes, table: Frame, column: str) -> None:
    packets = table.where(kind="cycle")
    number = list(SYSTEMS).index(QUEUE)
    found = [Interval.of(packets.where(at=at)[column]) for at in _points(packets)]
    look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
    with_bars(ax, _points(packets), found, **look)
    two = table.where(kind="two-way")
    both = [Interval.of(two.where(at=at)[column]) for at in _points(two)]
    with_bars(ax, _points(two), both, label="both ways", **look | {"marker": "x", "ls": "none"})
    for kind, words, line in (("fluid", "fluid", "dashed"), ("rates", "Appendix B", "dotted")):
        fluid = table.where(kind=kind)
        ax.plot(fluid["at"], fluid[column], color="black", ls=line, lw=0.9, label=words)


FIGURE = Figure(
    id="xcp-9-ma",
    title="Links of unknown or varying capacity",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
