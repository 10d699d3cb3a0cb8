"""A change of routes in mid-flow (section 7.5): ten long flows move at 10 s from a path of their
own to another, on which ten others run, and back at 20 s. Both paths have one link of 100 Mb/s and
a round trip of 80 ms, with a buffer of a bandwidth-delay product: throughput of both groups, and
queue of the shared link, under XCP and under TCP Reno with ECN over RED. The thesis states the
claim without a figure. Hosts are as ns-2's of the time. Drawn is the first of four seeds, in
intervals of 100 ms.
"""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import by_seed, frame
from ..scale import Scale
from . import over_time
from .axis import SEEDS
from .bottleneck import ACCESS, Place, Settings, bytes_of, seconds
from .comparison import SYSTEMS
from .over_time import each

PLACE = Place(100e6, 0.08)
FLOWS = 10
STARTS_S, MOVE_S, RETURN_S, STOP_S = 2.0, 10.0, 20.0, 30.0
BIN_S = 0.1
COMPARED = ("XCP", "RED")
GROUPS = ("moves", "stays")
#: A group has "adapted" once its throughput is within a tenth of its fair share on average over a
#: second. One that does not before the next move counts as if it did then.
ADAPTED, FOR_S = 0.1, 1.0
#: "Quickly", in round trips: shuffling a tenth of the traffic in each, a newcomer has 0.9 of its
#: share after 22.
QUICKLY = 25
SHARE = {MOVE_S: PLACE.capacity / 2, RETURN_S: PLACE.capacity}


def run(scale: Scale) -> dict[str, Results]:
    """By system."""
    return {
        name: scale.run(
            _scenario(name),
            [SYSTEMS[name].protocol],
            name=f"xcp-reroute/{name}",
            seeds=scale.pick(1, SEEDS),
        )
        for name in COMPARED
    }


def _scenario(name: str) -> Scenario:
    system = SYSTEMS[name]
    narrow = {
        "capacity": f"{PLACE.capacity:.0f} bps",
        "delay": seconds(PLACE.rtt / 2),
        "buffer": bytes_of(PLACE.buffer_bytes),
        "queue": system.queue(PLACE),
    }
    access = {"capacity": f"{ACCESS * PLACE.capacity:.0f} bps", "delay": "0 s"}
    ends = [("a", "r1"), ("a", "r2"), ("c", "r2"), ("q1", "b"), ("q2", "b"), ("q2", "d")]
    links: list[Settings] = [{"from": start, "to": end} | access for start, end in ends]
    links += [{"from": f"r{path}", "to": f"q{path}"} | narrow for path in (1, 2)]
    own, shared = (["a", f"r{path}", f"q{path}", "b"] for path in (1, 2))
    moves = [(MOVE_S, shared), (RETURN_S, own)]
    long = {"long": {"count": FLOWS, "within": seconds(STARTS_S)}}
    return Scenario(
        name="route-change",
        stop=seconds(STOP_S),
        limit=seconds(STOP_S),
        ideals=[],
        topology={"link": links},
        group=[
            {
                "name": "moves",
                "from": "a",
                "to": "b",
                "path": own,
                "back": own[::-1],
                "reroute": [
                    {"at": seconds(at), "path": path, "back": path[::-1]} for at, path in moves
                ],
            }
            | long,
            {"name": "stays", "from": "c", "to": "d"} | long,
        ],
        metrics=[
            {"link": ["r2", "q2"], "every": seconds(over_time.QUEUE_S)},
            *({"group": name, "every": seconds(BIN_S)} for name in GROUPS),
        ],
        **system.settings(PLACE),
    )


