"""Bindings of the Rust crates, private to this package: see ``crates/sluice-py``."""

from collections.abc import Callable
from pathlib import Path
from typing import final

from .options import Options

__all__ = [
    "BUILD",
    "MAX_POINTS",
    "MAX_SEED",
    "MAX_THREADS",
    "SCHEMA",
    "LinkContext",
    "LinkSample",
    "Plan",
    "RunError",
    "Scenario",
    "ScenarioError",
    "command",
    "cost_of_run",
    "cost_of_sweep",
    "estimate",
    "estimate_points",
    "explain",
    "keep",
    "make",
    "manual",
    "network",
    "point_folder",
    "report",
    "run",
    "schema",
    "sweep",
    "sweep_table",
    "sweep_warnings",
    "table",
]

#: The build: version and a hash of the sources that can change a result.
BUILD: str
#: The largest number of points of a sweep, seed, and number of threads.
MAX_POINTS: int
MAX_SEED: int
MAX_THREADS: int
#: The version of the formats of scenarios and results.
SCHEMA: int

class ScenarioError(ValueError):
    """A scenario is invalid. Gives the location, the reason and the accepted values."""

class RunError(Exception):
    """A run failed."""

@final
class LinkContext:
    """The link that a law is made for."""

    #: Bits a second.
    capacity: float
    #: Size of a full data packet in bytes.
    packet: int

@final
class LinkSample:
    """Measurements of a link over an interval. Times in seconds, rates in bit/s, sizes in bytes."""

    #: The end of the interval.
    now: float
    #: The length of the interval.
    elapsed: float
    #: The capacity of the link.
    capacity: float
    #: The queue at the end, including the rest of the packet in transmission.
    queue: int
    #: Packets waiting at the end, without the one in transmission.
    waiting: int
    #: The shortest queue during the interval.
    min_queue: int
    #: Bytes that arrived.
    arrived: int
    #: Bytes that were dropped.
    dropped: int
    #: The number of packets that carried a round-trip time.
    packets: int
    #: Their mean; None if there were none.
    mean_rtt: float | None

@final
class Scenario:
    @staticmethod
    def load(file: Path) -> Scenario: ...
    @staticmethod
    def parse(text: str, name: str, folder: Path) -> Scenario: ...
    @staticmethod
    def from_json(json: str, name: str, folder: Path) -> Scenario: ...
    @staticmethod
    def restored(document: str, folder: Path) -> Scenario: ...
    def state(self) -> tuple[str, Path]: ...
    def set(self, fields: list[tuple[str, str]]) -> Scenario: ...
    def vary(self, fields: list[tuple[str, str]], options: str | None) -> Scenario: ...
    def plan(self, protocols: list[str] | None = None, seeds: list[int] | None = None) -> Plan: ...
    def points(
        self, protocols: list[str] | None = None, seeds: list[int] | None = None
    ) -> list[tuple[list[tuple[str, str]], Plan]]: ...

@final
class Plan:
    @property
    def name(self) -> str: ...
    def warnings(self) -> list[str]: ...
    def toml(self) -> str: ...
    def with_law(self, name: str, law: Callable[[LinkContext], object]) -> Plan: ...
    def pending(self, folder: Path) -> list[int]: ...
    def task(self, seed: int) -> _Task: ...

#: Build, scenario, inputs by name, point as JSON, seed.
_Task = tuple[str, str, dict[str, bytes], str, int]
#: Called with the number of finished runs, the number of all, and the fraction of the work done.
_OnProgress = Callable[[int, int, float], None]
#: Called with a line for each run that finished, and the table of all so far as text and as JSON.
_OnFinished = Callable[[list[str], str, str], None]

#: Numbers as JSON, a line of text, and whether to show it unasked.
_Cost = tuple[str, str, bool]

def cost_of_run(plan: Plan, folder: Path, options: Options) -> _Cost: ...
def cost_of_sweep(
    points: list[tuple[list[tuple[str, str]], Plan]],
    folder: Path,
    options: Options,
    cluster: bool = False,
) -> _Cost: ...

#: All numbers as JSON, and the tables.
def estimate(plan: Plan) -> tuple[str, str]: ...
def estimate_points(
    points: list[tuple[list[tuple[str, str]], Plan]],
) -> tuple[list[str], str]: ...
def run(
    plan: Plan,
    folder: Path,
    options: Options,
    progress: _OnProgress | None = None,
    watch: _OnFinished | None = None,
) -> tuple[str, list[str]]: ...
def sweep(
    points: list[tuple[list[tuple[str, str]], Plan]],
    folder: Path,
    options: Options,
    progress: _OnProgress | None = None,
) -> list[str]: ...
def sweep_warnings(points: list[tuple[list[tuple[str, str]], Plan]]) -> list[str]: ...
def point_folder(sweep: Path, index: int) -> Path: ...
def make(task: _Task) -> list[dict[str, bytes]]: ...
def keep(folder: Path, files: dict[str, bytes]) -> str | None: ...
def manual() -> str: ...
def explain(name: str) -> str: ...
def schema() -> str: ...
def table(summary: str) -> str: ...
def sweep_table(points: list[tuple[list[tuple[str, str]], Path]]) -> str: ...
def network(folder: Path) -> str: ...
def report(folder: Path, out: Path | None = None) -> Path: ...
def command(
    args: list[str],
    make: Callable[[str, list[tuple[Path, Plan]], bool], None],
    reproduce: Callable[[list[str], bool, str, Path, bool], None],
) -> int: ...
