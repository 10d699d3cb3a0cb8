"""The transport of the papers' hosts, the same for all protocols of a figure."""

from __future__ import annotations

from typing import Any

#: In section 3.1 of "Processor Sharing Flows in the Internet", TCP has an initial window of two
#: packets. Its authors' ns-2 code repeats a SYN after half a second. In ns-2, time-outs are at
#: least 200 ms, and at least a clock tick of 10 ms above the smoothed RTT; hosts take no time for a
#: packet unless ``overhead_`` is set. The other protocols have the same, since the papers give
#: nothing else.
NS2: dict[str, Any] = {
    "initial_window": 2,
    "min_rto": "200 ms",
    "initial_rto": "500 ms",
    "rto_margin": "10 ms",
    "jitter": 0.0,
}
