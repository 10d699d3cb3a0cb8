"""The ``sluice`` command."""

from __future__ import annotations

import signal
import sys

from . import _core


def main() -> int:
    """Runs the command line and returns its exit code."""
    # The command has its own way with Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.command(sys.argv, _on_cluster)


def _on_cluster(address: str, plans: list, quiet: bool) -> None:
    from . import cluster

    signal.signal(signal.SIGINT, signal.default_int_handler)
    cluster.make(address, plans, progress=not quiet)
