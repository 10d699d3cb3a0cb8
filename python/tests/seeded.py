"""Made-up tables of runs, for tests of claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sluice
from sluice.papers import Verdict
from sluice.papers.claim import Claim
from sluice.papers.rows import frame


def failing(claims: Iterable[Claim]) -> list[int]:
    """The places of the claims that fail; the others have to hold."""
    verdicts = [claim.verdict for claim in claims]
    assert set(verdicts) <= {Verdict.HOLDS, Verdict.FAILS}
    return [place for place, verdict in enumerate(verdicts) if verdict is Verdict.FAILS]


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
