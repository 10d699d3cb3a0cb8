"""What the papers' hosts have below their laws: one transport for every protocol of a figure."""

from __future__ import annotations

from typing import Any

#: Section 3.1 of "Processor Sharing Flows in the Internet" has TCP begin with two packets; its
#: authors' ns-2 code repeats a SYN after half a second, and ns-2 waits for 200 ms at least before
#: any time-out; it counts time in ticks of 10 ms, and a time-out is at least one of them above the
#: smoothed RTT. Where the papers name nothing for the other protocols, these have the same. ns-2's
#: hosts take no time for a packet unless ``overhead_`` says so.
NS2: dict[str, Any] = {
    "initial_window": 2,
    "min_rto": "200 ms",
    "initial_rto": "500 ms",
    "rto_margin": "10 ms",
    "jitter": 0.0,
}
