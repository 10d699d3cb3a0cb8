"""What *Processor Sharing Flows* says without a figure: networks, losses, short flows, RTTs."""

from __future__ import annotations

import pyarrow
import pytest
import sluice
from sluice.papers.ps import ps_d0, ps_loss, ps_mm, ps_ne


def test_shares_are_those_by_hand() -> None:
    # The second link leaves 2 each; then the first has 80 left for 10, the third 60 for 8.
    assert ps_mm.shares(list(ps_mm.FLOWS)) == {"all": 2, "second": 2, "third": 7.5, "first": 8}
    # Without the 20 the third link has 80 for 18, and the first 55.6 for 10.
    later = ps_mm.shares(["all", "first", "third"])
    assert later == pytest.approx(
        {"all": 80 / 18, "third": 80 / 18, "first": (100 - 800 / 18) / 10}
    )


def test_a_rate_below_its_share_fails() -> None:
    def holds(part: float) -> list[bool]:
        known = {"share_mbps": 2.0, "rate_mbps": 2 * part, "delivered": part}
        rows = [
            {"gains": gains, "kind": kind, "seconds": seconds, "idle": 0.0, "idle_by_queue": 0.0}
            | known
            for gains in ps_mm.GAINS
            for kind in ps_mm.FLOWS
            for seconds in (50.0, 110.0)
        ]
        table = sluice.Frame(pyarrow.Table.from_pylist(rows))
        return [claim.holds for claim in ps_mm.check(table)]

    assert holds(0.97) == [True, True]
    assert holds(0.93) == [False, False]


def test_losses_counted_must_make_fewer() -> None:
    def holds(fewer: float, longer: float) -> list[bool]:
        rows = [
            {
                "buffer_bdp": buffer,
                "losses_counted": counted,
                "seed": seed,
                "lost": 0.0005 * (fewer if counted else 1.0),
                "times": 2 * (longer if counted else 1.0),
            }
            for buffer in ps_loss.BUFFERS
            for counted in ps_loss.COUNTED
            for seed in (1, 2)
        ]
        table = sluice.Frame(pyarrow.Table.from_pylist(rows))
        return [claim.holds for claim in ps_loss.check(table)]

    assert holds(0.5, 1.0) == [True] * 3
    assert holds(1.0, 1.1) == [True, False, False]


def test_the_effective_number_is_below_the_number_of_short_flows() -> None:
    def holds(by_rate: float, rcp_s: float) -> list[bool]:
        known = {"flows": 10.0, "effective": 10.0, "shared_s": 0.15}
        rows = [
            {"mean_packets": mean, "seed": seed, "by_rate": by_rate, "rcp_s": rcp_s, **known}
            for mean in ps_ne.MEANS
            for seed in (1, 2)
        ]
        table = sluice.Frame(pyarrow.Table.from_pylist(rows))
        return [claim.holds for claim in ps_ne.check(table)]

    assert holds(10.0, 0.16) == [False, True, True, True]
    assert holds(2.0, 0.5) == [True, False, False, False]


def test_a_loss_from_few_samples_fails_its_claims() -> None:
    def holds(later: float, drops: int) -> list[bool]:
        rows = [
            {
                "every": every,
                "seed": seed,
                "mean_s": 0.2 * (later if every == 1000 else 1.0),
                "longest_s": 0.4,
                "used": 0.9,
                "drops": drops if every == 1000 else 100,
            }
            for every in ps_d0.EVERY
            for seed in (1, 2)
        ]
        return [claim.holds for claim in ps_d0.check(sluice.Frame(pyarrow.Table.from_pylist(rows)))]

    assert holds(1.01, 100) == [True, True, True]
    assert holds(1.05, 200) == [False, True, False]
