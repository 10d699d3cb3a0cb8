"""A progress bar over runs, in a terminal or a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Told how many runs are through, of how many, and which part of the work is done.
Tell = Callable[[int, int, float], None]


@contextmanager
def shown(wanted: bool, name: str) -> Iterator[Tell | None]:
    """A bar for work that takes more than a second, gone when it is done."""
    if not wanted:
        yield None
        return
    from tqdm.auto import tqdm

    layout = "{desc} {percentage:3.0f} % |{bar}| {elapsed} gone, {remaining} left"
    with tqdm(total=1.0, delay=1.0, leave=False, bar_format=layout) as bar:

        def tell(through: int, runs: int, done: float) -> None:
            bar.set_description_str(f"{name}: {through}/{runs} runs", refresh=False)
            bar.update(done - bar.n)

        yield tell
