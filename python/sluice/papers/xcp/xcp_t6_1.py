"""Models of quality of service (Table 6.1), as far as the simulator has them, told apart by what
they do. The thesis' table has names alone: relative service of a few classes, or of infinite
differentiation; absolute service by IntServ, DiffServ or SCORE.

A favoured flow shares 10 Mb/s and a round trip of 80 ms with others, whose number grows. *Relative*
service is a weight of 5: in XCP's headers (section 6.3), or in a queue, WFQ or CSFQ, under TCP. It
says how much better the flow is than the others. *Absolute* service is a class of traffic, as in
DiffServ: half of the link for the flow's class (CBWFQ, TCP), or strict priority for a stream of 2
Mb/s (UDP). *Right*, "absolute QoS models require either a substantially provisioned network or
admission control": priority for more and more streams of 2 Mb/s, which the simulator admits all.
Shown is the stream that gets least.

The simulator has neither per-flow reservations (IntServ), nor those of SCORE, nor classes that
differ in relative terms. Throughput is that of 40 s after 20 s, packets have 1000 bytes, the buffer
is a bandwidth-delay product. Three seeds draw when flows start; bars are 95 % intervals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .bottleneck import Settings

WEIGHT = 5
#: Propagation one way, start and end of the measured time, in seconds.
ONE_WAY, WARM_UP, STOP = 0.04, 20, 60
STREAM: Settings = {"udp": {"rate": "2 Mbps", "size": "1000 B", "phase": "random"}}
LONG: Settings = {"long": {"within": "1 s"}}


@dataclass(frozen=True)
class Model:
    """How a flow is favoured."""

    absolute: bool
    protocol: str
    queue: Any
    #: Fields of the favoured group.
    favour: Settings = field(default_factory=dict)

    def scenario(self, others: int, streams: int = 1) -> Scenario:
        """One favoured flow, or some streams, and others."""
        favoured = LONG | self.favour
        if "udp" in self.favour:
            del favoured["long"]
            favoured["udp"] = self.favour["udp"] | {"count": streams}
        groups = [favoured] + [LONG] * others
        dumbbell = {"pairs": others + 1, "capacity": "10 Mbps", "rtt": "80 ms"}
        return Scenario(
            name="service",
            warm_up=f"{WARM_UP} s",
            stop=f"{STOP} s",
            limit=f"{STOP} s",
            protocols=[self.protocol],
            ideals=[],
            topology={"dumbbell": dumbbell | {"queue": self.queue}},
            group=[
                {"name": f"flow{pair}", "from": f"s{pair}", "to": f"d{pair}", **group}
                for pair, group in enumerate(groups)
            ],
        )


MODELS = {
    "weights in XCP": Model(False, "xcp", "drop_tail", {"weight": WEIGHT}),
    "weights in WFQ": Model(False, "tcp", "wfq", {"queue_weight": WEIGHT}),
    "weights in CSFQ": Model(False, "tcp", "csfq", {"queue_weight": WEIGHT}),
    "a class of CBWFQ": Model(True, "tcp", {"cbwfq": {"shares": [1, 1]}}, {"class": 1}),
    "strict priority": Model(True, "tcp", "priority", STREAM | {"class": 1}),
}
XCP, PRIORITY = "weights in XCP", "strict priority"
#: Numbers of other flows, and of streams, of which five fill the link.
OTHERS, STREAMS, FULL = (4, 8, 16, 32), (1, 2, 4, 6, 8), 5
Runs = dict[tuple[str, int, int], Results]


def run(scale: Scale) -> Runs:
    """By model, number of others and of streams."""
    points = [(name, others, 1) for name in MODELS for others in scale.pick((4, 32), OTHERS)]
    points += [(PRIORITY, OTHERS[0], streams) for streams in STREAMS[1:]]
    return {
        (name, others, streams): scale.run(
            MODELS[name].scenario(others, streams),
            [MODELS[name].protocol],
            name=f"xcp-t6-1/{name.replace(' ', '-')}-{others}-{streams}",
            seeds=3,
        )
        for name, others, streams in points
    }


def table(runs: Runs) -> Frame:
    """A row for each run: throughput, that over others', and what streams get."""
    return frame(
        [
            {"model": name, "absolute": MODELS[name].absolute, "others": others}
            | {"streams": streams, "seed": seed}
            | _found(results.flows(MODELS[name].protocol, seed))
            for (name, others, streams), results in runs.items()
            for seed in results.seeds
        ]
    )


