"""Theorem 3: the fraction of packets that a small buffer loses when flows are so short that no
granted rate can take effect, against the load. As in the paper, C is 10 Gb/s, the round trip 80 ms,
the mean size 50 kB (exponential) and the buffer 2500 kB, which the link transmits in 2 ms. The
theorem depends on neither C nor round trip, only on mean size and buffer.

The packet simulations are ours: RCP (alpha 0.4, beta 0.5) with retransmission in rounds. A dot is
the mean of 16 runs of 2 s after a warm-up of 2 s, its bar the 95 % interval; means of 0 are not
drawn. The quick scale has 1 Gb/s and longer runs. The dashed line is ours as well: flows that send
all their data at once, an M/M/1 queue.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...scenario import Scenario
from ...sweeps import Sweep
from ...theory import buffers
from ..claim import Claim
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale
from ..traffic import flow_group
from ..transport import NS2
from .loss import by_load, dots, lost
from .rcp import RCP

#: In bytes.
BUFFER, MEAN = 2.5e6, 50_000
#: The paper's reading of its figure, and the load of that reading.
SAID, AT = 0.01, 0.9
LOADS = numpy.linspace(0.7, 0.99, 88)


def run(scale: Scale) -> Sweep:
    """Loads from the smallest with losses in that time."""
    end = scale.pick("6 s", "4 s")
    scenario = Scenario(
        transport=NS2,
        name="buf-5",
        warm_up="2 s",
        stop=end,
        limit=end,
        ideals=[],
        variables={"load": 0.5},
        rcp=RCP,
        topology={
            "dumbbell": {
                "capacity": scale.pick("1 Gbps", "10 Gbps"),
                "rtt": "80 ms",
                "buffer": "2500 kB",
            }
        },
        group=[flow_group("flows", poisson={"load": "$load", "sizes": {"exponential": "50 kB"}})],
    )
    loads = scale.pick([AT, 0.95], [0.8, 0.85, AT, 0.95])
    return scale.sweep(scenario, {"load": loads}, ["rcp"], name="buf-5", seeds=scale.pick(2, 16))


def table(sweep: Sweep) -> Frame:
    """Loss by form (``theorem``, ``bursts``, ``packets``), load and seed."""
    rows: list[dict[str, Any]] = []
    for load in LOADS.tolist():
        forms = {
            "theorem": buffers.overflow_short(load, BUFFER, MEAN),
            "bursts": load * float(numpy.exp(-BUFFER / MEAN * (1 - load))),
        }
        at = {"load": load, "seed": None}
        rows += [{"form": form, **at, "loss": loss} for form, loss in forms.items()]
    return Frame(pyarrow.Table.from_pylist(rows + list(lost(sweep))))


def check(table: Frame) -> list[Claim]:
    """Claims about the paper's reading at a load of 0.9, by the theorem and in packets, and about
    the theorem as a bound."""
    theorem = buffers.overflow_short(AT, BUFFER, MEAN)
    reached = float(numpy.interp(SAID, *_line(table, "theorem")))
    packets = by_load(table.where(form="packets"))[AT]
    asked = f"{0.8 * SAID:.2g} to {1.2 * SAID:.2g}"
    return [
        Claim(
            f"the loss at a load of {AT}, by the theorem",
            paper=f"around {SAID}",
            ours=f"{theorem:.2g}",
            verdict=Interval.exactly(theorem).within(0.8 * SAID, 1.2 * SAID),
            taken=asked,
            why=f"the theorem reaches {SAID} at a load of {reached:.3f}",
        ),
        Claim(
            f"the loss at a load of {AT}, in packets",
            paper=f"around {SAID}",
            ours=f"{packets:.2g}",
            verdict=packets.within(0.8 * SAID, 1.2 * SAID),
            taken=asked,
            why=f"flows that send all at once would lose {_at(table, 'bursts'):.2g}",
        ),
        Claim(
            f"no more is lost at a load of {AT} than the theorem says: the loss in packets",
            paper=f"below {theorem:.2g}",
            ours=f"{packets:.2g}",
            verdict=packets.below(theorem),
            why=f"{packets.mean / theorem:.2f} times as much on average",
        ),
    ]


def _line(table: Frame, form: str) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Loss, which grows with the load, and load."""
    rows = table.where(form=form)
    return rows["loss"], rows["load"]


def _at(table: Frame, form: str) -> float:
    loss, load = _line(table, form)
    return float(numpy.interp(AT, load, loss))


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Against the load, as figure 5, with the paper's reading as a cross."""
    figure, ax = pyplot.subplots(figsize=(3.5, 2.6))
    for form, dashes, label in (("theorem", "-", "Theorem 3"), ("bursts", "--", "M/M/1")):
        loss, load = _line(table, form)
        ax.plot(load, loss, color="black", ls=dashes, lw=1, label=label)
    dots(ax, table.where(form="packets"))
    ax.plot(AT, SAID, "x", color=style.ALARM, label="the paper's reading")
    ax.set(xlabel="load", ylabel="packet loss rate", yscale="log", ylim=(1e-6, 1))
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="buf-5",
    also=("buf-t3",),
    title="Loss against load where flows are short (Theorem 3)",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
