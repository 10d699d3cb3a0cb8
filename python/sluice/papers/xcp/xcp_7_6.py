"""All of twenty flows increase by more than their feedback: utilization and mean queue against
their gain, under XCP and under TCP Reno with ECN over RED. XCP has the thesis' sender, which
repairs losses as TCP Reno does, and (XCP-RACK) today's recovery, whose repair needs no time-out. 20
Mb/s, 80 ms, 20 flows in the other direction. Means over sixteen seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from .cheats import INCREASES
from .efficiency import all_abuse, figure

CHEATS = all_abuse("xcp-7-6", "increase_gain", INCREASES, quick=(1.0, 10.0))
FIGURE = figure(
    CHEATS,
    "Efficiency where all flows increase too much",
    __doc__,
    "acceptable for an increase gain as large as 100",
)