def table(runs: dict[str, Results]) -> Frame:
    """A row for each system, seed, quantity and time: throughput of both groups, queue of the
    shared link, and at the end the drops of both narrow links.
    """
    rows = []
    for name, results in runs.items():
        protocol = SYSTEMS[name].protocol
        for seed in results.seeds:
            series = results.series(protocol, seed)
            found = []
            for group in GROUPS:
                sampled = series.where(group=group, quantity="throughput_bps")
                found += over_time.rows(seed, group, sampled["time_ns"], sampled["value"])
            sampled = series.where(link="r2>q2", quantity="queue_bytes")
            found += over_time.rows(seed, "queue", sampled["time_ns"], sampled["value"])
            # Access links have unlimited queues.
            drops = results.links(protocol, seed)["drops"].sum()
            found += over_time.rows(seed, "drops", numpy.array([1e9 * STOP_S]), drops[None])
            rows += [{"system": name} | row for row in found]
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That a change of routes does little damage, and less than to TCP."""
    return [
        everywhere(
            "XCP adapts to the new path: time until the moved flows have their fair share of it, "
            "on average over the second that follows, in round trips",
            "adapts quickly to the available bandwidth on the new path",
            {
                f"after the move at {at:.0f} s": Interval.of(each(table, "XCP", _adapts(at)))
                for at in SHARE
            },
            high=QUICKLY,
            form=".0f",
        ),
        everywhere(
            "TCP over RED takes longer: its time over XCP's",
            "more benign than in a TCP network",
            {
                f"after the move at {at:.0f} s": Interval.of(
                    each(table, "RED", _adapts(at)) / each(table, "XCP", _adapts(at))
                )
                for at in SHARE
            },
            low=1,
            form=".1f",
        ),
        everywhere(
            "XCP drops fewer packets than TCP over RED: packets dropped in the whole run, XCP's "
            "less TCP's",
            "reduces the damaging effects",
            {
                "over RED": Interval.of(
                    each(table, "XCP", _drops) - each(table, "RED", _drops),
                    minimum=-numpy.inf,
                )
            },
            high=0,
            form=".0f",
            note=f"; XCP drops {each(table, 'XCP', _drops).mean():.0f}",
        ),
    ]


def _adapts(at: float) -> Callable[[Frame], float]:
    """Round trips from a move until the moved group has its share for the time that counts."""

    def measure(rows: Frame) -> float:
        found = rows.where(quantity="moves")
        span = round(FOR_S / BIN_S)
        following = numpy.convolve(found["value"], numpy.ones(span) / span, "valid")
        near = abs(following / SHARE[at] - 1) < ADAPTED
        latest = at + RETURN_S - MOVE_S
        taken = over_time.until(found["time_s"][: len(following)], near, since=at, latest=latest)
        return taken / PLACE.rtt

    return measure


def _drops(rows: Frame) -> float:
    return float(rows.where(quantity="drops")["value"][0])


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput of both groups and queue over time, a column for each system."""
    figure, panels = pyplot.subplots(2, 2, figsize=(7, 3.8), sharex=True, sharey="row")
    for column, name in enumerate(COMPARED):
        first = by_seed(table.where(system=name))[0]
        for number, group in enumerate(GROUPS):
            rows = first.where(quantity=group)
            color = style.COLOURS[number]
            panels[0, column].plot(rows["time_s"], rows["value"], color=color, label=group)
        rows = first.where(quantity="queue")
        panels[1, column].plot(rows["time_s"], rows["value"], color=style.COLOURS[2], linewidth=0.6)
        for ax in panels[:, column]:
            for time in SHARE:
                ax.axvline(time, color=style.GREY, linestyle=style.DOTS, linewidth=0.8)
        panels[0, column].set_title("XCP" if name == "XCP" else "TCP over RED, ECN")
        panels[1, column].set_xlabel("time (s)")
    panels[0, 0].set_xlim(0, STOP_S)
    for ax, title, unit in ((panels[0, 0], "throughput", "b/s"), (panels[1, 0], "queue", "B")):
        ax.set_ylim(bottom=0)
        scales.linear(ax, "y", title, unit)
    style.legend(panels[0, 0])
    return figure


FIGURE = Figure(
    id="xcp-reroute",
    title="Ten flows move to another path, and back",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
