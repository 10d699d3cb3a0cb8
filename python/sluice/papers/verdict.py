"""The three verdicts on a claim."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """Whether a run bears a claim out.

    >>> Verdict.of(2 < 3), str(Verdict.UNDECIDED)
    (<Verdict.HOLDS: 'holds'>, 'not decided')
    >>> Verdict.all([Verdict.HOLDS, Verdict.UNDECIDED, Verdict.HOLDS])
    <Verdict.UNDECIDED: 'not decided'>
    """

    #: The whole confidence interval lies within the bounds.
    HOLDS = "holds"
    #: The whole confidence interval lies outside them.
    FAILS = "fails"
    #: It straddles a bound, or there is none: one seed says nothing of others.
    UNDECIDED = "not decided"

    @classmethod
    def of(cls, true: bool) -> Verdict:
        """On what is computed or the same with every seed, and so has no interval."""
        return cls.HOLDS if true else cls.FAILS

    @classmethod
    def all(cls, points: Iterable[Verdict]) -> Verdict:
        """On a claim about several points, by the worst: it fails where one of them fails, and is
        not decided where one is not."""
        found = set(points)
        return next((each for each in (cls.FAILS, cls.UNDECIDED) if each in found), cls.HOLDS)
