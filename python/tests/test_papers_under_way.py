"""How many flows are under way, at a time and on average."""

from __future__ import annotations

import numpy
import pyarrow
import pytest
import sluice
from sluice.papers import under_way

#: The second has no end.
FLOWS = sluice.Frame(
    pyarrow.table({"start_ns": [0, 50_000_000], "completion_ns": [100_000_000, None]})
)


def test_flows_are_there_from_their_start_until_before_their_end() -> None:
    times = numpy.array([-0.01, 0, 0.04, 0.05, 0.09, 0.1, 9])
    assert under_way.at(FLOWS, times).tolist() == [0, 1, 1, 2, 2, 1, 1]


def test_flows_count_for_the_part_of_a_span_that_they_are_there() -> None:
    edges = numpy.array([0, 0.1, 0.2, 0.225])
    assert under_way.mean(FLOWS, edges) == pytest.approx([1.5, 1, 1])
    # One that is over before the first edge, or begins after the last, is in none.
    assert under_way.mean(FLOWS, edges + 0.1) == pytest.approx([1, 1, 1])
    assert under_way.mean(FLOWS, edges - 0.225) == pytest.approx([0, 0, 0])
