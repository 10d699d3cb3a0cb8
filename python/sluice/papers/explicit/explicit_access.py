"""Completion time by flow size on an access link of 100 Mb/s with round trips of 8 to 204 ms and
traffic both ways, the ready scenario [access-link](../reference/ready-scenarios.md): Poisson
arrivals at a load of 0.6, Pareto sizes (mean 30 kB, shape 1.4), a buffer of 100 ms. On the left are
mean completion times of a class of sizes over those of the same flows under max-min fairness, on
the right the 99th percentile of flows' times over theirs. Five seeds; bars are 95 % intervals.

All systems have the same timers and flows, a first window of 10 packets where a law has one, and
open a connection with a SYN. RCP, XCP and NCP have the parameters of their papers; *RCP 0.4* has
the gains of its authors' code, 0.4 and 0.4. DCTCP marks above a seventh of the longest round trip's
bandwidth-delay product. Swift has one target for all paths, 1.1 times the longest round trip, and
adds a packet per round trip: it was made for data centres, as HPCC, whose flows begin at the rate
of their host, 1 Gb/s here. Headers are as long as each law's: 40 bytes, and 16 (RCP), 20 (XCP, NCP)
or 42 (HPCC) more.
"""

from __future__ import annotations

from .by_size import Network
from .systems import Path

NETWORK = Network(
    "explicit-access",
    "access-link",
    Path(congested=[("r1", "r2")], capacity=100e6, rtt=0.204),
    stop=(10, 60),
)

FIGURE = NETWORK.figure(
    "Completion time by flow size on an access link, under explicit rates and without", __doc__
)
