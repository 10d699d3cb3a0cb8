"""A TCP-friendly XCP (section 8.2): mean throughput of TCP's and of XCP's flows over the fair
share, in several mixtures, at a bottleneck of 45 Mb/s with a round trip of 40 ms and a buffer of
the bandwidth-delay product. Packets have 1 kB. The text has no numbers of flows: ours are 3 to 30
of each. Flows start in the first 100 round trips and are measured from 30 s to 90 s; hosts are
ns-2's, and TCP is Reno (5.1).

*Equal windows* is the router of the thesis: a RED queue for TCP (w = 0.002, p_max = 0.1,
thresholds of a third and two thirds of the buffer) and one for XCP, with weights that follow
equations (8.1) to (8.6) as printed until the average windows are equal. Windows are throughputs
times round trips, and TCP's packets wait in the longer queue: where its share of the link is
small, a queue of a third of the buffer is a multiple of the round trip. *Short queue* shows that:
the same with thresholds of 5 and 15 packets. *RFC 5348* is ours: the same as the first with TCP's
equation of RFC 5348 in place of (8.1), whose root is printed over both terms. *Equal throughputs*
is ours, too: by RFC 5348's equation, the router divides each window by the round trip of its
flows, which for TCP it knows from the length of its own queue (`balance = "throughputs"`). *One
queue* is why there are two: RED and XCP's router over all packets. *TFRC* is a protocol made to be
friendly to TCP, in one RED queue with it, in place of XCP. Seven seeds draw starts and drops; bars
are 95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ..claim import Claim, everywhere
from ..drawing import bars, means
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from .friendly import (
    EQUAL_THROUGHPUTS,
    EQUAL_WINDOWS,
    ONE_QUEUE,
    RFC_WINDOWS,
    ROUTERS,
    SHORT_QUEUE,
    TFRC,
    Mixture,
    Runs,
    rows,
    run,
)

#: Shares are near the fair one, windows near each other, and windows near the equation's, to these
#: parts. The thesis has no number.
NEAR, EQUAL, AS_BY_EQUATION = 0.25, 0.1, 0.25
#: A flow with less than this part of the fair share is starved.
STARVED = 0.5
#: A link is in use from this utilization on.
USED = 0.95
#: Routers with two queues that are ours.
OURS = (RFC_WINDOWS, EQUAL_THROUGHPUTS)


def table(runs: Runs) -> Frame:
    """A row for each router, mixture and seed."""
    return frame(
        [row for (name, mixture), found in runs.items() for row in rows(name, mixture, found)]
    )


def check(table: Frame) -> list[Claim]:
    """That both get their shares with two queues, that they do not with one, and why."""
    friendly = "XCP is as TCP-friendly as other protocols that are currently under consideration"
    windows = _mixtures(table, EQUAL_WINDOWS)
    return [
        everywhere(
            "flows of both kinds have their fair shares where the router makes windows equal: mean "
            "throughput over the fair share",
            "the average throughput observed by XCP flows equals the average throughput observed "
            "by TCP flows, irrespective of the number of flows",
            _shares(table, EQUAL_WINDOWS),
            low=1 - NEAR,
            high=1 + NEAR,
            why=_round_trips(table),
        ),
        everywhere(
            "its windows become equal: XCP's average window by (8.2) over TCP's by (8.1)",
            "When the difference becomes zero, the weights stop changing and stabilize",
            {
                at: Interval.of(rows["xcp_window"] / rows["tcp_window"])
                for at, rows in windows.items()
            },
            low=1 - EQUAL,
            high=1 + EQUAL,
            why=_weights(table),
        ),
        everywhere(
            "TCP's windows are as by (8.1) as printed from the drop rate of the queue: mean window "
            "of TCP's senders over the router's",
            "TCP's throughput equation",
            _measured_windows(table, EQUAL_WINDOWS),
            low=1 - AS_BY_EQUATION,
            high=1 + AS_BY_EQUATION,
            why=f"by RFC 5348's equation, in runs with it: {_mean_windows(table)}",
        ),
        everywhere(
            "with two queues, TCP and XCP are no further apart than TCP and TFRC in one: the "
            "greater mean throughput over the lesser, over the same beside TFRC",
            friendly,
            _apart_from_tfrc(table, EQUAL_WINDOWS),
            high=1,
        ),
        everywhere(
            "in one queue TCP starves XCP: mean throughput of XCP's flows over the fair share",
            "XCP releases all of its bandwidth to TCP [...] it has starved the XCP flows",
            {at: Interval.of(rows["other"]) for at, rows in _mixtures(table, ONE_QUEUE).items()},
            high=STARVED,
        ),
        everywhere(
            "a short queue gives TCP more: mean throughput with thresholds of 5 and 15 packets "
            "over that with those of the thesis",
            "not stated",
            _tcp_over(table, SHORT_QUEUE, EQUAL_WINDOWS),
            low=1,
            why=_short_queue(table),
        ),
        everywhere(
            "RFC 5348's equation gives TCP less than (8.1) as printed: mean throughput of its "
            "flows, over that",
            "not stated",
            _tcp_over(table, RFC_WINDOWS, EQUAL_WINDOWS),
            high=1,
        ),
        everywhere(
            "flows of both kinds have their fair shares where the router makes throughputs equal: "
            "mean throughput over the fair share",
            "not stated",
            _shares(table, EQUAL_THROUGHPUTS),
            low=1 - NEAR,
            high=1 + NEAR,
        ),
        everywhere(
            "with equal throughputs, TCP and XCP are no further apart than TCP and TFRC: the "
            "greater mean throughput over the lesser, over the same beside TFRC",
            "not stated",
            _apart_from_tfrc(table, EQUAL_THROUGHPUTS),
            high=1,
        ),
        everywhere(
            "TCP's windows are as by RFC 5348's equation: mean window of TCP's senders over the "
            "router's",
            "not stated",
            {
                f"{name}, {at}": found
                for name in OURS
                for at, found in _measured_windows(table, name).items()
            },
            low=1 - AS_BY_EQUATION,
            high=1 + AS_BY_EQUATION,
        ),
        everywhere(
            "two queues leave no bandwidth unused: utilization",
            "not stated",
            {
                f"{name}, {at}": Interval.of(rows["used"])
                for name in (EQUAL_WINDOWS, SHORT_QUEUE, *OURS)
                for at, rows in _mixtures(table, name).items()
            },
            low=USED,
            form=".3f",
            why=_used(table),
        ),
    ]


def _mixtures(table: Frame, name: str) -> dict[str, Frame]:
    """The rows of a router by mixture, from the fewest TCP flows to the fewest others."""
    own = table.where(system=name)
    numbers = sorted(
        set(zip(own["tcp_flows"].tolist(), own["other_flows"].tolist(), strict=True)),
        key=lambda pair: pair[0] / pair[1],
    )
    return {
        str(Mixture(tcp, other)): own.where(tcp_flows=tcp, other_flows=other)
        for tcp, other in numbers
    }


def _shares(table: Frame, name: str) -> dict[str, Interval]:
    return {
        f"{kind}, {at}": Interval.of(rows[column])
        for at, rows in _mixtures(table, name).items()
        for kind, column in (("TCP's", "tcp"), ("XCP's", "other"))
    }


def _tcp_over(table: Frame, name: str, other: str) -> dict[str, Interval]:
    """TCP's throughput with one router over that with another, seed by seed."""
    others = _mixtures(table, other)
    return {
        at: Interval.of(rows["tcp"] / others[at]["tcp"])
        for at, rows in _mixtures(table, name).items()
    }