def _found(flows: Frame) -> dict[str, float]:
    bps = 8 * flows["delivered_bytes"] / (STOP - WARM_UP)
    own = flows["group"] == "flow0"
    others = float(bps[~own].mean())
    return {
        "bps": float(bps[own].mean()),
        "over": float(bps[own].mean()) / others if others else math.inf,
        "least": float(bps[own].min()) / 2e6,
        "delay_s": float(numpy.max(flows["delay_p99_ns"][own])) / 1e9 - ONE_WAY,
    }


def check(table: Frame) -> list[Claim]:
    """Relative and absolute."""
    one = table.where(streams=1)
    relative, absolute = (one.where(absolute=each) for each in (False, True))
    return [
        everywhere(
            "relative service specifies how much better a flow is served: its throughput over that "
            "of the others, over its weight, with weights in XCP",
            "1",
            _over_weight(relative, XCP),
            low=0.9,
            high=1.1,
        ),
        everywhere(
            "the same with weights in queues under TCP",
            "WFQ is accurate below a ratio of 25, CSFQ inaccurate above 4 (6.3.1)",
            _over_weight(relative, *(name for name in _names(relative) if name != XCP)),
            low=0.9,
            high=1.1,
        ),
        everywhere(
            "and nothing in absolute terms: its throughput beside the most others over that beside "
            "the fewest",
            "not stated",
            _kept(relative),
            high=0.5,
        ),
        everywhere(
            "absolute service specifies it in absolute terms: the same ratio",
            "1",
            _kept(absolute),
            low=0.95,
            high=1.05,
        ),
        everywhere(
            "as for delay: the 99th percentile of a stream's delay beyond propagation, to 3 % of "
            "the whole, in packets",
            "some guarantees",
            {
                f"beside {others}": Interval.of(
                    absolute.where(model=PRIORITY, others=others)["delay_s"] * 1250
                )
                for others in map(int, numpy.unique(absolute["others"]))
            },
            high=5,
            taken="below 5, where the buffer holds 100",
        ),
    ]


def _over_weight(rows: Frame, *names: str) -> dict[str, Interval]:
    return {
        f"with {name} beside {others}": Interval.of(
            rows.where(model=name, others=others)["over"] / WEIGHT
        )
        for name in names
        for others in map(int, numpy.unique(rows["others"]))
    }


def _names(rows: Frame) -> list[str]:
    return list(dict.fromkeys(rows["model"]))


def _kept(rows: Frame) -> dict[str, Interval]:
    """Within a seed."""
    few, many = (rows.where(others=int(pick(rows["others"]))) for pick in (min, max))
    return {
        f"with {name}": Interval.of(many.where(model=name)["bps"] / few.where(model=name)["bps"])
        for name in _names(rows)
    }


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput against the number of others, and the worst served of several streams."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 3.1), width_ratios=[1.5, 1])
    one = table.where(streams=1)
    for number, (name, model) in enumerate(MODELS.items()):
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        dashes = "dashed" if model.absolute else "-"
        rows = one.where(model=name)
        _line(left, rows, "others", "bps", 1e6, label=name, linestyle=dashes, **look)
    streams = table.where(model=PRIORITY, others=OTHERS[0])
    look = {"color": style.COLOURS[4], "marker": style.MARKERS[4], "linestyle": "dashed"}
    _line(right, streams, "streams", "least", 1, **look)
    left.set(xlabel="other flows", ylabel="throughput of the favoured flow (Mb/s)", ylim=(0, None))
    right.axvline(FULL, color=style.GREY, lw=0.6)
    right.set(
        xlabel="streams with priority", ylabel="least of what a stream asks for", ylim=(0, 1.1)
    )
    style.legend(left)
    return figure


def _line(ax: Axes, rows: Frame, over: str, column: str, unit: float, **look: Any) -> None:
    at = numpy.unique(rows[over])
    found = [Interval.of(rows.where(**{over: int(each)})[column] / unit) for each in at]
    with_bars(ax, at, found, elinewidth=0.7, **look)


FIGURE = Figure(
    id="xcp-t6-1",
    title="Models of quality of service: relative and absolute",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
