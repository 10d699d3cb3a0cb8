"""Theorem 2: the fraction of packets that a small buffer loses when long flows come and go, against
the load. As in the paper, C is 100 Mb/s, the mean size 10 MB and the buffer 0.02 C RTT. Its figure
has alpha 0.2 and a round trip of 80 ms, its example 10 ms: both are drawn, and alpha 1. Solid lines
are the first form of the theorem, which is correct as a sum; its closed form lacks a minus sign and
is negative. Dashed lines are ours: they divide by the packets sent instead of those that the link
could carry, and take the excess of an arrival from law (1) with its delay of a round trip.

The packet simulations are ours too: RCP (beta 0.5) with that buffer, which is 20 packets at 80 ms
and two at 10 ms, and retransmission in rounds. A dot is the mean of eight runs of 150 s after a
warm-up of 50 s, its bar the 95 % interval.
"""

from __future__ import annotations

import math
from typing import Any

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot
from matplotlib.ticker import PercentFormatter

from ...frame import Frame
from ...plot import style
from ...scenario import Scenario
from ...sweeps import Sweep
from ...theory import buffers, fluid
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale
from ..traffic import flow_group
from ..transport import NS2
from ..verdict import Verdict
from .loss import by_load, dots, lost

#: Round trip in ms and alpha: the paper's figure, its example, and ours.
SETTINGS = [(80, 0.2), (10, 0.2), (80, 1.0)]
SAID = 0.025
KAPPA = 0.02
#: C over the mean flow size, in flows per second.
FLOWS_S = 100e6 / 8 / 10e6
#: The load at which the theorem's loss is highest, for alpha 0.2.
PEAK = 0.76
#: Largest number of flows considered; there are more with probability 4e-5 at the highest load.
MAX_FLOWS = 1000
LOADS = numpy.linspace(0.01, 0.99, 99)


def run(scale: Scale) -> list[Sweep]:
    """A sweep over the load for each setting."""
    loads = scale.pick([0.3, 0.7, 0.9], [0.2, 0.4, 0.6, 0.8, 0.95])
    end = scale.pick("150 s", "200 s")
    scenario = Scenario(
        transport=NS2,
        name="buf-4",
        warm_up="50 s",
        stop=end,
        limit=end,
        ideals=[],
        variables={"load": 0.5},
        rcp={"beta": 0.5, "recovery": "rounds"},
        topology={"dumbbell": {"capacity": "100 Mbps", "rtt": "80 ms", "buffer": f"{KAPPA} bdp"}},
        group=[flow_group("flows", poisson={"load": "$load", "sizes": {"exponential": "10 MB"}})],
    )
    return [
        scale.sweep(
            scenario.set({"topology.dumbbell.rtt": f"{rtt} ms", "rcp.alpha": alpha}),
            {"load": loads},
            ["rcp"],
            name=f"buf-4-{rtt}ms-alpha{alpha}",
            seeds=scale.pick(2, 8),
        )
        for rtt, alpha in SETTINGS
    ]


def table(sweeps: list[Sweep]) -> Frame:
    """Loss by form (``right``, ``printed``, ``mended``, ``packets``), setting, load and seed."""
    rows: list[dict[str, Any]] = []
    for (rtt, alpha), sweep in zip(SETTINGS, sweeps, strict=True):
        nu = FLOWS_S * rtt / 1000
        extra = excess(alpha)
        for load in LOADS.tolist():
            forms = {
                "right": buffers.overflow_long(load, nu, KAPPA, alpha),
                "printed": buffers.overflow_long_printed(load, nu, KAPPA, alpha),
                "mended": mended(load, nu, extra),
            }
            at = {"rtt_ms": rtt, "alpha": alpha, "load": load, "seed": None}
            rows += [at | {"form": form, "loss": loss} for form, loss in forms.items()]
        setting = {"rtt_ms": rtt, "alpha": alpha}
        rows += [setting | found for found in lost(sweep)]
    return Frame(pyarrow.Table.from_pylist(rows))


def excess(alpha: float) -> numpy.ndarray:
    """What one more flow brings beyond the capacity in bandwidth-delay products, for 1, 2, ...
    flows: by law (1) without its queue term, since there is hardly a queue."""
    n = numpy.arange(1, MAX_FLOWS + 1)
    model = fluid.path("rcp", alpha, 0.0, load=(n + 1) / n)
    over = numpy.maximum(model.load - 1, 0)
    # The model starts when the router's answer arrives, after a round trip with 1 / n more.
    return 1 / n + numpy.trapezoid(over, model.time_rtts, axis=0)


