"""Scenarios: a network, its traffic, and which protocols to run over it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from . import _core

#: What a field may be set to: a number, a text with its unit, a list or a table of those.
Value = Any

T = TypeVar("T")


class Scenario:
    """A scenario with the words of its file: see :func:`sluice.schema` and ``sluice explain``.

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

    ``schema = 1`` is understood; fields that are None are left out. It does not change:
    :meth:`set` gives another one.
    """

    def __init__(
        self, *, name: str = "scenario", folder: str | PathLike[str] = ".", **fields: Value
    ):
        fields = {"schema": 1, **_without_none(fields)}
        self._core = _core.Scenario.from_json(json.dumps(fields, default=str), name, Path(folder))

    @classmethod
    def load(cls, file: str | PathLike[str]) -> Scenario:
        """A scenario file, or a ready scenario by its name (``sluice list scenarios``)."""
        return cls._of(_core.Scenario.load(Path(file)))

    @classmethod
    def parse(
        cls, text: str, *, name: str = "scenario", folder: str | PathLike[str] = "."
    ) -> Scenario:
        """A scenario from the text of a file; paths of files in it start from ``folder``."""
        return cls._of(_core.Scenario.parse(text, name, Path(folder)))

    @classmethod
    def _of(cls, core: _core.Scenario) -> Scenario:
        scenario = cls.__new__(cls)
        scenario._core = core
        return scenario

    def set(self, fields: Mapping[str, Value]) -> Scenario:
        """The same with other values in fields or variables, as ``--set`` puts them there.

        >>> Scenario.load("websearch").set({"load": 0.9, "seed": 3}).check()
        """
        return self._of(self._core.set([(field, toml(value)) for field, value in fields.items()]))

    def check(self) -> None:
        """Raises :class:`sluice.ScenarioError`, which tells all that is wrong, if it cannot run."""
        self._core.plan()

    @property
    def toml(self) -> str:
        """The scenario as TOML, every default stated."""
        return self._core.plan().toml()

    def __repr__(self) -> str:
        return f"<Scenario {self._core.plan().name}>"


def toml(value: Value) -> str:
    """A value as TOML. A text stays as it is: it is read as ``--set`` reads it.

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
        return _inline(value.item())  # A number of numpy's.
    return repr(value) if isinstance(value, (int, float)) else _text(value)


def _text(value: object) -> str:
    # What JSON escapes, TOML escapes alike.
    return json.dumps(str(value))


def listed(given: Iterable[T] | None) -> list[T] | None:
    """What is given, or None; a single text is not taken for the letters it is made of."""
    if isinstance(given, str):
        raise TypeError(f"a list of names is wanted, not {given!r} alone")
    return None if given is None else list(given)


def _without_none(fields: Mapping[str, Value]) -> dict[str, Value]:
    return {str(key): value for key, value in fields.items() if value is not None}
