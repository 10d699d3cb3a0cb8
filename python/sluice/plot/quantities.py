"""Names on axes, and units, of the sampled quantities."""

from __future__ import annotations

#: By the name that laws, queues and senders give it. The names are those of `sluice report`.
QUANTITIES = {
    "queue_bytes": ("queue", "B"),
    "average_queue_bytes": ("average queue", "B"),
    "load": ("arrivals over capacity", ""),
    "R": ("rate granted, $R$", "b/s"),
    "d0": ("mean round-trip time, $d_0$", "s"),
    "N": ("flows counted, $N$", ""),
    "phi": ("aggregate feedback, $\\phi$", "B/s"),
    "h": ("shuffled traffic, $h$", "B/s"),
    "y": ("input traffic, $y$", "B/s"),
    "d": ("mean round-trip time, $d$", "s"),
    "Q": ("persistent queue, $Q$", "B"),
    "throughput_bps": ("throughput", "b/s"),
    "flows": ("flows over a whole interval", ""),
    "jain": ("Jain's index of throughputs", ""),
    "cwnd": ("congestion window", "packets"),
    "ssthresh": ("slow-start threshold", "packets"),
    "w_max": ("window at the last loss", "packets"),
    "rate": ("sending rate", "b/s"),
    "bw_bps": ("bandwidth estimate", "b/s"),
    "min_rtt_s": ("minimum round-trip time", "s"),
    "inflight_longterm_packets": ("long-term bound in flight", "packets"),
    "inflight_shortterm_packets": ("short-term bound in flight", "packets"),
    "feedback": ("feedback", "B/s"),
    "sequence_packets": ("sent up to", "packets"),
    "acked_packets": ("acknowledged up to", "packets"),
    "in_flight_packets": ("in flight", "packets"),
}
#: The unit of a quantity that is not listed, by how its name ends.
ENDS = {"_bytes": "B", "_bps": "b/s", "_packets": "packets", "_s": "s"}


def title(quantity: str) -> tuple[str, str]:
    """A quantity's name on an axis and its unit; one that is not known has its own name.

    >>> title("mark_probability"), title("backlog_bytes")
    (('mark probability', ''), ('backlog', 'B'))
    """
    if quantity in QUANTITIES:
        return QUANTITIES[quantity]
    for end, unit in ENDS.items():
        if quantity.endswith(end):
            return quantity.removesuffix(end).replace("_", " "), unit
    return quantity.replace("_", " "), ""
