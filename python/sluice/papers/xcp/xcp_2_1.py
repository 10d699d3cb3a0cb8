"""The window of a TCP flow over time (Figure 2-1): slow start from one packet, then additive
increase and multiplicative decrease. Drawn from packets: a flow alone over 4 Mb/s with a round trip
of 80 ms, packets of 1000 bytes and a drop-tail buffer of a bandwidth-delay product, 40 packets; the
thesis' sketch has no values. With Reno's recovery, as ns-2's TCP of the time, and with RACK's, as
today's.

Windows are those of the sender at each acknowledgement. A round trip is as many acknowledged
packets as the window has, since the round trip grows with the queue. Three seeds, which draw the
jitter of hosts; one is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale

#: Recovery by name, and its parameter.
RECOVERY = {"Reno": "reno", "RACK": "rack"}
SEEDS = 3
#: Packets that the link holds without a queue, and the buffer's.
BDP = 40
#: Of a flow's state, in seconds.
EVERY = 0.08
Runs = dict[str, Results]


def _scenario(recovery: str, stop: str) -> Scenario:
    return Scenario(
        name="window",
        stop=stop,
        limit=stop,
        ideals=[],
        topology={"dumbbell": {"capacity": "4 Mbps", "access": "40 Mbps", "rtt": "80 ms"}},
        group=[{"name": "long", "from": "s0", "to": "d0", "long": {}}],
        tcp={"recovery": recovery, "initial_window": 1},
        trace={"flows": "all"},
        metrics=[{"flow": {"group": "long"}, "every": f"{EVERY} s"}],
    )


def run(scale: Scale) -> Runs:
    """By name of the recovery."""
    stop = scale.pick("20 s", "60 s")
    return {
        name: scale.run(_scenario(recovery, stop), ["tcp"], name=f"xcp-2-1/{name}", seeds=SEEDS)
        for name, recovery in RECOVERY.items()
    }


def table(runs: Runs) -> Frame:
    """Windows over time; the growth of each phase, and each fall."""
    return frame([row for name, results in runs.items() for row in _rows(name, results)])


def _rows(name: str, results: Results) -> Iterator[dict[str, Any]]:
    for seed in results.seeds:
        sender = results.senders("tcp", seed)
        for row in phases(sender["cwnd_packets"], sender["acked_packets"]):
            yield {"system": name, "seed": seed, **row}
    rows = results.series("tcp", results.seeds[0]).where(quantity="cwnd")
    for seconds, window in zip(rows["time_ns"] / 1e9, rows["value"], strict=True):
        yield {"system": name, "kind": "window", "seconds": seconds, "window": float(window)}


def phases(window: numpy.ndarray, acked: numpy.ndarray) -> Iterator[dict[str, Any]]:
    """The first slow start, each fall and each tooth of a trace, one row at an acknowledgement.

    >>> window = numpy.array([1.0, 2, 3, 4, 2, 2.5, 2.9, 3.3, 1.65])
    >>> rows = list(phases(window, numpy.array([0, 1, 2, 3, 3, 4, 5, 6, 6])))
    >>> [row["kind"] for row in rows]
    ['start', 'fall', 'tooth', 'fall']
    >>> [round(rows[place]["each"], 2) for place in (0, 1, 2)]
    [1.0, 0.5, 1.04]
    """
    steps = numpy.diff(window)
    falls = numpy.flatnonzero(steps < -1)
    first = falls[0] if len(falls) else len(steps)
    grown, data = window[first] - window[0], acked[first] - acked[0]
    yield {"kind": "start", "each": float(grown / data), "peak": float(window[first])}
    for fall, following in zip(falls, [*falls[1:], None], strict=True):
        after = float(window[fall + 1])
        if after <= 1:
            yield {"kind": "time-out", "each": 1.0}
            continue
        yield {"kind": "fall", "each": after / float(window[fall])}
        # A tooth is whole, and its window has halved.
        if following is not None and window[following + 1] > 1:
            grows = int(numpy.argmax(steps[fall + 1 :] > 0))
            tooth = slice(fall + 1 + grows, following)
            yield {"kind": "tooth", "each": _growth(window, acked, tooth)}


def _growth(window: numpy.ndarray, acked: numpy.ndarray, tooth: slice) -> float:
    """Packets by which the window grows in a round trip. The acknowledgement that ends recovery,
    of a window or so, is no part of it."""
    data = numpy.diff(acked)[tooth]
    single = data <= 2
    rounds = (data / window[:-1][tooth])[single].sum()
    return float(numpy.diff(window)[tooth][single].sum() / rounds)


def check(table: Frame) -> list[Claim]:
    """Slow start, increase, decrease, and what follows slow start."""
    return [
        everywhere(
            "in slow start each acknowledgement adds a packet, so that the window doubles in a "
            "round trip: packets added for each acknowledged",
            "1",
            _means(table, "start"),
            low=0.98,
            high=1.02,
        ),
        everywhere(
            "then the window grows by one packet in a round trip: packets",
            "1",
            _means(table, "tooth"),
            low=0.95,
            high=1.05,
        ),
        everywhere(
            "and halves when a packet is dropped: the window after over that before",
            "0.5",
            _means(table, "fall"),
            low=0.45,
            high=0.55,
        ),
        everywhere(
            "the drop that ends slow start halves the window and begins the AIMD phase: time-outs "
            "that follow",
            "0",
            {name: Interval.of(_time_outs(table, name)) for name in _names(table)},
            high=0.5,
            why=f"the window reaches {table.where(kind='start')['peak'].mean():.0f} packets, where "
            f"link and buffer hold {2 * BDP}: of many drops, Reno's recovery repairs one "
            "in a round trip (2.2.1: too many drops cause a time-out, and slow start again)",
        ),
    ]


def _names(table: Frame) -> list[str]:
    return list(dict.fromkeys(table["system"]))


def _means(table: Frame, kind: str) -> dict[str, Interval]:
    """Over seeds, of the means of each."""
    return {
        f"with {name}": Interval.of(
            [rows.where(seed=seed)["each"].mean() for seed in numpy.unique(rows["seed"])]
        )
        for name in _names(table)
        for rows in [table.where(system=name, kind=kind)]
    }


def _time_outs(table: Frame, name: str) -> list[int]:
    seeds = numpy.unique(table.where(system=name, kind="start")["seed"])
    return [len(table.where(system=name, kind="time-out", seed=int(seed))) for seed in seeds]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Windows over time."""
    figure, ax = pyplot.subplots(figsize=(5, 2.6))
    for number, name in enumerate(_names(table)):
        rows = table.where(system=name, kind="window")
        look: dict[str, Any] = {"color": style.COLOURS[3 * number], "ls": style.TURNS[number]}
        ax.plot(rows["seconds"], rows["window"], lw=1, label=f"{name}'s recovery", **look)
    ax.set(xlabel="time (s)", ylabel="window (packets)", xlim=(0, 20), ylim=(0, None))
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="xcp-2-1",
    title="TCP's window over time",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
