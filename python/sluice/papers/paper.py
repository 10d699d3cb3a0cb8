"""A paper and its figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .figure import Figure


@dataclass(frozen=True)
class Paper:
    """A paper, or another collection of figures that share a page."""

    #: The name of its folder, and the prefix of its figures' ids.
    name: str
    title: str
    #: Authors, venue and year; or where the figures are from.
    source: str
    #: In the order in which they are listed and printed.
    figures: tuple[Figure[Any], ...]
