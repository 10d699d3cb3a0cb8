"""The reference manual of scenarios, from the registries."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from . import _core


def names(kind: str | None = None) -> list[str]:
    """The names that ``sluice list`` prints, of one kind or of all.

    Raises ValueError for an unknown kind.

    >>> names("protocol")
    ['rcp', 'xcp', 'ncp', 'tcp', 'cubic', 'alpha_fair']
    """
    kinds = sorted({entry["kind"] for entry in _entries()})
    if kind is not None and kind not in kinds:
        raise ValueError(f"no kind {kind!r}; there are {', '.join(kinds)}")
    return [entry["name"] for entry in _entries() if kind in (None, entry["kind"])]


def explain(name: str) -> list[dict[str, Any]]:
    """The manual's entries with this name: description, fields, and the source of equations.

    Raises ValueError for an unknown name.

    >>> [entry["kind"] for entry in explain("rcp")]
    ['protocol']
    >>> explain("rcp")[0]["fields"][0]["name"]
    'alpha'
    """
    found = [entry for entry in _entries() if entry["name"] == name]
    if not found:
        raise ValueError(f"unknown name {name!r}; sluice.names() lists all")
    return found


def schema() -> dict[str, Any]:
    """The JSON Schema of scenarios."""
    return json.loads(_core.schema())


@cache
def _entries() -> list[dict[str, Any]]:
    return json.loads(_core.manual())
