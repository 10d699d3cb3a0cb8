"""All of twenty flows decrease by less than their feedback: utilization and mean queue against
their gain, under XCP and under TCP Reno with ECN over RED. XCP has the thesis' sender, which
repairs losses as TCP Reno does, and (XCP-RACK) today's recovery, whose repair needs no time-out. 20
Mb/s, 80 ms, 20 flows in the other direction. Means over sixteen seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from .cheats import DECREASES
from .efficiency import all_abuse, figure

CHEATS = all_abuse("xcp-7-7", "decrease_gain", DECREASES, quick=(0.1, 1.0))
FIGURE = figure(
    CHEATS,
    "Efficiency where all flows decrease too little",
    __doc__,
    "acceptable for [...] a decrease gain as small as 0.01",
)
