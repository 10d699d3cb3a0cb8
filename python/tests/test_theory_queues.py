"""Sharing by formula, against special cases, other formulas, and Sluice's ideals as fluid."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
import sluice
from scipy import stats
from sluice import theory

CAPACITY_BPS = 10e6
EXPONENTIAL = theory.distribution(stats.expon(scale=50_000))
#: Many kinds of distributions.
SIZES = {
    "fixed": theory.fixed(50_000),
    "exponential": EXPONENTIAL,
    "pareto": theory.pareto(50_000, 1.4),
    "bounded": theory.distribution(stats.truncpareto(1.1, 1000, scale=1000)),
    "narrow": theory.distribution(stats.uniform(49_000, 2_000)),
    "measured": theory.sample([1_000, 1_000, 20_000, 500_000]),
    "points": theory.points([1_000, 10_000, 300_000], [0.2, 0.7, 1]),
    "jump": theory.points([1_000, 10_000, 10_000, 300_000], [0, 0.2, 0.7, 1]),
}


def link(sizes: theory.Sizes, load: float = 0.7, rtt_s: float = 0.0) -> theory.Link:
    return theory.Link(CAPACITY_BPS, load, sizes, rtt_s)


@pytest.mark.parametrize("name", SIZES)
def test_a_distribution_is_whole(name: str) -> None:
    sizes = SIZES[name]
    assert sizes.expect(numpy.ones_like) == pytest.approx(1, abs=1e-9)
    assert sizes.expect(lambda x: x) == pytest.approx(sizes.mean_bytes, rel=1e-8)
    assert sizes.tail(numpy.array([0.0])) == 1
    if name != "pareto":
        assert sizes.expect(lambda x: x**2) == pytest.approx(sizes.square_bytes2, rel=1e-7)


@pytest.mark.parametrize("name", SIZES)
def test_shortest_first_has_the_lowest_mean(name: str) -> None:
    at = link(SIZES[name])
    least = theory.mean_s(at, theory.srpt)
    alone = at.transmission_s(at.sizes.mean_bytes)
    assert alone < least <= theory.mean_s(at, theory.ps)
    assert least <= theory.mean_s(at, theory.fcfs) * (1 + 1e-9)


def test_footnote_and_equation_differ_by_half_a_round_trip() -> None:
    # figures.md and PS-1: 909 by footnote 2, 1359 by equation (3).
    sizes = theory.pareto(30_000, 1.4)
    equation = theory.Link(2.4e9, 0.9, sizes, rtt_s=0.1)
    footnote = theory.Link(2.4e9, 0.9, sizes, rtt_s=0.1, round_trips=1.0)
    assert theory.active_flows(equation) == pytest.approx(1359)
    assert theory.active_flows(footnote) == pytest.approx(909)


def test_without_round_trips_flows_are_geometric() -> None:
    assert theory.active_flows(link(EXPONENTIAL, 0.8)) == pytest.approx(theory.ps_law(0.8).mean())


def test_first_come_first_served_of_exponential_sizes_is_m_m_1() -> None:
    at = link(EXPONENTIAL, 0.8)
    service_s = 8 * 50_000 / CAPACITY_BPS
    assert theory.mean_s(at, theory.fcfs) == pytest.approx(service_s / (1 - 0.8))
    assert theory.mean_s(at, theory.fcfs) == pytest.approx(theory.mean_s(at, theory.ps))


def test_first_come_first_served_needs_a_variance() -> None:
    assert numpy.isinf(theory.fcfs(link(theory.pareto(50_000, 2.0)), 1000))
    # E[S^2] / E[S]^2 = (a - 1)^2 / (a (a - 2)) for a shape a.
    at, square = link(theory.pareto(50_000, 2.1), 0.5), 1.1**2 / (2.1 * 0.1)
    wait = theory.fcfs(at, 50_000) / at.transmission_s(50_000) - 1
    assert wait == pytest.approx(0.5 * square / (2 * (1 - 0.5)))


def test_flows_of_one_size_are_never_overtaken() -> None:
    # M/D/1: a wait of half of M/M/1's.
    at = link(SIZES["fixed"], 0.6)
    service_s = 8 * 50_000 / CAPACITY_BPS
    wanted = service_s * (1 + 0.6 / (2 * (1 - 0.6)))
    assert theory.mean_s(at, theory.fcfs) == pytest.approx(wanted)
    assert theory.mean_s(at, theory.srpt) == pytest.approx(wanted)


@pytest.mark.parametrize("load", [0.3, 0.7, 0.95])
def test_shortest_first_of_exponential_sizes_has_a_closed_form(load: float) -> None:
    # Schrage and Miller for mu = 1: rho(x) = load (1 - (1 + x) e^-x), moments by hand; scipy's own
    # quadrature, which shares nothing with ours.
    from scipy import integrate

    def busy(x: float) -> float:
        return load * (1 - (1 + x) * numpy.exp(-x))

    def response(x: float) -> float:
        squares = 2 - (2 + 2 * x) * numpy.exp(-x)
        inner: float = integrate.quad(lambda t: 1 / (1 - busy(t)), 0, x)[0]
        return load * squares / (2 * (1 - busy(x)) ** 2) + inner

    unit_s = 8 * 50_000 / CAPACITY_BPS
    at = link(EXPONENTIAL, load)
    for x in (0.01, 0.5, 1.0, 3.0, 10.0):
        assert theory.srpt(at, 50_000 * x) / unit_s == pytest.approx(response(x), rel=1e-7)
    mean: float = integrate.quad(lambda x: response(x) * numpy.exp(-x), 0, 60, limit=200)[0]
    assert theory.mean_s(at, theory.srpt) / unit_s == pytest.approx(mean, rel=1e-6)


def test_atoms_are_the_limit_of_narrow_peaks() -> None:
    peaks = theory.points([10_000, 10_010, 90_000, 90_010], [0, 0.5, 0.5, 1])
    atoms = theory.sample([10_005, 90_005])
    for discipline in (theory.ps, theory.fcfs, theory.srpt):
        both = [theory.mean_s(link(sizes), discipline) for sizes in (peaks, atoms)]
        assert both[0] == pytest.approx(both[1], rel=2e-4)


@pytest.mark.parametrize("discipline", [theory.ps, theory.fcfs, theory.srpt])
def test_flows_take_longer_the_larger_and_the_more_load(discipline: Any) -> None:
    sizes = numpy.geomspace(100, 1e7, 50)
    by_load = [discipline(link(EXPONENTIAL, load), sizes) for load in (0.0, 0.4, 0.9)]
    assert (numpy.diff(by_load, axis=0) > 0).all() and (numpy.diff(by_load, axis=1) > 0).all()
    assert by_load[0] == pytest.approx(link(EXPONENTIAL).transmission_s(sizes))
    later = discipline(link(EXPONENTIAL, 0.4, rtt_s=0.1), sizes)
    assert later - by_load[1] == pytest.approx(numpy.full(50, 0.15))


def test_bad_input_is_an_error() -> None:
    with pytest.raises(ValueError, match="load 1.0 must be in"):
        link(EXPONENTIAL, 1.0)
    with pytest.raises(ValueError, match="above 0 bytes"):
        theory.sample([0, 10])
    with pytest.raises(ValueError, match="points: sizes rise"):
        theory.points([1, 2], [0.5, 0.9])
    with pytest.raises(ValueError, match="shape 1 must be above 1"):
        theory.pareto(1000, 1)
    with pytest.raises(ValueError, match="least size -inf"):
        theory.distribution(stats.norm(1000, 1))


FLUID = {
    "exponential": ({"exponential": "50 kB"}, EXPONENTIAL),
    "fixed": ({"fixed": "50 kB"}, SIZES["fixed"]),
    "points": (
        {"points": [["1 kB", 0.1], ["10 kB", 0.3], ["10 kB", 0.7], ["300 kB", 1.0]]},
        theory.points([1_000, 10_000, 10_000, 300_000], [0.1, 0.3, 0.7, 1]),
    ),
}
IDEALS = {"max_min": theory.ps, "srpt": theory.srpt, "fcfs": theory.fcfs}


@pytest.mark.parametrize("name", FLUID)
def test_fluid_ideals_meet_the_formulas(name: str, tmp_path: Path) -> None:
    """What a flow waits beyond its time alone: the mean of 10 seeds, within its 99.9% interval and
    1%, as the link is empty at first."""
    words, sizes = FLUID[name]
    scenario = sluice.Scenario(
        name=name,
        packet="60 kB",
        protocols=["rcp"],
        ideals=list(IDEALS),
        replications=10,
        stop="300 s",
        topology={"dumbbell": {"capacity": "10 Mbps", "rtt": "2 ms"}},
        group=[{"name": "w", "from": "s0", "to": "d0", "poisson": {"load": 0.6, "sizes": words}}],
    )
    results = sluice.run(scenario, out=tmp_path / name, progress=False)
    at = link(sizes, 0.6)
    for ideal, discipline in IDEALS.items():
        waits = []
        for seed in results.seeds:
            flows = results.flows(ideal, seed=seed)
            waits.append(float((flows["completion_ns"] - flows["alone_ns"]).mean()) / 1e9)
        wanted = theory.mean_s(at, discipline) - float(at.transmission_s(sizes.mean_bytes))
        spread = stats.sem(waits) * stats.t(len(waits) - 1).ppf(0.9995)
        assert numpy.mean(waits) == pytest.approx(wanted, abs=spread + 0.01 * wanted), ideal
        assert spread < 0.25 * wanted


def test_sluice_alone_does_not_need_scipy() -> None:
    code = "import sys, sluice; assert not {'scipy', 'control'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
