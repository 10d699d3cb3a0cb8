"""The linear loop: margins against python-control, characteristic roots and the boundary."""

from __future__ import annotations

import control
import numpy
import pytest
from sluice.theory import linear, plots

GRID = [(alpha, beta) for alpha in (0.05, 0.3, 0.8, 1.4) for beta in (0.01, 0.05, 0.3, 0.9)]
LOOPS = [(0.4, 0.226), (0.9, 0.2), (0.1, 0.05), (1.2, 0.5), (0.5, 0.3)]


@pytest.mark.parametrize(("alpha", "beta"), LOOPS)
def test_margins_are_those_of_python_control(alpha: float, beta: float) -> None:
    ours = linear.margins(alpha, beta)
    frequency = numpy.geomspace(0.01, 10, 3000)
    gain, phase, _, crossover = control.margin(linear.loop(alpha, beta, frequency))
    assert ours.gain == pytest.approx(gain, rel=1e-4)
    assert numpy.degrees(ours.phase) == pytest.approx(phase, abs=1e-3)
    assert ours.crossover == pytest.approx(crossover, rel=1e-4)
    # Pade's approximation of the delay, of a high order, is as good at these frequencies.
    numerator, denominator = control.pade(1, 10)
    approximate = control.tf([alpha, beta], [1, 0, 0]) * control.tf(numerator, denominator)
    assert control.margin(approximate)[1] == pytest.approx(phase, abs=1e-3)


@pytest.mark.parametrize(("alpha", "beta"), GRID)
def test_a_loop_is_stable_if_all_its_roots_decay(alpha: float, beta: float) -> None:
    root = linear.rightmost_root(alpha, beta)
    assert linear.stable(alpha, beta) == (root.real < 0)
    assert root**2 + (alpha * root + beta) * numpy.exp(-root) == pytest.approx(0, abs=1e-8)


def test_on_the_boundary_a_pair_of_roots_is_imaginary() -> None:
    for alpha, beta in zip(*(each[1:-1] for each in linear.boundary(12)), strict=True):
        margins = linear.margins(alpha, beta)
        assert margins.phase == pytest.approx(0, abs=1e-12) and margins.gain == pytest.approx(1)
        assert linear.rightmost_root(alpha, beta).real == pytest.approx(0, abs=1e-9)
        assert linear.greatest_beta(alpha) == pytest.approx(beta)
        assert linear.stable(alpha, 0.99 * beta) and not linear.stable(alpha, 1.01 * beta)


def test_margins_say_how_much_more_a_loop_takes() -> None:
    for alpha, beta in (each for each in LOOPS if linear.stable(*each)):
        margins = linear.margins(alpha, beta)
        for part, stays in ((0.999, True), (1.001, False)):
            gain = margins.gain * part
            assert linear.stable(gain * alpha, gain * beta) == stays
            # A round trip that is longer than thought scales alpha by it, and beta by its square.
            later = 1 + margins.delay_rtts * part
            assert linear.stable(later * alpha, later**2 * beta) == stays


def test_without_a_queue_term_alpha_may_be_half_pi() -> None:
    assert linear.stable(numpy.pi / 2 - 1e-6, 0) and not linear.stable(numpy.pi / 2 + 1e-6, 0)


def test_xcps_rule_is_stable_up_to_its_limit_and_no_further() -> None:
    for alpha in (0.1, 0.4, linear.XCP_ALPHA - 1e-9):
        beta = float(linear.xcp_beta(alpha))
        assert linear.margins(alpha, beta).crossover == pytest.approx(beta / alpha)
        assert linear.stable(alpha, beta)
    above = linear.XCP_ALPHA + 1e-9
    assert not linear.stable(above, float(linear.xcp_beta(above)))


def test_xcps_gain_margin_is_more_than_printed() -> None:
    # 2.2, says chapter 7.
    assert linear.margins(0.4, 0.226).gain == pytest.approx(2.43, abs=0.005)


@pytest.mark.parametrize(
    ("alpha", "beta", "stable"),
    [
        (0.1, 1.0, False),  # RCP's papers.
        (0.4, 0.4, False),  # Their simulator.
        (0.4, 0.5, False),  # Their hardware, and the buffer paper.
        (0.4, 0.226, True),  # XCP.
        (0.9, 0.2, True),  # RCP in data centres.
    ],
)
def test_rcps_own_settings_are_outside_and_xcps_is_inside(
    alpha: float, beta: float, stable: bool
) -> None:
    assert linear.stable(alpha, beta) == stable


def test_bode_and_nyquist_draw_the_loop() -> None:
    gain, phase = plots.bode([(0.4, 0.226)])
    frequency, drawn = gain.lines[0].get_data()
    assert numpy.interp(linear.margins(0.4, 0.226).crossover, frequency, drawn) == pytest.approx(
        1, abs=1e-3
    )
    degrees = numpy.asarray(phase.lines[0].get_ydata())
    turned = numpy.exp(1j * numpy.radians(degrees)) * abs(linear.response(0.4, 0.226, frequency))
    assert turned == pytest.approx(linear.response(0.4, 0.226, frequency))
    ax = plots.nyquist([(0.4, 0.226), (0.1, 1.0)])
    assert len(ax.get_legend_handles_labels()[1]) == 3


def test_bad_input_is_an_error() -> None:
    with pytest.raises(ValueError, match="alpha 0 must be above 0"):
        linear.margins(0, 1)
    with pytest.raises(ValueError, match="alpha 2 must be in"):
        linear.greatest_beta(2)
