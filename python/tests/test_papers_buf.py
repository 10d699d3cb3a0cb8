"""The buffer paper's figures: their claims can fail, and their sums are right."""

from __future__ import annotations

from types import SimpleNamespace

import pyarrow
import pytest
import sluice
from sluice.papers.buf import buf_1, buf_n


def frame(rows: list[dict[str, object]]) -> sluice.Frame:
    return sluice.Frame(pyarrow.Table.from_pylist(rows))


def test_a_third_more_time_is_not_under_20_percent() -> None:
    for more, short, middle in ((0.1, True, False), (0.65, False, True)):
        rows = [
            {"form": form, "packets": packets, "loss": 0.1, "ratio": 1 + more, "mean_s": 0.3}
            for form in ("printed", "right", "packets")
            for packets in (10, 100, 10_000)
        ]
        holds = [claim.holds for claim in buf_1.check(frame(rows))]
        # It grows; then for each K the theorem, packets, and whether 0.3 s is below 0.3 s.
        assert holds == [True, short, short, False, middle, middle, False, short, short, False]


def test_a_naive_router_counts_what_it_told_a_round_trip_ago() -> None:
    law = buf_n.Naive(SimpleNamespace(capacity=1e9, packet=1000))
    law.before, law.told = 10e6, 20e6
    # 200 Mb/s for 100 ms, of flows that were told 10 Mb/s: 20 of them.
    seen = SimpleNamespace(now=1.0, arrived=2_500_000, elapsed=0.1, capacity=1e9)
    assert law.tick(seen) == pytest.approx(1e9 / 20)
    assert (law.before, law.told) == (20e6, pytest.approx(50e6))
