"""The Rust part: see ``crates/sluice-py``. What users call is in the modules beside this file."""

from collections.abc import Callable
from pathlib import Path
from typing import final

__all__ = [
    "BUILD",
    "LinkSetup",
    "Plan",
    "RunError",
    "Scenario",
    "ScenarioError",
    "View",
    "command",
    "keep",
    "make",
    "manual",
    "point_folder",
    "report",
    "run",
    "schema",
    "sweep",
    "sweep_table",
    "table",
]

#: The build: version and a hash of the sources that can change a result.
BUILD: str

class ScenarioError(ValueError):
    """A scenario is wrong: where, what, and what is allowed."""

class RunError(Exception):
    """A run could not be made."""

@final
class LinkSetup:
    """What a law is told of its link."""

    #: Bits a second.
    capacity: float
    #: Size of a full data packet in bytes.
    packet: int

@final
class View:
    """What a law sees of an interval. Times are in seconds, rates in bit/s, sizes in bytes."""

    #: When the interval ends: now.
    now: float
    #: How long it was.
    elapsed: float
    #: The link's capacity.
    capacity: float
    #: The queue now, the rest of the packet in transmission included.
    queue: int
    #: The packets that wait now, without the one in transmission.
    waiting: int
    #: The least queue in the interval.
    min_queue: int
    #: What arrived in it.
    arrived: int
    #: What was dropped in it.
    dropped: int
    #: How many packets stated their round-trip time.
    packets: int
    #: The mean of those times; None if no packet stated one.
    mean_rtt: float | None

@final
class Scenario:
    @staticmethod
    def load(file: Path) -> Scenario: ...
    @staticmethod
    def parse(text: str, name: str, folder: Path) -> Scenario: ...
    @staticmethod
    def from_json(json: str, name: str, folder: Path) -> Scenario: ...
    def set(self, fields: list[tuple[str, str]]) -> Scenario: ...
    def vary(self, fields: list[tuple[str, str]], ways: str | None) -> Scenario: ...
    def plan(self, protocols: list[str] | None = None, seeds: list[int] | None = None) -> Plan: ...
    def points(
        self, protocols: list[str] | None = None, seeds: list[int] | None = None
    ) -> list[tuple[list[tuple[str, str]], Plan]]: ...

@final
class Plan:
    @property
    def name(self) -> str: ...
    def toml(self) -> str: ...
    def with_law(self, name: str, law: Callable[[LinkSetup], object]) -> Plan: ...
    def pending(self, folder: Path) -> list[int]: ...
    def task(self, seed: int) -> _Task: ...

#: Build, scenario, inputs by name, seed.
_Task = tuple[str, str, dict[str, bytes], int]
#: Told how many runs are through, of how many, and which part of the work is done.
_Tell = Callable[[int, int, float], None]

def run(
    plan: Plan, folder: Path, threads: int = 0, again: bool = False, progress: _Tell | None = None
) -> None: ...
def sweep(
    points: list[tuple[list[tuple[str, str]], Plan]],
    folder: Path,
    threads: int = 0,
    again: bool = False,
    progress: _Tell | None = None,
) -> None: ...
def point_folder(sweep: Path, index: int) -> Path: ...
def make(task: _Task) -> list[dict[str, bytes]]: ...
def keep(folder: Path, files: dict[str, bytes]) -> None: ...
def manual() -> str: ...
def schema() -> str: ...
def table(folder: Path) -> str: ...
def sweep_table(points: list[tuple[list[tuple[str, str]], Path]]) -> str: ...
def report(folder: Path, out: Path | None = None) -> Path: ...
def command(
    args: list[str],
    make: Callable[[str, list[tuple[Path, Plan]], bool], None],
    reproduce: Callable[[list[str], bool, str, Path, bool], None],
) -> int: ...
