"""Chapter 9 of XCP's thesis: models by hand, sound scenarios, and claims that must not hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import sluice
from sluice.papers.rows import frame
from sluice.papers.xcp import (
    counting,
    fair_shares,
    newcomers,
    parking,
    queue_cycle,
    spread,
    unknown,
    xcp_9_fc,
    xcp_9_ma,
    xcp_9_n,
    xcp_9_need,
    xcp_9_rtt,
)

from .seeded import failing, seeded


def test_proportional_rates_have_prices_that_add_up() -> None:
    """Each rate is the inverse of its path's prices, and each link with a price is full."""
    capacities, routes = [100.0, 60.0, 80.0], [[0, 1, 2], [0, 1], [0], [1], [2], [2]]
    rates = fair_shares.proportional(capacities, routes)
    loads = [sum(r for r, on in zip(rates, routes, strict=True) if k in on) for k in range(3)]
    assert loads == pytest.approx(capacities, rel=1e-4)
    prices = [1 / rates[2], 1 / rates[3], 1 / rates[4]]
    for rate, links in zip(rates, routes, strict=True):
        assert 1 / rate == pytest.approx(sum(prices[k] for k in links), rel=1e-4)


def test_no_other_rates_have_a_greater_sum_of_logarithms() -> None:
    lot = parking.LOTS["unequal links"]
    best = numpy.log(lot.fair(parking.PROPORTIONAL)).sum()
    assert numpy.log(lot.fair(parking.XCP)).sum() < best
    draws = numpy.random.default_rng(1)
    for _ in range(200):
        rates = draws.uniform(1, 40, len(lot.flows))
        for link, capacity in enumerate(lot.capacities):
            on = [first <= link <= last for first, last in lot.flows]
            rates[on] *= min(1.0, capacity / rates[on].sum())
        assert numpy.log(rates).sum() < best


def test_the_queue_peaks_at_twice_the_increase() -> None:
    # With a larger increase the queue makes round trips, and decisions, longer.
    for increase, peak in ((0.02, 2.1), (0.05, 2.1), (0.1, 2.2), (0.2, 2.47)):
        found = queue_cycle.cycle(increase)
        assert found.peak / increase == pytest.approx(peak, abs=0.1)
        assert found.utilization == pytest.approx(1)
    assert queue_cycle.cycle(0.05, rates=True).peak > 4 * queue_cycle.cycle(0.05).peak


def test_a_wrong_capacity_has_its_queue_and_its_bound() -> None:
    # At 0.565 above the capacity the round trip grows as fast as the queue that is wanted.
    assert xcp_9_ma.equilibrium(1 + 0.226 / 0.4 - 1e-9) > 1e6
    assert xcp_9_ma.equilibrium(1 + 0.226 / 0.4 + 1e-9) == math.inf
    queue = xcp_9_ma.equilibrium(1.25)
    drained = 0.226 * queue / (1 + queue)
    assert drained == pytest.approx(0.4 * 0.25)


def test_newcomers_of_the_fluid_arrive_as_known() -> None:
    # 1 - share falls by gamma in a round trip, measured a round trip late.
    rate = 0.0
    for _ in range(100):
        rate = 0.1 * math.exp(rate)
    alone = 2 + math.log(0.99 / 0.1) / rate
    assert newcomers.fluid(newcomers.TENTH, 99, 0.01) == pytest.approx(alone, rel=0.05)
    need = newcomers.need(0.5, 1)
    assert need == pytest.approx(math.sqrt((0.5 + 1.5) / 2 * (2 + 2 / 3) / 2 - 1))


