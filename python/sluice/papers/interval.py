"""A mean over seeds, with its confidence interval."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy
from scipy import stats

#: How often an interval holds what it stands for.
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean over independent runs, and the 95 % confidence interval of it (Student's t).

    >>> found = Interval.of([1.9, 2.0, 2.1, 2.2])
    >>> print(found)
    2.05 (1.84 to 2.26)
    >>> found.below(3), found.below(2.1), found.within(1.5, 2.5)
    (True, False, True)

    One run has no interval, and what is known exactly has one of no width:

    >>> print(Interval.of([2.0]))
    2 (one run)
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

    def below(self, bound: float) -> bool:
        """Whether all of it is; of one run, whether that is."""
        return bool((self.high if self._drawn else self.mean) < bound)

    def above(self, bound: float) -> bool:
        """Whether all of it is; of one run, whether that is."""
        return bool((self.low if self._drawn else self.mean) > bound)

    def within(self, low: float, high: float) -> bool:
        """Whether all of it lies between the two; of one run, whether that does."""
        return self.above(low) and self.below(high)

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
