"""Whether this machine can measure its kernel; importable on any system."""

import os
import shutil
import sys
from pathlib import Path

TUN = Path("/dev/net/tun")
CONTROLS = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")


def missing(laws: set[str]) -> str | None:
    """The first thing that the measurement lacks on this machine, if any."""
    if sys.platform != "linux":
        return f"Linux (this is {sys.platform})"
    if os.geteuid() != 0:
        return "root, who may make network namespaces"
    if not TUN.exists():
        return f"{TUN}"
    if not shutil.which("ip"):
        return "the command `ip` (package iproute2)"
    if lacking := laws - set(CONTROLS.read_text().split()):
        return f"the congestion control {', '.join(sorted(lacking))} in {CONTROLS}"
    return None
