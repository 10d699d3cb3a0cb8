"""JSON files of results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from . import _core


def read(path: Path) -> dict[str, Any]:
    """The contents of a file of results. Raises ValueError if it is of another format."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    schema = content.get("schema")
    if schema != _core.SCHEMA:
        reads = f"this version of sluice reads {_core.SCHEMA}"
        raise ValueError(f"{path}: its `schema` is {schema}, {reads}; run again")
    return content