CASES: list[Any] = [
    *(unknown.Case(kind, unknown.QUEUE, 2.0) for kind in ("varies", "stated")),
    *(unknown.Case(kind, unknown.QUEUE, 0.1) for kind in ("cycle", "two-way")),
    *(spread.Case(population, 3.0, spread.TENFOLD) for population in spread.POPULATIONS),
    spread.Case(spread.BELOW, spread.BELOW_S, spread.TENFOLD),
    spread.Limited(spread.THESIS),
    newcomers.Joins(newcomers.SMALL, 9),
    newcomers.Limits(newcomers.NEED, 3),
    newcomers.Short(newcomers.NEED, 0.6),
    *(counting.Case(kind, values[1][-1]) for kind, values in counting.VALUES.items()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_scenarios_are_sound(case: Any) -> None:
    case.scenario().set({"protocols": ["xcp"]}).check()


@pytest.mark.parametrize("system", parking.SYSTEMS)
def test_scenarios_of_parking_lots_are_sound(system: str) -> None:
    protocol = parking.SYSTEMS[system][0]
    for lot in parking.LOTS.values():
        lot.scenario(system).set({"protocols": [protocol]}).check()


def test_the_models_have_the_defaults_of_the_laws() -> None:
    fields = {each["name"]: each for each in sluice.explain("xcp")[0]["fields"]}
    values = {
        "max_gamma": newcomers.MAX_GAMMA,
        "alpha": xcp_9_ma.ALPHA,
        "beta": xcp_9_ma.BETA,
        "increase": 0.1,
    }
    for name, value in values.items():
        assert float(fields[name]["default"]) == value


def capacities(**changed: Callable[..., float]) -> sluice.Frame:
    """A table of the figure of unknown capacities in which all claims hold."""

    def utilization(kind: str, system: str, at: float) -> float:
        return min(at, 1.0) if (kind, system) == ("stated", unknown.FIXED) else 0.99

    def queue(kind: str, system: str, at: float) -> float:
        return xcp_9_ma.equilibrium(at) if 1 < at < 1.5 else 0.0

    columns: dict[str, Callable[..., float]] = {
        "utilization": utilization,
        "queue": queue,
        "p99": lambda kind, system, at: 1.0 if system == unknown.FIXED else 0.4,
        "peak": lambda kind, system, at: 2 * at,
        "drop_rate": lambda kind, system, at: 0.0,
        "load_sd": lambda kind, system, at: 0.4 * at,
    }
    columns |= changed
    points = [
        *(("varies", system, at) for system in unknown.SYSTEMS for at in unknown.PERIODS[1]),
        *(
            ("stated", system, at)
            for system in (unknown.FIXED, unknown.QUEUE)
            for at in unknown.STATED[1]
        ),
        ("stated", unknown.MEASURES, unknown.STATED[1][-1]),
        *(
            (kind, unknown.QUEUE, at)
            for kind in ("cycle", "two-way")
            for at in unknown.INCREASES[1]
        ),
    ]
    table = seeded(
        [{"kind": kind, "system": system, "at": at} for kind, system, at in points], columns
    )
    fluid = [
        {"kind": "fluid", "at": at, "utilization": 0.99, "peak": 2 * at, "load_sd": 0.02}
        for at in unknown.INCREASES[1]
    ]
    return frame([*table.arrow.to_pylist(), *fluid])


def test_each_claim_about_unknown_capacities_can_fail() -> None:
    def fails(**changed: Callable[..., float]) -> list[int]:
        return failing(xcp_9_ma.check(capacities(**changed)))

    def used(**of: float) -> Callable[..., float]:
        def utilization(kind: str, system: str, at: float) -> float:
            usual = min(at, 1.0) if (kind, system) == ("stated", unknown.FIXED) else 0.99
            return of.get(f"{kind}_{system.split()[0]}", usual)

        return utilization

    assert fails() == []
    assert fails(utilization=used(stated_configured=0.9)) == [0]
    assert fails(queue=lambda kind, system, at: 0.5) == [1]
    assert fails(utilization=used(stated_measures=0.9)) == [2]
    assert fails(utilization=used(stated_queue=0.9)) == [3]
    assert fails(drop_rate=lambda kind, system, at: 0.1 * (system == unknown.QUEUE)) == [4]
    assert fails(utilization=used(varies_measures=0.9)) == [5, 6]
    assert fails(utilization=used(varies_queue=0.9)) == [7]
    assert fails(p99=lambda kind, system, at: 0.4 + 0.1 * (system == unknown.QUEUE)) == [8]
    assert fails(utilization=used(cycle_queue=0.9)) == [9]
    assert fails(peak=lambda kind, system, at: 1.5 * at) == [10]
    assert fails(peak=lambda kind, system, at: (2 + 2 * (kind == "two-way")) * at) == [11]
    assert fails(load_sd=lambda kind, system, at: 0.6 * at) == [12]


def spreads(**changed: Callable[..., float]) -> sluice.Frame:
    columns: dict[str, Callable[..., float]] = {
        "utilization": lambda kind, population, longest, system: 0.98,
        "load_sd": lambda kind, population, longest, system: 0.3 if system == spread.ONE else 0.1,
        "share": lambda kind, population, longest, system: 1.0,
        "p99_s": lambda kind, population, longest, system: 0.001,
        "drops": lambda kind, population, longest, system: 0.0,
    }
    points = [
        {"kind": "below", "population": spread.BELOW, "longest_s": spread.BELOW_S, "system": system}
        for system in (spread.ONE, spread.TENFOLD)
    ]
    points += [
        {"kind": "spread", "population": population, "longest_s": longest, "system": system}
        for population in spread.POPULATIONS
        for longest in spread.LONGEST_S[1]
        for system in spread.SYSTEMS
    ]
    limited = changed.pop("limited", lambda kind, system: 0.6)
    table = seeded(points, columns | changed)
    few = seeded(
        [{"kind": "limited", "system": system} for system in (spread.ONE, spread.THESIS)],
        {"utilization": limited},
    )
    return frame([*table.arrow.to_pylist(), *few.arrow.to_pylist()])


def test_each_claim_about_groups_can_fail() -> None:
    def fails(**changed: Callable[..., float]) -> list[int]:
        return failing(xcp_9_rtt.check(spreads(**changed)))

    def low(name: str) -> Callable[..., float]:
        return lambda kind, population, longest, system: 0.9 if system == name else 0.98

    def long_queue(kind: str, population: str, longest: float, system: str) -> float:
        return 0.03 if system == spread.TENFOLD else 0.001

    assert fails() == []
    assert fails(load_sd=lambda kind, population, longest, system: longest) == [0]
    assert fails(utilization=low(spread.TENFOLD)) == [1, 5]
    assert fails(utilization=low(spread.THESIS)) == [2, 5]
    assert fails(utilization=low(spread.ONE)) == [3]
    assert fails(share=lambda kind, population, longest, system: 0.8) == [4]
    assert fails(p99_s=long_queue) == [6]
    assert fails(limited=lambda kind, system: 0.9) == [7]


def counts(**changed: Callable[..., float]) -> sluice.Frame:
    columns: dict[str, Callable[..., float]] = {
        "over": lambda kind, at: 1.0,
        "sd": lambda kind, at: 0.01,
        "rtts": lambda kind, at: 3.0,
    }
    points = [
        {"kind": kind, "at": float(at)}
        for kind, values in counting.VALUES.items()
        for at in values[1]
    ]
    return seeded(points, columns | changed)


def test_each_claim_about_counting_can_fail() -> None:
    def fails(**changed: Callable[..., float]) -> list[int]:
        return failing(xcp_9_n.check(counts(**changed)))

    assert fails() == []
    for place, kind in enumerate(counting.VALUES):
        assert fails(over=lambda of, at, kind=kind: 0.8 if of == kind else 1.0) == [place]
    assert fails(sd=lambda kind, at: 0.2) == [4]


def lots(
    over: Callable[[str], float] = lambda system: 1.0,
    used: Callable[[str], float] = lambda system: 0.99,
    drops: int = 0,
    first: int = 0,
    utility: float = 1.0,
) -> sluice.Frame:
    found = []
    for lot, network in parking.LOTS.items():
        for system in parking.SYSTEMS:
            for seed in (1, 2, 3):
                own = {"lot": lot, "system": system, "seed": seed}
                scale = utility if system == parking.PROPORTIONAL else 0.5
                close = 1 + seed / 1e5
                found += [
                    {"kind": "flow", **own, "number": number}
                    | {"over": over(system) * close, "rate": scale * close}
                    for number in range(len(network.flows))
                ]
                found += [
                    {"kind": "link", **own, "number": number}
                    | {"utilization": used(system) * close, "drops": drops}
                    for number in range(len(network.capacities))
                ]
                found.append({"kind": "begin", **own, "drops": first})
    return frame(found)


def test_each_claim_about_proportional_shares_can_fail() -> None:
    def fails(**changed: Any) -> list[int]:
        return failing(xcp_9_fc.check(lots(**changed)))

    assert fails() == []
    assert fails(over=lambda system: 0.9 if system == parking.PROPORTIONAL else 1.0) == [0]
    assert fails(over=lambda system: 0.9 if system == parking.XCP else 1.0) == [1]
    assert fails(used=lambda system: 0.9) == [2]
    assert fails(drops=3) == [3]
    assert fails(first=9) == [4]
    assert fails(utility=0.4) == [5]


def joiners(**changed: Callable[..., float]) -> sluice.Frame:
    def took(kind: str, system: str, present: int) -> float:
        start = newcomers.Joins(system, present).start
        usual = newcomers.fluid(system, present, start)
        return min(usual, 15.0) if system == newcomers.SMALL else usual

    def equilibrium(kind: str, system: str, limited: int) -> float:
        gamma = newcomers.parts(system)[1]
        return xcp_9_need._equilibrium(limited, gamma)

    utilization = changed.pop("utilization", equilibrium)
    columns: dict[str, Callable[..., float]] = {
        "took": took,
        "rest": lambda kind, system, present: 0.02,
    }
    few = (1, 3, 9)
    points = [
        {"kind": "joins", "system": system, "present": present}
        for system in newcomers.SYSTEMS
        for present in few
    ]
    limits = [
        {"kind": "limits", "system": system, "limited": limited}
        for system in newcomers.SYSTEMS
        for limited in newcomers.LIMITED[1]
    ]
    fluid = [
        {"kind": "fluid", "system": system, "present": present}
        | {"took": newcomers.fluid(system, present, newcomers.Joins(system, present).start)}
        for system in newcomers.SYSTEMS
        for present in few
    ]
    beside = changed.pop("beside", lambda kind, system, load: 0.9)
    afct = changed.pop("afct", lambda kind, system, load: 0.2 + 0.1 * (system == newcomers.TENTH))
    loads = [
        {"kind": "short", "system": system, "load": load}
        for system in newcomers.SYSTEMS
        for load in newcomers.SHORT[1]
    ]
    tables = (
        seeded(points, columns | changed),
        seeded(limits, {"utilization": utilization}),
        seeded(loads, {"utilization": beside, "afct_s": afct}),
    )
    return frame([*(row for table in tables for row in table.arrow.to_pylist()), *fluid])


def test_each_claim_about_need_can_fail() -> None:
    def fails(**changed: Callable[..., float]) -> list[int]:
        return failing(xcp_9_need.check(joiners(**changed)))

    def spared(kind: str, system: str, limited: int) -> float:
        return 0.9 if system == newcomers.TENTH else 0.4

    assert fails() == []
    # A tenth arrives at once, too, which the fluid does not.
    assert fails(took=lambda kind, system, present: 20.0) == [0, 1]
    assert fails(took=lambda kind, system, present: 3.0 + (system == newcomers.TENTH)) == [1]
    assert fails(rest=lambda kind, system, present: 0.1) == [2]
    # As little with a tenth.
    assert fails(utilization=lambda kind, system, limited: 0.8) == [3, 4]
    assert fails(utilization=spared) == [4]
    assert fails(beside=lambda kind, system, load: 0.9 if system == newcomers.TENTH else 0.8) == [5]
    assert fails(afct=lambda kind, system, load: 0.2 if system == newcomers.TENTH else 0.3) == [6]
