"""Slow start by formula."""

from __future__ import annotations

import numpy
import pytest
from sluice.theory import slow_start


def test_rounds_step_where_a_window_more_is_needed() -> None:
    # ceil(log2(L + 1) + 1/2) = r up to L + 1 = 2^(r - 1/2), by integers: (L + 1)^2 <= 2^(2 r - 1).
    for packets in [*range(1, 5000), 10**6, 10**12]:
        rounds = int(slow_start.rounds(packets))
        assert 2 ** (2 * rounds - 3) < (packets + 1) ** 2 <= 2 ** (2 * rounds - 1)


def test_the_papers_example_takes_longer_than_its_text_says() -> None:
    # 15 packets, 200 ms, 1 Mb/s: "800 ms, about 4 times the minimum possible".
    took = float(slow_start.completion_s(15, 1e6, 0.2))
    least = 1.5 * 0.2 + 15 * 8000 / 1e6
    assert took == pytest.approx(1.12)
    assert took / least == pytest.approx(2.67, abs=0.01)


@pytest.mark.parametrize(("packets", "gain"), [(15, 1.01), (2755, 2.0)])
def test_how_much_a_hundredfold_bandwidth_helps_depends_on_the_size(
    packets: int, gain: float
) -> None:
    slow, fast = (float(slow_start.completion_s(packets, rate, 0.04)) for rate in (45e6, 4.5e9))
    assert slow / fast == pytest.approx(gain, abs=0.01)


def test_no_flow_is_empty() -> None:
    with pytest.raises(ValueError, match="at least one"):
        slow_start.rounds(numpy.array([3, 0]))
