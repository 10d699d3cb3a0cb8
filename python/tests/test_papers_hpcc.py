"""HPCC's Figure 11: slowdowns by hand, and claims that must not hold."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy
import pytest
import sluice
from sluice.papers import Figure, Verdict
from sluice.papers.hpcc import data_centre, hpcc_11, hpcc_11c, slowdown
from sluice.papers.hpcc.published import CLASSES, SLOWDOWN
from sluice.papers.rows import frame


def test_a_flow_alone_is_the_authors_sum() -> None:
    # Within a rack: 2 x 2 us, a packet of 1000 bytes at two links of 100 Gb/s, and 2500 bytes with
    # three headers of 48.
    within = 4_000 + 2 * 80 + (2_500 + 3 * 48) * 0.08
    # Across pods: 2 x 6 us, and four links of 400 Gb/s more.
    across = 12_000 + 2 * 80 + 4 * 20 + (2_500 + 3 * 48) * 0.08
    found = data_centre.alone_ns(numpy.array([2_500, 2_500]), numpy.array([2, 6]))
    assert found == pytest.approx([within, across])


def test_incasts_are_sixty_to_one_and_two_percent() -> None:
    groups = data_centre.incasts(0.05)
    bits = sum(len(group["from"]) for group in groups) * 500_000 * 8
    assert bits / 0.05 == pytest.approx(0.02 * 320 * 100e9, rel=0.2)
    for group in groups:
        assert len({*group["from"], group["to"]}) == 61
    receivers = Counter(group["to"] for group in groups)
    assert max(receivers.values()) < 6


@pytest.mark.parametrize("protocol", slowdown.NAMES)
def test_the_scenario_is_sound(protocol: str) -> None:
    groups = [data_centre.hadoop(0.3), *data_centre.incasts(0.001)]
    data_centre.data_centre(protocol, groups, stop="1 ms").check()


def test_classes_are_of_the_flows_in_order_of_size() -> None:
    # 1000 flows: the smaller 700 have a slowdown of 1, the others of their hundredth.
    sizes = numpy.arange(1, 1001)
    values = numpy.where(sizes <= 700, 1.0, (sizes - 1) // 10)
    found = slowdown.by_rank(sizes[::-1], values[::-1])
    assert found[50, 0] == 1
    assert found[95, 1] == numpy.mean([70, 71, 72, 73, 74])
    assert found[99, 6] == numpy.mean([95, 96, 97, 98, 99])
    assert len(found) == 3 * (len(CLASSES) - 1)


def table(figure: Figure[Any], off: float = 1.0, crowded: float = 1.0) -> sluice.Frame:
    """The published values times ``off``, with ``crowded`` times as much under incasts."""
    cases = (hpcc_11 if figure is hpcc_11.FIGURE else hpcc_11c).KIND.cases
    return frame(
        [
            {
                "case": case,
                "protocol": protocol,
                "seed": seed,
                "place": place,
                "percentile": percentile,
                "slowdown": value * off * (crowded if own.incasts else 1) * (1 + seed / 1000),
                "published": None if own.incasts else value,
            }
            for case, own in cases.items()
            for (protocol, load, percentile), values in SLOWDOWN.items()
            if load == own.load
            for place, value in enumerate(values)
            for seed in (1, 2, 3)
        ]
    )


@pytest.mark.parametrize("figure", [hpcc_11.FIGURE, hpcc_11c.FIGURE])
def test_the_published_values_hold_and_others_do_not(figure: Figure[Any]) -> None:
    assert {claim.verdict for claim in figure.check(table(figure))} == {Verdict.HOLDS}
    figure.plot(table(figure))
    for off in (0.8, 1.2):
        verdicts = [claim.verdict for claim in figure.check(table(figure, off=off))]
        assert verdicts[:2] == [Verdict.FAILS] * 2
        assert set(verdicts[2:]) == {Verdict.HOLDS}


def test_incasts_may_cause_more_than_little_congestion() -> None:
    crowded = table(hpcc_11.FIGURE, crowded=2.0)
    assert hpcc_11.check(crowded)[-1].verdict is Verdict.FAILS


def test_flows_that_did_not_finish_are_left_out_of_no_percentile() -> None:
    sizes = numpy.arange(1, 1001)
    values = numpy.where(sizes > 995, numpy.inf, 1.0)
    assert slowdown.by_rank(sizes, values)[50, 6] == numpy.inf
