"""Figures of *Why Flow-Completion Time is the Right Metric*: models by hand, checks that fail."""

from __future__ import annotations

import numpy
import pyarrow
import pytest
import sluice
from sluice.papers import Verdict
from sluice.papers.fct import fct_1, fct_3, fct_4, fct_5, fct_fn3, fct_new, fct_ss, rounds


def test_a_short_flow_gains_little_by_formula() -> None:
    # By hand: 15 packets wait 5 round trips of 40 ms and send 120 kb, so 202.67 ms at 45 Mb/s and
    # 200.03 ms at a hundred times that. 2755 wait 12 and send 22.04 Mb: 969.8 and 484.9 ms.
    formula = numpy.array(
        [0.2 + 0.12 / 45, 0.2 + 0.12 / 4500, 0.48 + 22.04 / 45, 0.48 + 22.04 / 4500]
    )
    rows = [
        {"bandwidth_bps": bandwidth, "packets": size, "formula_s": time, "simulated_s": time}
        for size in fct_1.SIZES
        for bandwidth, time in zip(
            (45e6, 4.5e9), formula[:2] if size == 15 else formula[2:], strict=True
        )
    ]
    halves, *_ = fct_1.check(sluice.Frame(pyarrow.Table.from_pylist(rows)))
    assert halves.verdict is Verdict.FAILS
    assert halves.ours.startswith("0.500 of 2,755 packets, by formula")
    assert halves.why.startswith("outside of 15 packets, by formula (0.987), of 15 packets, in")


@pytest.mark.parametrize(
    ("off", "verdict"),
    [(1.0, Verdict.HOLDS), (0.95, Verdict.HOLDS), (0.85, Verdict.FAILS), (1.15, Verdict.FAILS)],
)
def test_a_time_that_is_not_the_formulas_is_not_equal(off: float, verdict: Verdict) -> None:
    # One size of several, at one bandwidth.
    least = 1.5 * fct_ss.RTT
    formula = {size: fct_ss.slow_start.completion_s(size, 1e6, 0.2) for size in fct_ss.SIZES}
    packets = [
        {
            "packets": size,
            "min_s": least,
            "formula_s": float(formula[size]),
            "window_1_s": float(formula[size]) * (off if size == 31 else 1),
        }
        for size in fct_ss.SIZES
    ]
    *_, equal = fct_ss.check(sluice.Frame(pyarrow.Table.from_pylist(packets)))
    assert equal.verdict is verdict
    links = [
        {
            "bandwidth_bps": bandwidth,
            "packets": size,
            "formula_s": 1.0,
            "simulated_s": off if (size, bandwidth) == (1000, 90e6) else 1.0,
        }
        for size in fct_1.SIZES
        for bandwidth in fct_1.BANDWIDTHS
    ]
    *_, equal = fct_1.check(sluice.Frame(pyarrow.Table.from_pylist(links)))
    assert equal.verdict is verdict and equal.counted == "fct-ss"
    assert equal.holds or equal.why == f"outside at 1,000 packets and 90 Mb/s ({off:.2f})"


def test_rounds_are_those_by_hand() -> None:
    # A flow of 50 sends 1, 2, 4, 8, 16 and 19.
    each = rounds.slow_start([50], 7)
    assert each.flows.tolist() == [1, 2, 3, 4, 5, 6, 6]
    assert each.sent.tolist() == [1, 3, 7, 15, 31, 50, 50]
    # Granted 50 each, they send 50 and 1; then a third each: 33.3, 33.3 and 1; then a quarter.
    fluid = rounds.shared(100, [99, 1], 3)
    assert fluid.flows.tolist() == [2, 3, 4]
    assert numpy.allclose(fluid.sent, [51, 67 + 2 / 3, 66 + 2 / 3])
    assert rounds.shared(100, [99, 1], 3, whole=True).sent.tolist() == [51, 67, 67]


def test_another_number_of_flows_fails_the_claim_of_twelve() -> None:
    def holds(flows: float) -> list[bool]:
        known = {"slow_start": flows, "shared": 2.0, "tcp": flows, "max_min": 2.0}
        columns = {name: [value] * fct_3.ROUNDS for name, value in known.items()}
        return [claim.holds for claim in fct_3.check(sluice.Frame(pyarrow.table(columns)))]

    assert holds(12.0) == [True, True]
    assert holds(15.0) == [False, False]


def test_a_share_of_one_packet_is_where_flows_stop_piling_up() -> None:
    assert rounds.shared(100, [99, 1], 2000).flows[-1] == 82
    assert rounds.shared(100, [99, 1], 500, whole=True).flows[-1] == 100

    def holds(flows: float, used: float) -> list[bool]:
        known = {"flows": flows, "used": used, "queue_packets": 1.0}
        rows = [
            {"load": load, "name": name, "rounds": each, **known}
            for each in (1000, 6000)
            for load in fct_4.SIZES
            for name in ("fluid", "whole", "xcp", "rcp", "rcp_quicker", "max_min")
        ]
        table = sluice.Frame(pyarrow.Table.from_pylist(rows))
        return [claim.holds for claim in fct_4.check(table)]

    assert holds(100.0, 0.99) == [True] * 5
    assert holds(63.0, 0.5) == [False, False, False, False, True]


def test_how_many_times_as_long_counts_no_set_up() -> None:
    def holds(xcp: float, tcp: float) -> list[bool]:
        known = {"rcp": 2.5, "xcp": xcp, "tcp": tcp}
        rows = [
            {"protocol": name, "start_s": start, "mean_rtts": rtts, "shared_rtts": 2.5}
            for name, rtts in known.items()
            for start in fct_5.STARTS
        ]
        return [claim.holds for claim in fct_5.check(sluice.Frame(pyarrow.Table.from_pylist(rows)))]

    # Of 9.5 round trips 1.5 are no sending, so 8 times one round trip; 6.5 are five times.
    assert holds(9.5, 9.5) == [True] * 4
    assert holds(6.5, 9.5) == [True, False, True, True]


def test_newcomers_that_gain_faster_fail_their_claims() -> None:
    def holds(packets: float, step: float) -> list[bool]:
        rows = [
            {
                "newcomers": count,
                "free": free,
                "start_s": start,
                "rounds": each,
                "sent_packets": packets * each,
                "window_share": (step + free) * each,
            }
            for count, shares in fct_new.FREE.items()
            for free in shares
            for start in fct_new.STARTS
            for each in range(fct_new.ROUNDS)
        ]
        table = sluice.Frame(pyarrow.Table.from_pylist(rows))
        return [claim.holds for claim in fct_new.check(table)]

    # Slow start has sent 15 packets after four rounds from a window of 1, and 30 from 2.
    assert holds(2.0, 0.05) == [True, True, True, True]
    assert holds(5.0, 0.2) == [False, True, False, True]


def test_sharing_is_compared_with_the_minimum_and_with_the_formula() -> None:
    def holds(factor: float, over_formula: float) -> list[bool]:
        known = {"max_min": factor, "srpt": 1.0, "fcfs": 2 * factor, "over_formula": over_formula}
        rows = [
            {"sizes": name, "load": load, "seed": seed, **known}
            for name in (*fct_fn3.SIZES, fct_fn3.WITH_TRIPS)
            for load in fct_fn3.RUN_LOADS
            for seed in (None, 1, 2)
        ]
        table = sluice.Frame(pyarrow.Table.from_pylist(rows))
        return [claim.holds for claim in fct_fn3.check(table)]

    assert holds(1.0, 1.0) == [True, True, True, True]
    assert holds(1.6, 1.2) == [False, False, False, True]
