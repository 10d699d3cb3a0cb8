"""Means over seeds with their intervals, drawn."""

from __future__ import annotations

from matplotlib import pyplot
from sluice.papers import Interval, drawing


def test_error_bars_reach_from_the_mean_to_the_ends_of_the_interval() -> None:
    below, above = drawing.bars([Interval(2.0, 1.5, 3.0), Interval(4.0, 3.0, 4.5)])
    assert list(below) == [0.5, 1.0]
    assert list(above) == [1.0, 0.5]


def test_one_run_is_drawn_without_a_bar() -> None:
    one = Interval.of([2.0])
    assert drawing.bars([one]).tolist() == [[0.0], [0.0]]
    _, ax = pyplot.subplots()
    drawing.with_bars(ax, [1.0], [one])
    assert ax.get_ylim()[1] < 3


def test_lines_span_the_intervals() -> None:
    _, ax = pyplot.subplots()
    drawing.with_lines(ax, [1.0], [Interval(2.0, 1.5, 3.0)], color="black", marker="o")
    (lines,) = ax.collections
    assert lines.get_paths()[0].vertices.tolist() == [[1.0, 1.5], [1.0, 3.0]]