def mended(load: float, nu: float, extra: numpy.ndarray) -> float:
    """Theorem 2 over packets that are sent, with the excess of an arrival at 1, 2, ... flows."""
    n = numpy.arange(len(extra))
    found = (1 - load) * load**n @ numpy.maximum(extra - KAPPA, 0)
    return float(nu * load * found)


def check(table: Frame) -> list[Claim]:
    """Claims about the largest loss, by formula and in packets, and about loads near 1."""
    printed = table.where(form="printed")["loss"]
    claims = [
        Claim(
            "the closed form of Theorem 2 is a probability: its least and largest value",
            paper="0 to 1",
            ours=f"{printed.min():.2f} to {printed.max():.2g}",
            verdict=Verdict.of(printed.min() >= 0),
        )
    ]
    rtt, alpha = SETTINGS[0]
    last = buffers.overflow_long(1 - 1e-6, FLOWS_S * rtt / 1000, KAPPA, alpha)
    claims.append(
        Claim(
            "the loss falls to 0 as the load goes to 1: the theorem's loss",
            paper="0",
            ours=f"{last:.1g} at a load of 1 - 1e-6",
            verdict=Verdict.of(last < 1e-4),
            taken="below 1e-4",
        )
    )
    return [*claims, *_largest(table), _falls(table)]


def _largest(table: Frame) -> list[Claim]:
    """By the theorem and in packets; the paper's text and its figure have two round trips."""
    theorem, packets, mended = {}, {}, []
    for rtt, alpha in SETTINGS[:2]:
        at = f"at alpha {alpha} and {rtt} ms"
        peak = {
            form: float(table.where(form=form, rtt_ms=rtt, alpha=alpha)["loss"].max())
            for form in ("right", "mended")
        }
        theorem[at] = Interval.exactly(peak["right"])
        packets[at] = max(by_load(_packets(table, rtt, alpha)).values(), key=lambda loss: loss.mean)
        mended.append(f"{peak['mended']:.1%} {at}")
    one = float(table.where(form="right", rtt_ms=80, alpha=1.0)["loss"].max())
    low, high = 0.8 * SAID, 1.2 * SAID
    asked = f"{low:.1%} to {high:.1%} at both round trips"
    paper = f"about {SAID:.1%}"
    return [
        everywhere(
            "the largest loss at alpha 0.2, by the theorem",
            paper,
            theorem,
            low=low,
            high=high,
            form=".1%",
            taken=asked,
            why=f"at alpha 1 and 80 ms it is {one:.2%}",
        ),
        everywhere(
            "the largest loss at alpha 0.2, in packets",
            paper,
            packets,
            low=low,
            high=high,
            form=".1%",
            taken=asked,
            why="with the delay that it leaves out, and over the packets that are sent, the "
            f"theorem has {', '.join(mended)}",
        ),
    ]


def _falls(table: Frame) -> Claim:
    """Remark 2, "simulations exhibit the same": the highest load beside that of the theorem's
    peak."""
    found = {}
    for rtt, alpha in SETTINGS:
        rows = _packets(table, rtt, alpha)
        loads = numpy.unique(rows["load"])
        peak = loads[abs(loads - PEAK).argmin()]
        high, middle = (rows.where(load=load)["loss"] for load in (loads[-1], peak))
        found[f"at alpha {alpha} and {rtt} ms"] = Interval.of(high - middle, minimum=-math.inf)
    return everywhere(
        "the loss falls as the load goes to 1, in packets: the loss at a load of "
        f"{loads[-1]} less that at {peak}",
        "below 0",
        found,
        high=0,
        form="+.1%",
    )


def _packets(table: Frame, rtt: int, alpha: float) -> Frame:
    return table.where(form="packets", rtt_ms=rtt, alpha=alpha)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each setting, as figure 4."""
    figure, axes = pyplot.subplots(1, len(SETTINGS), figsize=(7, 2.5))
    for ax, (rtt, alpha) in zip(axes, SETTINGS, strict=True):
        for form, dashes, label in (
            ("right", "-", "Theorem 2"),
            ("mended", "--", "with delay, over packets sent"),
        ):
            rows = table.where(form=form, rtt_ms=rtt, alpha=alpha)
            ax.plot(rows["load"], rows["loss"], color="black", ls=dashes, lw=1, label=label)
        dots(ax, _packets(table, rtt, alpha))
        ax.axhline(SAID, color=style.ALARM, lw=0.8, ls=style.DOTS, label="the paper's largest")
        ax.set(title=f"RTT {rtt} ms, alpha {alpha}", xlabel="load", xlim=(0, 1))
        ax.set_ylim(bottom=0)
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes[0].set_ylabel("packets lost")
    style.legend_above(figure, axes[0], columns=4)
    return figure


FIGURE = Figure(
    id="buf-4",
    also=("buf-t2",),
    title="Loss against load where flows are long (Theorem 2)",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
