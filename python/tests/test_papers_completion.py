"""Completion time against flow size: the table, the ratios and their intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy
import pyarrow
import pytest
from sluice import Frame, theory
from sluice.papers import completion


def flows(packets: list[int], seconds: list[float | None]) -> Frame:
    """Measured flows of one run, and one of three packets that is not measured."""
    nanoseconds = [each and 1e9 * each for each in [*seconds, 100.0]]
    columns: dict[str, Any] = {
        "size_bytes": [1000 * each - 1 for each in [*packets, 3]],
        "completion_ns": pyarrow.array(nanoseconds, pyarrow.float64()),
        "measured": numpy.array([True] * len(packets) + [False]),
    }
    return Frame(pyarrow.table(columns))


def test_a_bin_begins_with_its_edge_and_counts_what_did_not_finish() -> None:
    found = completion.bins(flows([1, 2, 3, 9, 9], [1, 2, 3, 4, None]), numpy.array([1, 3, 10]))
    assert [row["flows"] for row in found] == [2, 2]
    assert [row["unfinished"] for row in found] == [0, 1]
    assert [row["mean_s"] for row in found] == [1.5, 3.5]
    assert [row["mean_packets"] for row in found] == [1.5, 6]
    assert [row["max_s"] for row in found] == [2, 4]


def test_ratios_are_each_seeds_own() -> None:
    rows = [
        {"protocol": name, "seed": seed, "packets_from": 1, "packets_to": 3, "flows": 10,
         "unfinished": 0, "mean_packets": 2.0, "mean_s": seconds, "max_s": 2 * seconds}
        for name, means in (("slow", (4.0, 9.0)), ("quick", (2.0, 3.0)))
        for seed, seconds in enumerate(means)
    ]  # fmt: skip
    table = Frame(pyarrow.Table.from_pylist(rows))
    (ratio,) = completion.ratios(table, "slow", "quick")
    # Ratios are 2 and 3; those of two give Student's t at one degree of freedom, 12.706, here times
    # the standard error of the mean's logarithm, 0.5 / 2.5.
    high = 2.5 * math.exp(12.706 * 0.5 / 2.5)
    assert ratio.times.mean == 2.5 and ratio.times.high == pytest.approx(high, 1e-4)
    (longest,) = completion.ratios(table, "slow", "quick", "max_s")
    assert longest.times.mean == 5
    link = theory.Link(2.4e9, load=0.9, sizes=theory.pareto(25_000, 1.2), rtt_s=0.1)
    (formula,) = completion.ratios(completion.with_formula(table, link), "slow", "ps")
    # Equation (3): 0.15 s and 2000 bytes at a tenth of the capacity.
    assert formula.times.mean == pytest.approx(6.5 / (0.15 + 2000 / 3e7))


def test_a_mean_of_flows_that_did_not_finish_is_none() -> None:
    assert completion.mean_s(flows([1, 2], [1, 3])) == 2
    with pytest.raises(ValueError, match="1 flows did not finish"):
        completion.mean_s(flows([1, 2], [1, None]))
