"""The ``sluice`` command."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from . import _core


def main() -> int:
    """Runs the command line and returns its exit code."""
    # The command handles signals itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.command(["sluice", *sys.argv[1:]], _on_cluster, _reproduce)


def _on_cluster(address: str, plans: list, quiet: bool) -> None:
    from . import cluster

    with _interruptible():
        cluster.make(address, plans, progress=not quiet)


def _reproduce(figures: list[str], listed: bool, scale: str, out: Path, quiet: bool) -> None:
    from .papers import command

    with _interruptible():
        command.reproduce(figures, listed=listed, scale=scale, out=out, quiet=quiet)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C, SIGTERM and SIGHUP raise KeyboardInterrupt meanwhile."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    signals = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in signals}
    # What is ignored stays so: `nohup` ignores SIGHUP.
    caught = {number: of for number, of in before.items() if of is not signal.SIG_IGN}
    for number in caught:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in caught.items():
            signal.signal(number, handler)
