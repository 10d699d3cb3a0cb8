"""Scenarios: a network, its traffic, and which protocols to run over it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from . import _core

#: The value of a field: a number, a text such as ``"100 ms"``, or a list or mapping of those.
Value = Any

T = TypeVar("T")


class Scenario:
    """A scenario. Immutable; :meth:`set` returns a modified copy.

    The keyword arguments are the fields of a scenario file: see :func:`sluice.schema` and
    :func:`sluice.explain`. ``schema`` is 1 by default, and fields that are None are omitted.
    ``name`` names the results; relative paths in the scenario start from ``folder``.

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
    sluice.ScenarioError: error: --set:1:25: ...

    Fields are checked by :meth:`check` and before a run, not by the constructor.
    """

    def __init__(
        self, *, name: str = "scenario", folder: str | PathLike[str] = ".", **fields: Value
    ):
        fields = {"schema": 1, **_without_none(fields)}
        self._core = _core.Scenario.from_json(json.dumps(fields, default=str), name, Path(folder))

    @classmethod
    def load(cls, file: str | PathLike[str]) -> Scenario:
        """Reads a scenario file, or a ready scenario by name (``sluice list scenarios``).

        Raises :class:`sluice.ScenarioError` if there is neither, or the file cannot be read.
        """
        return cls._of(_core.Scenario.load(Path(file)))

    @classmethod
    def parse(
        cls, text: str, *, name: str = "scenario", folder: str | PathLike[str] = "."
    ) -> Scenario:
        """A scenario from TOML. Relative paths in it start from ``folder``."""
        return cls._of(_core.Scenario.parse(text, name, Path(folder)))

    @classmethod
    def _of(cls, core: _core.Scenario) -> Scenario:
        scenario = cls.__new__(cls)
        scenario._core = core
        return scenario

    def set(self, fields: Mapping[str, Value]) -> Scenario:
        """A copy with other values of fields or variables, given by paths as for ``--set``.

        >>> Scenario.load("websearch").set({"load": 0.9, "seed": 3}).check()
        """
        return self._of(self._core.set([(field, toml(value)) for field, value in fields.items()]))

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
    if hasattr(value, "item"):
        return _inline(value.item())  # A numpy scalar.
    return repr(value) if isinstance(value, (int, float)) else _text(value)


def _text(value: object) -> str:
    # JSON and TOML escape alike.
    return json.dumps(str(value))


def listed(given: Iterable[T] | None) -> list[T] | None:
    """The items as a list, or None. Raises TypeError for a single text, whose items are letters."""
    if isinstance(given, str):
        raise TypeError(f"expected a list, not the text {given!r}; write [{given!r}]")
    return None if given is None else list(given)


def _without_none(fields: Mapping[str, Value]) -> dict[str, Value]:
    return {str(key): value for key, value in fields.items() if value is not None}
