"""Figure 7 of "Processor Sharing Flows in the Internet" without the longest completion times, up to
10,000 packets and from the same runs: ``ps-7`` states the parameters that the paper leaves open.
"""

from __future__ import annotations

import matplotlib.figure
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ..claim import Claim
from ..completion import panel
from ..figure import Figure
from ..ps import ps_7
from ..ps.by_size import SHORT, averages
from ..rows import kept

#: Packets: the paper's picture ends there.
LONGEST = 10_000


def table(results: Results) -> Frame:
    """That of PS-7, of the sizes that begin within the picture."""
    rows = ps_7.table(results)
    return kept(rows, rows["packets_from"] < LONGEST)


def check(table: Frame) -> list[Claim]:
    """What the other paper says of means, which its figure counts."""
    return averages(table, counted="ps-7")


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The paper's two panels."""
    figure, (short, long) = pyplot.subplots(1, 2, figsize=(7, 2.8), width_ratios=(3, 2))
    is_short = table["packets_to"] <= SHORT
    for ax, rows, sizes in ((short, is_short, "up to"), (long, ~is_short, "above")):
        panel(ax, kept(table, rows), title="mean completion time")
        ax.set_xlabel(f"flow size, {sizes} {SHORT:,} (packets)")
    # Of less than a decade, marks of their own would be all too many.
    long.set_xticks([3_000, 5_000, LONGEST])
    style.legend(short)
    return figure


FIGURE = Figure(
    id="fct-6",
    title="Mean completion time against flow size: RCP beside XCP, TCP and processor sharing",
    doc=__doc__,
    run=ps_7.run,
    table=table,
    check=check,
    plot=plot,
)
