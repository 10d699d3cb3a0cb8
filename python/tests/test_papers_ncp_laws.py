"""NCP's router and host laws in figures: sound scenarios, and claims that must not hold."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sluice
from sluice.papers import Verdict
from sluice.papers.ncp import ncp_21, ncp_compensated, ncp_eq

from .seeded import failing, seeded

EQ_CASES = [
    ncp_eq.Case(law, trips, beta)
    for law, betas in ncp_eq.BETAS.items()
    for beta in betas
    for trips in ncp_eq.TRIPS
]


@pytest.mark.parametrize("case", EQ_CASES, ids=str)
def test_scenarios_of_laws_are_sound(case: ncp_eq.Case) -> None:
    case.scenario().set({"protocols": ["ncp"]}).check()


@pytest.mark.parametrize("system", ncp_21.SYSTEMS)
def test_scenarios_of_increments_are_sound(system: str) -> None:
    protocol, settings = ncp_21.SYSTEMS[system]
    for start in (ncp_21.AT_ONCE, ncp_21.SPREAD, ncp_21.NEWCOMER):
        ncp_21._scenario(start, settings).set({"protocols": [protocol]}).check()


@pytest.mark.parametrize("compensated", [False, True])
def test_scenarios_of_compensation_are_sound(compensated: bool) -> None:
    ncp_compensated._scenario(compensated).set({"protocols": ["ncp"]}).check()


Column = Callable[..., float]


def eq_table(**changed: Column) -> sluice.Frame:
    points = [{"law": case.law, "trips": case.trips, "beta": case.beta} for case in EQ_CASES]
    columns: dict[str, Column] = {
        "least": lambda law, trips, beta: 0.99,
        "most": lambda law, trips, beta: 1.01,
        "flows": lambda law, trips, beta: len(ncp_eq.TRIPS[trips]),
        "swing": lambda law, trips, beta: 0.01,
        "period": lambda law, trips, beta: 6.0,
    }
    return seeded(points, columns | changed)


def test_each_claim_about_laws_can_fail() -> None:
    def of(law: str, value: float, usual: float) -> Column:
        return lambda own, trips, beta: value if own == law else usual

    def fails(**changed: Column) -> list[int]:
        return failing(ncp_eq.check(eq_table(**changed)))

    assert fails() == []
    for place, law in enumerate(ncp_eq.LAWS):
        assert fails(least=of(law, 0.6, 0.99)) == [place]
        assert fails(most=of(law, 1.2, 1.01)) == [place]
    assert fails(flows=lambda law, trips, beta: 3.125) == [3]
    assert fails(swing=of(ncp_eq.EQ8, 0.2, 0.01)) == [4]
    assert fails(swing=of(ncp_eq.SIMPLE, 0.2, 0.01)) == [5]


def compensated_table(plain: float, compensated: float) -> sluice.Frame:
    points = [
        {"system": system, "rtt_s": rtt, "step": step}
        for system in ncp_compensated.SYSTEMS
        for rtt in ncp_compensated.TRIPS
        for step in ncp_compensated.STEPS
    ]
    late = {ncp_compensated.PLAIN: plain, ncp_compensated.COMPENSATED: compensated}
    sign = {ncp_compensated.JOIN: 1, ncp_compensated.LEAVE: -1}

    def over(system: str, rtt: float, step: str) -> float:
        return 1 + (sign[step] * late[system] if rtt == ncp_compensated.LATE else 0.0)

    return seeded(points, {"over": over, "mean_over": lambda system, rtt, step: 1.0})


def test_each_claim_about_compensation_can_fail() -> None:
    def fails(plain: float, compensated: float) -> list[int]:
        return failing(ncp_compensated.check(compensated_table(plain, compensated)))

    assert fails(0.2, 0.02) == []
    assert fails(0.03, 0.02) == [0]
    assert fails(0.2, 0.1) == [1]
    assert fails(0.03, 0.04) == [0, 2]


def test_what_is_too_small_to_compare_is_not_decided() -> None:
    *_, fairer = ncp_compensated.check(compensated_table(0.005, 0.02))
    assert fairer.verdict is Verdict.UNDECIDED


def increments_table(**changed: Column) -> sluice.Frame:
    points = [
        {"system": system, "start": start}
        for system in ncp_21.SYSTEMS
        for start in (ncp_21.AT_ONCE, ncp_21.SPREAD, ncp_21.NEWCOMER)
    ]
    keeps = (ncp_21.PRINTED, ncp_21.UNSHUFFLED)
    columns: dict[str, Column] = {
        "least": lambda system, start: 19.9e6,
        "most": lambda system, start: 20.1e6,
        "filled_rtts": lambda system, start: 3.0,
        "jain": lambda system, start: 0.995,
        "spread": lambda system, start: 1.0,
        "late_spread": lambda system, start: 1.0 if system in keeps else 0.0,
        "difference": lambda system, start: 2.0 if system == ncp_21.PROPORTIONAL else 1.0,
        "ratio": lambda system, start: 0.1 if system == ncp_21.PRINTED else 1.0,
        "newcomer": lambda system, start: 0.5 if system in keeps else 1.0,
    }
    return seeded(points, columns | changed)


def test_each_claim_about_increments_can_fail() -> None:
    def of(system: str, value: float, usual: float = 1.0) -> Column:
        return lambda own, start: value if own == system else usual

    def fails(**changed: Column) -> list[int]:
        return failing(ncp_21.check(increments_table(**changed)))

    assert fails() == []
    assert fails(least=of(ncp_21.XCP, 15e6, 19.9e6)) == [0]
    assert fails(filled_rtts=of(ncp_21.PRINTED, 30.0, 3.0)) == [1]
    assert fails(late_spread=lambda own, start: 0.0) == [2]
    assert fails(late_spread=lambda own, start: 1.0) == [2]
    # Kept by both laws, or by neither, does not distinguish them.
    assert fails(difference=lambda own, start: 1.0) == [3]
    assert fails(difference=lambda own, start: 2.0) == [3]
    assert fails(ratio=lambda own, start: 1.0) == [4]
    assert fails(ratio=lambda own, start: 0.1) == [4]
    assert fails(newcomer=of(ncp_21.UNSHUFFLED, 0.5, 0.8)) == [5]
    assert fails(newcomer=lambda own, start: 1.0) == [6]


def test_flows_at_other_rates_do_not_meet_the_condition() -> None:
    first, *_ = ncp_21.check(increments_table(jain=lambda own, start: 0.3))
    assert first.verdict is Verdict.UNDECIDED
