"""Theorem 1: the increase of the completion time of a flow of K packets when each is lost with
probability p. As in the paper, C is 100 Mb/s, the round trip 100 ms and the load 80 Mb/s. Solid
lines are the theorem with the sign of its sum corrected, without which loss would shorten a flow;
dotted lines are the theorem as printed.

The packet simulations are ours: a third of the load each in flows of 10, 100 and 10,000 packets,
under RCP (alpha 0.4, beta 0.5, an unlimited buffer) with retransmission in rounds. A wire behind
the buffer loses packets at random in the direction of the data; a dot is a run. SYNs are lost as
well, which the theorem ignores: the mean time to their repetition is subtracted.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot
from matplotlib.ticker import StrMethodFormatter

from ...frame import Frame
from ...plot import style
from ...scenario import Scenario
from ...sweeps import Sweep
from ...theory import buffers
from ..claim import Claim, everywhere
from ..completion import mean_s
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale
from ..traffic import fixed
from ..transport import NS2
from ..verdict import Verdict
from .rcp import RCP

#: K, and by how much the paper says that a loss of 0.1 lengthens such a flow.
SAID = {10: ("under", 0.20), 100: ("by", 0.65), 10_000: ("under", 0.20)}
#: Forms of the theorem and of packets in the table.
FORMS = {"by the theorem": "right", "in packets": "packets"}
#: Capacity in packets per second, load, round trip in seconds.
LINK = (12_500.0, 0.8, 0.1)
LOSSES = numpy.geomspace(0.001, 0.2, 60)
#: Losses of packet simulations; the last is the paper's.
SIMULATED = [0.0, 0.014, 0.1]
SEVENTH, LOSS = SIMULATED[1:]
#: Seconds until a SYN is first repeated; the wait doubles each time.
REPEAT_S = 0.5


def run(scale: Scale) -> Sweep:
    """Losses occur only in the direction of the data."""
    link = {"delay": "50 ms", "both_ways": False, "capacity": "100 Mbps"}
    link["buffer"] = "unlimited"
    access = {"from": "s", "to": "r", "capacity": "1 Gbps", "delay": "0 ms", "router": False}
    scenario = Scenario(
        transport=NS2,
        name="buf-1",
        warm_up="10 s",
        stop=scale.pick("70 s", "310 s"),
        ideals=[],
        variables={"loss": 0.0},
        rcp=RCP,
        topology={
            "link": [
                access | {"buffer": "unlimited"},
                link | {"from": "r", "to": "d", "error": "$loss"},
                link | {"from": "d", "to": "r"},
            ]
        },
        group=[
            {
                "name": f"of-{packets}",
                "from": "s",
                "to": "d",
                "poisson": {
                    "load": LINK[1] / len(SAID),
                    "sizes": fixed(packets),
                },
            }
            for packets in SAID
        ],
    )
    return scale.sweep(scenario, {"loss": SIMULATED}, ["rcp"], name="buf-1", seeds=scale.pick(2, 5))


def table(sweep: Sweep) -> Frame:
    """Mean time of K packets, and over that without loss: by form (``printed``, ``right``,
    ``packets``), K, loss and seed."""
    forms = {"printed": buffers.completion_s_printed, "right": buffers.completion_s}
    rows = []
    for form, time in forms.items():
        for packets in SAID:
            lossless = time(packets, 0.0, *LINK)
            for loss in (*LOSSES.tolist(), *SIMULATED[1:]):
                rows.append(_row(form, packets, loss, None, time(packets, loss, *LINK), lossless))
    for packets in SAID:
        without = _means(sweep, 0, packets)
        for point, loss in enumerate(SIMULATED[1:], 1):
            waited = REPEAT_S * loss / (1 - 2 * loss)
            for seed, mean in _means(sweep, point, packets).items():
                rows.append(_row("packets", packets, loss, seed, mean - waited, without[seed]))
    return Frame(pyarrow.Table.from_pylist(rows))


def _row(
    form: str, packets: int, loss: float, seed: int | None, seconds: float, lossless: float
) -> dict[str, object]:
    key = {"form": form, "packets": packets, "loss": loss, "seed": seed}
    return key | {"mean_s": seconds, "ratio": seconds / lossless}


def _means(sweep: Sweep, point: int, packets: int) -> dict[int, float]:
    """Mean completion times in seconds at a point of the sweep, by seed."""
    flows = sweep[point].flows("rcp").where(group=f"of-{packets}")
    return {int(seed): mean_s(flows.where(seed=seed)) for seed in numpy.unique(flows["seed"])}


def check(table: Frame) -> list[Claim]:
    """Claims about the paper's three readings at a loss of 0.1, and about (2) as a bound."""
    printed = [_at(table, "printed", packets).mean - 1 for packets in SAID]
    return [
        Claim(
            "by (2), as printed, loss lengthens a flow: relative increase of the completion time",
            paper="above 0 for every K",
            ours=f"{min(printed):+.0%} to {max(printed):+.0%} at a loss of {LOSS}",
            verdict=Verdict.of(min(printed) > 0),
            why="with the sign of the sum corrected to (-1)^(k+1) it is "
            + ", ".join(f"{_longer(_at(table, 'right', k)):+.0%}" for k in SAID),
        ),
        *(_readings(table, by, form) for by, form in FORMS.items()),
        _bound(table),
    ]


