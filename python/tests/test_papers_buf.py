"""The buffer paper's figures: their claims can fail, and their sums are right."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from sluice.papers.buf import buf_1, buf_2, buf_4, buf_5, buf_6, buf_9, buf_12, buf_n
from sluice.papers.rows import frame


def test_a_third_more_time_is_not_under_20_percent() -> None:
    paper = {10: 0.1, 100: 0.65, 10_000: 0.1}
    for more, below, reads, bounds in (
        (paper, 0.29, True, True),
        (paper | {10: 0.3}, 0.29, False, True),
        (paper, 0.31, True, False),
    ):
        rows = [
            {
                "form": form,
                "packets": packets,
                "loss": loss,
                "ratio": 1 + more[packets],
                "mean_s": below if form == "packets" else 0.3,
            }
            for loss in (0.014, 0.1)
            for form in ("printed", "right", "packets", "packets")
            for packets in paper
        ]
        holds = [claim.holds for claim in buf_1.check(frame(rows))]
        # It grows; the paper's readings by the theorem and in packets; whether 0.3 s is a bound.
        assert holds == [True, reads, reads, bounds]


def test_a_naive_router_divides_by_the_rate_of_a_round_trip_ago() -> None:
    law = buf_n.Naive(SimpleNamespace(capacity=1e9, packet=1000))
    law.before, law.granted = 10e6, 20e6
    # 200 Mb/s for 100 ms, of flows with a grant of 10 Mb/s: 20 of them.
    seen = SimpleNamespace(now=1.0, arrived=2_500_000, elapsed=0.1, capacity=1e9)
    assert law.tick(seen) == pytest.approx(1e9 / 20)
    assert (law.before, law.granted) == (20e6, pytest.approx(50e6))


def law(**more: object) -> dict[str, object]:
    nothing: dict[str, object] = {"part": "law", "protocol": "rcp", "beta": 0.5, "seed": 1}
    return nothing | {"n": 0, "probability": 0.0, "seconds": 0.0, "rate_bps": 0.0} | more


def test_another_law_of_the_number_of_flows_fails_its_claims() -> None:
    for load, holds in ((0.8, [True] * 4), (0.85, [True, False, False, False])):
        rows = [law(part="near", probability=0.9, seed=seed) for seed in (1, 2)]
        for name, rho in (("rcp", load), ("max_min", 0.8)):
            for beta in buf_2.BETAS:
                for seed in (1, 2):
                    given = {"protocol": name, "beta": beta, "seed": seed}
                    rows += [law(n=n, probability=(1 - rho) * rho**n, **given) for n in range(61)]
        assert [claim.holds for claim in buf_2.check(frame(rows))] == holds


def test_a_number_of_flows_is_weighed_by_its_time() -> None:
    flows = frame(
        [
            {"start_ns": 110e9, "completion_ns": 30e9},
            {"start_ns": 130e9, "completion_ns": None},
            # Over before measuring begins at 100 s.
            {"start_ns": 10e9, "completion_ns": 20e9},
        ]
    )
    found = buf_2._law(flows, end=200.0)
    assert found[:3] == pytest.approx([0.1, 0.8, 0.1]) and len(found) == buf_2.MAX_FLOWS + 1


def test_a_loss_that_does_not_fall_with_the_load_fails_remark_2() -> None:
    for last, holds in ((0.01, True), (0.03, False)):
        rows = [
            {"form": form, "rtt_ms": rtt, "alpha": alpha, "load": load, "loss": loss}
            for rtt, alpha in buf_4.SETTINGS
            for form in ("right", "printed", "mended", "packets", "packets")
            for load, loss in ((0.8, 0.025), (0.95, last))
        ]
        claims = buf_4.check(frame(rows))
        falls = [claim.holds for claim in claims if "falls as" in claim.says]
        assert falls == [holds]
        # The largest of 0.025 is as the paper has it, of 0.03 not quite.
        assert [claim.holds for claim in claims if "the largest loss" in claim.says] == [holds] * 2


def test_the_excess_of_one_more_flow_is_the_proofs_where_there_are_many() -> None:
    # Without overshoot y' = -alpha (y(t - 1) - 1) gives 1 / (n alpha), as the proof has it.
    assert buf_4.excess(0.2)[-1] * buf_4.MAX_FLOWS == pytest.approx(1 / 0.2, rel=0.01)
    assert buf_4.excess(0.2)[0] < 4
    # Alpha 1 swings below the capacity and above it again.
    assert buf_4.excess(1.0)[-1] * buf_4.MAX_FLOWS > 1.1


def test_theorem_3_is_not_what_was_read_from_its_figure() -> None:
    for lost, holds in ((0.01, [True, False]), (0.003, [False, True])):
        rows = [{"form": "packets", "load": 0.9, "loss": lost}] * 2
        for form in ("theorem", "bursts"):
            rows += [{"form": form, "load": x, "loss": y} for x, y in ((0.8, 0.001), (0.95, 0.02))]
        assert [claim.holds for claim in buf_5.check(frame(rows))] == [False, *holds]


def test_theory_without_loss_is_processor_sharing_and_two_round_trips() -> None:
    # 5 MB at 100 Mb/s take 0.4 s alone, twice that at a load of 0.5; and two round trips of 40 ms.
    kind = replace(buf_6.KIND, loss=lambda load, buffer: 0.0)
    assert kind.theory_s(0.5, 1.0) == pytest.approx(0.8 + 2 * 0.04)
    # One packet in ten lost: 0.08 s more each for those sent again and for every further round.
    lossy = replace(buf_6.KIND, mean=1, loss=lambda load, buffer: 0.1)
    assert lossy.theory_s(0.5, 1.0) == pytest.approx(0.08 + 0.08 / 9, rel=0.01)


def test_theory_that_is_off_by_a_fifth_is_not_in_strong_agreement() -> None:
    theory_s = buf_9.KIND.theory_s
    for off, holds in ((1.0, True), (1.2, False)):
        rows = [
            {
                "protocol": "rcp",
                "load": 0.5,
                "buffer": buffer,
                "mean_s": off * theory_s(0.5, buffer),
                "lost": 0.0,
            }
            for buffer in (1.0, 0.1, 0.05)
            for _ in range(2)
        ]
        agreed = [
            claim.holds for claim in buf_9.FIGURE.check(frame(rows)) if "theory" in claim.says
        ]
        assert agreed == [holds]


def test_a_small_buffer_may_cost_too_much_and_tcp_be_as_quick() -> None:
    for tenth, twentieth, tcp, holds in ((1.1, 1.25, 2.0, True), (1.2, 1.1, 1.4, False)):
        cost = {1.0: 1.0, 0.1: tenth, 0.05: twentieth}
        rows = [
            {
                "protocol": protocol,
                "load": 0.5,
                "buffer": buffer,
                "group": group,
                "mean_s": cost[buffer] * (tcp if protocol == "tcp" else 1),
            }
            for protocol in ("rcp", "tcp")
            for buffer in cost
            for group in buf_12.GROUPS
            for _ in range(2)
        ]
        assert [claim.holds for claim in buf_12.check(frame(rows))] == [holds] * 3
