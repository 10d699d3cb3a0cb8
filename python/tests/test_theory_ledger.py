"""Ledger's loop: its boundary against a step-by-step solution, and cases by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
import pytest
from sluice.theory import ledger

CASES: list[tuple[Sequence[float], Sequence[float] | None]] = [
    ([0.1, 0.3], None),
    ([0.02, 0.2], None),
    ([1.0, 4.0], [0.3, 0.7]),
    ([1.0, 1.5], None),
]


def growth(
    rtts: Sequence[float],
    weights: Sequence[float] | None,
    drain_time: float,
    error: float = 0.0,
    d0: float | None = None,
) -> float:
    """The loop's swing in the last tenth over that in the first, step by step."""
    step, steps, delay = 0.004, 60_000, 1.0
    delays, parts = numpy.array(rtts), numpy.array(weights or [1.0] * len(rtts))
    parts /= parts.sum()
    delays /= d0 or parts @ delays
    back = numpy.round(delays / step).astype(int)
    one = round(delay / step)
    first = max(one, *back)
    s = numpy.zeros(first + steps)
    s[:first] = numpy.random.default_rng(1).standard_normal(first)
    for t in range(first, len(s)):
        sent = (1 + error) * (parts @ s[t - 1 - back])
        s[t] = s[t - 1] + step / drain_time * (s[t - 1 - one] - s[t - 1] - sent)
        if not abs(s[t]) < 1e12:
            return numpy.inf
    swing = numpy.abs(s[first:])
    return float(swing[-steps // 10 :].max() / swing[: steps // 10].max())


@pytest.mark.parametrize(("rtts", "weights"), CASES)
def test_below_the_least_drain_time_it_grows_and_above_it_decays(
    rtts: Sequence[float], weights: Sequence[float] | None
) -> None:
    least = ledger.least_drain_time(rtts, weights)
    assert growth(rtts, weights, 0.9 * least) > 1 > growth(rtts, weights, 1.1 * least)
    assert 0 < least < ledger.enough_drain_time(rtts, weights)


def test_one_round_trip_is_stable_with_any_drain_time_if_half_of_the_flows_count() -> None:
    for error in (-0.9, 0.0, 0.5, 0.99):
        assert ledger.least_drain_time([0.1], error=error) == 0
    least = ledger.least_drain_time([0.1], error=1.2)
    assert growth([0.1], None, 0.9 * least, 1.2) > 1 > growth([0.1], None, 1.1 * least, 1.2)


def test_round_trips_count_in_any_unit_and_weights_by_their_parts() -> None:
    by_hand = ledger.least_drain_time([0.1, 0.3], [1, 1])
    assert ledger.least_drain_time([100, 300], [7, 7]) == pytest.approx(by_hand)
    assert ledger.least_drain_time([0.1, 0.3, 0.3], [2, 1, 1]) == pytest.approx(by_hand)
    assert ledger.enough_drain_time([1, 3], [3, 1]) == pytest.approx(0.5)


@pytest.mark.parametrize("d0", [0.04, 0.05, 0.2])
def test_a_router_may_be_wrong_about_the_round_trip(d0: float) -> None:
    least = ledger.least_drain_time([0.1], d0=d0)
    assert growth([0.1], None, 0.9 * least, d0=d0) > 1 > growth([0.1], None, 1.1 * least, d0=d0)
    assert 0 < least < ledger.enough_drain_time([0.1], d0=d0) == pytest.approx(abs(0.1 / d0 - 1))
    with pytest.raises(ValueError, match="d0 0 must be above 0"):
        ledger.least_drain_time([0.1], d0=0)


def test_what_is_not_counted_appears_twice_in_the_queue() -> None:
    assert ledger.queue_bdp(0.25) == pytest.approx(0.2 * 2)
    assert ledger.queue_bdp(-0.2, drain_time=3.0) == pytest.approx(-0.25 * 4)


def growth_over_two_links(ratio: float, drain_time: float, over: float | None) -> float:
    """The swing of what flows over both links send, step by step, as `growth`.

    Rates are over the narrower link's capacity: ``both`` of flows that cross both links, and
    ``own`` of the wider link's other flows; ``spread`` is by how much its queue changes the rate
    at which packets leave it, and ``missed`` what of that its router has not stated.
    """
    step, steps, one = 0.01, 20_000, 100
    wide, narrow, both, own, spread, missed = numpy.zeros((6, one + steps))
    both[:one] = numpy.random.default_rng(1).standard_normal(one)

    def mean_of(span: float, of: numpy.ndarray, at: int) -> float:
        return float(of[max(at - round(span / step), 0) : at + 1].mean())

    for t in range(one, len(both)):
        before = t - one
        both[t] = narrow[before] - mean_of(1, missed, before)
        own[t] = wide[before] - mean_of(1, both, before)
        arrives = both[t] + own[t]
        spread[t] = -arrives / ratio
        missed[t] = spread[t] - (0.0 if over is None else mean_of(over, spread, t))
        change = wide[before] - wide[t - 1] - arrives
        wide[t] = wide[t - 1] + step / drain_time * change
        change = narrow[before] - narrow[t - 1] - both[t] - spread[t]
        narrow[t] = narrow[t - 1] + step / drain_time * change
        if not abs(both[t]) < 1e12:
            return numpy.inf
    swing = numpy.abs(both[one:])
    return float(swing[-steps // 10 :].max() / swing[steps // 10 : steps // 5].max())


@pytest.mark.parametrize(
    ("drain_time", "over"), [(0.5, None), (1.0, None), (0.5, 0.1), (0.5, 0.5), (0.8, 0.5)]
)
def test_below_the_least_capacity_ratio_it_grows_and_above_it_decays(
    drain_time: float, over: float | None
) -> None:
    least = ledger.least_capacity_ratio(drain_time, over=over)
    assert least > 1.1
    for part, grows in [(0.9, True), (1.1, False)]:
        swing = growth_over_two_links(part * least, drain_time, over)
        assert (swing > 1) == grows, part


def test_a_wider_link_may_be_as_narrow_as_the_next_if_it_stretches_and_drains_slowly() -> None:
    assert ledger.least_capacity_ratio(2.0) == 1
    assert ledger.least_capacity_ratio(2.0, over=None) == pytest.approx(2.41, abs=0.01)
    with pytest.raises(ValueError, match="drain_time 0 must be above 0"):
        ledger.least_capacity_ratio(0)
    with pytest.raises(ValueError, match="over 0 must be above 0"):
        ledger.least_capacity_ratio(1, over=0)


@pytest.mark.parametrize(
    ("rtts", "weights", "message"),
    [
        ([], None, "0 weights of 0 round trips"),
        ([1.0], [1.0, 2.0], "2 weights of 1 round trips"),
        ([0.0], None, "above 0"),
        ([1.0, 2.0], [0.0, 0.0], "not all 0"),
    ],
)
def test_bad_input_is_refused(rtts: list[float], weights: list[float] | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ledger.least_drain_time(rtts, weights)


def test_a_router_cannot_count_more_than_any_number_of_flows() -> None:
    with pytest.raises(ValueError, match=r"error -1.0 must be above -1"):
        ledger.queue_bdp(-1.0)
    with pytest.raises(ValueError, match=r"error -1.0 must be above -1"):
        ledger.least_drain_time([0.1], error=-1.0)


def test_round_trips_that_hardly_differ_are_stable_with_any_drain_time_looked_at() -> None:
    assert ledger.least_drain_time([1.0, 1.01]) == 0
    assert growth([1.0, 1.01], None, 2 / 100) < 1
