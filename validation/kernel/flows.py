"""TCP flows of this kernel: their sockets, and samples of the senders' state."""

import selectors
import socket
import struct
import time
from collections import deque
from dataclasses import dataclass
from typing import cast

from namespaces import Host

PORT = 5001
CHUNK = bytes(1 << 18)
#: More than the fields read here; the kernel fills those that it has.
INFO_BYTES = 256


@dataclass(frozen=True)
class Sample:
    """The state of a sender, from `struct tcp_info` of linux/tcp.h."""

    at: float
    cwnd: int
    ssthresh: int
    resent: int
    acked_bytes: int
    #: Time in which the receiver's window or the sender's buffer was the limit.
    limited_us: int


def sample(flow: socket.socket, now: float) -> Sample:
    info = flow.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO_BYTES)
    ssthresh, cwnd = struct.unpack_from("II", info, 76)
    (resent,) = struct.unpack_from("I", info, 100)
    (acked,) = struct.unpack_from("Q", info, 120)
    limited = struct.unpack_from("QQ", info, 176)
    return Sample(now, cwnd, ssthresh, resent, acked, sum(limited))


class Flows:
    """Flows from one host to another under a congestion control, without a process for each."""

    def __init__(self, hosts: tuple[Host, Host], law: str, starts: list[float], every_s: float):
        self.hosts = hosts
        self.law = law
        self.starts = deque(sorted(starts))
        self.every_s = every_s
        #: By sender, in the order of their starts.
        self.samples: dict[socket.socket, list[Sample]] = {}
        self.selector = selectors.DefaultSelector()
        self.discarded = bytearray(1 << 18)
        with hosts[1].entered():
            self.server = socket.create_server((hosts[1].address, PORT), backlog=64)
        self.server.setblocking(False)
        self.selector.register(self.server, selectors.EVENT_READ)

    def run(self, until: float) -> list[list[Sample]]:
        """Sends as fast as the flows take it. Returns samples by flow, the last at `until`."""
        turn = time.monotonic()
        while (now := time.monotonic()) < until:
            while self.starts and self.starts[0] <= now:
                self.starts.popleft()
                self.connect()
            if now >= turn:
                self.sample(now)
                turn += self.every_s * (1 + (now - turn) // self.every_s)
            for key, _ in self.selector.select(max(min(turn, until) - now, 0.0)):
                self.serve(cast(socket.socket, key.fileobj))
        self.sample(until)
        return list(self.samples.values())

    def connect(self) -> None:
        with self.hosts[0].entered():
            sender = socket.socket()
        sender.setblocking(False)
        sender.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, self.law.encode())
        sender.connect_ex((self.hosts[1].address, PORT))
        self.selector.register(sender, selectors.EVENT_WRITE)
        self.samples[sender] = []

    def sample(self, now: float) -> None:
        for sender, samples in self.samples.items():
            samples.append(sample(sender, now))

    def serve(self, ready: socket.socket) -> None:
        if ready is self.server:
            receiver, _ = self.server.accept()
            receiver.setblocking(False)
            self.selector.register(receiver, selectors.EVENT_READ)
        elif ready in self.samples:
            ready.send(CHUNK)
        else:
            ready.recv_into(self.discarded)
