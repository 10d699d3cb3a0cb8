"""Policing agents, lying receivers, bounds: claims hold for tables of good ones, and fail else."""

from __future__ import annotations

import numpy
import pytest
import sluice
from sluice.papers import Verdict
from sluice.papers.rows import frame
from sluice.papers.xcp import cheats, policed, xcp_7_bounds, xcp_7_mon, xcp_7_rcv

from .seeded import failing

SEEDS = (1, 2, 3)


def agents(
    seen: float = 1,
    unseen: float = 1,
    rtts: float = 3.0,
    wronged: int = 0,
    tracked: float = 0.1,
    used: float = 0.95,
) -> sluice.Frame:
    """What is found, and how soon; convictions of honest flows; parts of state and utilization."""
    rows: list[dict[str, object]] = []
    seeds = range(1, 9)
    for agent in policed.AGENTS:
        for failures in xcp_7_mon.FAILURES:
            case = {"agent": agent, "failures": failures}
            for name in policed.CHEATS | policed.UNSEEN:
                found = int(seen if name in policed.CHEATS else unseen)
                for seed in seeds:
                    took = rtts * failures * (1 + seed / 1e3) if found else None
                    row = {"kind": "cheat", "name": name, "found": found, "rtts": took}
                    rows.append(case | row | {"seed": seed, "wronged": 0, "tests": 50, "failed": 1})
            for name in policed.honest({}):
                row = {"kind": "honest", "name": name, "wronged": wronged, "tests": 100}
                rows += [case | row | {"seed": seed, "used": used + seed / 1e4} for seed in seeds]
        for seed in seeds:
            part = 1 if agent == xcp_7_mon.EVERY_FLOW else tracked
            crowd = {"kind": "crowd", "name": "", "agent": agent, "failures": 2, "wronged": 0}
            rows.append(crowd | {"tracked": part * (1000 + seed), "seed": seed})
    alone = {"kind": "alone", "name": policed.ALONE, "agent": "", "failures": 0}
    rows += [alone | {"used": 0.95 + seed / 1e5, "seed": seed} for seed in seeds]
    return frame(rows)


def test_each_claim_about_agents_can_fail() -> None:
    assert failing(xcp_7_mon.FIGURE.check(agents())) == []
    assert failing(xcp_7_mon.FIGURE.check(agents(unseen=0))) == [1]
    assert failing(xcp_7_mon.FIGURE.check(agents(rtts=12))) == [2]
    assert failing(xcp_7_mon.FIGURE.check(agents(wronged=5))) == [3]
    assert failing(xcp_7_mon.FIGURE.check(agents(used=0.8))) == [4]
    assert failing(xcp_7_mon.FIGURE.check(agents(tracked=0.9))) == [5]
    with_none = [claim.verdict for claim in xcp_7_mon.FIGURE.check(agents(seen=0))]
    assert with_none[:2] == [Verdict.FAILS, Verdict.FAILS]


def test_a_reason_counts_the_tests_of_those_who_are_not_found() -> None:
    claim = xcp_7_mon.FIGURE.check(agents(unseen=0))[1]
    assert "flows failed 32 of 1600 tests" in claim.why


def test_all_scenarios_with_agents_are_valid() -> None:
    scenarios = []
    for police in policed.AGENTS.values():
        scenarios += [policed.crowd(police), *policed.honest(police).values()]
        for conduct in (policed.CHEATS | policed.UNSEEN).values():
            scenarios.append(policed.cheated(conduct, police))
    for scenario in scenarios:
        scenario.set({"protocols": ["xcp"]}).check()


def receivers(
    free: float = 3.0, checked: float = 0.1, took: float = 1.0, accused: int = 0
) -> sluice.Frame:
    """Throughput of a liar without and with a check, packets that find it, honest ones accused."""
    rows: list[dict[str, object]] = []
    for seed in range(1, 17):
        noise = 1 + seed / 1e3
        for part in xcp_7_rcv.PARTS:
            for kind in xcp_7_rcv.HONEST:
                none = {"kind": kind, "lie": 0.0, "part": part, "accused": accused}
                rows.append(none | {"seed": seed, "first": 1.0})
        for lie in xcp_7_rcv.LIES:
            for part, first in ((0.0, free), (xcp_7_rcv.CHECKED, checked)):
                one = {"kind": "one", "lie": lie, "part": part, "first": first * noise}
                rows.append(one | {"seed": seed, "accused": 0})
            for part in xcp_7_rcv.PARTS:
                for flow in range(20):
                    packets = took * 2 / part * (0.9 + flow / 95) * noise
                    ten = {"kind": "ten", "lie": lie, "part": part, "found": 1}
                    rows.append(ten | {"seed": seed, "packets": packets})
    return frame(rows)


