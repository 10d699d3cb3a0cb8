"""Ledger beside other systems: verdicts by hand, and claims that must not hold."""

from __future__ import annotations

import tomllib
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
import sluice
from matplotlib import pyplot
from sluice.papers import Claim, Verdict, drawing
from sluice.papers.closeness import CLASSES
from sluice.papers.interval import Interval
from sluice.papers.own import (
    at_places,
    beside,
    own_corners,
    own_crowd,
    own_deploy,
    own_knows,
    own_lies,
    own_paths,
    own_places,
    own_rtts,
    own_srpt,
    own_stability,
    systems,
)
from sluice.papers.own.systems import AUTHORS, LEDGER, RCP, SETTINGS, SYSTEMS
from sluice.papers.rows import frame

SEEDS = range(5)
DONE = {"flows": 9, "unfinished": 0}


def verdicts(claims: list[Claim]) -> list[str]:
    return [f"{claim.verdict}" for claim in claims]


def test_rcp_has_the_setting_that_is_better_at_each_point() -> None:
    """At the first point RCP's paper's is better, at the second the other."""
    took = {LEDGER: (2.0, 2.0), RCP: (2.5, 5.0), AUTHORS: (5.0, 2.5)}

    def judged(**changed: tuple[float, float]) -> Claim:
        table = frame(
            [
                {"system": name, "at": at, "seed": seed, "mean_s": took * (1 + seed / 1000)} | DONE
                for name, both in (took | changed).items()
                for at, took in enumerate(both)
                for seed in SEEDS
            ]
        )
        return beside.no_longer("", table, {"first": {"at": 0}, "second": {"at": 1}})

    assert beside.unfinished_under(RCP, frame([{"system": RCP, "flows": 9, "unfinished": 3}])) == (
        "; 3 of 9 flows under RCP did not finish"
    )
    took_all = judged()
    assert took_all.holds and took_all.ours.startswith("0.80")
    longer = judged(**{LEDGER: (2.0, 2.6)})
    assert longer.verdict is Verdict.FAILS and longer.why.endswith("above 1 second")
    # Longer, however little, is no less than another's; as long is.
    assert judged(**{LEDGER: (2.0, 2.51)}).verdict is Verdict.FAILS
    assert judged(**{LEDGER: (2.0, 2.5)}).holds


def test_intervals_of_many_points_are_wider_than_of_one() -> None:
    """A single point that is 10 % longer, by a noise of as much, is no evidence among fifty."""
    rows = [
        {"system": name, "at": at, "seed": seed, "mean_s": 1.1 + 0.05 * (seed - 2)}
        | DONE
        | ({"mean_s": 1.0} if name != LEDGER else {})
        for name in (LEDGER, *SETTINGS)
        for at in range(50)
        for seed in SEEDS
    ]
    points = {f"{at}": {"at": at} for at in range(50)}
    table = frame(rows)
    one = beside.no_longer("", table, {"0": points["0"]})
    assert one.verdict is Verdict.FAILS
    assert beside.no_longer("", table, points).verdict is Verdict.UNDECIDED


def test_a_drop_in_one_run_is_a_drop() -> None:
    def judged(*dropped: float) -> Claim:
        links = {"here": frame([{"dropped": part} for part in dropped])}
        return beside.undropped("", links)

    assert judged(0, 0, 0).holds
    some = judged(0, 0.25, 0)
    assert some.verdict is Verdict.FAILS
    assert some.why == "here in 1 of 3 runs, 25.00% of all packets at most"


def test_dctcp_marks_from_a_seventh_of_a_bandwidth_delay_product_on() -> None:
    (link,) = systems.settings(SYSTEMS["DCTCP"], 7000)["link"]
    assert link["queue"] == {"threshold": {"mark_above": "1000 B"}}
    assert systems.settings(SYSTEMS[LEDGER], 7000) == {}


def places(ratio: float, other: float, queue: float, dropped: float) -> sluice.Frame:
    """Ledger's ratio, and that of others, at all places and in all classes."""
    rows: list[dict[str, Any]] = []
    for name in systems.JUDGED:
        for at, place in at_places.PLACES.items():
            of = {"system": name, "place": at, "capacity_bps": place.capacity_bps}
            of |= {"rtt_s": place.rtt_s, "load": place.load}
            took = ratio if name == LEDGER else other
            for seed in SEEDS:
                each = {"mean_s": took, "ratio": took + seed / 1000, "unfinished": 0, "flows": 9}
                rows += [
                    of | each | {"kind": "flows", "seed": seed, "size_from": size}
                    for size in CLASSES
                ]
                lost = dropped if at == "at 1 ms" else 0.1 * (place.load >= 0.9)
                link = {"queue_bdp": queue + seed / 1000, "dropped": lost}
                rows.append(of | link | {"kind": "link", "seed": seed})
    return frame(rows)


