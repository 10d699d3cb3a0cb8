"""Twenty long flows start at 0 s and twenty more at 40 s; twenty leave at 100 s. RCP has alpha 0.1
and beta 1, the round trip is 100 ms and the buffer BDP. The paper does not give the capacity, which
matters: 1 Gb/s and 100 Mb/s are drawn, with a BDP of 12,500 and 1,250 packets.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...scenario import Scenario
from ...sweeps import Sweep
from ..claim import Claim
from ..figure import Figure
from ..link import bottleneck, samples
from ..scale import Scale
from ..verdict import Verdict

#: In bit/s.
CAPACITIES = {"1 Gb/s": 1e9, "100 Mb/s": 1e8}
#: Interval of samples in seconds.
SAMPLE = 0.1
#: Start and end of each phase in seconds, and its number of flows.
PHASES = ((0.0, 40.0, 20), (40.0, 100.0, 40), (100.0, 140.0, 20))
#: Bound for convergence to N.
NEAR = 0.02


def run(scale: Scale) -> Sweep:
    """The same at both scales: it takes seconds."""
    over = {"topology.dumbbell.capacity": [f"{each:.0f} bps" for each in CAPACITIES.values()]}
    return scale.sweep(Scenario.load("ps2-rcp"), over, ["rcp"], name="ps-2")


def table(sweep: Sweep) -> Frame:
    """R/C and the link's utilization, every 100 ms, at both capacities."""
    parts = []
    for capacity, results in zip(CAPACITIES.values(), sweep, strict=True):
        rate, load, queue = (
            samples(results, "rcp", quantity) for quantity in ("R", "load", "queue_bytes")
        )
        # Departures are arrivals less the growth of the queue.
        kept = numpy.diff(queue.values, prepend=0) * 8 / (capacity * SAMPLE)
        parts.append(
            pyarrow.table(
                {
                    "capacity_bps": [capacity] * len(rate.values),
                    "seconds": rate.seconds,
                    "rate_share": rate.values / capacity,
                    "utilization": load.values - kept,
                    "drops": [int(bottleneck(results, "rcp")["drops"].sum())] * len(rate.values),
                }
            )
        )
    return Frame(pyarrow.concat_tables(parts))


def check(table: Frame) -> list[Claim]:
    """A claim for each capacity, since the paper leaves it open, about the last quarter of each
    phase."""
    return [_converges(table.where(capacity_bps=each), name) for name, each in CAPACITIES.items()]


def _converges(table: Frame, capacity: str) -> Claim:
    listed, off = [], 0.0
    for begin, end, flows in PHASES:
        late = (table["seconds"] > end - (end - begin) / 4) & (table["seconds"] < end)
        counts = 1 / table["rate_share"][late]
        off = max(off, float(numpy.abs(counts / flows - 1).max()))
        listed.append(f"{counts.mean():.2f} ({counts.min():.2f} to {counts.max():.2f}) of {flows}")
    return Claim(
        f"C/R converges to N as flows come and go, at {capacity}: C/R in the last quarter of each "
        "phase",
        paper=", ".join(f"{flows}" for *_, flows in PHASES),
        ours=f"{', '.join(listed)}; {int(table['drops'][0]):,} packets dropped",
        verdict=Verdict.of(off < NEAR),
        taken=f"within {NEAR:.0%} throughout",
        why=f"C/R is up to {off:.1%} off",
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """R/C, and utilization below it, as in the paper; a column for each capacity."""
    figure, axes = pyplot.subplots(2, len(CAPACITIES), sharex=True, sharey="row", figsize=(7, 3.2))
    look = style.look("rcp")
    for (above, below), (name, capacity) in zip(axes.T, CAPACITIES.items(), strict=True):
        rows = table.where(capacity_bps=capacity)
        above.plot(rows["seconds"], rows["rate_share"], **look.line())
        for begin, end, flows in PHASES:
            above.hlines(1 / flows, begin, end, colors="black", linestyles="dashed", linewidth=0.8)
            above.annotate(
                f"1/{flows}", (end, 1 / flows), (0, 3), textcoords="offset points", ha="right"
            )
        above.set(title=name, ylim=(0, 0.1))
        below.plot(rows["seconds"], rows["utilization"], **look.line())
        below.set(xlabel="time (s)", ylim=(0, 1.05))
    axes[0, 0].set(ylabel="R / C")
    axes[1, 0].set(ylabel="utilization")
    return figure


FIGURE = Figure(
    id="ps-2",
    title="C/R follows the number of flows",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
