"""The same as [explicit-access](#explicit-access) in a data centre, the ready scenario
[data-center](../reference/ready-scenarios.md): flows of 16 servers with the sizes of a web search
share an uplink of 10 Gb/s at a load of 0.5; the round trip is 100 us, the buffer 200 kB. Time-outs
are at least 1 ms. RCP's and XCP's control intervals are 100 us, a round trip, at most. DCTCP marks
above 65 packets, as in its paper.
"""

from __future__ import annotations

from .by_size import Network
from .systems import Path

#: "we use K = 65 packets for 10Gbps" (DCTCP, section 3.5), of 1500 bytes.
MARK_ABOVE = 65 * 1500
PATH = Path(congested=[("left", "right")], capacity=10e9, rtt=100e-6, mark_above=MARK_ABOVE)
TIMERS = {"transport.min_rto": "1 ms", "transport.initial_rto": "1 ms"}
NETWORK = Network("explicit-centre", "data-center", PATH, stop=(0.5, 5), fields=TIMERS)

FIGURE = NETWORK.figure(
    "Completion time by flow size in a data centre, under explicit rates and without", __doc__
)
