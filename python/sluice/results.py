"""Results in a folder, as ``sluice run`` or :func:`sluice.run` wrote them."""

from __future__ import annotations

import html
import json
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core, tidy
from .frame import Frame

if TYPE_CHECKING:
    import pyarrow


#: What is not in a file of its own name.
FILES = {"packets": "trace-packets.parquet", "senders": "trace-flows.parquet"}


class Results:
    """Runs of one scenario: what they add up to, and every flow, link and sample of them.

    Figures are read when they are asked for. A result shows itself: as the table that the command
    line prints, in a notebook with its completion times beside it.
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        #: Where they lie.
        self.folder = Path(folder)
        #: What they add up to: ``summary.json``. Times are in seconds, sizes in bytes.
        self.summary: dict[str, Any] = _json(self.folder / "summary.json")

    @cached_property
    def scenario(self) -> dict[str, Any]:
        """The scenario with every default stated."""
        return _json(self.folder / "scenario.json")

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self.summary["name"]

    @property
    def protocols(self) -> list[str]:
        """The protocols that ran, in the scenario's order."""
        return [found["protocol"] for found in self.summary["protocols"]]

    @property
    def ideals(self) -> list[str]:
        """The ideals that the same flows ran under."""
        return [found["protocol"] for found in self.summary["ideals"]]

    @property
    def seeds(self) -> list[int]:
        """The seeds of the runs, in order."""
        return list(dict.fromkeys(run["seed"] for run in self.summary["runs"]))

    def of(self, protocol: str) -> dict[str, Any]:
        """What the runs of a protocol or an ideal add up to; part of :attr:`summary`."""
        self._check(protocol)
        every = self.summary["protocols"] + self.summary["ideals"]
        return next(found for found in every if found["protocol"] == protocol)

    def flows(self, protocol: str | None = None, seed: int | None = None) -> Frame:
        """A row for each flow; of ideals too. Times are in nanoseconds, sizes in bytes."""
        return self._rows("flows", protocol, seed)

    def links(self, protocol: str | None = None, seed: int | None = None) -> Frame:
        """A row for each link of each run: what it carried in the measured time."""
        return self._rows("links", protocol, seed)

    def series(self, protocol: str | None = None, seed: int | None = None) -> Frame:
        """What the scenario's probes sampled: a row for each value (``[[metrics]]``)."""
        return self._rows("series", protocol, seed)

    def packets(self, protocol: str | None = None, seed: int | None = None) -> Frame:
        """What happened to packets at traced links: a row each (``[trace]``)."""
        return self._rows("packets", protocol, seed)

    def senders(self, protocol: str | None = None, seed: int | None = None) -> Frame:
        """Windows and rates of traced senders: a row for each change (``[trace]``)."""
        return self._rows("senders", protocol, seed)

    def frame(self) -> Frame:
        """The summary as a tidy table: a row for each protocol or ideal and size of flows.

        The row of all sizes has no ``size_from`` and no ``size_to``. Times are in seconds.
        """
        return tidy.frame([({}, self.summary)])

    def report(self, out: str | PathLike[str] | None = None) -> Path:
        """Writes the page to look at, ``report.html`` in the folder, and says where it is."""
        return _core.report(self.folder, None if out is None else Path(out))

    def _rows(self, kind: str, protocol: str | None, seed: int | None) -> Frame:
        self._check(protocol)
        if seed is not None and seed not in self.seeds:
            raise ValueError(f"no run with seed {seed}; there are {self.seeds}")
        runs = [
            run
            for run in self.summary["runs"]
            if protocol in (None, run["protocol"]) and seed in (None, run["seed"])
        ]
        tables = [
            _of_run(run, path)
            for run in runs
            if (path := self.folder / run["folder"] / FILES.get(kind, f"{kind}.parquet")).exists()
        ]
        if not tables:
            raise ValueError(_nothing(kind))
        import pyarrow

        return Frame(pyarrow.concat_tables(tables))

    def _check(self, protocol: str | None) -> None:
        known = self.protocols + self.ideals
        if protocol is not None and protocol not in known:
            raise ValueError(f"no run of {protocol!r}; there are {', '.join(known)}")

    def __repr__(self) -> str:
        return _core.table(self.folder).rstrip("\n")

    def _repr_html_(self) -> str:
        from .plot import inline

        return f"{inline(self)}<pre>{html.escape(repr(self))}</pre>"


def load(folder: str | PathLike[str]) -> Results:
    """The results in a folder that ``sluice run`` or :func:`sluice.run` wrote."""
    folder = Path(folder)
    if not (folder / "summary.json").is_file():
        raise FileNotFoundError(f"{folder} has no summary.json: no results of a run lie there")
    return Results(folder)


def _json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def _of_run(run: dict[str, Any], path: Path) -> pyarrow.Table:
    """A file of a run, with the run's protocol and seed as its first columns."""
    import pyarrow
    from pyarrow import parquet

    file = parquet.ParquetFile(path)
    # Names repeat in every row; as a dictionary they take a number each.
    texts = [field.name for field in file.schema_arrow if pyarrow.types.is_string(field.type)]
    table = parquet.read_table(path, read_dictionary=texts).replace_schema_metadata(None)
    number = pyarrow.repeat(pyarrow.scalar(0, pyarrow.int32()), len(table))
    protocol = pyarrow.DictionaryArray.from_arrays(number, [run["protocol"]])
    seed = pyarrow.repeat(pyarrow.scalar(run["seed"], pyarrow.int64()), len(table))
    return table.add_column(0, "protocol", protocol).add_column(1, "seed", seed)


def _nothing(kind: str) -> str:
    if kind in ("packets", "senders"):
        return f"no {kind} were traced: say in the scenario's [trace] what to trace"
    return f"no run with {kind} went to its end"
