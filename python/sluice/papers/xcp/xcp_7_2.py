"""All of twenty flows lie about their throughput: utilization and mean queue against the mean gain.
Each draws its gain from a normal distribution with that mean and a standard deviation as large,
without negative values. 20 Mb/s, 80 ms, 20 flows in the other direction. Means over sixteen draws;
bars are 95 % intervals.
"""

from __future__ import annotations

from functools import partial

from ...frame import Frame
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from . import cheats_plot
from .cheats import FLOWS, Cheats, gains_of
from .claims import OPTIMAL

CHEATS = Cheats("xcp-7-2", "throughput_gain", numbers=(FLOWS,), normal=True)


def check(table: Frame) -> list[Claim]:
    """That lies about throughput do not make the link less efficient."""
    gains = gains_of(table)
    return [
        everywhere(
            "T-lying has no impact on the efficiency: utilization",
            "no impact on the efficiency of the network",
            {f"at {gain:g}": CHEATS.mean(table, gain, "utilization") for gain in gains},
            low=OPTIMAL,
        ),
        everywhere(
            "there are no drops: packets dropped after the warm-up, the most of any draw",
            "no drops in these sets of simulations",
            {
                f"at {gain:g}": Interval.exactly(float(table.where(gain=gain)["drops"].max()))
                for gain in gains
            },
            high=0.5,
            form=".0f",
            taken="none in any run",
        ),
    ]


FIGURE = Figure(
    id="xcp-7-2",
    title="Efficiency where all flows lie about their throughput",
    doc=__doc__,
    run=CHEATS.run,
    table=CHEATS.table,
    check=check,
    plot=partial(cheats_plot.plot, CHEATS, lines={"all flows": ("XCP", FLOWS)}),
)