def test_places_are_judged_by_max_min_by_rcp_and_by_the_link() -> None:
    # Drops at high loads are accepted.
    assert verdicts(own_places.check(places(1.1, 1.2, 0.3, 0.0))) == ["holds"] * 4
    assert verdicts(own_places.check(places(1.2, 1.1, 0.6, 0.1))) == ["fails"] * 4
    assert own_places.check(places(1.1, 1.2, 0.3, 0.1))[-1].why.startswith("at 1 ms in 5 of 5")


def test_the_worst_class_is_compared_with_rcp_s_by_seeds_that_have_both() -> None:
    ratios = {
        own_knows.NOTHING: {1: 1.1, 3000: 1.3},
        # Its worst class is 2; of the other setting, 1.5.
        RCP: {1: 2.0, 3000: 1.0},
        AUTHORS: {1: 1.5, 3000: 1.2},
    }
    flows = frame(
        [
            {"system": name, "size_from": size, "seed": seed, "ratio": ratio}
            for name, by_size in ratios.items()
            for size, ratio in by_size.items()
            for seed in SEEDS
            # One seed has no long flows, and two have longer ones, too few to compare.
            if (size, seed) != (3000, 0)
        ]
        + [
            {"system": name, "size_from": 9000, "seed": seed, "ratio": 9.0}
            for name in ratios
            for seed in SEEDS[:2]
        ]
    )
    found = own_knows._worst_over_worst(flows)
    assert found.mean == pytest.approx(1.3 / 1.5)


def test_a_cluster_has_room_where_no_flow_is() -> None:
    axes = pyplot.figure().subplots()
    found = {"one": [Interval(1.0, 0.9, 1.1), None], "other": [None, None]}
    drawing.clusters(axes, ["here", "there"], found, {"one": {}, "other": {}})
    one, other = (list(container[0].get_xdata()) for container in axes.containers)
    assert one == pytest.approx([-0.2]) and other == []


def crowds(ratio: float, other: float, queue: float, dropped: float) -> sluice.Frame:
    rows: list[dict[str, Any]] = []
    for name in own_crowd.NAMES:
        for crowd in own_crowd.CROWDS:
            of = {"system": name, "crowd": crowd}
            took = ratio if name == LEDGER else other
            for seed in SEEDS:
                each = {"mean_s": took, "ratio": took + seed / 1000, "unfinished": 0, "flows": 9}
                rows += [
                    of | each | {"kind": "flows", "seed": seed, "who": group}
                    for group in own_crowd.GROUPS
                ]
                link = {"kind": "link", "queue_bdp": queue + seed / 1000, "dropped": dropped}
                rows.append(of | link | {"seed": seed})
    return frame(rows)


def test_crowds_are_judged_by_both_groups_and_the_link() -> None:
    assert verdicts(own_crowd.check(crowds(1.1, 1.2, 0.3, 0.0))) == ["holds"] * 4
    assert verdicts(own_crowd.check(crowds(1.2, 1.1, 0.6, 0.1))) == ["fails"] * 4


def test_shares_are_parts_of_an_equal_share() -> None:
    # Of the shortest round trip two flows get twice what ten others do.
    got = [2.0, 2.0] + [1.0] * 10
    groups = [own_rtts._group(rtt) for rtt in own_rtts.RTTS_S for _ in range(2)]
    flows = frame(
        [{"group": group, "delivered_bytes": each} for group, each in zip(groups, got, strict=True)]
    )
    first, *others = own_rtts._shares(flows, seed=1)
    assert first["jain"] == pytest.approx(14**2 / (12 * 18))
    assert first["share"] == pytest.approx(2 * 12 / 14)
    assert all(other["share"] == pytest.approx(12 / 14) for other in others)


