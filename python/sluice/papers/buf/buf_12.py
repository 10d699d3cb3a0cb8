"""Mean completion time of a mix of short and long flows against load, with buffers of BDP, 10 % and
5 % of it; for short flows, long flows, and all. The paper adds, without a figure, that RCP does
much better than TCP with such buffers: the dashed lines are TCP.

The paper gives neither C, nor round trip, nor the mix. Ours: 100 Mb/s and 40 ms; exponential sizes,
with a mean of 5 MB (ten BDP) with probability 0.02 and of 25 kB (a twentieth of BDP) otherwise, so
that long flows are four fifths of the data. RCP has alpha 0.4, beta 0.5 and retransmission in
rounds, TCP selective acknowledgements. Eight runs of 96 s after a warm-up of 24 s; bars are 95 %
intervals. Completion times end with the last acknowledgement.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...sweeps import Sweep
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale
from .completion_against_load import BUFFERS, cost, costs, from_zero, panel, rows, simulate, size

#: Probability of a flow to be in a group, and the group's mean size in bytes.
MIX = {"short": (0.98, 25_000), "long": (0.02, 5_000_000)}
#: Groups drawn, with their names.
GROUPS = {"short": "short flows", "long": "long flows", "all": "all flows"}
#: The paper's increase of completion times with 5 % of BDP.
RISE = 0.25
#: Bound for "well below": TCP's completion time over RCP's.
WELL = 1.5


def run(scale: Scale) -> dict[float, Sweep]:
    """Poisson arrivals with sizes from a mix are independent Poisson streams, one for each part of
    the mix."""
    each = {group: likely * mean for group, (likely, mean) in MIX.items()}

    def arrivals(load: float) -> dict[str, dict[str, Any]]:
        return {
            group: {
                "load": load * each[group] / sum(each.values()),
                "sizes": {"exponential": f"{mean} B"},
            }
            for group, (_, mean) in MIX.items()
        }

    return simulate(
        scale,
        "buf-12",
        100e6,
        arrivals,
        until_s=scale.pick(60.0, 120.0),
        loads=scale.pick([0.5, 0.8], [0.3, 0.5, 0.7, 0.8, 0.9]),
        seeds=scale.pick(2, 8),
        protocols=["rcp", "tcp"],
    )


def table(runs: dict[float, Sweep]) -> Frame:
    """Means by load, buffer, protocol, group and seed."""
    return Frame(pyarrow.Table.from_pylist(rows(runs)))


def check(table: Frame) -> list[Claim]:
    """Claims about small buffers under RCP, and about TCP relative to RCP."""
    own = {what: table.where(protocol="rcp", group=group) for group, what in GROUPS.items()}
    return [costs(own, 0.1, "less than 15%"), _rise(own), _below(table.where(group="all"))]


def _rise(own: dict[str, Frame]) -> Claim:
    """A claim about 5 % of BDP at the load of the largest increase."""
    found = {}
    for what, of_kind in own.items():
        of_load = {
            load: cost(of_kind, load, 0.05) for load in numpy.unique(of_kind["load"]).tolist()
        }
        worst = max(of_load, key=lambda load: of_load[load].mean)
        found[f"of {what} at a load of {worst}"] = of_load[worst]
    low, high = 0.8 * RISE, 1.2 * RISE
    return everywhere(
        "with a buffer of 5% of BDP flows take longer: relative increase of the mean completion "
        "time over that with BDP, at the load where it is largest",
        f"approximately {RISE:.0%}",
        found,
        low=low,
        high=high,
        form="+.0%",
        taken=f"{low:.0%} to {high:.0%}, of flows of each kind",
    )


def _below(table: Frame) -> Claim:
    found = {}
    for buffer in BUFFERS:
        for load in numpy.unique(table["load"]).tolist():
            tcp, rcp = (
                table.where(load=load, buffer=buffer, protocol=name)["mean_s"]
                for name in ("tcp", "rcp")
            )
            found[f"at a load of {load}, buffer {size(buffer)}"] = Interval.of(tcp / rcp)
    return everywhere(
        "RCP is well below TCP with such buffers: TCP's mean completion time over RCP's, all flows",
        "significantly better",
        found,
        low=WELL,
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each group of flows, as figures 12 to 14."""
    figure, axes = pyplot.subplots(1, len(GROUPS), figsize=(7, 2.8))
    for ax, (group, what) in zip(axes, GROUPS.items(), strict=True):
        panel(ax, table.where(group=group))
        from_zero(ax)
        ax.set_title(what)
    style.legend_above(figure, axes[0], columns=3)
    return figure


FIGURE = Figure(
    id="buf-12",
    also=("buf-13", "buf-14"),
    title="Mean completion time of a mix against load, by buffer: RCP beside TCP",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
