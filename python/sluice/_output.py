"""Lines on standard output."""

from __future__ import annotations

import os
import sys


def say(line: str) -> None:
    """Prints a line at once.

    A reader that closes the output early (``| head``) has what it wants: further lines are dropped.
    Raises OSError, with a message, if the line cannot be written for another reason.
    """
    try:
        print(line, flush=True)
    except BrokenPipeError:
        _drop()
    except OSError as error:
        _drop()
        raise OSError(f"cannot write the output: {error.strerror}") from error


def _drop() -> None:
    """Discards this and further output, so that Python does not fail on it again at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
