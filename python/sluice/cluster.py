"""Runs on the workers of a Dask cluster (``pip install 'sluice[cluster]'``).

A task is the runs of a point with one seed. It carries all it takes: workers need no common disk,
only the same build of this package. What comes back is kept at once, so that neither this process
nor a worker takes more with it than the tasks in flight; Dask gives those of a lost worker to
another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from . import _core
from .progress import Tell, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from distributed import Client, Future

#: Plans, and the folder that the results of each go to.
Plans = Iterable[tuple[Path, _core.Plan]]


def make(client: Client | str, plans: Plans, *, progress: bool = True) -> None:
    """Has all runs of these plans made that their folders lack.

    ``client`` is a ``distributed.Client``, or the address of a scheduler. Raises what a task
    raised; runs that are through by then are kept.
    """
    from distributed import Client

    connected = _connect(client) if isinstance(client, str) else nullcontext(client)
    with connected as reached, shown(progress, "cluster") as tell:
        assert isinstance(reached, Client)
        _Work(reached, plans, tell).do()


@contextmanager
def _connect(address: str) -> Iterator[Client]:
    from distributed import Client

    try:
        client = Client(address, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ConnectionError(f"no Dask scheduler answers at {address}: {error}") from error
    with client:
        yield client


class _Work:
    """Tasks on their way, and to which plan each belongs."""

    def __init__(self, client: Client, plans: Plans, tell: Tell | None) -> None:
        from distributed import as_completed

        self.client = client
        self.tell = tell
        self.plans = list(plans)
        self.tasks = as_completed(loop=client.loop)
        #: The plan of each task that is not through, by its place.
        self.of: dict[Future, int] = {}
        #: How many of its tasks are not through.
        self.left: Counter[int] = Counter()
        self.submitted = 0

    def do(self) -> None:
        for plan in range(len(self.plans)):
            self._submit(plan)
        try:
            for task in self.tasks:
                self._keep(task)
        finally:
            # After an error or Ctrl-C nobody waits for the rest.
            self.client.cancel(list(self.of))

    def _submit(self, number: int) -> None:
        """Has made what is still wanted of a plan."""
        folder, plan = self.plans[number]
        for seed in plan.pending(folder):
            key = f"{plan.name}-{number + 1}-{seed}-{self.submitted}"
            task = self.client.submit(_core.make, plan.task(seed), key=key, pure=False)
            self.of[task] = number
            self.left[number] += 1
            self.tasks.add(task)
            self.submitted += 1

    def _keep(self, task: Future) -> None:
        number = self.of[task]
        folder, _ = self.plans[number]
        for files in task.result():
            _core.keep(folder, files)
        del self.of[task]
        self.left[number] -= 1
        if self.left[number] == 0:
            # What is there now may not be as precise as wanted.
            self._submit(number)
        if self.tell:
            through = self.submitted - len(self.of)
            self.tell(through, self.submitted, through / self.submitted)
