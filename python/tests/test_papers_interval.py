"""Intervals over runs: what cannot be negative, differences, and errors."""

from __future__ import annotations

import math

import numpy
import pytest
from sluice.papers.interval import Interval


def test_an_interval_never_reaches_the_minimum() -> None:
    skewed = Interval.of([0.01, 0.02, 5.0])
    assert 0 < skewed.low < skewed.mean < skewed.high
    assert Interval.of([-0.9, -0.8, 4.0], minimum=-1).low > -1
    assert Interval.of([0.01, 0.02, 5.0], minimum=-math.inf).low < 0


def test_it_is_the_summarys_interval() -> None:
    """The values of the test in sluice-lab/src/results/stats.rs."""
    for minimum, mean in ((0.0, 2.0), (1.0, 1.0)):
        found = Interval.of([1.0, 3.0], minimum=minimum)
        factor = math.exp(12.7062 / mean)
        assert found.low - minimum == pytest.approx(mean / factor, rel=1e-4)
        assert found.high - minimum == pytest.approx(mean * factor, rel=1e-4)


def test_a_narrow_interval_is_students_t() -> None:
    values = [100.0, 100.1, 100.2]
    half = 4.3027 * numpy.std(values, ddof=1) / math.sqrt(3)
    found = Interval.of(values)
    assert found.high - found.mean == pytest.approx(half, rel=2e-3)
    assert found.mean - found.low == pytest.approx(half, rel=2e-3)


def test_a_value_below_the_minimum_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"-0\.5, which is below 0"):
        Interval.of([1.0, -0.5])
    assert Interval.of([1.0, -0.5], minimum=-1).mean == 0.25