def _readings(table: Frame, by: str, form: str) -> Claim:
    """The paper's three readings of its figure."""
    listed, verdicts, near = [], [], []
    for packets, (how, said) in SAID.items():
        ratio = _at(table, form, packets)
        low = 0.0 if how == "under" else 0.8 * said
        high = said if how == "under" else 1.2 * said
        verdicts.append(ratio.within(1 + low, 1 + high))
        listed.append(f"{_longer(ratio):+.0%} of {packets:,} packets")
        near.append(f"{_longer(_at(table, form, packets, loss=SEVENTH)):+.0%}")
    return Claim(
        f"a loss of {LOSS} lengthens flows of {', '.join(f'{packets:,}' for packets in SAID)} "
        f"packets: relative increase of the completion time, {by}",
        paper=", ".join(f"{how} {said:.0%}" for how, said in SAID.values()),
        ours=", ".join(listed),
        verdict=Verdict.all(verdicts),
        taken="; ".join(
            f"{0.8 * said:.0%} to {1.2 * said:.0%} for {how} {said:.0%}"
            for how, said in SAID.values()
            if how != "under"
        ),
        why=f"at a loss of {SEVENTH} they are {', '.join(near)}",
    )


def _bound(table: Frame) -> Claim:
    capacity, load, rtt = LINK
    found, loaded = {}, []
    for packets in SAID:
        bound = _at(table, "right", packets, "mean_s").mean
        values = table.where(form="packets", packets=packets, loss=LOSS)["mean_s"]
        found[f"of {packets:,} packets ({bound:.3g} s by (2))"] = Interval.of(values / bound)
        raised = buffers.completion_s(packets, LOSS, capacity, load / (1 - LOSS), rtt)
        loaded.append(f"{raised / bound:.2f}")
    return everywhere(
        f"(2) is an upper bound at a loss of {LOSS}: mean completion time in packets over (2)",
        "1 at most",
        found,
        high=1,
        why=f"at a load of {load / (1 - LOSS):.2f}, {load} with retransmissions, the bound "
        f"would be {', '.join(loaded)} times as large",
    )


def _at(
    table: Frame, form: str, packets: int, column: str = "ratio", loss: float = LOSS
) -> Interval:
    values = table.where(form=form, packets=packets, loss=loss)[column]
    return Interval.of(values) if form == "packets" else Interval.exactly(float(values[0]))


def _longer(ratio: Interval) -> Interval:
    return Interval(ratio.mean - 1, ratio.low - 1, ratio.high - 1)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Against the loss, as figure 1, with the paper's readings as crosses."""
    figure, ax = pyplot.subplots(figsize=(3.5, 2.8))
    shades = style.look("rcp").shades(len(SAID))
    for (packets, (_, said)), shade in zip(SAID.items(), shades, strict=True):
        for form, dashes in (("right", "-"), ("printed", style.DOTS)):
            rows = table.where(form=form, packets=packets)
            count = len(LOSSES)
            label = f"K = {packets:,}" if form == "right" else None
            ax.plot(
                rows["loss"][:count], rows["ratio"][:count], color=shade, ls=dashes, label=label
            )
        rows = table.where(form="packets", packets=packets)
        ax.plot(rows["loss"], rows["ratio"], "o", color=shade, mec="black", mew=0.4)
        ax.plot(LOSS, 1 + said, "x", color=style.ALARM)
    ax.plot([], [], "o", color="white", mec="black", label="packets")
    ax.plot([], [], color="black", ls=style.DOTS, label="as printed")
    ax.plot([], [], "x", color=style.ALARM, label="the paper's reading")
    ax.set(
        xlabel="loss probability, p",
        ylabel="time / time without loss",
        xscale="log",
        ylim=(0, 3.5),
    )
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="buf-1",
    also=("buf-t1",),
    title="What loss costs a flow",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