def _measured_windows(table: Frame, name: str) -> dict[str, Interval]:
    return {
        at: Interval.of(rows["measured_window"] / rows["tcp_window"])
        for at, rows in _mixtures(table, name).items()
    }


def _apart_from_tfrc(table: Frame, name: str) -> dict[str, Interval]:
    tfrc = _mixtures(table, TFRC)
    return {
        at: Interval.of(numpy.exp(_apart(rows) - _apart(tfrc[at])))
        for at, rows in _mixtures(table, name).items()
    }


def _apart(rows: Frame) -> numpy.ndarray:
    """The logarithm of the throughput of the kind that has more in the mean over that of the other,
    by seed: below 0 where a seed has it the other way round, so that noise does not add up."""
    ratios = numpy.log(rows["tcp"] / rows["other"])
    return ratios if ratios.mean() > 0 else -ratios


def _round_trips(table: Frame) -> str:
    """How much longer TCP's round trips are, by the queue that its packets wait in; and its shares
    where that is short."""
    found = {
        name: {
            at: float(((rows["xcp_rtt"] + rows["waits"]) / rows["xcp_rtt"]).mean())
            for at, rows in _mixtures(table, name).items()
        }
        for name in (EQUAL_WINDOWS, SHORT_QUEUE)
    }
    shares = {at: float(rows["tcp"].mean()) for at, rows in _mixtures(table, SHORT_QUEUE).items()}
    return (
        "TCP's round trip over XCP's, by the delay of its queue: "
        + ", ".join(f"{ratio:.1f} with {at}" for at, ratio in found[EQUAL_WINDOWS].items())
        + "; with a short queue "
        + ", ".join(
            f"{ratio:.1f}, and TCP {shares[at]:.2f} of its share, with {at}"
            for at, ratio in found[SHORT_QUEUE].items()
        )
    )


