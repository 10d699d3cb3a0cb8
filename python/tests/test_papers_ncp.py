"""NCP's analysis: what makes the claims of its figures hold, and what does not."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy
import pytest
import sluice
from sluice.papers import Verdict
from sluice.papers.ncp import ncp_2_1, ncp_2_2, ncp_16, ncp_20, ncp_22, ncp_26, task_sets
from sluice.papers.rows import frame
from sluice.theory import increments, scheduling

from .seeded import failing

Row = dict[str, Any]


def spread(row: Row, columns: Mapping[str, float]) -> list[Row]:
    """Three seeds of a row whose columns differ by little."""
    return [
        row | {"seed": seed} | {name: value * (1 + seed / 1e5) for name, value in columns.items()}
        for seed in (1, 2, 3)
    ]


def windows(
    xcp: float = 10.0, ncp: float = 2.5, rcp: float = 2.5, window: float = 20.0
) -> sluice.Frame:
    rows: list[Row] = [
        {"kind": "hand", "protocol": "xcp", "step": 4.0, "rtts": 10.0},
        {"kind": "hand", "protocol": "ncp", "step": 19.0, "rtts": 2.5},
    ]
    for name, rtts in (("xcp", xcp), ("ncp", ncp), ("rcp", rcp)):
        columns = {"rtts": rtts, "queue": 125.0, "window": window}
        rows += spread({"kind": "run", "protocol": name}, columns)
    return frame(rows)


def test_the_example_of_windows() -> None:
    assert failing(ncp_2_1.check(windows())) == []
    # The same rounds by other means: the window is judged for itself.
    other = ncp_2_1.check(windows(window=57))
    assert failing(other) == [5]
    assert "longest queue 125 packets, 125 packets" in other[5].ours
    assert failing(ncp_2_1.check(windows(xcp=8.3))) == [6]
    assert failing(ncp_2_1.check(windows(xcp=4.5))) == [6, 9]
    assert failing(ncp_2_1.check(windows(ncp=4.0, rcp=6.0))) == [7, 8, 9]


def test_the_printed_numbers_and_those_by_hand_differ() -> None:
    by_hand = ncp_2_1.table({}).arrow.to_pylist()
    runs = windows().where(kind="run").arrow.to_pylist()
    assert failing(ncp_2_1.check(frame(by_hand + runs))) == [0, 3]


def test_windows_by_hand_are_not_those_printed() -> None:
    hand = ncp_2_1.table({}).where(kind="hand")
    assert hand["step"].tolist() == pytest.approx([5, 19.75])
    assert hand["rtts"].tolist() == pytest.approx([50 / 6, 50 / 20.75])


def rounds(**changed: float) -> sluice.Frame:
    """What the paper says of both protocols, but for columns ``rcp_...`` and ``ncp_...``."""
    rows: list[Row] = []
    for case in ncp_2_2.CASES:
        few = case in ncp_2_2.FEWER
        rcp = {
            "load": case.load,
            "utilization": 0.1 if few else 1.0,
            "queue_bdp": 0.0 if few else 5,
        }
        rcp |= {"lost": 0.0 if few else 0.02, "recovered_rtts": 60.0}
        ncp = {"load": 1.0, "utilization": 0.95, "queue_bdp": 0.1, "lost": 0, "recovered_rtts": 3}
        for name, columns in (("rcp", rcp), ("ncp", ncp)):
            own = {
                column: changed.get(f"{name}_{column}", value) for column, value in columns.items()
            }
            rows += spread({"kind": "run", "case": case.title, "protocol": name}, own)
    return frame(rows)


def test_wrong_counts_cost_what_the_paper_says() -> None:
    assert failing(ncp_2_2.check(rounds())) == []
    assert failing(ncp_2_2.check(rounds(rcp_load=0.5))) == [2]
    assert failing(ncp_2_2.check(rounds(rcp_utilization=0.95))) == [3]
    assert failing(ncp_2_2.check(rounds(rcp_queue_bdp=0.2))) == [4]
    assert failing(ncp_2_2.check(rounds(rcp_lost=0))) == [5]
    assert failing(ncp_2_2.check(rounds(rcp_recovered_rtts=5))) == [6]


def test_ncp_is_judged_by_the_bounds_that_rcp_is_judged_by() -> None:
    assert failing(ncp_2_2.check(rounds(ncp_utilization=0.8))) == [7]
    assert failing(ncp_2_2.check(rounds(ncp_queue_bdp=0.3))) == [9]
    assert failing(ncp_2_2.check(rounds(ncp_lost=0.02))) == [10]
    # Sooner than RCP, and slow by the same bound.
    assert failing(ncp_2_2.check(rounds(ncp_recovered_rtts=35))) == [11]
    overloaded = ncp_2_2.check(rounds(ncp_load=4.6))
    assert failing(overloaded) == [8]
    assert "16 flows join 4 4.60, RCP 5.00" in overloaded[8].why


def counts(
    *,
    used: float = 0.99,
    queue: float = 0.1,
    settled: float = 3.0,
    own_used: float = 0.5,
    own_settled: float = 3.0,
    over_exact: float = 100.0,
) -> sluice.Frame:
    rows: list[Row] = []
    for flows in (4, 20):
        for start in (ncp_16.LOW, ncp_16.OWN, ncp_16.HIGH):
            own = start == ncp_16.OWN
            columns = {"utilization": own_used if own else used, "queue_bdp": queue}
            columns |= {"settled_rtts": own_settled if own else settled}
            columns |= {"count": 1.0, "over_exact": over_exact}
            for window in (ncp_16.FIRST, ncp_16.LATE):
                run = {"kind": "run", "start": start, "flows": flows, "window": window}
                rows += spread(run, columns)
    return frame(rows)


def test_rcp_works_well_at_the_roots_alone_or_not() -> None:
    # The third printed root is none, whatever runs say.
    assert failing(ncp_16.check(counts())) == [2]
    for wrong, fault in (
        ({"used": 0.2}, ncp_16.UNUSED),
        ({"queue": 60}, ncp_16.DELAYS),
        ({"settled": 40}, ncp_16.SLOW),
    ):
        claims = ncp_16.check(counts(**wrong))
        assert failing(claims) == [2, 3, 4]
        assert claims[3].why == f"with 4 flows {fault}; with 20 flows {fault}"
    # A single fault is enough where (18) does not hold, and slowness ends with the start.
    well = ncp_16.check(counts(own_used=0.99))
    assert failing(well) == [2, 5, 6]
    assert well[5].why == "it has none with 4 flows, with 20 flows"
    assert failing(ncp_16.check(counts(own_used=0.99, own_settled=40))) == [2, 6]


def test_where_rcp_counts_rightly_it_says_nothing_about_other_places() -> None:
    claims = ncp_16.check(counts(own_used=0.99, over_exact=1.0))
    assert [claim.verdict for claim in claims[5:]] == [Verdict.UNDECIDED] * 2


def test_a_steady_bias_is_not_slow() -> None:
    """A C/R that is 15 % off from the third round trip on has settled there."""
    results = counted_by(numpy.where(numpy.arange(600) < 3, 0.05, 1 / 23))
    row = ncp_16._row(ncp_16.Start(ncp_16.OWN, 20), results, 1, ncp_16.LATE)
    assert (row["settled_rtts"], row["count"]) == (3, pytest.approx(1.15))


def counted_by(share: numpy.ndarray) -> Any:
    """A run with these R/C, a load of 1 and no queue."""
    values = {"R": share * ncp_16.CAPACITY, "load": share * 0 + 1, "queue_bytes": share * 0}
    rows = [
        {
            "quantity": quantity,
            "link": "left>right",
            "time_ns": 100_000_000 * (place + 1),
            "value": float(value),
        }
        for quantity, found in values.items()
        for place, value in enumerate(found)
    ]

    class Run:
        def series(self, protocol: str, seed: int) -> sluice.Frame:
            return frame(rows)

    return Run()


def test_increments_are_judged_by_their_rounds() -> None:
    wanted = [3, 4, 5, 8, 9, 10, 11]
    assert failing(ncp_20.check(ncp_20.table(_some(ncp_20.LAWS)))) == wanted
    # An XCP that is NCP: equal at once, so that different rates do not stay so.
    swapped = ncp_20.LAWS | {ncp_20.XCP: increments.ncp}
    assert failing(ncp_20.check(ncp_20.table(_some(swapped)))) == [1, *wanted]
    # Variants that do what the paper wants of them.
    right = ncp_20.LAWS | {
        ncp_20.RCP: increments.ncp,
        **{
            name + after: law
            for after, _ in ncp_20.READINGS.values()
            for name, law in (
                (ncp_20.KEEP, increments.proportional_increments(increments.mean)),
                (ncp_20.KEEP_STEP, increments.proportional_increments(increments.mean)),
                (ncp_20.LEVEL, increments.ncp),
                (ncp_20.LEVEL_STEP, increments.ncp),
            )
        },
    }
    assert failing(ncp_20.check(ncp_20.table(_some(right)))) == []


def _some(laws: Mapping[str, increments.Law]) -> dict[str, list[increments.Rounds]]:
    """The example, then one start from which the second variant does not settle as printed, one on
    a full link, where no increment moves a rate, and one of equal rates."""
    starts = [ncp_20.EXAMPLE, (0.001, 0.9, 0.4), (0.05, 0.4, 0.3, 0.25), (0.2, 0.2)]
    return {
        name: [increments.rounds(law, start, 100) for start in starts] for name, law in laws.items()
    }


def test_tests_of_tasks_are_judged_by_schedules() -> None:
    table = ncp_22.table(task_sets.Sets((2,)))
    found = failing(ncp_22.check(table))
    # Of period 2 alone no set within C has a flow above its share.
    assert found == [1, 3, 8]
    rows: list[Row] = table.arrow.to_pylist()

    def changed(kind: str, column: str) -> list[int]:
        other = [row | {column: not row[column]} if row["kind"] == kind else row for row in rows]
        return failing(ncp_22.check(frame(other)))

    assert 0 in changed(task_sets.ONE, "exists")
    assert {2, 4, 5} <= set(changed(task_sets.IDENTICAL, "exists"))
    assert {3, 4} <= set(changed(task_sets.UNEQUAL, "exists"))
    assert 5 in changed(task_sets.UNEQUAL, "right")
    assert {6, 7} <= set(changed(task_sets.PACKETS, "paper"))
    assert 9 in changed(task_sets.SUMMED, "paper")


def test_a_reason_is_the_first_set_that_is_wrong() -> None:
    claims = ncp_22.check(ncp_22.table(task_sets.Sets((2,))))
    assert claims[1].why.startswith("rates 3/2 on speeds 1 1: the paper's test accepts them")
    assert claims[0].why == ""
    # A test that is wrong is named itself: the right one, were schedules other than they are.
    rows: list[Row] = ncp_22.table(task_sets.Sets((2,))).arrow.to_pylist()
    wrong = [row | {"right": True} for row in rows]
    (claim,) = (each for each in ncp_22.check(frame(wrong)) if "the right test" in each.says)
    assert claim.why.startswith("rates 3/2 on speeds 1 1: the right test accepts them")
    assert claim.why.endswith("a schedule cannot serve them")


def test_a_share_with_priorities_is_enough_if_their_mean_is_one() -> None:
    # p_j C/N in total is the mean of p_j times C: the paper's R(t) does for a mean of 1.
    rates = [Fraction(2, 3), Fraction(1, 3)]
    share = scheduling.fair_share(2)
    assert scheduling.admitted(rates, share, [Fraction(4, 3), Fraction(2, 3)])
    assert scheduling.fair_share(2, priorities=[Fraction(4, 3), Fraction(2, 3)]) == share
    # Of a mean of 3/2 it promises 3/2 C.
    assert scheduling.admitted([Fraction(1), Fraction(1, 2)], share, [2, 1])


def test_only_a_refusal_counts_against_that_the_share_is_equivalent() -> None:
    rows: list[Row] = ncp_22.table(task_sets.Sets((2,))).arrow.to_pylist()
    # Admitted, but not within C: that the share is not enough is another claim.
    more = [row | {"paper": True} if row["kind"] == task_sets.PACKETS else row for row in rows]
    failed = failing(ncp_22.check(frame(more)))
    assert 6 in failed and 7 not in failed


def pressure(
    *, fluid: float = 1.0, ncp: float = 1.0, sharing: float = 1.0, large: float = 1.0
) -> sluice.Frame:
    """Times over those of (28), and flows that share the link over f d."""
    rows: list[Row] = []
    for case in ncp_26.CASES.values():
        for load in (0.3, 0.9):
            by_28 = 0.1 * (1.5 + load)
            drawn = large if case is ncp_26.HERE[3] else 1.0
            columns = {"pressure_s": by_28, "shared_s": case.shared_s(load)}
            columns["target_s"] = case.shared_s(load, ncp_26.ALPHA)
            columns |= {"fluid_s": fluid * drawn * by_28, "ncp_s": ncp * fluid * by_28 * drawn}
            columns |= {"counted": 0.5, "arriving": 1.0, "sharing": sharing * drawn}
            rows += spread({"sizes": case.name, "packets": case.packets, "load": load}, columns)
    return frame(rows)


def test_completion_times_are_judged_by_link_pressure() -> None:
    assert failing(ncp_26.check(pressure())) == []
    assert failing(ncp_26.check(pressure(fluid=0.7))) == [1, 2, 3]
    assert failing(ncp_26.check(pressure(ncp=1.5))) == [2, 6]
    assert failing(ncp_26.check(pressure(sharing=0.3))) == [4]
    assert failing(ncp_26.check(pressure(large=1.3))) == [1, 2, 3, 4, 5]


def test_what_is_shown_beside_link_pressure_is_no_reason() -> None:
    exact, shared = ncp_26.check(pressure())[3:5]
    assert "; the fluid's over M/G/1-PS: " in exact.ours and exact.why == ""
    assert shared.ours.endswith("over f d0: 0.5 to 0.5") and shared.why == ""
