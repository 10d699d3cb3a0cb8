"""Made-up tables of runs, for tests of claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sluice
from sluice.papers.rows import frame


def seeded(
    points: Iterable[Mapping[str, Any]], columns: Mapping[str, Callable[..., float]]
) -> sluice.Frame:
    """Three seeds of each point that differ by little; columns are functions of its values."""
    return frame(
        [
            {**point, "seed": seed}
            | {name: of(*point.values()) * (1 + seed / 1e5) for name, of in columns.items()}
            for point in points
            for seed in (1, 2, 3)
        ]
    )
