"""Network namespaces without a name, with a TUN device each: they end with their process."""

import contextlib
import ctypes
import fcntl
import os
import signal
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

from needs import TUN

CLONE_NEWNET = 0x40000000
PR_SET_PDEATHSIG = 1
TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
MTU = 1500
DEVICE = "link"
#: Settings of the namespaces alone.
SETTINGS = {
    "ipv6/conf/default/disable_ipv6": "1",
    # Each run starts without memory of the ones before.
    "ipv4/tcp_no_metrics_save": "1",
    # No run is limited by the buffers of hosts.
    "ipv4/tcp_rmem": "4096 8388608 16777216",
    "ipv4/tcp_wmem": "4096 4194304 16777216",
    # Receivers acknowledge each packet out of order at once.
    "ipv4/tcp_comp_sack_nr": "0",
}

libc = ctypes.CDLL(None, use_errno=True)


def end_with_parent() -> None:
    """Lets the kernel kill this process when its parent ends, however that ends."""
    call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL)


class Host:
    """A network namespace and its TUN device, `tun`."""

    def __init__(self, address: str):
        self.address = address
        with back_home():
            call("unshare", CLONE_NEWNET)
            self.namespace = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
            for name, value in SETTINGS.items():
                Path("/proc/sys/net", name).write_text(value)
            self.tun = open_tun()
            configure(address)

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Sockets opened in this context are those of the namespace."""
        with back_home():
            call("setns", self.namespace, CLONE_NEWNET)
            yield


@contextlib.contextmanager
def back_home() -> Iterator[None]:
    """Returns to the present namespace afterwards."""
    home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        yield
    finally:
        call("setns", home, CLONE_NEWNET)
        os.close(home)


def open_tun() -> int:
    tun = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
    request = struct.pack("16sH22x", DEVICE.encode(), IFF_TUN | IFF_NO_PI)
    fcntl.ioctl(tun, TUNSETIFF, request)
    return tun


def configure(address: str) -> None:
    """The device, in the present namespace. Packets go to it one by one, not in trains for
    segmentation offload, and its own queue never drops."""
    for command in (
        f"address add {address}/24 dev {DEVICE}",
        f"link set dev {DEVICE} mtu {MTU} txqueuelen 100000 gso_max_segs 1 up",
    ):
        subprocess.run(["ip", *command.split()], check=True)


def call(name: str, *values: int) -> None:
    """Calls a function of the C library that returns 0, or -1 and errno."""
    if getattr(libc, name)(*values) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