def test_each_claim_about_receivers_can_fail() -> None:
    assert failing(xcp_7_rcv.FIGURE.check(receivers())) == []
    assert failing(xcp_7_rcv.FIGURE.check(receivers(free=1.1))) == [0]
    assert failing(xcp_7_rcv.FIGURE.check(receivers(checked=1.4))) == [1]
    assert failing(xcp_7_rcv.FIGURE.check(receivers(took=1.5))) == [2]
    assert failing(xcp_7_rcv.FIGURE.check(receivers(accused=1))) == [3]


def test_liars_that_are_not_found_count_with_their_packets() -> None:
    """Half of them are found after the expected number of packets, half not in as many."""
    table = receivers()
    rows = [
        row | {"found": int(place % 2 == 0)} if row["kind"] == "ten" else row
        for place, row in enumerate(table.arrow.to_pylist())
    ]
    claim = xcp_7_rcv.FIGURE.check(frame(rows))[2]
    assert claim.verdict is Verdict.FAILS
    assert xcp_7_rcv._over_predicted(frame(rows), 0.1, 0.02).mean == pytest.approx(0.5, rel=0.01)


def test_a_run_has_a_row_for_each_liar() -> None:
    scenario = xcp_7_rcv._scenario("ten", 0.3, 0.1).set({"stop": "20 s", "limit": "20 s"})
    results = sluice.run(scenario, ["xcp"], seeds=[1])
    rows = xcp_7_rcv.table({("ten", 0.3, 0.1): results})
    assert len(rows) == xcp_7_rcv.LIARS
    assert set(rows["found"]) <= {0, 1} and rows["found"].mean() > 0.5
    assert (rows["packets"] > 0).all()


def bounds(
    tight: float = 0.97, kinds: tuple[str, ...] = tuple(xcp_7_bounds.BOUNDS)
) -> sluice.Frame:
    """Utilization with bounds tighter than the loosest, of lies of these kinds."""
    rows = [
        {
            "kind": kind,
            "bound_s": value,
            "gain": gain,
            "seed": seed,
            "utilization": (
                (tight if kind in kinds else 0.97)
                if value != bound.values[0] or gain not in bound.large
                else 0.7
            )
            * (1 + seed / 1e4),
        }
        for kind, bound in xcp_7_bounds.BOUNDS.items()
        for value in bound.values
        for gain in bound.gains
        for seed in SEEDS
    ]
    return frame(rows)


def test_each_claim_about_bounds_can_fail() -> None:
    assert failing(xcp_7_bounds.FIGURE.check(bounds())) == []
    assert failing(xcp_7_bounds.FIGURE.check(bounds(tight=0.6, kinds=("downward",)))) == [0, 1]
    assert failing(xcp_7_bounds.FIGURE.check(bounds(tight=0.6, kinds=("upward",)))) == [2, 3]


def test_figures_draw() -> None:
    assert len(xcp_7_mon.FIGURE.plot(agents()).axes) == 2
    assert len(xcp_7_rcv.FIGURE.plot(receivers()).axes) == 2
    assert len(xcp_7_bounds.FIGURE.plot(bounds()).axes) == 2


def test_a_lie_is_a_part_of_the_window() -> None:
    """A tenth of a window of ten packets in a round trip of 80 ms: a packet."""
    scenario = xcp_7_rcv._scenario("one", 0.1, 0.0).set({"protocols": ["xcp"]})
    assert 'added_feedback = "10 kbps"' in scenario.toml
    # Ten packets each add 10 kb/s, so 100 kb/s in a round trip of 80 ms: 8 kb.
    assert 10 * 10e3 * cheats.PLACE.rtt == pytest.approx(8000)
    assert numpy.isclose(cheats.PLACE.capacity / cheats.FLOWS * cheats.PLACE.rtt / 8000, 10)
