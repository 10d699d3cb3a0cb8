"""The buffer paper's theorems, against sums in exact fractions, by chance, and the paper's text."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy
import pytest
from scipy import stats
from sluice.theory import buffers

#: Remark 1: packets a second, load, round trip.
REMARK = (12_500.0, 0.8, 0.1)


@pytest.mark.parametrize("packets", [1, 2, 10, 100, 390])
@pytest.mark.parametrize("loss", [Fraction(1, 100), Fraction(1, 10), Fraction(9, 10)])
def test_rounds_are_the_theorems_sum_with_its_sign_turned(packets: int, loss: Fraction) -> None:
    printed = sum(
        (-1) ** k * comb(packets, k) * loss**k / (1 - loss**k) for k in range(1, packets + 1)
    )
    assert buffers.rounds(packets, float(loss)) == pytest.approx(float(1 - printed), rel=1e-12)


def test_rounds_are_those_of_chance() -> None:
    random = numpy.random.default_rng(1)
    for packets, loss in ((1, 0.5), (100, 0.1), (1000, 0.3)):
        tries = random.geometric(1 - loss, size=(20_000, packets)).max(axis=1)
        within = stats.norm.ppf(0.9995) * stats.sem(tries)
        assert buffers.rounds(packets, loss) == pytest.approx(tries.mean(), abs=within)


def test_rounds_of_a_million_packets_are_sound() -> None:
    million = buffers.rounds(10**6, 0.1)
    # The maximum of geometric variables grows by one with each factor 1 / loss, but for a ripple.
    assert million - buffers.rounds(10**5, 0.1) == pytest.approx(1, abs=1e-5)
    assert buffers.rounds(10**6, 0.999) == pytest.approx(
        (numpy.log(10**6) + numpy.euler_gamma) / -numpy.log(0.999) + 0.5, rel=1e-6
    )
    assert buffers.rounds(10**6, 0) == 1


def test_rounds_grow_with_packets_and_loss() -> None:
    table = [[buffers.rounds(k, p) for k in (1, 10, 1000)] for p in (0.01, 0.1, 0.5)]
    assert (numpy.diff(table, axis=0) > 0).all() and (numpy.diff(table, axis=1) > 0).all()


@pytest.mark.parametrize(
    ("packets", "said", "found", "at_a_seventh"),
    [(10, 0.20, 0.745, 0.131), (100, 0.65, 1.469, 0.649), (10_000, 0.20, 0.284, 0.103)],
)
def test_figure_1_holds_at_a_seventh_of_its_loss(
    packets: int, said: float, found: float, at_a_seventh: float
) -> None:
    """Under 20% for 10 and 10,000 packets and 65% for 100, it says, at a loss of 0.1."""
    lossless = buffers.completion_s(packets, 0, *REMARK)
    more = buffers.completion_s(packets, 0.1, *REMARK) / lossless - 1
    less = buffers.completion_s(packets, 0.014, *REMARK) / lossless - 1
    assert more == pytest.approx(found, abs=1e-3) and more > said
    assert less == pytest.approx(at_a_seventh, abs=1e-3) and less <= said


def test_as_printed_loss_would_shorten_a_flow() -> None:
    assert buffers.completion_s_printed(100, 0.1, *REMARK) < 0
    assert buffers.completion_s_printed(100, 0, *REMARK) == buffers.completion_s(100, 0, *REMARK)


def over(load: float, nu: float, kappa: float, alpha: float) -> float:
    """Theorem 2's first form, term by term."""
    n = numpy.arange(1, 200_000)
    terms = numpy.maximum(1 / (alpha * n) - kappa, 0) * (1 - load) * load ** (n - 1)
    return float(nu * load**2 * terms.sum())


