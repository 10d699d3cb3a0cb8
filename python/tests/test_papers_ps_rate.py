"""Figures of PS on the rate that routers grant: what makes their claims hold."""

from __future__ import annotations

import numpy
import pyarrow
import pytest
import sluice
from sluice.papers.ps import ps_3, ps_5, ps_6


def newcomers(offered: float, granted: float, wait: float) -> sluice.Frame:
    """Two newcomers with different bottlenecks, a granted rate, and a wait after the SYN."""
    rows = []
    for flow, slowest in enumerate((1, 2)):
        for what, number, begin in (("syn", -1, 0.0), ("data", 0, wait), ("data", 1, wait + 0.008)):
            for at in range(4):
                rate = None if at == 0 else offered if at == slowest else 5e6
                times = (round(1e9 * (begin + 0.01 * at)), round(1e9 * (begin + 0.01 * at + 0.01)))
                own = {"what": what, "flow": flow, "number": number}
                rows.append(own | ps_6._crossing(at, at + 1, *times, rate))
        for number in (-1, 0, 1):
            at = round(1e9 * (wait + 0.08 * (number + 1)))
            own = {"what": "granted", "flow": flow, "number": number}
            rows.append(own | ps_6._crossing(0, 0, at, at, granted))
    return sluice.Frame(pyarrow.Table.from_pylist(rows))


@pytest.mark.parametrize(
    ("offered", "granted", "wait", "holds"),
    [
        (1e6, 1e6, 0.081, [True, True, True, True]),
        (1e6, 2e6, 0.081, [False, True, False, False]),
        (1e6, 1e6, 0.170, [True, False, True, True]),
    ],
)
def test_a_start_is_at_the_lowest_rate_after_a_round_trip(
    offered: float, granted: float, wait: float, holds: list[bool]
) -> None:
    claims = ps_6.check(newcomers(offered, granted, wait))
    assert [claim.holds for claim in claims] == holds


def test_an_estimate_is_good_if_it_follows_and_is_smoother() -> None:
    seconds = numpy.arange(20, 60, 0.1)
    flows = 10 + 5 * numpy.sin(seconds) + 2 * (-1.0) ** numpy.arange(len(seconds))
    smooth = 10 + 5 * numpy.sin(seconds)
    for estimate, holds in (
        (smooth, [True, True, True]),
        (2 * smooth, [False, True, True]),
        (10 + numpy.cos(7 * seconds), [True, False, True]),
        (10 + 1.5 * (flows - 10), [True, True, False]),
    ):
        columns = {"seconds": seconds, "flows": flows, "sending": flows, "estimate": estimate}
        runs = [pyarrow.table({"seed": [seed] * len(flows), **columns}) for seed in (1, 2)]
        table = sluice.Frame(pyarrow.concat_tables(runs))
        assert [claim.holds for claim in ps_3.check(table)] == holds


def test_a_start_that_stays_in_the_means_fails() -> None:
    def runs(start: float, d: float, n: float) -> list[dict[str, object]]:
        found = {"E[D]": d, "E[N]": n, "E[D] of PS": 0.16, "E[N] of PS": 70.0}
        ends = {"lowest R/C": 0.05, "largest R/C": 1.0}
        return [
            {"start": start, "seed": seed, "quantity": quantity, "value": value * (1 + seed / 1000)}
            for seed in range(1, 7)
            for quantity, value in (found | ends).items()
        ]

    def claims(of_one: float) -> list[bool]:
        rows = [row for start in ps_5.STARTS[1:] for row in runs(start, 0.16, 70.0)]
        rows += runs(ps_5.STARTS[0], of_one * 0.16, 70.0)
        table = sluice.Frame(pyarrow.Table.from_pylist(rows))
        return [claim.holds for claim in ps_5.check(table)]

    assert claims(1.0) == [True] * 3
    # 4 % apart, and still near to processor sharing.
    assert claims(1.04) == [True, False, True]


def test_active_flows_are_counted_for_the_time_that_they_are_there() -> None:
    """From 10 s to 20 s: one for half of it, one for all, one that came and went before."""
    begun, took = numpy.array([5.0, 1.0, 10.0, 20.0]), numpy.array([10.0, 2.0, numpy.nan, 1.0])
    columns = {
        "start_ns": begun * 1e9,
        "completion_ns": took * 1e9,
        "measured": [False, False, False, True],
    }
    found = ps_5._means(sluice.Frame(pyarrow.table(columns)))
    assert found == {"E[D]": 1.0, "E[N]": 1.5}
