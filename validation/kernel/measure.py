#!/usr/bin/env python3
"""One run of this kernel's TCP over the relayed link, printed as JSON: `measure.py SET-UP SEED`.

The relay has this process to itself, and the flows another; both end with the process that started
them, and the namespaces with both.
"""

import contextlib
import json
import multiprocessing
import os
import sys
import time
from dataclasses import asdict
from multiprocessing.connection import Connection

from flows import Flows, Sample
from link import Counters, Direction
from namespaces import Host, end_with_parent
from relay import Relay, quantile
from setups import BITS_PER_S, SET_UPS, SetUp

ADDRESSES = ("10.99.7.1", "10.99.7.2")
#: Priorities of the real-time scheduler: the relay before the flows.
RELAY, FLOWS = 2, 1
#: From the start of the processes to time 0 of the run, and from its end to that of the relay.
BEFORE_S, AFTER_S = 0.5, 0.3


def main() -> None:
    end_with_parent()
    json.dump(measured(SET_UPS[sys.argv[1]], int(sys.argv[2])), sys.stdout)


def measured(of: SetUp, seed: int) -> dict:
    """What the relay counted in the measured time, its lateness, and the samples of each flow."""
    hosts = (Host(ADDRESSES[0]), Host(ADDRESSES[1]))
    way = Direction(BITS_PER_S, of.rtt_s / 2, of.buffer_bytes)
    back = Direction(BITS_PER_S, of.rtt_s / 2, float("inf"))
    relay = Relay((hosts[0].tun, hosts[1].tun), (way, back))
    fork = multiprocessing.get_context("fork")
    results, sender = fork.Pipe(duplex=False)
    zero = time.monotonic() + BEFORE_S
    fork.Process(target=send_samples, args=(sender, hosts, of, seed, zero), daemon=True).start()
    raise_priority(RELAY)
    warm_up, stop = (zero + edge for edge in of.window_s)
    relay.run(warm_up)
    before = [direction.counters(warm_up) for direction in (way, back)]
    del relay.lateness[:]
    relay.run(stop)
    data, acks = (
        direction.counters(stop).since(early)
        for direction, early in zip((way, back), before, strict=True)
    )
    relay.run(stop + AFTER_S)
    return {
        "kernel": os.uname().release,
        "link": link(of, data, acks),
        "lateness_s": {"p99": quantile(relay.lateness, 0.99), "max": max(relay.lateness)},
        "samples": results.recv(),
    }


def link(of: SetUp, data: Counters, acks: Counters) -> dict[str, float]:
    return {
        "utilization": 8 * data.sent_bytes / BITS_PER_S / of.span_s,
        "queue_bytes": data.queue_byte_s / of.span_s,
        "drops": data.drops,
        "acks_per_packet": acks.packets / data.packets,
    }


def send_samples(
    results: Connection, hosts: tuple[Host, Host], of: SetUp, seed: int, zero: float
) -> None:
    """The process of the flows. Times of its samples are those of the run."""
    end_with_parent()
    raise_priority(FLOWS)
    flows = Flows(hosts, of.law, [zero + start for start in of.starts(seed)], of.every_s)
    samples = flows.run(zero + of.window_s[1])
    results.send([[asdict_at(each, zero) for each in flow] for flow in samples])


def asdict_at(sample: Sample, zero: float) -> dict[str, float]:
    return asdict(sample) | {"at": sample.at - zero}


def raise_priority(priority: int) -> None:
    """Real-time scheduling, where the machine permits it."""
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))


if __name__ == "__main__":
    main()
