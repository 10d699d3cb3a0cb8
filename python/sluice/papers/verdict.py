"""The three verdicts on a claim."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """Whether results support a claim.

    >>> Verdict.of(2 < 3), str(Verdict.UNDECIDED)
    (<Verdict.HOLDS: 'holds'>, 'not decided')
    >>> Verdict.all([Verdict.HOLDS, Verdict.UNDECIDED, Verdict.HOLDS])
    <Verdict.UNDECIDED: 'not decided'>
    """

    #: The whole confidence interval lies within the bounds.
    HOLDS = "holds"
    #: The whole confidence interval lies outside them.
    FAILS = "fails"
    #: The interval includes a bound, or there is none, because there is a single seed.
    UNDECIDED = "not decided"

    @classmethod
    def of(cls, true: bool) -> Verdict:
        """The verdict on a result without an interval: computed, or the same with each seed."""
        return cls.HOLDS if true else cls.FAILS

    @classmethod
    def all(cls, points: Iterable[Verdict]) -> Verdict:
        """The verdict on a claim about several points: that of the worst."""
        found = set(points)
        return next((each for each in (cls.FAILS, cls.UNDECIDED) if each in found), cls.HOLDS)
