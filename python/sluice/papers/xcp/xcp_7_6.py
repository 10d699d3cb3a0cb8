"""All of twenty flows increase by more than their feedback: utilization and mean queue against their gain,
under XCP and under TCP Reno with ECN over RED. 20 Mb/s, 80 ms, 20 flows in the other direction.
Means over four seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from functools import partial

from ...frame import Frame
from ..claim import Claim, everywhere
from ..figure import Figure
from . import cheats_plot
from .cheats import FLOWS, SYSTEMS, Cheats, gains_of

CHEATS = Cheats(
    "xcp-7-6",
    "increase_gain",
    numbers=(FLOWS,),
    gains=(1.0, 3.0, 10.0, 30.0, 100.0),
    quick=(1.0, 10.0),
    systems=tuple(SYSTEMS),
)
#: "Acceptable" utilization. The thesis has no number.
ACCEPTABLE = 0.8


def check(table: Frame) -> list[Claim]:
    """That both stay efficient."""
    return [
        everywhere(
            f"the efficiency of {name} stays acceptable: utilization",
            "acceptable for an increase gain as large as 100",
            {
                f"at {gain:g}": CHEATS.mean(table, gain, "utilization", system=name)
                for gain in gains_of(table)
            },
            low=ACCEPTABLE,
        )
        for name in SYSTEMS
    ]


FIGURE = Figure(
    id="xcp-7-6",
    title="Efficiency where all flows increase too much",
    doc=__doc__,
    run=CHEATS.run,
    table=CHEATS.table,
    check=check,
    plot=partial(cheats_plot.plot, CHEATS, lines={name: (name, FLOWS) for name in SYSTEMS}),
)
