"""Active flows beside processor sharing's, and what a link is offered and carries."""

from __future__ import annotations

import pyarrow
import pytest
from sluice import Frame, theory
from sluice.papers import completion
from sluice.papers.fct import fct_2
from sluice.papers.ps import ps_1a


def table(times: float, active: float, carried: float) -> Frame:
    """The same for both protocols: completion times over equation (3), and active flows."""
    sizes = [
        {
            "protocol": name, "seed": seed, "packets_from": 10, "packets_to": 20, "flows": 20,
            "unfinished": 0, "mean_packets": 15.0, "mean_s": 0.15 * times, "max_s": 1.0,
        }
        for name in ("tcp", "xcp")
        for seed in (1, 2)
    ]  # fmt: skip
    rows = [
        {"protocol": name, "seed": seed, "seconds": seconds, "active": count, "offered": 0.9,
         "carried": carried}
        for name in ("tcp", "xcp")
        for seed in (1, 2)
        for seconds, count in ((1.0, 0.0), (6.0, active - 10), (7.0, active + 10))
    ]  # fmt: skip
    by_size = completion.with_formula(Frame(pyarrow.Table.from_pylist(sizes)), ps_1a.EQUATION)
    over_time = pyarrow.Table.from_pylist(rows)
    return Frame(pyarrow.concat_tables([by_size.arrow, over_time], promote_options="permissive"))


def test_footnote_and_equation_differ_by_half_a_round_trip() -> None:
    # 9000 flows a second, for 0.1 or 0.15 s and 30 kB at a tenth of 2.4 Gb/s.
    assert theory.active_flows(ps_1a.FOOTNOTE) == pytest.approx(9000 * (0.1 + 0.001))
    assert theory.active_flows(ps_1a.EQUATION) == pytest.approx(9000 * (0.15 + 0.001))


def test_claims_hold_by_the_papers_figures_and_fail_by_others() -> None:
    held = fct_2.check(table(times=10, active=9000, carried=0.89))
    assert [claim.holds for claim in held] == [True] * 6
    failed = fct_2.check(table(times=3, active=4000, carried=0.8))
    assert [claim.holds for claim in failed] == [False] * 6
    assert "4000 flows" in failed[1].ours
    # What the other paper counts is not counted again.
    assert [claim.counted for claim in held] == ["ps-1a"] * 4 + [""] * 2