@pytest.mark.parametrize("load", [0.01, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("kappa", [0.0, 1e-6, 0.02, 0.3, 0.9])
@pytest.mark.parametrize("alpha", [0.2, 0.7, 1.0])
def test_the_sum_of_theorem_2_has_a_closed_form(load: float, kappa: float, alpha: float) -> None:
    sound = buffers.overflow_long(load, 0.0125, kappa, alpha)
    assert sound == pytest.approx(over(load, 0.0125, kappa, alpha), rel=1e-9, abs=1e-15)


def test_rounds_at_a_loss_near_one_are_an_integral(monkeypatch: pytest.MonkeyPatch) -> None:
    one_by_one = [buffers.rounds(packets, 0.999) for packets in (1, 3, 10**6)]
    monkeypatch.setattr(buffers, "_TERMS", 10)
    integrals = [buffers.rounds(packets, 0.999) for packets in (1, 3, 10**6)]
    assert integrals == pytest.approx(one_by_one, abs=1e-4) and integrals != one_by_one
    assert buffers.rounds(10, 1 - 1e-12) == pytest.approx(2.929e12, rel=1e-3)


def test_a_series_ends_as_well_by_its_integral(monkeypatch: pytest.MonkeyPatch) -> None:
    term_by_term = buffers.overflow_long(0.99999, 0.1, 5e-5, 0.2)
    monkeypatch.setattr(buffers, "_TERMS", 10)
    assert buffers.overflow_long(0.99999, 0.1, 5e-5, 0.2) == pytest.approx(term_by_term, rel=1e-9)


def test_the_printed_closed_form_needs_its_minus_sign() -> None:
    example = {"nu": 0.0125, "kappa": 0.02, "alpha": 0.2}
    printed, sound = (
        buffers.overflow_long_printed(0.8, **example),
        buffers.overflow_long(0.8, **example),
    )
    assert printed < 0 < sound
    # With the sign, the two agree where N* is as large as 250.
    logarithm = 0.0125 * 0.8**2 * (0.2 / 0.8) * -numpy.log(0.2) / 0.2
    assert printed + 2 * logarithm == pytest.approx(sound, rel=1e-9)


@pytest.mark.parametrize(
    ("nu", "alpha", "peak", "lost"),
    [(0.0125, 0.2, 0.0161, 0.0228), (0.1, 0.2, 0.129, 0.1827), (0.1, 1.0, 0.0249, 0.0355)],
)
def test_figure_4_peaks_at_its_height_for_another_alpha(
    nu: float, alpha: float, peak: float, lost: float
) -> None:
    """About 2.5%, it says, for alpha 0.2 and a round trip of 80 ms (nu 0.1)."""
    loads = numpy.linspace(0.01, 0.999, 500)
    overflows = [buffers.overflow_long(load, nu, 0.02, alpha) for load in loads]
    assert max(overflows) == pytest.approx(peak, abs=1e-4)
    assert loads[numpy.argmax(overflows)] == pytest.approx(0.76, abs=0.01)
    assert max(buffers.lost_long(x, nu, 0.02, alpha) for x in loads) == pytest.approx(
        lost, abs=2e-4
    )
    # Remark 2 holds: to 0 as the load goes to 1.
    assert buffers.overflow_long(1 - 1e-9, nu, 0.02, alpha) < 1e-6


def test_the_law_itself_brings_less_excess_than_the_proof() -> None:
    assert buffers.excess(1, 0.2) == pytest.approx(3.27, abs=0.005)
    # The proof's 1 / (n alpha) is the limit of many flows.
    ratios = [buffers.excess(n, 0.2) * n * 0.2 for n in (1, 10, 100, 1000)]
    assert (numpy.diff(ratios) > 0).all() and ratios[-1] == pytest.approx(1, abs=1e-3)


def test_theorem_3_gives_less_than_figure_5() -> None:
    """0.01 at a load of 0.9, it says."""
    assert buffers.overflow_short(0.9, 2.5e6, 50_000) == pytest.approx(0.0039, abs=5e-5)
    assert buffers.overflow_short(0.916, 2.5e6, 50_000) == pytest.approx(0.01, abs=3e-4)
    for load in (0.1, 0.9):
        assert buffers.overflow_short(
            load, buffers.buffer_short(load, 0.03, 9), 9
        ) == pytest.approx(0.03)


def test_theorem_3_is_where_gaussian_arrivals_just_fit() -> None:
    # Lambda(g) / g = C d for arrivals of mean rho d and variance 2 rho d / mu, g = -log(p) / B.
    capacity, load, mean, probability = 1.0, 0.8, 3.0, 0.01
    tilt = -numpy.log(probability) / buffers.buffer_short(load, probability, mean)
    rho = load * capacity
    assert rho + tilt * (2 * rho * mean) / 2 == pytest.approx(capacity)


def test_bad_input_is_an_error() -> None:
    with pytest.raises(ValueError, match="loss 1 in"):
        buffers.rounds(10, 1)
    with pytest.raises(ValueError, match="load 1 must be in"):
        buffers.overflow_short(1, 1000, 10)
