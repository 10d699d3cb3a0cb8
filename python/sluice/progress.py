"""A progress bar over runs, in a terminal or a notebook."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Called with the number of finished runs, the number of all, and the fraction of the work done.
OnProgress = Callable[[int, int, float], None]


@contextmanager
def shown(wanted: bool, name: str) -> Iterator[OnProgress | None]:
    """Yields the callback of a progress bar, or None if nobody would see one.

    The bar appears after a second and is removed at the end.
    """
    if not (wanted and _watched()):
        yield None
        return
    tqdm = _bars()
    layout = "{desc} {percentage:3.0f} % |{bar}| {elapsed} gone, {remaining} left"
    with tqdm(total=1.0, delay=1.0, leave=False, bar_format=layout) as bar:

        def update(through: int, runs: int, done: float) -> None:
            bar.set_description_str(f"{name}: {through}/{runs} runs", refresh=False)
            bar.update(done - bar.n)

        yield update


def _watched() -> bool:
    """Whether standard error is a terminal, or the process runs a notebook."""
    return in_notebook() or sys.stderr.isatty()


def in_notebook() -> bool:
    """Whether the process runs the cells of a notebook."""
    return "ipykernel" in sys.modules


def _bars() -> type:
    from tqdm import TqdmWarning

    with warnings.catch_warnings():
        # Without widgets, a notebook gets a bar of text; the warning would be noise.
        warnings.simplefilter("ignore", TqdmWarning)
        from tqdm.auto import tqdm
    return tqdm
