"""All of twenty flows increase by more than their feedback: utilization and mean queue against
their gain, under XCP and under TCP Reno with ECN over RED. XCP has the thesis' sender, which
repairs losses as TCP Reno does, and (XCP-RACK) today's recovery, whose repair needs no time-out. 20
Mb/s, 80 ms, 20 flows in the other direction. Means over sixteen seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from functools import partial

from ..figure import Figure
from . import cheats_plot, efficiency
from .cheats import FLOWS, SYSTEMS, Cheats

CHEATS = Cheats(
    "xcp-7-6",
    "increase_gain",
    numbers=(FLOWS,),
    gains=(1.0, 3.0, 10.0, 30.0, 100.0),
    quick=(1.0, 10.0),
    systems=tuple(SYSTEMS),
)
PAPER = "acceptable for an increase gain as large as 100"


FIGURE = Figure(
    id="xcp-7-6",
    title="Efficiency where all flows increase too much",
    doc=__doc__,
    run=CHEATS.run,
    table=CHEATS.table,
    check=partial(efficiency.check, CHEATS, paper=PAPER),
    plot=partial(cheats_plot.plot, CHEATS, lines={name: (name, FLOWS) for name in SYSTEMS}),
)