def test_round_trips_are_judged_by_jain_and_by_short_flows_and_rcp() -> None:
    def judged(jain: float, ratio: float) -> list[str]:
        rows = [
            {"system": name, "seed": seed, "rtt_s": rtt}
            | ({"mean_s": took, "ratio": took, "unfinished": 0, "flows": 9} | of)
            for name in own_rtts.NAMES
            for seed in SEEDS
            for rtt in own_rtts.RTTS_S
            for took in [ratio if name == LEDGER else 1.14]
            for of in (
                {"kind": "long", "jain": jain - seed / 1e6},
                *({"kind": "arrivals", "size_from": size} for size in own_rtts.CLASSES),
            )
        ]
        return verdicts(own_rtts.check(frame(rows)))

    assert judged(0.9999, 1.1) == ["holds"] * 3
    assert judged(0.99, 1.2) == ["fails"] * 3


def test_the_loop_is_judged_on_both_sides_of_its_boundary() -> None:
    def judged(one: float, part: float, queue: float) -> list[str]:
        rows = [
            {"rtts": rtts, "tau": tau, "seed": seed, "queue_bdp": queue}
            | {"swing": one if rtts == own_stability.ONE else 0.01 + 0.3 * (tau < part * boundary)}
            for rtts in own_stability.RTTS_S
            # The theory's.
            for boundary in [0.58 if rtts == own_stability.NEAR else 0.33]
            for tau in own_stability.DRAIN_TIMES
            for seed in SEEDS
        ]
        return verdicts(own_stability.check(frame(rows)))

    assert judged(0.01, 1.06, 0.05) == ["holds"] * 8
    assert judged(0.1, 2.1, 0.06) == ["fails", "holds", *["fails"] * 6]
    assert judged(0.01, 0.6, 0.05) == ["holds", "fails", "holds", *["fails"] * 4, "holds"]


def test_corners_have_room_for_packets_and_enough_round_trips() -> None:
    # A round trip of 12.5 bytes: 100 packets, and a tenth of 34.3 s before measuring.
    slow = tomllib.loads(own_corners._short(10e6, 10e-6)(1000).toml)
    assert slow["topology"]["dumbbell"]["buffer"] == "100 packets"
    assert (slow["warm_up"], slow["stop"]) == ("3.42857 s", "37.7143 s")
    # A thousand round trips are longer than a tenth of 1.7 ms.
    fast = tomllib.loads(own_corners._short(10e9, 20e-6)(50).toml)
    assert (fast["warm_up"], fast["stop"]) == ("20 ms", "21.7143 ms")


def test_scenarios_are_sound() -> None:
    for corner in own_corners.CORNERS.values():
        corner.scenario(100).check()
    for rtts in own_stability.RTTS_S:
        own_stability.scenario(rtts).check()
    for kind in ("long", "arrivals"):
        own_rtts._scenario(kind, 1.0).check()
    for scenario in (own_paths._lot(), own_paths._held(), own_paths._steps()):
        scenario.check()


def test_corners_are_judged_by_rcp() -> None:
    def judged(worst: float) -> Claim:
        rows = [
            {"system": name, "corner": corner, "size_from": size, "seed": seed, "mean_s": took}
            | DONE
            for name in own_corners.NAMES
            for corner in own_corners.CORNERS
            for size in CLASSES
            for seed in SEEDS
            for took in [worst if (name, size) == (LEDGER, 30) else 1.0]
        ]
        (claim,) = own_corners.check(frame(rows))
        return claim

    assert judged(0.9).holds
    assert judged(1.01).verdict is Verdict.FAILS


def test_lies_are_judged_by_what_liars_gain_and_others_lose() -> None:
    def judged(liars: float, honest: float, xcp: float) -> list[str]:
        """All lies under Ledger; XCP's that pays most."""
        rows = [
            {"system": name, "lie": lie, "gain": gain, "who": who, "size_from": size, "seed": seed}
            | {"over": took + seed / 1000}
            for name, lie, gain in own_lies.CASES
            for who in (own_lies.HONEST, own_lies.LIARS)
            for size in own_lies.CLASSES
            for seed in SEEDS
            for took in [
                honest
                if who == own_lies.HONEST
                else liars
                if name == LEDGER
                else 1.0 - (1 - xcp) * (gain == 8)
            ]
        ]
        return verdicts(own_lies.check(frame(rows)))

    assert judged(1.0, 1.0, 0.8) == ["holds"] * 3
    assert judged(0.7, 1.1, 0.8) == ["fails"] * 3


