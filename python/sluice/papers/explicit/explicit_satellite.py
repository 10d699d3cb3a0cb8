"""The same as [explicit-access](#explicit-access) over a geostationary satellite, the ready
scenario [geo-satellite](../reference/ready-scenarios.md): 40 Mb/s down and 4 Mb/s up, a round trip
of 604 ms, one of 100,000 packets lost on the way, a load of 0.6 down in Pareto sizes (mean 60 kB,
shape 1.4) and of 0.3 up, a buffer of 100 ms.
"""

from __future__ import annotations

from .by_size import Network
from .systems import Path

NETWORK = Network(
    "explicit-satellite",
    "geo-satellite",
    Path(congested=[("gateway", "terminal"), ("terminal", "gateway")], capacity=40e6, rtt=0.604),
    stop=(50, 260),
)

FIGURE = NETWORK.figure(
    "Completion time by flow size over a satellite, under explicit rates and without", __doc__
)
