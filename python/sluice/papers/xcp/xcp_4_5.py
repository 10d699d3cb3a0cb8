"""The mechanisms of the sender (section 4.5, footnote 3), on 100 Mb/s with a round trip of 80 ms.

*Left*, a flow that desires a rate r: each packet requests (r - cwnd / rtt) over the packets of the
window, and "if bandwidth is available, this initialization allows the sender to reach the desired
rate after one RTT". Shown is cwnd / rtt over r, from the first data packet, which follows the SYN
exchange. Before, the link carries as much of another flow (full lines), or nothing (dotted). A rate
is reached with 95 % of it.

*Middle*, receivers acknowledge each packet, or every second one with the sum of the feedback since
the last acknowledgement (footnote 3). Shown are the windows of a flow alone, and of one that joins
it after 2 s, from the first data of each.

*Right*, an application pauses after 2.4 s, alone or beside a flow that takes the link meanwhile.
"For every RTT in which the sender does not send enough to fill the congestion window, cwnd is
reduced by 0.5 x (cwnd - K)", and K, the packets in flight, is zero once all are acknowledged. Shown
is the window as it sends again over that before the pause, against the whole round trips in which
nothing was in flight.

The starts of observed flows are random within a round trip; five seeds, and twenty of joining
flows, which differ by when in a control interval they start. Initial windows are ten packets of
1000 bytes: the thesis has no value.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...results import Results
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import frame, kept
from ..scale import Scale
from . import idle, sender

#: Round trips within which one "after one RTT" is: acknowledgements of a window take time, and
#: samples are a twentieth of a round trip apart.
ONE = 1.15
#: How far the windows of 25 round trips together may be from the others. Single ones of the second
#: flow depend on when in a control interval it starts.
SAME = 0.1


def run(scale: Scale) -> dict[str, dict[Any, Results]]:
    """Runs of senders that ask, join and pause."""
    return sender.run(scale) | {"pauses": idle.run(scale)}


def table(runs: dict[str, dict[Any, Results]]) -> Frame:
    """Times at which rates are reached, rates and windows over time, acknowledgements."""
    rates = [
        row
        for (rate, used), results in runs["asks"].items()
        for row in sender.rows_of_rates(results, rate, used)
    ]
    windows = [
        row
        for delayed, results in runs["joins"].items()
        for row in sender.rows_of_windows(results, delayed)
    ]
    pauses = [
        row
        for (rtts, beside), results in runs["pauses"].items()
        for row in idle.rows(results, rtts, beside)
    ]
    return frame([*rates, *windows, *pauses])


def check(table: Frame) -> list[Claim]:
    """What a sender asks for, then delayed acknowledgements, then pauses."""
    reached = table.where(kind="reached")
    used, empty = (reached.where(used=each) for each in (True, False))
    rate = used["rate_bps"]
    at_once = rate <= max(each for each in sender.RATES if sender.spare_grant(each) >= 1)
    return [
        everywhere(
            "a sender that asks for rate r reaches it one round trip after its first data, where "
            "the link is in use and one interval grants r (alpha times the spare capacity): round "
            "trips",
            "one",
            _at(kept(used, at_once), "rtts"),
            high=ONE,
        ),
        everywhere(
            "where r is available and one interval grants less: round trips",
            "one",
            _at(kept(used, ~at_once), "rtts"),
            high=ONE,
            why=_granted(kept(used, ~at_once)),
        ),
        everywhere(
            "on an empty link: round trips",
            "one",
            _at(empty, "rtts"),
            high=ONE,
            why="after one round trip it has "
            f"{empty['first'].min():.0%} to {empty['first'].max():.0%} of r, its initial window: a "
            "router computes shares from the packets of the interval before, (4.8), which has none",
        ),
        everywhere(
            "a receiver that delays acknowledgements sends one for two packets: acknowledgements "
            "over packets",
            "not stated: 0.5",
            _of_flows(table.where(kind="acknowledged", delayed=True), "acks"),
            low=0.48,
            high=0.55,
        ),
        everywhere(
            "with the sum of their feedback the flow gets the same: the window with delayed "
            "acknowledgements over that without, sums over 25 round trips",
            "the sum of all pending feedback",
            {f"of the {flow} flow": _windows(table, flow) for flow in ("first", "second")},
            low=1 - SAME,
            high=1 + SAME,
            form=".3f",
        ),
        everywhere(
            "the window of an idle sender halves in each round trip: the window as it sends again "
            "over that before the pause, over a half to the power of whole idle round trips",
            "cwnd is reduced by 0.5 x (cwnd - K), here with K = 0",
            _aged(table.where(kind="idle")),
            low=0.98,
            high=1.02,
            form=".3f",
        ),
        everywhere(
            "as it sends again nothing is dropped: packets dropped",
            "almost never drops packets (5)",
            _dropped(table.where(kind="idle")),
            high=0.5,
            form=".0f",
            taken="none in any run",
        ),
    ]


def _at(rows: Frame, column: str) -> dict[str, Interval]:
    return {
        f"at {rate / 1e6:g} Mb/s": Interval.of(rows.where(rate_bps=rate)[column])
        for rate in numpy.unique(rows["rate_bps"])
    }


def _granted(rows: Frame) -> str:
    rate = float(rows["rate_bps"].max())
    return (
        f"at {rate / 1e6:g} Mb/s alpha times the spare capacity is {sender.spare_grant(rate):.2f} "
        f"of r, and after one round trip it has {rows.where(rate_bps=rate)['first'].mean():.2f}"
    )


def _of_flows(rows: Frame, column: str) -> dict[str, Interval]:
    return {
        f"of the {flow} flow": Interval.of(rows.where(flow=flow)[column])
        for flow in ("first", "second")
    }


def _aged(rows: Frame) -> dict[str, Interval]:
    return {
        f"after {at}{', beside a flow' if beside else ''}": Interval.of(
            rows.where(idle=at, beside=beside)["part"] * 2.0**at
        )
        for at in numpy.unique(rows["idle"])
        for beside in (False, True)
    }


def _dropped(rows: Frame) -> dict[str, Interval]:
    return {
        "beside a flow" if beside else "alone": Interval.exactly(
            int(rows.where(beside=beside)["drops"].max())
        )
        for beside in (False, True)
    }


def _windows(table: Frame, flow: str) -> Interval:
    """Ratios within a seed."""
    each, delayed = (table.where(kind="window", flow=flow, delayed=late) for late in (False, True))
    return Interval.of(
        [
            delayed.where(seed=seed)["cwnd"].sum() / each.where(seed=seed)["cwnd"].sum()
            for seed in numpy.unique(each["seed"])
        ]
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Rates over what is asked for, windows, and windows after pauses."""
    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(9.6, 3.1))
    _rates(left, table.where(kind="rate"))
    _two_windows(middle, table.where(kind="window"))
    _ages(right, table.where(kind="idle"))
    return figure


