"""Runs on the workers of a Dask cluster (``pip install 'sluicesim[cluster]'``).

A task is the runs of one point with one seed. It carries all its inputs: workers need the same
build of this package, but no shared disk. Results are stored as they arrive, so that the loss of
this process or of a worker costs only the tasks in flight. Dask reassigns those of a lost worker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from . import _core
from .progress import OnProgress, shown
from .results import warn_of_damage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from distributed import Client, Future

#: Plans, each with the folder for its results.
Plans = Iterable[tuple[Path, _core.Plan]]


def make(client: Client | str, plans: Plans, *, progress: bool = True) -> None:
    """Executes the runs of these plans that are missing from their folders.

    ``client`` is a ``distributed.Client`` or the address of a scheduler. Raises ConnectionError if
    no scheduler answers there, and any exception of a task; runs finished by then are kept.
    """
    from distributed import Client

    if not isinstance(client, (Client, str)):
        raise TypeError(f"`client`: expected a distributed.Client or an address, not {client!r}")
    connected = _connect(client) if isinstance(client, str) else nullcontext(client)
    with connected as reached, shown(progress, "cluster") as on_progress:
        _Work(reached, plans, on_progress).do()


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
    """The tasks in flight, and the plan of each."""

    def __init__(self, client: Client, plans: Plans, on_progress: OnProgress | None) -> None:
        from distributed import as_completed

        self.client = client
        self.on_progress = on_progress
        self.plans = list(plans)
        self.tasks = as_completed(loop=client.loop)
        #: Index of the plan of each unfinished task.
        self.of: dict[Future, int] = {}
        #: Number of unfinished tasks of each plan.
        self.left: Counter[int] = Counter()
        self.submitted = 0

    def do(self) -> None:
        for plan in range(len(self.plans)):
            self._submit(plan)
        try:
            for task in self.tasks:
                self._keep(task)
        finally:
            # After an error or Ctrl-C, drop the tasks that are left.
            self.client.cancel(list(self.of))

    def _submit(self, number: int) -> None:
        """Submits the pending runs of a plan."""
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
            damage = _core.keep(folder, files)
            warn_of_damage([] if damage is None else [damage])
        del self.of[task]
        self.left[number] -= 1
        if self.left[number] == 0:
            # The results may still be less precise than requested.
            self._submit(number)
        if self.on_progress:
            through = self.submitted - len(self.of)
            self.on_progress(through, self.submitted, through / self.submitted)
