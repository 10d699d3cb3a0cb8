"""What runs will cost, before they are made."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field

from . import _core


@dataclass(frozen=True, repr=False)
class Cost:
    """What runs will cost, usually within a factor of 3. ``repr`` is a line of text.

    Not counted are packets that losses repeat, and what many flows that start at once send before
    routers have adapted: such runs may take many times as long.
    """

    #: Number of runs to be made: of each protocol and ideal with each seed.
    runs: int
    #: Number of runs that are stored already; they cost nothing.
    stored: int
    #: Whether ``precision`` may add more runs.
    may_grow: bool
    #: Flows of all runs.
    flows: int
    #: Packets of all runs, acknowledgements included.
    packets: int
    #: Wall-clock time; on a cluster, processor time.
    seconds: float
    #: Number of runs at the same time, if there are as many; None on a cluster.
    threads: int | None
    #: Memory of all runs at the same time; on a cluster, of one.
    memory_bytes: int
    #: Disk space of all results.
    disk_bytes: int
    #: What this machine has; None if unknown, and for the memory of a cluster.
    available_memory_bytes: int | None = field(compare=False)
    available_disk_bytes: int | None = field(compare=False)
    #: What the runs need beyond the machine, and why; None if nothing.
    excess: str | None
    _line: str = field(compare=False)
    _is_notable: bool = field(compare=False)

    def __repr__(self) -> str:
        return self._line if self.excess is None else f"{self._line}\nWarning: {self.excess}"


def made(estimated: tuple[str, str, bool]) -> Cost:
    """The cost that the Rust part made."""
    numbers, line, is_notable = estimated
    return Cost(**json.loads(numbers), _line=line, _is_notable=is_notable)


def admit(cost: Cost, *, force: bool, shown: bool) -> None:
    """Shows the cost of long runs. Raises RunError beyond the machine, unless forced."""
    if cost.excess is not None and not force:
        raise _core.RunError(
            f"{cost.excess}, or run it nevertheless, with force=True\n{cost._line}"
        )
    if shown and cost._is_notable:
        print(cost._line, file=sys.stderr, flush=True)