def _rates(ax: Axes, rows: Frame) -> None:
    rates = numpy.unique(rows["rate_bps"])
    for number, rate in enumerate(rates):
        for used, dashes in ((True, "-"), (False, "dotted")):
            own = rows.where(rate_bps=rate, used=used)
            label = f"{rate / 1e6:g} Mb/s" if used else None
            look: dict[str, Any] = {"color": style.COLOURS[number], "linestyle": dashes}
            ax.plot(own["rtts"], own["part"], label=label, drawstyle="steps-post", lw=1, **look)
    ax.plot([], [], color=style.GREY, linestyle="dotted", label="link empty before")
    ax.set(
        xlabel="round trips since the first data",
        ylabel="cwnd / rtt over the rate asked for",
        xlim=(0, 6),
        ylim=(0, 1.1),
    )
    style.legend(ax)


def _two_windows(ax: Axes, rows: Frame) -> None:
    first_seed = rows.where(seed=int(rows["seed"].min()))
    for number, flow in enumerate(("first", "second")):
        each, delayed = (first_seed.where(flow=flow, delayed=late) for late in (False, True))
        colour, marker = style.COLOURS[number], style.MARKERS[number]
        ax.plot(each["rtts"], each["cwnd"], color=colour, label=f"{flow} flow")
        look: dict[str, Any] = {"color": colour, "marker": marker, "mfc": "white", "ls": ""}
        ax.plot(delayed["rtts"], delayed["cwnd"], label=f"{flow}, delayed", **look)
    ax.set(
        xlabel="round trips since the first data",
        ylabel="window (packets)",
        xlim=(0, sender.SHOWN),
        ylim=(0, None),
    )
    style.legend(ax)


def _ages(ax: Axes, rows: Frame) -> None:
    idle_rtts = numpy.unique(rows["idle"])
    ax.plot(idle_rtts, 0.5**idle_rtts, color=style.GREY, ls="dashed", lw=0.8, label="halved each")
    for number, (beside, words) in enumerate(((False, "alone"), (True, "beside a flow"))):
        own = rows.where(beside=beside)
        means = [own.where(idle=at)["part"].mean() for at in idle_rtts]
        look: dict[str, Any] = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        ax.plot(idle_rtts, means, mfc="white", ls="", label=words, **look)
    ax.set(
        xlabel="idle round trips", ylabel="window over that before", yscale="log", ylim=(2e-3, 2)
    )
    style.legend(ax)


FIGURE = Figure(
    id="xcp-4-5",
    title="The sender: a desired rate, delayed acknowledgements, and pauses",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