def _mean_windows(table: Frame) -> str:
    """The senders' windows over those by RFC 5348's equation."""
    found = _measured_windows(table, RFC_WINDOWS)
    return ", ".join(f"{ratio.mean:.2f} with {at}" for at, ratio in found.items())


def _short_queue(table: Frame) -> str:
    """What a short queue leaves unused, and XCP's weight, where TCP has least over that of the
    thesis."""
    ratios = _tcp_over(table, SHORT_QUEUE, EQUAL_WINDOWS)
    at = min(ratios, key=lambda at: ratios[at].mean)
    short, long = (_mixtures(table, name)[at] for name in (SHORT_QUEUE, EQUAL_WINDOWS))
    return (
        f"with {at}, {short['used'].mean():.3f} of the link is used instead of "
        f"{long['used'].mean():.3f}, and XCP's weight is {short['weight'].mean():.2f} instead of "
        f"{long['weight'].mean():.2f}"
    )


def _used(table: Frame) -> str:
    """Utilization by the length of TCP's queue where a short one is used least."""
    short, long = (_mixtures(table, name) for name in (SHORT_QUEUE, EQUAL_WINDOWS))
    at = min(short, key=lambda at: float(short[at]["used"].mean()))
    return f"with {at}, {long[at]['used'].mean():.3f} with the queue of the thesis"


def _weights(table: Frame) -> str:
    """XCP's weight in the mixtures in which windows are least equal."""
    apart = {
        at: (float((rows["xcp_window"] / rows["tcp_window"]).mean()), float(rows["weight"].mean()))
        for at, rows in _mixtures(table, EQUAL_WINDOWS).items()
    }
    at = max(apart, key=lambda at: abs(apart[at][0] - 1))
    return f"with {at}, XCP's weight is {apart[at][1]:.2f}"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Shares of both kinds in each mixture, for each router."""
    figure, axes = pyplot.subplots(1, len(ROUTERS), figsize=(9, 2.9), sharey=True)
    for ax, name in zip(axes, ROUTERS, strict=True):
        mixtures = _mixtures(table, name)
        for place, (column, label) in enumerate((("tcp", "TCP"), ("other", "XCP or TFRC"))):
            found = [Interval.of(rows[column]) for rows in mixtures.values()]
            at = numpy.arange(len(found)) + 0.4 * place - 0.2
            ax.bar(at, means(found), 0.4, color=style.COLOURS[2 * place], label=label)
            ax.errorbar(at, means(found), bars(found), fmt="none", color=style.GREY, lw=0.8)
        ax.axhline(1, color=style.GREY, linestyle=style.DASHES[0], lw=0.7)
        ax.set(yscale="log", ylim=(0.05, 30))
        ax.text(0.5, 0.92, name, transform=ax.transAxes, ha="center")
        names = [at.replace(" TCP and ", ":").removesuffix(" XCP") for at in mixtures]
        ax.set_xticks(range(len(names)), names, rotation=90)
    style.legend_above(figure, axes[0], columns=2)
    axes[0].set(ylabel="throughput over fair share")
    figure.supxlabel("flows of TCP : others", fontsize="medium")
    return figure


FIGURE = Figure(
    id="xcp-8-1",
    title="TCP and XCP at one bottleneck",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
