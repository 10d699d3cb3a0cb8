"""A progress bar over runs, in a terminal or a notebook."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Told how many runs are through, of how many, and which part of the work is done.
Tell = Callable[[int, int, float], None]


@contextmanager
def shown(wanted: bool, name: str) -> Iterator[Tell | None]:
    """A bar for work that takes more than a second, gone when it is done, where somebody looks."""
    if not (wanted and _watched()):
        yield None
        return
    tqdm = _bars()
    layout = "{desc} {percentage:3.0f} % |{bar}| {elapsed} gone, {remaining} left"
    with tqdm(total=1.0, delay=1.0, leave=False, bar_format=layout) as bar:

        def tell(through: int, runs: int, done: float) -> None:
            bar.set_description_str(f"{name}: {through}/{runs} runs", refresh=False)
            bar.update(done - bar.n)

        yield tell


def _watched() -> bool:
    """Whether there is a terminal, or a notebook, whose output is none."""
    return "ipykernel" in sys.modules or sys.stderr.isatty()


def _bars() -> type:
    from tqdm import TqdmWarning

    with warnings.catch_warnings():
        # In a notebook without widgets it warns, but a bar of text does as well.
        warnings.simplefilter("ignore", TqdmWarning)
        from tqdm.auto import tqdm
    return tqdm
