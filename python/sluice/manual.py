"""The reference manual of scenarios, from the registries."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from . import _core
from .arguments import text


def names(kind: str | None = None) -> list[str]:
    """The names that ``sluice list`` prints, of one kind or of all.

    Raises ValueError for an unknown kind.

    >>> names("protocol")[:6]
    ['rcp', 'xcp', 'ncp', 'tcp', 'cubic', 'alpha_fair']
    """
    kinds = sorted({entry["kind"] for entry in _entries()})
    if kind is not None and kind not in kinds:
        raise ValueError(f"no kind {kind!r}; there are {', '.join(kinds)}")
    return [entry["name"] for entry in _entries() if kind in (None, entry["kind"])]


def explain(name: str) -> list[dict[str, Any]]:
    """What a word of a scenario means: description, values, fields, and the source of equations.

    Args:
        name: one of :func:`names`, a field (``"replay"``, also by its path,
            ``"topology.dumbbell.buffer"``), a value of a field (``"rack"``) or a unit (``"bdp"``).

    Raises ValueError for an unknown name.

    >>> [entry["kind"] for entry in explain("rcp")]
    ['protocol']
    >>> explain("rcp")[0]["fields"][0]["name"]
    'alpha'
    >>> explain("replay")[0]["places"]
    ['group.replay']
    """
    return json.loads(_core.explain(text("name", name)))


def schema() -> dict[str, Any]:
    """The JSON Schema of scenarios."""
    return json.loads(_core.schema())


@cache
def _entries() -> list[dict[str, Any]]:
    return json.loads(_core.manual())
