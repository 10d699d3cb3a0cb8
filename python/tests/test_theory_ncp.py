"""The analysis in NCP's paper: printed numbers, hand computations, and schedules of tasks."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy
import pytest
from sluice import theory
from sluice.theory import flow_count, increments, link_pressure, schedules, scheduling
from sluice.theory.scheduling import Task

#: Settings of (18): alpha, beta and q/(d0 C).
SETTINGS = list(itertools.product((0.05, 0.1, 0.4, 1.0), (0.226, 0.5, 1.0), (0.0, 0.1, 0.5, 2.0)))


def quadratic(load: float, alpha: float, beta: float, drain: float) -> float:
    """(18) as printed, with C = 1."""
    return alpha - (beta * drain + (1 + alpha) * load) + load * (alpha * load + beta * drain)


@pytest.mark.parametrize(("alpha", "beta", "drain"), SETTINGS)
def test_roots_solve_the_printed_quadratic(alpha: float, beta: float, drain: float) -> None:
    roots = flow_count.loads(drain, alpha=alpha, beta=beta)
    polynomial = [alpha, beta * drain - (1 + alpha), alpha - beta * drain]
    assert roots == pytest.approx(sorted(numpy.roots(polynomial).real), abs=1e-7)
    for root in roots:
        assert quadratic(root, alpha, beta, drain) == pytest.approx(0, abs=1e-9 * (1 + root**2))


@pytest.mark.parametrize("drain", [0.0, 0.05, 0.5])
def test_rcp_counts_as_ncp_does_at_a_root_alone(drain: float) -> None:
    for root in flow_count.reachable(drain):
        assert flow_count.estimated_over_exact(root, drain) == pytest.approx(1)
        for factor in (0.9, 1.1):
            beside = flow_count.estimated_over_exact(factor * root, drain)
            assert beside != pytest.approx(1, abs=0.01)


def test_the_printed_roots() -> None:
    assert [round(root, 3) for root in flow_count.loads(0.0)] == [0.092, 10.908]
    at_five = [round(10 * root, 2) for root in flow_count.loads(0.5)]
    assert at_five == [-6.06, 66.06]
    # As printed, it is a root with the queue's term twice in the coefficient of y.
    doubled = 0.1 * 25.62**2 + (2 * 5 - 11) * 25.62 + 10 - 50
    assert doubled == pytest.approx(0, abs=0.02)
    assert flow_count.reachable(0.5) == [pytest.approx(6.606, abs=1e-3)]


def test_rcp_takes_ncps_rate_with_the_exact_number() -> None:
    # (1) with the N of (16) gives the rate of (5), by which (16) is defined.
    windows, load, drain, share = 7.0, 0.6, 0.05, 0.1
    number = flow_count.exact(windows, load, drain, share, alpha=0.3, beta=0.8)
    by_rcp = share + (0.3 * (1 - load) - 0.8 * drain) / number
    assert by_rcp == pytest.approx((0.3 - 0.8 * drain) / windows)


def test_with_gains_of_one_the_exact_number_is_that_of_the_flows() -> None:
    for flows, share, drain in itertools.product((1, 5, 300), (1e-4, 0.003, 0.1), (0.0, 0.3)):
        load = flows * share
        found = flow_count.exact(flows, load, drain, share, alpha=1)
        assert math.isnan(found) or found == pytest.approx(flows)
    # And (2) is right on a full link, not at the roots of alpha 0.1.
    assert flow_count.reachable(0.0, alpha=1) == pytest.approx([1, 1], abs=1e-7)


def test_shares_and_estimates_are_of_positive_numbers() -> None:
    with pytest.raises(ValueError, match="share 0 must be above 0"):
        flow_count.estimated(0)
    with pytest.raises(ValueError, match="load 0 must be above 0"):
        flow_count.estimated_over_exact(0)
    # Only an alpha above 1 leaves (18) without a real root.
    assert all(map(math.isnan, flow_count.loads(0.0, alpha=2.0)))
    assert flow_count.reachable(0.0, alpha=2.0) == []


def test_twenty_is_five_for_each_of_four() -> None:
    # Section 2.1: windows of 1, 1, 1 and 60 packets, and room for 20 more.
    windows = numpy.array([1, 1, 1, 60]) / 83
    assert 83 * increments.increment(windows) == pytest.approx(5)
    assert 83 * increments.share(windows) == pytest.approx(20.75)


@pytest.mark.parametrize("queue", [0.0, 0.2, 0.9])
def test_equation_21_is_the_share_less_the_mean_rate(queue: float) -> None:
    rates = numpy.array([0.02, 0.4, 0.13])
    wanted = rates - rates.sum() / 3 + increments.share(rates, queue)
    assert increments.xcp_like(rates, queue) == pytest.approx(wanted)


VARIANTS = (
    increments.proportional,
    increments.proportional_increments,
    increments.equalising,
    increments.equalising_increments,
)


@pytest.mark.parametrize("load", [0.1, 0.7, 1.0, 1.3])
@pytest.mark.parametrize("flows", [1, 2, 7])
def test_equal_rates_make_all_equal(load: float, flows: int) -> None:
    start = numpy.full(flows, load / flows)
    wanted = increments.rounds(increments.ncp, start, 20)
    for law in (
        increments.xcp_like,
        increments.rcp_of_known_number,
        *(variant(increments.mean) for variant in VARIANTS),
    ):
        found = increments.rounds(law, start, 20)
        assert found.rates == pytest.approx(wanted.rates)
        assert found.queue == pytest.approx(wanted.queue)


def test_increments_keep_distances_and_fill_the_link() -> None:
    start = [0.05, 0.3, 0.1, 0.2]
    found = increments.rounds(increments.xcp_like, start, 5)
    assert found.load[1:] == pytest.approx(1)
    assert numpy.diff(found.rates[-1]) == pytest.approx(numpy.diff(start))


def test_variants_by_hand() -> None:
    # The mean rate is 0.2, the increment 0.3.
    rates = numpy.array([0.1, 0.3])
    by_mean = ([0.2, 0.9], [0.25, 0.75], [0.8, 0.4], [0.7, 0.5])
    # R(t) of NCP is 0.5.
    by_share = ([0.08, 0.36], [0.16, 0.48], [2.0, 1.0], [1.6, 0.8])
    for reference, wanted in ((increments.mean, by_mean), (increments.share, by_share)):
        found = [variant(reference)(rates, 0.0) for variant in VARIANTS]
        assert found == [pytest.approx(each) for each in wanted]


def test_rounds_say_whether_bounds_were_met() -> None:
    assert increments.rounds(increments.ncp, [0.5], 1).bounded
    assert not increments.rounds(increments.ncp, [0.2, 1.0], 3).bounded


def test_a_queue_holds_what_a_round_brings_too_much() -> None:
    found = increments.rounds(increments.ncp, [0.3] * 4, 2)
    # 1.2 C arrive: 0.2 C d0 wait, and the next rates leave room for them.
    assert found.queue.tolist() == pytest.approx([0, 0.2, 0])
    assert found.load.tolist() == pytest.approx([1.2, 0.8, 1])


def test_rcp_with_its_estimate_needs_rounds_where_ncp_needs_one() -> None:
    found = increments.rounds(increments.rcp(alpha=0.1), [0.1, 0.1], 60)
    # R' = R (1 + alpha (1 - y)): by hand for two rounds.
    assert found.rates[1:3, 0] == pytest.approx([0.108, 0.108 * (1 + 0.1 * 0.784)])
    assert 0.9 < found.load[-1] < 1


def test_rounds_need_rates() -> None:
    for start, queue in (([], 0.0), ([0.1, 0.0], 0.0), ([0.1], -1.0)):
        with pytest.raises(ValueError, match="needs rates above 0"):
            increments.rounds(increments.ncp, start, 1, queue=queue)


@pytest.mark.parametrize("load", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("capacity", [1e6, 2.4e9])
def test_both_forms_of_the_completion_time_agree(load: float, capacity: float) -> None:
    mean = 25_000
    arrivals = load * capacity / (8 * mean)
    by_flows = link_pressure.completion_s(capacity, arrivals, mean, rtt_s=0.1, interval_s=0.1)
    assert link_pressure.pressure(capacity, arrivals, mean) == pytest.approx(load)
    assert by_flows == pytest.approx(link_pressure.completion_by_pressure_s(load, 0.1))


@pytest.mark.parametrize("load", [0.2, 0.5, 0.9])
def test_link_pressure_is_processor_sharing_at_one_size(load: float) -> None:
    size = link_pressure.agreeing_bytes(1e8, load, 0.1)

    def both(mean: float) -> tuple[float, float]:
        link = theory.Link(1e8, load, theory.fixed(mean), rtt_s=0.1)
        arrivals = link.arrivals_per_s
        return theory.mean_s(link, theory.ps), link_pressure.completion_s(
            1e8, arrivals, mean, 0.1, 0.1
        )

    shared, pressed = both(size)
    assert shared == pytest.approx(pressed)
    smaller, larger = both(size / 2), both(size * 2)
    assert smaller[0] < smaller[1] and larger[0] > larger[1]


def test_littles_law_needs_the_time_that_flows_are_under_way() -> None:
    # The paper's N = f d beside N = f T with the T of M/G/1-PS, without round trips.
    link = theory.Link(1e8, 0.9, theory.fixed(30_000))
    printed = link_pressure.flows(link.arrivals_per_s, 0.1)
    assert theory.active_flows(link) == pytest.approx(9)
    assert printed == pytest.approx(37.5)
    with pytest.raises(ValueError, match="load 1 must be in"):
        link_pressure.agreeing_bytes(1e8, 1, 0.1)


PERIODS = (2, 3, 4)
#: All tasks with these periods and rates up to 2.
TASKS = [Task(work, each) for each in PERIODS for work in range(1, 2 * each + 1)]
PAIRS = list(itertools.combinations_with_replacement(TASKS, 2))


def test_one_task_of_one_and_a_half_does_not_fit_two_processors() -> None:
    tasks = [Task(3, 2)]
    assert scheduling.within_total(scheduling.rates(tasks), [1, 1])
    assert not scheduling.feasible(scheduling.rates(tasks), [1, 1])
    assert not schedules.exists_on_identical(tasks, 2)
    assert not schedules.exists(tasks, [1, 1])
    assert schedules.exists(tasks, [Fraction(3, 2), Fraction(1, 2)])


def test_earliest_deadline_first_is_feasible_up_to_a_sum_of_one() -> None:
    full = 0
    for count in (1, 2, 3):
        for tasks in itertools.combinations_with_replacement(TASKS[:10], count):
            rates = scheduling.rates(tasks)
            full += sum(rates) == 1
            assert schedules.earliest_deadline_first(tasks) == scheduling.on_one(rates), tasks
    assert full >= 5


def test_a_faster_processor_serves_as_much_more() -> None:
    for tasks in PAIRS[::3]:
        wanted = scheduling.on_one(scheduling.rates(tasks), 3)
        assert schedules.earliest_deadline_first(tasks, speed=3) == wanted


def test_two_equal_processors_need_each_rate_at_most_one() -> None:
    for tasks in PAIRS:
        rates = scheduling.rates(tasks)
        by_hand = sum(rates) <= 2 and max(rates) <= 1
        assert scheduling.feasible(rates, [1, 1]) == by_hand
        assert schedules.exists_on_identical(tasks, 2) == by_hand, tasks


@pytest.mark.parametrize("speeds", [(2, 1, 1), (Fraction(3, 2), 1, Fraction(1, 4)), (1, 1)])
def test_schedules_on_unequal_processors_exist_as_by_the_right_test(
    speeds: tuple[scheduling.Exact, ...],
) -> None:
    sets = PAIRS[::2] + [(one, two, three) for one, two in PAIRS[::40] for three in TASKS[::4]]
    wrong = 0
    for tasks in sets:
        rates, found = scheduling.rates(tasks), schedules.exists(tasks, speeds)
        assert scheduling.feasible(rates, speeds) == found, tasks
        # The paper's test refuses no set that can be served.
        assert scheduling.within_total(rates, speeds) or not found
        wrong += scheduling.within_total(rates, speeds) != found
    assert wrong > 0


def test_processors_and_tasks_have_no_order() -> None:
    rates = [Fraction(1, 2), Fraction(2), Fraction(2, 3)]
    for some in itertools.permutations(rates):
        assert scheduling.feasible(some, [1, 2, 1])
        assert not scheduling.feasible(some, [1, 1, 1, 1])


def test_an_equal_share_is_enough_and_not_needed() -> None:
    rates = [Fraction(3, 4), Fraction(1, 8)]
    assert scheduling.on_one(rates) and not scheduling.admitted(rates, scheduling.fair_share(2))
    # With p_j R(t), R(t) = C/N promises more than there is; C over the sum of p_j does not.
    promised, given = [Fraction(1, 2), Fraction(1)], [1, 2]
    assert scheduling.admitted(promised, scheduling.fair_share(2), given)
    assert not scheduling.on_one(promised)
    by_sum = scheduling.fair_share(2, priorities=given)
    assert not scheduling.admitted(promised, by_sum, given)
    assert sum(each * by_sum for each in given) == 1


def test_wrong_tasks_are_errors() -> None:
    with pytest.raises(ValueError, match="work 0 and period 2 must be above 0"):
        Task(0, 2)
    with pytest.raises(ValueError, match="whole numbers"):
        schedules.jobs([Task(Fraction(1, 2), 2)])
    for speeds in ([], [0], [0, 0]):
        with pytest.raises(ValueError, match="at least one processor of a speed above 0"):
            scheduling.feasible([1], speeds)


def test_the_tightest_ratio_is_exact() -> None:
    # Whole rates, for which a division would be a float: 1/3 of 3, and just above 1.
    assert scheduling.tightest([1], [3]) == Fraction(1, 3)
    assert not scheduling.feasible([10**20 + 1], [10**20])
    # More tasks than processors, processors without tasks, and a processor that stands still.
    assert scheduling.tightest([1, 1, 1], [2]) == Fraction(3, 2)
    assert scheduling.tightest([1], [2, 1, 1]) == Fraction(1, 2)
    assert scheduling.tightest([1, 1], [2, 0]) == 1
    assert scheduling.tightest([], [1]) == 0
