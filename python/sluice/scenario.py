"""Scenarios: a network, its traffic, and which protocols to run over it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from . import _core
from .arguments import mapped, path_of, text

#: The value of a field: a number, a text such as ``"100 ms"``, or a list or mapping of those.
Value = Any


class Scenario:
    """A scenario. Immutable; :meth:`set` returns a modified copy. It can be copied and pickled, for
    ``multiprocessing`` for instance; a pickle does not contain the files that the scenario names.

    The keyword arguments are the fields of a scenario file: see :func:`sluice.schema` and
    :func:`sluice.explain`. ``schema`` is that of this version by default, and fields that are None
    are omitted. ``name`` names the results; relative paths in the scenario start from ``folder``.

    >>> scenario = Scenario(
    ...     stop="2 s",
    ...     topology={"dumbbell": {"capacity": "10 Mbps", "rtt": "40 ms"}},
    ...     group=[{"name": "web", "from": "s0", "to": "d0",
    ...             "poisson": {"load": 0.6, "sizes": {"fixed": "30 packets"}}}],
    ... )
    >>> scenario.check()
    >>> scenario.set({"group.web.poisson.load": 1.2, "topology.dumbbell.rtt": "oops"}).check()
    Traceback (most recent call last):
    ...
    sluice.ScenarioError: error: Scenario.set({...}):1:25: ...

    Fields are checked by :meth:`check` and before a run, not by the constructor.
    """

    def __init__(
        self, *, name: str = "scenario", folder: str | PathLike[str] = ".", **fields: Value
    ):
        name, folder = text("name", name), path_of("folder", folder)
        fields = _plain({"schema": _core.SCHEMA, **fields})
        self._core = _core.Scenario.from_json(json.dumps(fields), name, folder)

    @classmethod
    def load(cls, file: str | PathLike[str]) -> Scenario:
        """Reads a scenario file, or a ready scenario by name (``sluice list scenarios``).

        Raises :class:`sluice.ScenarioError` if there is neither, or the file cannot be read.
        """
        return cls._of(_core.Scenario.load(path_of("file", file)))

    @classmethod
    def parse(
        cls, text: str, *, name: str = "scenario", folder: str | PathLike[str] = "."
    ) -> Scenario:
        """A scenario from TOML. Relative paths in it start from ``folder``."""
        return cls._of(_parsed(text, name, folder))

    @classmethod
    def _of(cls, core: _core.Scenario) -> Scenario:
        scenario = cls.__new__(cls)
        scenario._core = core
        return scenario

    @classmethod
    def _restored(cls, document: str, folder: Path) -> Scenario:
        return cls._of(_core.Scenario.restored(document, folder))

    def __reduce__(self) -> tuple[Callable[[str, Path], Scenario], tuple[str, Path]]:
        return self._restored, self._core.state()

    def set(self, fields: Mapping[str, Value]) -> Scenario:
        """A copy with other values of fields or variables, given by paths as for ``--set``.

        >>> Scenario.load("websearch").set({"load": 0.9, "seed": 3}).check()
        """
        given = mapped("fields", fields).items()
        return self._of(self._core.set([(str(field), toml(value)) for field, value in given]))

    def check(self) -> None:
        """Checks the scenario.

        Raises :class:`sluice.ScenarioError`, which lists all errors with their locations.
        """
        self._core.plan()

    @property
    def toml(self) -> str:
        """The scenario as TOML, with the values of all defaults."""
        return self._core.plan().toml()

    def __repr__(self) -> str:
        return f"<Scenario {self._core.plan().name}>"


def _parsed(toml: str, name: str, folder: str | PathLike[str]) -> _core.Scenario:
    named = text("name", name)
    return _core.Scenario.parse(text("text", toml), named, path_of("folder", folder))


def loaded(scenario: Scenario | str | PathLike[str]) -> Scenario:
    """The scenario, or the one of a file or a name."""
    if isinstance(scenario, Scenario):
        return scenario
    if not isinstance(scenario, (str, PathLike)):
        raise TypeError(f"`scenario`: expected a Scenario, a path or a name, not {scenario!r}")
    return Scenario.load(scenario)


def toml(value: Value) -> str:
    """A value as TOML. Text is returned unchanged, to be read as that of ``--set``.

    >>> toml(["100 ms", 3]), toml({"fixed": "1 kB"}), toml("0.1 bdp"), toml(True)
    ('["100 ms", 3]', '{"fixed" = "1 kB"}', '0.1 bdp', 'true')
    """
    return value if isinstance(value, str) else _inline(value)


def _inline(value: Value) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{_text(key)} = {_inline(each)}" for key, each in _without_none(value).items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "tolist"):
        return _inline(value.tolist())  # A scalar or an array of numpy.
    return repr(value) if isinstance(value, (int, float)) else _text(value)


def _text(value: object) -> str:
    # JSON and TOML escape alike.
    return json.dumps(str(value))


def _plain(value: Value) -> Value:
    """A value that JSON can hold. What no field accepts becomes a text, which errors then show."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in _without_none(value).items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())  # A scalar or an array of numpy.
    is_whole = isinstance(value, int) and abs(value) < 2**64
    is_finite = isinstance(value, float) and math.isfinite(value)
    return value if is_whole or is_finite else str(value)


def _without_none(fields: Mapping[str, Value]) -> dict[str, Value]:
    return {str(key): value for key, value in fields.items() if value is not None}
