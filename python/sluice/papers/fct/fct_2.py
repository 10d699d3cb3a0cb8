"""Figure 1 of "Processor Sharing Flows in the Internet", from the same runs (``ps-1a`` states the
parameters that it leaves open), with the traffic offered and carried in each 100 ms. Offered is the
size of all flows that arrive in that time, so that a long flow is a peak; carried is what the link
transmits. All that the paper says about the two is that high utilization is not enough.
"""

from __future__ import annotations

import matplotlib.figure
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ..claim import Claim
from ..completion import panel
from ..figure import Figure
from ..interval import Interval
from ..ps import ps_1a
from ..ps.ps_1a import PROTOCOLS, means, over_time

#: Bound for a link that carries all that is offered.
ALL = 0.95


def check(table: Frame) -> list[Claim]:
    """The claims of the other paper, and those about the load carried."""
    carried = [_carried(table, name, title) for name, title in PROTOCOLS.items()]
    return [*ps_1a.check(table, counted="ps-1a"), *carried]


def _carried(table: Frame, name: str, title: str) -> Claim:
    loads = {column: means(table, name, column) for column in ("offered", "carried")}
    share = Interval.of(loads["carried"] / loads["offered"])
    return Claim(
        f"efficient use is not enough for short completion times: what {title} carries over what "
        "is offered",
        "no number",
        f"it carries {share:.3f} of what is offered, {Interval.of(loads['carried']):.3f} of the "
        "capacity",
        share.above(ALL),
        f"above {ALL} of what is offered",
        f"it leaves {1 - loads['carried'].mean():.1%} of the link idle",
    )


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The paper's three panels, side by side."""
    figure, (sizes, active, load) = pyplot.subplots(1, 3, figsize=(9, 2.8))
    panel(sizes, ps_1a.by_size(table), title="mean completion time")
    style.legend(sizes)
    ps_1a.draw_active(active, table)
    looks = style.looks(PROTOCOLS)
    for name, title in PROTOCOLS.items():
        rows = over_time(table, name).where(seed=1)
        if name == "tcp":
            # The same for both protocols.
            load.plot(rows["seconds"], rows["offered"], color=style.GREY, lw=0.6, label="offered")
        load.plot(rows["seconds"], rows["carried"], label=f"carried, {title}", **looks[name].line())
    load.set(xlabel="time (s)", ylabel="fraction of the capacity", xlim=(0, None), ylim=(0, 2))
    style.legend(load)
    return figure


FIGURE = Figure(
    id="fct-2",
    title="Flows last long under TCP and XCP, on a link that is well used",
    doc=__doc__,
    run=ps_1a.run,
    table=ps_1a.table,
    check=check,
    plot=plot,
)
