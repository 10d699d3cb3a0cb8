"""How runs are made."""

from __future__ import annotations

from typing import NamedTuple

from . import _core
from .arguments import flag, whole


class Options(NamedTuple):
    """Options of :func:`sluice.run` that do not change its results."""

    #: Number of threads; 0 is one per core.
    threads: int
    #: Whether to repeat stored runs.
    again: bool
    #: Whether to run beyond the machine.
    force: bool


def options(threads: int, again: bool, *, force: bool = False) -> Options:
    """Checks the arguments of these names."""
    threads = whole("threads", threads, _core.MAX_THREADS)
    return Options(threads, flag("again", again), flag("force", force))
