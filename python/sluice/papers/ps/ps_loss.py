"""RCP as in equation (2), and with q replaced by the sum of q and the packets lost in the interval,
as the paper suggests: "this would have been the queue we wanted to drain if we had enough
buffering". Left: the fraction of packets lost; right: mean completion time relative to processor
sharing of the same flows; both against the buffer, with 95 % intervals over seeds.

The paper shows no such run, since it saw hardly any loss. Ours: Poisson arrivals of exponential
sizes (mean 500 packets, more than a quarter of BDP, so that single flows overflow small buffers) at
a load of 0.9 on 150 Mb/s, with a round trip of 100 ms; 60 s after a warm-up of 10 s (20 s at the
quick scale).
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...scenario import Scenario
from ...sweeps import Sweep
from .. import drawing
from ..claim import Claim, everywhere
from ..completion import mean_s
from ..figure import Figure
from ..interval import Interval
from ..link import loss_by_seed
from ..scale import Scale
from ..traffic import flow_group
from ..transport import NS2

#: In bandwidth-delay products; the last is the paper's.
BUFFERS = [0.02, 0.05, 0.1, 0.3, 1.0]
#: Buffers that overflow often enough for an effect to show.
SMALL = [0.02, 0.05, 0.1]
COUNTED = {False: "q alone", True: "q and losses"}
#: Factors that keep markers apart.
APART = {False: 0.98, True: 1.02}


def run(scale: Scale) -> Sweep:
    """Each buffer with and without, for the same flows."""
    scenario = Scenario(
        transport=NS2,
        name="ps-loss",
        warm_up="10 s",
        stop=scale.pick("30 s", "70 s"),
        limit="300 s",
        ideals=["max_min"],
        topology={"dumbbell": {"capacity": "150 Mbps", "rtt": "100 ms", "buffer": "$buffer"}},
        group=[flow_group("flows", poisson={"load": 0.9, "sizes": {"exponential": "500 packets"}})],
        variables={"buffer": "1 bdp"},
    )
    over = {"buffer": [f"{buffer} bdp" for buffer in BUFFERS], "rcp.losses_as_queue": list(COUNTED)}
    return scale.sweep(scenario, over, ["rcp"], name="ps-loss", seeds=scale.pick(2, 8))


def table(sweep: Sweep) -> Frame:
    """A row for each buffer, way of counting and seed."""
    rows = []
    cases = [(buffer, counted) for buffer in BUFFERS for counted in COUNTED]
    for (buffer, counted), results in zip(cases, sweep, strict=True):
        for seed, lost in loss_by_seed(results, "rcp").items():
            rows.append(
                {
                    "buffer_bdp": buffer,
                    "losses_counted": counted,
                    "seed": seed,
                    "lost": lost,
                    "times": mean_s(results.flows("rcp", seed))
                    / mean_s(results.flows("max_min", seed)),
                }
            )
    return Frame(pyarrow.Table.from_pylist(rows))


def check(table: Frame) -> list[Claim]:
    """Claims about with relative to without, seed by seed."""
    usual = Interval.of(table.where(buffer_bdp=1.0, losses_counted=False)["lost"] * 100)
    lost = {f"at {buffer} BDP": _ratio(table, "lost", buffer) for buffer in SMALL}
    times = {f"at {buffer} BDP": _ratio(table, "times", buffer) for buffer in BUFFERS}
    return [
        Claim(
            "with a buffer of BDP losses are rare events for RCP: part of its packets lost",
            paper="rare",
            ours=f"{usual:.2g} %",
            verdict=usual.below(0.1),
            taken="below 0.1 %",
        ),
        everywhere(
            "where queues overflow, losses counted as queue make them fewer: packets lost with the "
            "count over those without",
            "the queue we wanted to drain",
            lost,
            high=1,
        ),
        everywhere(
            "and flows complete no later: mean completion time with the count over that without",
            "works",
            times,
            high=1.02,
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Loss and completion times against the buffer."""
    figure, panels = pyplot.subplots(1, 2, figsize=(7, 2.6))
    shades = style.look("rcp").shades(2)
    titles = ("lost packets", "completion time / PS's")
    for ax, column, title in zip(panels, ("lost", "times"), titles, strict=True):
        for counted, shade, marker in zip(COUNTED, shades, style.MARKERS, strict=False):
            found = [
                Interval.of(table.where(buffer_bdp=buffer, losses_counted=counted)[column])
                for buffer in BUFFERS
            ]
            at = numpy.array(BUFFERS) * APART[counted]
            look = {"color": shade, "marker": marker, "label": COUNTED[counted]}
            drawing.with_lines(ax, at, found, **look)
        scales.logarithmic(ax, "x", "buffer (BDP)", "")
        ax.set(ylabel=title, ylim=(0, None))
    panels[0].yaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
    style.legend(panels[1])
    return figure


def _ratio(table: Frame, column: str, buffer: float) -> Interval:
    with_, without = (
        table.where(buffer_bdp=buffer, losses_counted=counted)[column] for counted in (True, False)
    )
    return Interval.of(with_ / without)


FIGURE = Figure(
    id="ps-loss",
    title="Losses counted as queue, where buffers overflow",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
