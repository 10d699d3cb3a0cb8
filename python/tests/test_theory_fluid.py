"""The loop with a queue that cannot be negative: exact solutions, and where it comes to rest."""

from __future__ import annotations

import numpy
import pytest
import sluice
from numpy.polynomial import Polynomial
from scipy import special
from sluice.theory import fluid, linear, plots

#: RCP's settings that the linear loop is not stable for: the papers', their simulator's, their
#: hardware's.
OUTSIDE = [(0.1, 1.0), (0.4, 0.4), (0.4, 0.5)]
#: Starts from almost idle to far too much, with queues from none to 30 bandwidth-delay products.
FAR = ((0.001, 0.05, 0.5, 0.9, 1.1, 2.0, 10.0, 100.0), (0.0, 0.01, 0.1, 1.0, 10.0, 30.0))


def test_two_round_trips_of_xcp_are_polynomials() -> None:
    alpha, beta, load, queue = 0.4, 0.3, 1.5, 1.0
    found = fluid.path("xcp", alpha, beta, load, queue, rtts=2, steps=200)
    # At first the router repeats what it said of the start; then it says what it saw since.
    first = load + Polynomial([0, alpha * (1 - load) - beta * queue])
    standing = queue + (first - 1).integ()
    second = first(1) + (alpha * (1 - first) - beta * standing).integ()
    assert found.load[200] == pytest.approx(first(1), abs=1e-12)
    assert found.load[-1] == pytest.approx(second(1), abs=1e-5)
    drained = standing(1) + (second - 1).integ()(1)
    assert found.queue[-1] == pytest.approx(drained, abs=1e-5) and drained > 0


def test_rcps_rate_changes_relative_to_itself() -> None:
    found = fluid.path("rcp", 0.4, 0.3, 1.5, 1.0, rtts=1)
    said = 0.4 * (1 - 1.5) - 0.3 * 1.0
    assert found.load == pytest.approx(1.5 * numpy.exp(said * found.time_rtts))


def test_halving_the_step_leaves_a_quarter_of_the_error() -> None:
    # As long as the queue does not empty: 3 round trips from here.
    ends = [
        fluid.path("rcp", 0.4, 0.3, 1.5, 3.0, rtts=3, steps=steps) for steps in (25, 50, 100, 200)
    ]
    assert ends[-1].queue.min() > 0
    errors = [abs(float(end.load[-1] - ends[-1].load[-1])) for end in ends[:2]]
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.2)


@pytest.mark.parametrize("law", ["rcp", "xcp"])
def test_without_a_queue_a_small_error_decays_by_lamberts_root(law: fluid.Law) -> None:
    # s + alpha e^-s = 0: s = W(-alpha), real below alpha = 1 / e.
    found = fluid.path(law, 0.3, 0.0, 0.999, rtts=20, steps=100)
    decay = numpy.log((1 - found.load[-1]) / (1 - found.load[1000])) / 10
    assert decay == pytest.approx(special.lambertw(-0.3).real, rel=1e-3)


def test_a_start_at_rest_stays() -> None:
    found = fluid.path("rcp", 0.4, 0.5, 1.0, rtts=50)
    assert (found.load == 1).all() and (found.queue == 0).all()


def test_rate_and_queue_keep_their_limits() -> None:
    found = fluid.path("rcp", 1.6, 1.0, [0.1, 5.0], 2.0, rtts=100, limits=(0.05, 20.0))
    assert found.load.min() == 0.05 and found.load.max() <= 20 and found.queue.min() == 0
    assert found.load.shape == (5001, 2)


@pytest.mark.parametrize("law", ["rcp", "xcp"])
@pytest.mark.parametrize(("alpha", "beta"), OUTSIDE)
def test_settings_outside_the_linear_region_come_to_rest(
    law: fluid.Law, alpha: float, beta: float
) -> None:
    found = fluid.convergence(law, alpha, beta)
    assert not found.linear and linear.rightmost_root(alpha, beta).real > 0.03
    assert found.everywhere and len(found.late) == 20
    assert found.late.max() < 1e-9


@pytest.mark.parametrize("flows", [2, 20, 1000])
@pytest.mark.parametrize(("alpha", "beta"), OUTSIDE)
def test_they_do_so_from_far_starts_and_for_any_number_of_flows(
    alpha: float, beta: float, flows: int
) -> None:
    # Each flow is given at most the capacity, and at least a thousandth of its share.
    found = fluid.convergence("rcp", alpha, beta, starts=FAR, limits=(1e-3, flows), rtts=600)
    assert found.everywhere, found.late.max()


def test_a_rate_that_fell_to_next_to_nothing_takes_long_to_rise() -> None:
    # Why RCP has a least rate: from 30 bandwidth-delay products of queue.
    assert not fluid.convergence("rcp", 0.1, 1.0, starts=FAR, rtts=600).everywhere


