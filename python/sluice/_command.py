"""The ``sluice`` command."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from . import _core


def main() -> int:
    """Runs the command line and returns its exit code."""
    # The command handles Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.command(["sluice", *sys.argv[1:]], _on_cluster, _reproduce)


def _on_cluster(address: str, plans: list, quiet: bool) -> None:
    from . import cluster

    signal.signal(signal.SIGINT, signal.default_int_handler)
    cluster.make(address, plans, progress=not quiet)


def _reproduce(figures: list[str], listed: bool, scale: str, out: Path, quiet: bool) -> None:
    from .papers import command

    signal.signal(signal.SIGINT, signal.default_int_handler)
    command.reproduce(figures, listed=listed, scale=scale, out=out, quiet=quiet)
