"""The same as [explicit-access](#explicit-access) on a WAN, the ready scenario
[wan](../reference/ready-scenarios.md): two links of 1 Gb/s in a row, round trips of 24 to 64 ms,
loads of 0.7, Pareto sizes (mean 60 kB, shape 1.4), a buffer of a bandwidth-delay product. Hosts
have 10 Gb/s. Max-min fairness is that of fluid flows over both links.
"""

from __future__ import annotations

from .by_size import Network
from .systems import Path

NETWORK = Network(
    "explicit-wan",
    "wan",
    Path(congested=[("west", "centre"), ("centre", "east")], capacity=1e9, rtt=0.064),
    stop=(4, 22),
)

FIGURE = NETWORK.figure(
    "Completion time by flow size on a WAN, under explicit rates and without", __doc__
)