@pytest.mark.parametrize("law", ["rcp", "xcp"])
def test_an_empty_queue_forgives_any_beta_at_a_small_alpha(law: fluid.Law) -> None:
    # Below 1 / e the load rises to the capacity without passing it.
    assert fluid.region(law, [0.1, 0.2, 0.35], [0.1, 0.5, 1, 2, 5], limits=(1e-3, 100)).all()


@pytest.mark.parametrize("law", ["rcp", "xcp"])
@pytest.mark.parametrize(("alpha", "beta"), [(1.6, 0.001), (1.2, 1.0), (0.9, 2.0)])
def test_too_high_an_alpha_cycles_for_ever(law: fluid.Law, alpha: float, beta: float) -> None:
    found = fluid.convergence(law, alpha, beta)
    assert not found.linear and not found.everywhere
    assert found.late.max() > 0.3 and found.late.max() == pytest.approx(found.midway.max(), rel=0.1)


def test_the_region_ends_where_alpha_does_not_depend_on_the_step() -> None:
    alphas = numpy.arange(0.6, 1.4, 0.1)
    coarse, fine = (fluid.region("rcp", alphas, [1.0], rtts=200, steps=n) for n in (25, 100))
    assert (coarse == fine).all() and coarse[0, 0] and not coarse[0, -1]


def test_what_the_linear_loop_allows_comes_to_rest_from_anywhere() -> None:
    for alpha, beta in ((0.4, 0.226), (0.9, 0.2), (0.1, 0.05), (1.4, 0.05)):
        assert linear.stable(alpha, beta)
        assert fluid.convergence("rcp", alpha, beta).everywhere


def test_rcp_settles_in_ten_round_trips_but_not_at_its_papers_setting() -> None:
    """5 to 10, says the buffer paper, which has 0.4 and 0.5."""
    loads = [2.0, 1.5, 1.2]
    buffer_paper, papers = (
        fluid.settling_rtts(fluid.path("rcp", alpha, beta, loads, rtts=200))
        for alpha, beta in ((0.4, 0.5), (0.1, 1.0))
    )
    assert (buffer_paper > 5).all() and (buffer_paper < 10).all()
    assert (papers > 4 * buffer_paper).all()


@pytest.mark.parametrize(
    ("alpha", "beta", "fluid_rtts", "packet_rtts"), [(0.1, 1.0, 60.8, 62.1), (0.4, 0.5, 9.6, 15.7)]
)
def test_packets_come_to_rest_outside_the_linear_region_too(
    alpha: float, beta: float, fluid_rtts: float, packet_rtts: float
) -> None:
    """A flow joins another at 15 s, and from 29 s on each is given half of the link."""
    scenario = sluice.Scenario(
        protocols=["rcp"],
        stop="30 s",
        limit="30 s",
        rcp={"alpha": alpha, "beta": beta},
        topology={"dumbbell": {"capacity": "100 Mbps", "rtt": "100 ms", "buffer": "4 bdp"}},
        group=[{"name": "a", "from": "s0", "to": "d0", "long": {"count": 2, "spacing": "15 s"}}],
        metrics=[{"link": ["left", "right"], "every": "10 ms"}],
    )
    granted = sluice.run(scenario, progress=False).series("rcp").where(quantity="R")
    seconds, load = granted["time_ns"] / 1e9, 2 * granted["value"] / 100e6
    assert load[seconds > 29] == pytest.approx(1, abs=0.01)
    apart = seconds[(seconds > 15) & (abs(load - 1) > 0.05)]
    assert (apart.max() - 15) / 0.1 == pytest.approx(packet_rtts, abs=1)
    joined = fluid.path("rcp", alpha, beta, 2.0, rtts=100)
    assert fluid.settling_rtts(joined) == pytest.approx(fluid_rtts, abs=0.1)


def test_a_portrait_and_a_region_are_drawn() -> None:
    path = fluid.path("rcp", 0.1, 1.0, [0.5, 2.0])
    ax = plots.portrait([path])
    assert numpy.asarray(ax.lines[1].get_ydata()).max() == path.queue[:, 1].max()
    ax = plots.region("rcp", {"paper": (0.1, 1.0)}, alphas=[0.1, 1.5], betas=[0.5, 1], rtts=100)
    assert ax.get_legend_handles_labels()[1] == ["linear", "non-linear", "paper"]


def test_bad_input_is_an_error() -> None:
    with pytest.raises(ValueError, match="law 'ncp' must be"):
        fluid.path("ncp", 0.1, 1, 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="load above 0"):
        fluid.path("rcp", 0.1, 1, 0)