def test_flows_are_compared_with_srpt_by_their_numbers() -> None:
    def flows(*seconds: float, order: list[int]) -> sluice.Frame:
        return frame(
            [
                {
                    "index": index,
                    "start_ns": 0,
                    "completion_ns": 1e9 * seconds[index],
                    "size_bytes": (5_000, 5_000, 400_000)[index],
                    "measured": index != 0,
                }
                for index in order
            ]
        )

    found = {"ledger": flows(9, 3, 6, order=[0, 1, 2]), "srpt": flows(9, 2, 3, order=[2, 1, 0])}
    results: Any = SimpleNamespace(flows=lambda name, seed: found[name])
    rows = own_srpt._rows(results, "ledger", 1)
    ratios = {row["size_from"]: row["ratio"] for row in rows}
    assert ratios == pytest.approx({0: 9 / 5, 1: 1.5, 300: 2.0})


def test_srpt_is_no_bound_for_max_min() -> None:
    def judged(ledger: float, fair: float) -> list[str]:
        rows = [
            {"system": name, "case": case, "size_from": size, "seed": seed, "ratio": took}
            for name, took in ((LEDGER, ledger), (own_srpt.FAIR, fair))
            for case in own_srpt.CASES
            for size in (0, *CLASSES)
            for seed in SEEDS
        ]
        return verdicts(own_srpt.check(frame(rows)))

    assert judged(1.1, 1.0) == ["holds"] * 3
    assert judged(1.5, 1.4) == ["fails", "fails", "holds"]
    assert judged(1.2, 1.0) == ["fails", "holds", "fails"]


def test_a_rate_is_settled_once_it_stays_within_five_percent() -> None:
    seconds = numpy.arange(-0.5, 8, 0.02)
    queue = numpy.where(seconds > 0, 0.6, 0.0)
    granted = numpy.ones_like(seconds)
    # Off before 0.4 s, but for a moment; and never right after the return.
    granted[(seconds > 0.001) & (seconds <= 0.4)] = 0.5
    granted[numpy.isclose(seconds, 0.2)] = 1.0
    granted[seconds > 4] = 1.2
    found = own_paths._after(seconds, queue, granted)
    assert found == pytest.approx({"queue": 0.6, "fall": 7.6, "return": 80}, rel=0.01)
    # What is not granted is not settled.
    none = own_paths._after(seconds, queue, numpy.full_like(seconds, numpy.nan))
    assert none["fall"] == pytest.approx(80, rel=0.01)


def test_paths_are_judged_by_shares_and_by_steps() -> None:
    def judged(share: float, queue: float, fall: float) -> list[str]:
        rows: list[dict[str, Any]] = []
        for name in own_paths.NAMES:
            for seed in SEEDS:
                of = {"system": name, "seed": seed}
                rows += [
                    of | {"kind": "share", "flows": kind, "ratio": share}
                    for kind in own_paths.KINDS
                ]
                rows.append(of | {"kind": "steps", "queue": queue, "fall": fall, "return": 1.0})
        return verdicts(own_paths.check(frame(rows)))

    assert judged(0.99, 0.7, 5) == ["holds"] * 3
    assert judged(0.97, 1.0, 20) == ["fails"] * 3


def test_a_path_without_a_law_is_no_place_for_those_with_one() -> None:
    def judged(without: float, lossy: float) -> list[str]:
        """Ledger's times; with a law at both links they count for nothing."""
        rows = [
            {"system": name, "path": at, "size_from": size, "seed": seed, "mean_s": took} | DONE
            for name in own_deploy.NAMES
            for at, path in own_deploy.PATHS.items()
            for size in own_deploy.CLASSES
            for seed in SEEDS
            for took in [
                1.0 if name != LEDGER else lossy if path.loses else 9.0 if path.law else without
            ]
        ]
        return verdicts(own_deploy.check(frame(rows)))

    assert judged(0.9, 0.9) == ["holds"] * 4
    assert judged(1.2, 0.9) == ["fails", "fails", "holds", "holds"]
    assert judged(0.9, 1.2) == ["holds", "holds", "fails", "fails"]


def test_a_link_has_its_law_and_its_losses() -> None:
    def second(at: str) -> dict[str, Any]:
        scenario = own_deploy._scenario(own_deploy.PATHS[at], 100)
        scenario.check()
        return tomllib.loads(scenario.toml)["topology"]["link"][-1]

    # A bandwidth-delay product of 100 ms.
    whole = second("at 140 Mb/s with a law")
    assert (whole["buffer"], whole["router"], whole["error"]) == ("1.75 MB", True, 0)
    assert second("at 75 Mb/s without")["router"] is False
    assert second("with a loss of 5 %")["error"] == 0.05
