"""Throughput of one long XCP flow over a link of 4 Gb/s with a round trip of 80 ms, against the
probability that a packet is lost on the wire, in either direction. Like TCP, the sender halves its
window at a loss. Losses are repaired by Reno's rules, as in the thesis' simulator, where several
losses in a window end in a time-out of at least 1 s, or by RACK, the default here, which repairs
any number in a round trip. The line is the thesis' equation 3.1 for TCP, 1.2 packets /
(RTT sqrt(p)), as far as the link carries it. The buffer is a bandwidth-delay product; a run takes
60 s, of which the first 20 do not count (the thesis: 50 to 300 s). Means over four seeds; bars are
95 % intervals.

ns-2.35's XCP is as far above the equation: with time-outs of at least 200 ms and an error rate of
1e-4 it uses 0.22 of the link (one seed), 72 times as much, and Sluice's with the same 0.23 to 0.25.
"""

from __future__ import annotations

import math

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .axis import SEEDS
from .bottleneck import PACKET_BITS, Place, seconds
from .comparison import SYSTEMS

PLACE = Place(4e9, 0.08, flows=1, back=0)
WARM_UP_S, STOP_S, QUICK_STOP_S = 20, 60, 26
LOSSES = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
QUICK = (1e-4, 1e-3)
RECOVERIES = {"Reno": "reno", "RACK": "rack"}
#: "Almost an order of magnitude": the thesis has no numbers.
LOW, HIGH = 5, 15
#: By recovery, probability of loss, and end of the run in seconds.
Runs = dict[tuple[str, float, float], Results]


def equation(loss: float) -> float:
    """TCP's throughput in bit/s: "R = alpha s / (RTT sqrt(p)), where [...] alpha is a constant
    equal to 1.2" (equation 3.1).
    """
    return 1.2 * PACKET_BITS / (PLACE.rtt * math.sqrt(loss))


def run(scale: Scale) -> Runs:
    """Each recovery at each probability of loss."""
    stop = scale.pick(QUICK_STOP_S, STOP_S)
    return {
        (name, loss, stop): _one(scale, name, loss, stop)
        for name in RECOVERIES
        for loss in scale.pick(QUICK, LOSSES)
    }


def _one(scale: Scale, name: str, loss: float, stop: float) -> Results:
    settings = {
        "topology.dumbbell.error": loss,
        "xcp.recovery": RECOVERIES[name],
        "warm_up": seconds(WARM_UP_S),
        "stop": seconds(stop),
        "limit": seconds(stop),
    }
    scenario = SYSTEMS["XCP"].scenario(PLACE).set(settings)
    folder = f"xcp-5-14/{name}-{loss:g}"
    return scale.run(scenario, ["xcp"], name=folder, seeds=scale.pick(1, SEEDS))


def table(runs: Runs) -> Frame:
    """A row for each recovery, probability and seed."""
    return frame(
        [
            {
                "recovery": name,
                "loss": loss,
                "seed": seed,
                "bps": 8 * float(results.flows("xcp", seed)["delivered_bytes"][0]) / measured,
            }
            for (name, loss, stop), results in runs.items()
            for measured in [stop - WARM_UP_S]
            for seed in results.seeds
        ]
    )


def check(table: Frame) -> list[Claim]:
    """That XCP has ten times the throughput of TCP."""
    over = {
        f"with {name} at {loss:g}": Interval.of(
            table.where(recovery=name, loss=loss)["bps"] / equation(loss)
        )
        for name in RECOVERIES
        for loss in _losses(table)
    }
    return [
        everywhere(
            "XCP's throughput is much larger than TCP's at the same rate of errors: XCP's over "
            "that of equation 3.1",
            "almost an order of magnitude larger",
            over,
            low=LOW,
            form=".1f",
        ),
        everywhere(
            "it is no more than about an order of magnitude larger with Reno's recovery: the same "
            "ratio",
            "almost an order of magnitude larger",
            {at: found for at, found in over.items() if "Reno" in at},
            high=HIGH,
            form=".1f",
            why=_filled(table),
        ),
    ]


def _losses(table: Frame) -> list[float]:
    return [float(loss) for loss in numpy.unique(table["loss"])]


def _filled(table: Frame) -> str:
    """How full the link is, which bounds the ratio where losses are rare."""
    parts = [
        f"{table.where(recovery='Reno', loss=loss)['bps'].mean() / PLACE.capacity:.3f} at {loss:g}"
        for loss in _losses(table)
    ]
    return f"XCP's part of the link: {', '.join(parts)}"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput against the probability of loss."""
    figure, ax = pyplot.subplots()
    losses = _losses(table)
    for number, name in enumerate(RECOVERIES):
        found = [Interval.of(table.where(recovery=name, loss=loss)["bps"]) for loss in losses]
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        with_bars(ax, losses, found, label=f"XCP, {name}", **look)
    at = numpy.geomspace(losses[0], losses[-1], 50)
    line = [min(equation(loss), PLACE.capacity) for loss in at]
    ax.plot(at, line, color=style.GREY, linestyle=style.DASHES[0], label="TCP, equation 3.1")
    scales.logarithmic(ax, "x", "probability of loss", "")
    scales.logarithmic(ax, "y", "throughput", "b/s")
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="xcp-5-14",
    title="One XCP flow against errors of the link",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
