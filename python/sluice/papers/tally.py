"""Claims counted by verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .claim import Claim
from .verdict import Verdict


@dataclass(frozen=True)
class Tally:
    """How many claims hold, fail, and are not decided. A claim that another figure counts is in
    none, whether or not that figure was drawn.

    >>> print(Tally(holds=3, fails=1, undecided=0))
    4 claims: 3 hold, 1 fails, none is not decided
    """

    holds: int = 0
    fails: int = 0
    undecided: int = 0

    @classmethod
    def of(cls, claims: Iterable[Claim]) -> Tally:
        """Of these."""
        verdicts = [claim.verdict for claim in claims if not claim.counted]
        order = (Verdict.HOLDS, Verdict.FAILS, Verdict.UNDECIDED)
        return cls(*(verdicts.count(each) for each in order))

    @property
    def all(self) -> int:
        """How many are counted."""
        return self.holds + self.fails + self.undecided

    def __str__(self) -> str:
        told = [
            _told(self.holds, "holds", "hold"),
            _told(self.fails, "fails", "fail"),
            _told(self.undecided, "is not decided", "are not decided"),
        ]
        return f"{_told(self.all, 'claim', 'claims')}: {', '.join(told)}"


def _told(number: int, one: str, many: str) -> str:
    return f"{number or 'none'} {one if number < 2 else many}"
