"""Numbers of claims by verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .claim import Claim
from .verdict import Verdict


@dataclass(frozen=True)
class Tally:
    """Numbers of claims that hold, fail, and are not decided.

    Claims that another figure counts are excluded, whether or not that figure was drawn.

    >>> print(Tally(holds=3, fails=1, undecided=0))
    4 claims: 3 hold, 1 fails, none is not decided
    """

    holds: int = 0
    fails: int = 0
    undecided: int = 0

    @classmethod
    def of(cls, claims: Iterable[Claim]) -> Tally:
        """The tally of these claims."""
        verdicts = [claim.verdict for claim in claims if not claim.counted]
        order = (Verdict.HOLDS, Verdict.FAILS, Verdict.UNDECIDED)
        return cls(*(verdicts.count(each) for each in order))

    @property
    def all(self) -> int:
        """The number of claims."""
        return self.holds + self.fails + self.undecided

    def __str__(self) -> str:
        parts = [
            _counted(self.holds, "holds", "hold"),
            _counted(self.fails, "fails", "fail"),
            _counted(self.undecided, "is not decided", "are not decided"),
        ]
        return f"{_counted(self.all, 'claim', 'claims')}: {', '.join(parts)}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number or 'none'} {one if number < 2 else many}"
