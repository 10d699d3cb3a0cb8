"""RCP and TCP relative to processor sharing on links of 10 Mb/s to 2.4 Gb/s, with the settings of
the papers (alpha 0.1, beta 1; TCP Reno with an initial window of 2), and TCP with selective
acknowledgements (SACK). The round trip is 100 ms, the load 0.7 and the sizes Pareto (mean 30
packets, shape 1.2), as in PS-5. Runs measure the same number of flows at each capacity, for at
least 20 s. Ten seeds; bars are 95 % intervals.

The paper says that RCP matches processor sharing closely at other capacities, and refers to its
technical report for figures. The bound for "close" is ours: 1.25 times the completion time of
processor sharing.
"""

from __future__ import annotations

from ..figure import Figure
from .varied import Varied

CAPACITIES = Varied(
    "capacity",
    column="capacity_bps",
    values=(10e6, 40e6, 150e6, 600e6, 2400e6),
    unit=1e6,
    where="at {} Mb/s",
    label=("capacity", "b/s"),
    at_least=(5.0, 20.0),
)

FIGURE = Figure(
    id="limits-capacity",
    title="RCP and TCP beside processor sharing, from 10 Mb/s to 2.4 Gb/s",
    doc=__doc__,
    run=CAPACITIES.run,
    table=CAPACITIES.table,
    check=CAPACITIES.check,
    plot=CAPACITIES.plot,
)
