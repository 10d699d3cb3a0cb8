"""Where RCP is close to processor sharing: ratios by hand, and claims that must not hold."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy
import pyarrow
import pytest
import sluice
from sluice.papers import Verdict, closeness
from sluice.papers.limits import (
    limits_bulk,
    limits_capacity,
    limits_cause,
    limits_crowd,
    limits_load,
    limits_many,
    limits_rtt,
    limits_settings,
    limits_short,
    limits_size,
)
from sluice.papers.limits.varied import Varied
from sluice.papers.rows import frame


def test_ratios_count_what_did_not_finish_as_finished_at_the_end() -> None:
    flows = sluice.Frame(
        pyarrow.table(
            {
                "start_ns": [0, 0, 1_000, 3_000],
                # Up to 30 packets: two that took 3 and 5 against 2 and 2; above 3000, one that ran
                # on to the end, 10, against 4. The last is not measured.
                "size_bytes": [5_000, 6_000, 4_000_000, 5_000],
                "completion_ns": [3_000.0, 5_000.0, None, 8_000.0],
                "ideal_ns": [2_000.0, 2_000.0, 4_000.0, 1_000.0],
                "retransmissions": [0, 1, 8_000, 0],
                "measured": [True, True, True, False],
            }
        )
    )
    results: Any = SimpleNamespace(protocols=["rcp"], seeds=[1], flows=lambda *_: flows)
    short, long = closeness.by_size(cast(sluice.Results, results), capacity_bps=1.0)
    assert (short["ratio"], short["flows"], short["unfinished"]) == (pytest.approx(2.0), 2, 0)
    assert (long["ratio"], long["flows"], long["unfinished"]) == (pytest.approx(2.5), 1, 1)
    assert (short["repeats"], long["repeats"]) == (pytest.approx(1 / 11), 2.0)
    assert long["capacity_bps"] == 1.0


def beside_tcp(varied: Varied, rcp: float, tcp: float) -> sluice.Frame:
    rows = [
        {
            varied.column: value,
            "protocol": name,
            "seed": seed,
            "size_from": size,
            "flows": 100,
            "unfinished": 0,
            "mean_s": took + (value == varied.values[1]) * (name == "rcp") / 100,
            "ratio": took + seed / 100,
        }
        for value in varied.values
        for name, took in (("rcp", rcp), ("tcp", tcp), (closeness.SACK, 2.0))
        for seed in (1, 2, 3)
        for size in closeness.CLASSES
    ]
    return sluice.Frame(pyarrow.Table.from_pylist(rows))


@pytest.mark.parametrize(
    ("varied", "second"),
    [
        (limits_capacity.CAPACITIES, "at 40 Mb/s"),
        (limits_load.LOADS, "at a load of 0.5"),
        (limits_rtt.RTTS, "at a round trip of 3 ms"),
    ],
)
def test_places_are_judged_by_the_bound_and_against_tcp(varied: Varied, second: str) -> None:
    verdicts = [claim.holds for claim in varied.check(beside_tcp(varied, rcp=1.1, tcp=3.0))]
    assert verdicts == [True] * 3
    close, tcp, sack = varied.check(beside_tcp(varied, rcp=1.1, tcp=1.105))
    assert close.holds and sack.holds
    # RCP takes longest at the second place.
    assert not tcp.holds and second in tcp.ours and second in tcp.why
    verdicts = [claim.holds for claim in varied.check(beside_tcp(varied, rcp=1.3, tcp=3.0))]
    assert verdicts == [False, True, True]


def test_sizes_that_scale_have_one_curve_only_if_they_are_alike() -> None:
    rows = [
        {
            "same": same,
            "capacity_bps": capacity,
            "seed": seed,
            "size_from": 1.0,
            "ratio": 1.0 + seed / 100 + (same == "packets" and capacity == 2400e6),
        }
        for same in limits_size.SAME
        for capacity in limits_size.CAPACITIES
        for seed in (1, 2, 3)
    ]
    table = sluice.Frame(pyarrow.Table.from_pylist(rows))
    assert [claim.holds for claim in limits_size.check(table)] == [False, True]


def test_the_excess_of_a_flow_is_split_as_by_hand() -> None:
    # R is half the capacity and then a quarter, from 0.2 s on, without a queue. A flow of 0.2 s at
    # the capacity that begins at 0 sends from 0.1 s on, at what was said since 0.0125 s: 0.1 s at
    # a half, its first round trip; 0.0875 s more at a half; the rest at a quarter.
    seconds = numpy.arange(0, 3, limits_cause.EVERY)
    sampled = {
        "seconds": seconds,
        "R": numpy.where(seconds < 0.2, 0.5, 0.25) * limits_cause.CAPACITY,
        "queue_bytes": numpy.zeros_like(seconds),
    }
    sending = 0.1875 + (0.2 - 0.1875 / 2) * 4
    flows = sluice.Frame(
        pyarrow.table(
            {
                "start_ns": [0],
                "size_bytes": [0.2 * limits_cause.CAPACITY / 8],
                "completion_ns": [(0.15 + sending + 0.03) * 1e9],
                "ideal_ns": [0.35 * 1e9],
                "measured": [True],
            }
        )
    )
    (parts,) = limits_cause._parts(flows, sampled, seed=1)
    assert parts["start"] * 0.35 == pytest.approx(0.05)
    assert parts["later"] * 0.35 == pytest.approx(sending - 0.2 - 0.05)
    assert parts["queue"] == 0
    assert parts["rest"] * 0.35 == pytest.approx(0.03)


def causes(later: float, fell_to: float, rtts: float) -> sluice.Frame:
    parts = {"start": 0.1, "later": later, "queue": 0.1, "rest": 0.1}
    rows: list[dict[str, Any]] = []
    for seed in (1, 2, 3):
        rows.append({"kind": "parts", "seed": seed, "size_from": limits_cause.LAST} | parts)
        fall = {"fell_to": fell_to, "rtts": rtts, "back": seed > 1, "used": 0.6}
        rows.append({"kind": "fall", "seed": seed} | fall)
    return frame(rows)


def test_causes_are_judged_by_what_was_lost_and_how_long_it_stayed_lost() -> None:
    assert [claim.holds for claim in limits_cause.check(causes(0.9, 0.3, 22))] == [True] * 3
    claims = limits_cause.check(causes(0.2, 0.6, 9))
    assert [claim.holds for claim in claims] == [False] * 3
    assert "1 of 3 times it was not back" in claims[-1].ours


def test_a_fall_that_is_never_back_is_back_at_the_end_of_the_run() -> None:
    rate = numpy.repeat([1.0, 0.2], 20)
    queue = numpy.where(numpy.arange(40) == 20, limits_cause.BDP, 0.0)
    sampled = {"R": rate, "queue_bytes": queue, "load": numpy.ones(40)}
    (fall,) = limits_cause._falls(sampled, seed=1)
    assert (fall["fell_to"], fall["rtts"], fall["back"]) == (0.2, 2.0, False)
    sampled["R"] = numpy.repeat([1.0, 0.2, 0.6], [20, 10, 10])
    (fall,) = limits_cause._falls(sampled, seed=1)
    assert (fall["rtts"], fall["back"]) == (1.0, True)


def crowds(rcp: float, tcp: float) -> sluice.Frame:
    rows = [
        {
            "system": system,
            "crowd": crowd,
            "who": group,
            "seed": seed,
            "repeats": 0.0,
            "mean_s": took,
            "ratio": took + seed / 100,
        }
        for system, took in (("RCP", rcp), ("TCP", tcp))
        for crowd in limits_crowd.CROWDS
        for group in limits_crowd.GROUPS
        for seed in (1, 2, 3)
    ]
    return sluice.Frame(pyarrow.Table.from_pylist(rows))


def test_crowds_are_judged_by_the_bound_and_against_tcp() -> None:
    assert [claim.holds for claim in limits_crowd.check(crowds(1.1, 2.0))] == [True] * 2
    assert [claim.holds for claim in limits_crowd.check(crowds(1.3, 1.2))] == [False] * 2


def test_a_change_that_leaves_one_run_collapsed_has_not_taken_the_collapse_away() -> None:
    rows: list[dict[str, Any]] = [
        {
            "kind": "ratio",
            "change": change,
            "rtt_s": limits_short.RTTS[0],
            "seed": seed,
            "flows": 100,
            "unfinished": 0,
            "ratio": 3.0 + (seed == 10) * 50 * (change == limits_short.OFTEN),
        }
        for change in limits_short.CHANGES
        for seed in range(1, 11)
    ]
    rows += [
        {
            "kind": "ratio",
            "change": change,
            "rtt_s": rtt,
            "seed": seed,
            "ratio": 3.0 + 0.01 * seed - 2 * (rtt == limits_short.RTTS[1]) * (place % 2),
        }
        for rtt in limits_short.RTTS[1:]
        for place, change in enumerate((limits_short.PAPERS, limits_short.OFTEN))
        for seed in (1, 2)
    ]
    rows += [
        {"kind": "fall", "change": change, "seed": seed, "fell_to": 0.001}
        for change in limits_short.WATCHED
        for seed in (1, 2)
    ]
    fell, close, sooner, often, *others = limits_short.check(frame(rows))
    assert fell.holds and not close.holds and all(claim.holds for claim in others)
    # With T = d0 / 10 it is closer at the one round trip, and not at the other.
    assert not sooner.holds
    assert not often.holds and "1 of 10 runs" in often.why


def test_settings_are_compared_by_the_geometric_mean_over_sizes() -> None:
    best = list(limits_settings.SETTINGS)[-1]
    rows = [
        {
            "place": place,
            "setting": setting,
            "seed": seed,
            "flows": 100,
            "unfinished": int(setting == limits_settings.PAPERS and place == 1),
            # Together as much as 1.5 at each.
            "ratio": (2.25 if size == 1 else 1.0) if setting == best and place else 1.5,
        }
        for place in range(len(limits_settings.PLACES))
        for setting in limits_settings.SETTINGS
        for seed in (1, 2)
        for size in (1, 3000)
    ]
    table = sluice.Frame(pyarrow.Table.from_pylist(rows))
    assert limits_settings._scores(table, 1, best) == pytest.approx([1.5, 1.5])
    assert all(claim.holds for claim in limits_settings.check(table))
    for row in rows:
        if row["setting"] == best and row["place"] == 2:
            row["ratio"] = 1.2
    table = sluice.Frame(pyarrow.Table.from_pylist(rows))
    (claim,) = limits_settings.check(table)
    assert claim.verdict is Verdict.FAILS and claim.why.count("at ") == 1
    # Two classes of two seeds, at the second place alone.
    assert claim.ours.count("; 4 of 400 flows did not finish") == 1


def long_and_overload(used: dict[float, float], left: float, overload: float) -> sluice.Frame:
    """Long flows that use so much by their number, of what the queue leaves; and an overload."""
    rows: list[dict[str, Any]] = [
        {"case": case, "part": part, "run": run, "used": used.get(part, 0.95), "left": left}
        for case in limits_many.CASES
        for part in limits_many.PARTS
        for run in (1, 2)
    ]
    rows += [
        {"setting": setting, "load": load, "part": 10.0, "run": run, "used": overload}
        for setting in limits_many.SETTINGS
        for load in limits_many.LOADS
        for run in (1, 2)
    ]
    return frame(rows)


def test_many_flows_are_judged_by_what_is_used_and_by_hand() -> None:
    def verdicts(*of: Any) -> list[bool]:
        return [claim.holds for claim in limits_many.check(long_and_overload(*of))]

    assert verdicts({}, 0.95, 0.95) == [True] * 4
    # Few packets a round trip leave it idle; the queue does not ask for that.
    assert verdicts({8: 0.2}, 0.95, 0.95) == [False, True, True, True]
    assert verdicts({1: 0.75}, 0.95, 0.95) == [False, True, False, True]
    assert verdicts({}, 0.95, 0.47) == [True, True, True, False]


def test_the_idle_part_is_ten_times_the_queue_that_waits() -> None:
    # 3.4 of 125 packets on average, of which 0.4 are half of one in transmission 0.8 of the time.
    shown = {"queue_bytes": 3400.0, "d0": 0.05}
    of_link = {"link": "left>right"}
    series = frame(
        [
            of_link | {"quantity": name, "time_ns": seconds * 1e9, "value": value}
            for name, value in shown.items()
            for seconds in (16.0, 20.0)
        ]
        # Not looked at: before measuring begins.
        + [of_link | {"quantity": name, "time_ns": 1e9, "value": 1e6} for name in shown]
    )
    link = frame([{"from": "left", "to": "right", "utilization": 0.8}])
    results: Any = SimpleNamespace(series=lambda *_: series, links=lambda *_: link)
    asked = limits_many._asked_idle(cast(sluice.Results, results), limits_many.PAPERS)
    assert asked == pytest.approx(10 * 3 / 125)


def test_long_flows_are_judged_by_max_min_and_causes_by_one_change() -> None:
    def verdicts(share: float, changed: float) -> list[bool]:
        rows = [
            {"change": change, "protocol": name, "seed": seed, "share": share, "drops": 0}
            | {"used": 0.8 if change == limits_bulk.PAPERS else changed}
            for change, (names, _) in limits_bulk.CHANGES.items()
            for name in names
            for seed in (1, 2)
        ]
        return [claim.holds for claim in limits_bulk.check(frame(rows))]

    assert verdicts(0.95, 0.9) == [True] * 5
    assert verdicts(0.6, 0.7) == [False] * 5
