"""Means over seeds with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy
from scipy import stats

from .verdict import Verdict

#: The confidence level.
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean over independent runs, and its 95 % confidence interval (Student's t).

    For a quantity with a lower bound ``minimum``, the interval is that of Student's t on a
    logarithmic scale by the delta method, as in ``sluice-lab/src/results/stats.rs``: it never
    extends below ``minimum``, and agrees with Student's t where it is narrow.

    >>> found = Interval.of([1.9, 2.0, 2.1, 2.2])
    >>> print(found)
    2.05 (1.85 to 2.27)
    >>> for verdict in (found.below(3), found.below(2.1), found.above(2.5)):
    ...     print(verdict)
    holds
    not decided
    fails

    >>> print(Interval.of([0, 0, 3]), "or", Interval.of([0, 0, 3], minimum=-math.inf))
    1 (0.0135 to 73.9) or 1 (-3.3 to 5.3)

    A single run has no interval and decides nothing. An exact value has an interval of width 0:

    >>> print(Interval.of([2.0]), Interval.of([2.0]).below(3), sep=": ")
    2 (one run): not decided
    >>> print(Interval.exactly(0.24))
    0.24
    """

    mean: float
    low: float
    high: float

    @classmethod
    def of(
        cls, values: Iterable[float], *, minimum: float = 0.0, confidence: float = CONFIDENCE
    ) -> Interval:
        """The interval of independent runs, with one value for each.

        ``minimum`` is the lower bound of the quantity: ``-math.inf`` for a difference. Raises
        ValueError if there are no values, or if one is NaN or below ``minimum``. A higher
        ``confidence`` is for the most extreme of several intervals.
        """
        found = numpy.array(list(values), float)
        if not len(found) or numpy.isnan(found).any():
            raise ValueError("needs at least one value, and none that is NaN")
        if found.min() < minimum:
            raise ValueError(f"found {found.min():g}, which is below {minimum:g}")
        mean = float(found.mean())
        if len(found) == 1:
            return cls(mean, -math.inf, math.inf)
        error = found.std(ddof=1) / math.sqrt(len(found))
        half = float(stats.t.ppf((1 + confidence) / 2, len(found) - 1) * error)
        above = mean - minimum
        if half == 0 or math.isinf(above):
            return cls(mean, mean - half, mean + half)
        with numpy.errstate(over="ignore"):
            factor = float(numpy.exp(half / above))
        return cls(mean, minimum + above / factor, minimum + above * factor)

    @classmethod
    def exactly(cls, value: float) -> Interval:
        """The interval of an exact value."""
        return cls(value, value, value)

    @classmethod
    def counted(cls, found: int, of: int) -> Interval:
        """A part of independent trials, with its 95 % interval (Clopper and Pearson, 1934).

        Raises ValueError if there are no trials.

        >>> print(Interval.counted(0, 300), Interval.counted(8, 8), sep=", ")
        0 (0 to 0.0122), 1 (0.631 to 1)
        """
        if not 0 <= found <= of or of == 0:
            raise ValueError(f"needs at least one trial, and not {found} found of {of}")
        tail = (1 - CONFIDENCE) / 2
        low = float(stats.beta.ppf(tail, found, of - found + 1)) if found else 0.0
        high = float(stats.beta.isf(tail, found + 1, of - found)) if found < of else 1.0
        return cls(found / of, low, high)

    def below(self, bound: float) -> Verdict:
        """Whether the whole interval is below the bound. Infinity is no bound."""
        if self.high < bound or bound == math.inf:
            return Verdict.HOLDS
        return Verdict.FAILS if self.low >= bound else Verdict.UNDECIDED

    def above(self, bound: float) -> Verdict:
        """Whether the whole interval is above the bound. Minus infinity is no bound."""
        return Interval(-self.mean, -self.high, -self.low).below(-bound)

    def within(self, low: float, high: float) -> Verdict:
        """Whether the whole interval is between the two bounds."""
        return Verdict.all([self.above(low), self.below(high)])

    def over(self, other: Interval) -> Verdict:
        """Whether it is above another interval; not decided if the two overlap."""
        if self.low > other.high:
            return Verdict.HOLDS
        return Verdict.FAILS if self.high < other.low else Verdict.UNDECIDED

    @property
    def _drawn(self) -> bool:
        return self.low != -math.inf

    def __str__(self) -> str:
        return format(self, "")

    def __format__(self, form: str) -> str:
        """The mean and the interval with this format; three significant digits by default."""
        form = form or ".3g"
        if not self._drawn:
            return f"{self.mean:{form}} (one run)"
        if self.low == self.high:
            return f"{self.mean:{form}}"
        return f"{self.mean:{form}} ({self.low:{form}} to {self.high:{form}})"
