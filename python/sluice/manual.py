"""What there is to put into a scenario, from the registries."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from . import _core


def names(kind: str | None = None) -> list[str]:
    """The names of a kind of thing, or all: what ``sluice list`` prints.

    >>> names("protocol")
    ['rcp', 'xcp', 'ncp', 'tcp', 'cubic', 'alpha_fair']
    """
    kinds = sorted({entry["kind"] for entry in _entries()})
    if kind is not None and kind not in kinds:
        raise ValueError(f"no kind {kind!r}; there are {', '.join(kinds)}")
    return [entry["name"] for entry in _entries() if kind in (None, entry["kind"])]


def explain(name: str) -> list[dict[str, Any]]:
    """What something is, its fields and where its equations are from: all that has this name.

    >>> [entry["kind"] for entry in explain("rcp")]
    ['protocol']
    >>> explain("rcp")[0]["fields"][0]["name"]
    'alpha'
    """
    found = [entry for entry in _entries() if entry["name"] == name]
    if not found:
        raise ValueError(f"nothing is called {name!r}; sluice.names() tells what there is")
    return found


def schema() -> dict[str, Any]:
    """The JSON Schema of scenarios."""
    return json.loads(_core.schema())


@cache
def _entries() -> list[dict[str, Any]]:
    return json.loads(_core.manual())
