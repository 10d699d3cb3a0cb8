"""A mean over seeds, with its confidence interval."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy
from scipy import stats

from .verdict import Verdict

#: How often an interval holds what it stands for.
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean over independent runs, and the 95 % confidence interval of it (Student's t).

    >>> found = Interval.of([1.9, 2.0, 2.1, 2.2])
    >>> print(found)
    2.05 (1.84 to 2.26)
    >>> for verdict in (found.below(3), found.below(2.1), found.above(2.5)):
    ...     print(verdict)
    holds
    not decided
    fails

    One run has no interval and decides nothing, and what is known exactly has one of no width:

    >>> print(Interval.of([2.0]), Interval.of([2.0]).below(3), sep=": ")
    2 (one run): not decided
    >>> print(Interval.exactly(0.24))
    0.24
    """

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Interval:
        """Of one figure a run. Raises ValueError where a run has none, or there is no run."""
        found = numpy.array(list(values), float)
        if not len(found) or numpy.isnan(found).any():
            raise ValueError("a run lacks such a figure")
        mean = float(found.mean())
        if len(found) == 1:
            return cls(mean, -math.inf, math.inf)
        error = found.std(ddof=1) / math.sqrt(len(found))
        half = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(found) - 1) * error)
        return cls(mean, mean - half, mean + half)

    @classmethod
    def exactly(cls, value: float) -> Interval:
        """Of what is computed, not drawn."""
        return cls(value, value, value)

    def below(self, bound: float) -> Verdict:
        """Whether all of it is; a bound of infinity is none."""
        if self.high < bound or bound == math.inf:
            return Verdict.HOLDS
        return Verdict.FAILS if self.low >= bound else Verdict.UNDECIDED

    def above(self, bound: float) -> Verdict:
        """Whether all of it is; a bound of minus infinity is none."""
        return Interval(-self.mean, -self.high, -self.low).below(-bound)

    def within(self, low: float, high: float) -> Verdict:
        """Whether all of it lies between the two."""
        return Verdict.all([self.above(low), self.below(high)])

    def over(self, other: Interval) -> Verdict:
        """Whether it is larger than another: decided only where the two do not overlap."""
        if self.low > other.high:
            return Verdict.HOLDS
        return Verdict.FAILS if self.high < other.low else Verdict.UNDECIDED

    @property
    def _drawn(self) -> bool:
        return math.isfinite(self.low)

    def __str__(self) -> str:
        return format(self, "")

    def __format__(self, form: str) -> str:
        """As numbers of such a form: ``f"{interval:.1f}"``; of three digits by default."""
        form = form or ".3g"
        if not self._drawn:
            return f"{self.mean:{form}} (one run)"
        if self.low == self.high:
            return f"{self.mean:{form}}"
        return f"{self.mean:{form}} ({self.low:{form}} to {self.high:{form}})"
