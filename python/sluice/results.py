"""Results of runs, read from a folder that ``sluice run`` or :func:`sluice.run` wrote."""

from __future__ import annotations

import html
import json
import warnings
from collections.abc import Iterable
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core, _json, ratios, tidy
from .arguments import flag, mapped, path_of
from .frame import Frame

if TYPE_CHECKING:
    import pyarrow


#: File names that differ from the kind of row.
FILES = {"packets": "trace-packets.parquet", "senders": "trace-flows.parquet"}


class Results:
    """Results of one scenario: a summary over runs, and tables of flows, links and samples.

    Tables are read when they are requested. ``repr`` is the table that the command line prints; a
    notebook also shows the completion times.

    ``summary`` replaces the contents of the folder's ``summary.json``.
    """

    def __init__(self, folder: str | PathLike[str], summary: dict[str, Any] | None = None) -> None:
        #: The folder of the results.
        self.folder = path_of("folder", folder)
        if summary is None:
            summary = _json.read(self.folder / "summary.json")
        #: The contents of ``summary.json``. Times are in seconds, sizes in bytes.
        self.summary = dict(mapped("summary", summary))

    @cached_property
    def scenario(self) -> dict[str, Any]:
        """The scenario, with the values of all defaults."""
        return _json.read(self.folder / "scenario.json")

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self.summary["name"]

    @property
    def protocols(self) -> list[str]:
        """The protocols, in the order of the scenario."""
        return [found["protocol"] for found in self.summary["protocols"]]

    @property
    def ideals(self) -> list[str]:
        """The ideals that the same flows were served by, such as ``max_min``."""
        return [found["protocol"] for found in self.summary["ideals"]]

    @property
    def seeds(self) -> list[int]:
        """The seeds of the runs, in order."""
        return list(dict.fromkeys(run["seed"] for run in self.summary["runs"]))

    def of(self, protocol: str) -> dict[str, Any]:
        """The part of :attr:`summary` for a protocol or an ideal.

        Raises ValueError if it has no runs.
        """
        self._check(str(protocol))
        every = self.summary["protocols"] + self.summary["ideals"]
        return next(found for found in every if found["protocol"] == protocol)

    def flows(self, protocol: str | None = None, seed: int | None = None) -> Frame:
        """A row for each flow and run, of protocols and ideals.

        Times are in nanoseconds, sizes in bytes. This and the other tables can be limited to a
        protocol and a seed, and raise ValueError if there are no such runs.
        """
        return self._rows("flows", protocol, seed)

    def links(self, protocol: str | None = None, seed: int | None = None) -> Frame:
        """A row for each link and run, with its traffic in the measured time."""
        return self._rows("links", protocol, seed)

    def series(self, protocol: str | None = None, seed: int | None = None) -> Frame:
        """A row for each sample of the scenario's metrics (``[[metrics]]``)."""
        return self._rows("series", protocol, seed)

    def verdicts(self, protocol: str | None = None, seed: int | None = None) -> Frame:
        """A row for each flow that a policing agent convicted (``police`` in ``[[link]]``)."""
        return self._rows("verdicts", protocol, seed)

    def packets(self, protocol: str | None = None, seed: int | None = None) -> Frame:
        """A row for each event of a packet at a traced link (``[trace]``)."""
        return self._rows("packets", protocol, seed)

    def senders(self, protocol: str | None = None, seed: int | None = None) -> Frame:
        """A row for each change of window or rate of a traced sender (``[trace]``)."""
        return self._rows("senders", protocol, seed)

    def frame(self) -> Frame:
        """The summary as a tidy table: a row for each protocol or ideal and bin of flow sizes.

        In the row over all sizes, ``size_from`` and ``size_to`` are null. Times are in seconds.
        """
        return tidy.frame([({}, self.summary)])

    def ratios(self, *, by_group: bool = False) -> Frame:
        """How much longer the same flows take than under an ideal: ratios of mean completion times.

        There is a row for each protocol, ideal and class of flow sizes in data packets, and one
        over all sizes, where ``packets`` is ``all``; likewise for each protocol relative to the
        first one. With ``by_group``, these rows are for each group of the scenario, which has a
        column then. A flow that did not finish counts with the time until the end of the run, so
        ``ratio`` is a lower bound where ``unfinished`` is above 0.

        >>> import sluice
        >>> results = sluice.run("ps7-rcp", ["rcp"], progress=False)
        >>> ratios = results.ratios().where(reference="max_min")
        >>> ratios["packets"].tolist()
        ['all', '1-29', '30-299', '300-2999', '>=3000']
        >>> bool((ratios["ratio"] > 1).all())
        True

        Raises ValueError if no measured flow finished under an ideal or the first protocol.
        """
        return ratios.frame([({}, self.summary)], by_group=flag("by_group", by_group))

    def report(self, out: str | PathLike[str] | None = None) -> Path:
        """Writes an HTML report, by default ``report.html`` in the folder, and returns its path."""
        return _core.report(self.folder, None if out is None else path_of("out", out))

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
            _read(path)
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
        return _core.table(json.dumps(self.summary)).rstrip("\n")

    def _repr_html_(self) -> str:
        from .plot import inline

        return f"{inline(self)}<pre>{html.escape(repr(self))}</pre>"


def load(folder: str | PathLike[str]) -> Results:
    """Reads the results in a folder that ``sluice run`` or :func:`sluice.run` wrote.

    Raises FileNotFoundError if it has none, and ValueError if they are of another format, from
    another version of sluice.
    """
    folder = path_of("folder", folder)
    if not (folder / "summary.json").is_file():
        raise FileNotFoundError(f"{folder} has no summary.json: not the results of a run")
    return Results(folder)


def warn(texts: Iterable[str], *, stacklevel: int = 3) -> None:
    """Warns of each, from the caller's caller."""
    for text in texts:
        warnings.warn(text, stacklevel=stacklevel)


def warn_of_damage(damages: list[str]) -> None:
    """Warns of stored runs that were made again, from the caller's caller."""
    warn((f"repeated a damaged run: {damage}" for damage in damages), stacklevel=4)


def _read(path: Path) -> pyarrow.Table:
    """The table in a file of a run."""
    import pyarrow
    from pyarrow import parquet

    schema = parquet.read_schema(path)
    if "protocol" not in schema.names:
        raise ValueError(f"{path} is of a former version of sluice: run the scenario again")
    # Names repeat from row to row: dictionary encoding stores an index for each.
    texts = [field.name for field in schema if pyarrow.types.is_string(field.type)]
    return parquet.read_table(path, read_dictionary=texts).replace_schema_metadata(None)


def _nothing(kind: str) -> str:
    if kind in ("packets", "senders"):
        return f"no {kind} were traced: set what to trace in the scenario's [trace]"
    if kind == "verdicts":
        return "no finished run of a protocol has an agent: set `police` in the scenario's [[link]]"
    return f"no finished run has {kind}"
