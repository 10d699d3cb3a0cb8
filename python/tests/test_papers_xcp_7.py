"""Chapter 7 of XCP's thesis: cheats in the simulator, and claims that can fail."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sluice
from sluice.papers import Verdict
from sluice.papers.rows import frame
from sluice.papers.scale import Scale
from sluice.papers.xcp import (
    arrival,
    cheats,
    misconducts,
    xcp_7_1,
    xcp_7_2,
    xcp_7_3,
    xcp_7_4,
    xcp_7_5,
    xcp_7_6,
    xcp_7_7,
    xcp_7_8,
    xcp_t7_1,
)
from sluice.papers.xcp.cheats import FLOWS, GAINS, Cheats

from .seeded import failing, seeded

#: A column by system, number of cheats and gain.
Column = Callable[[str, int, float], float]


def made(of: Cheats, **columns: Column) -> sluice.Frame:
    """A table of runs with these columns, and usual ones."""
    usual: dict[str, Column] = {
        "first": lambda name, number, gain: 1.0,
        "utilization": lambda name, number, gain: 0.98,
        "queue_packets": lambda name, number, gain: 20.0,
        "drops": lambda name, number, gain: 0.0,
    }
    points = [
        {"system": name, "cheats": number, "gain": gain}
        for name in of.systems
        for number in of.numbers
        for gain in of.gains
    ]
    return seeded(points, usual | columns)


@pytest.fixture
def quick(tmp_path: Path) -> Scale:
    return Scale(full=False, folder=tmp_path, progress=False)


def alone(scale: Scale, field: str, gain: float) -> dict[str, float]:
    """One cheat among nineteen, with today's recovery."""
    one = Cheats("one", field, gains=(gain,), quick=(gain,), systems=("XCP-RACK",))
    return one.table(one.run(scale)).arrow.to_pylist()[0]


def test_cheats_are_groups_with_a_conduct_and_others_have_none() -> None:
    scenario = cheats.scenario("XCP", [{"rtt_gain": 8.0}] * 2)
    groups = tomllib.loads(scenario.set({"protocols": ["xcp"]}).toml)["group"]
    flows = {group["name"]: group for group in groups if group["name"].startswith("flow-")}
    assert len(flows) == FLOWS
    liars = {name: flow["conduct"]["rtt_gain"] for name, flow in flows.items() if "conduct" in flow}
    assert liars == {"flow-0": 8.0, "flow-1": 8.0}


def test_gains_are_normal_without_negative_ones() -> None:
    gains = cheats.normal(10.0, 2000, 0)
    assert min(gains) > 0
    # The mean of a normal distribution with deviation m above zero is 1.288 m.
    assert sum(gains) / 2000 == pytest.approx(12.88, rel=0.05)
    assert cheats.normal(1.0, 20, 1) != cheats.normal(1.0, 20, 2)


@pytest.mark.parametrize("gain", [0.3, 3.0, 8.0])
def test_a_t_liar_gets_the_share_of_as_many_flows(quick: Scale, gain: float) -> None:
    assert alone(quick, "throughput_gain", gain)["first"] == pytest.approx(
        xcp_7_1.expected(gain), rel=0.08
    )


def test_a_lie_about_the_rtt_gains_nothing(quick: Scale) -> None:
    assert alone(quick, "rtt_gain", 10.0)["first"] == pytest.approx(1, abs=0.08)


def test_abusers_get_more_than_their_share(quick: Scale) -> None:
    assert alone(quick, "increase_gain", 10.0)["first"] > 1.1
    assert alone(quick, "decrease_gain", 0.1)["first"] > 1.1


def test_unresponsive_abusers_get_their_rate_and_leave_the_equilibrium(quick: Scale) -> None:
    scale = replace(quick, full=True)
    scenario = xcp_7_8._scenario("XCP", 0.1)
    results = scale.run(scenario, ["xcp"], name="a", seeds=1)
    (row,) = xcp_7_8.table({("XCP", 0.1): results}).arrow.to_pylist()
    assert row["abusers"] == pytest.approx(0.1, rel=0.01)
    assert row["utilization"] == pytest.approx(xcp_7_8.equilibrium(0.1), abs=0.02)


def test_a_long_interval_slows_convergence(quick: Scale) -> None:
    runs = arrival.Arrival("a", "rtt_gain", (0.1, 1.0))
    table = runs.table(runs.run(quick))
    slow, usual = (table.where(gain=gain) for gain in (0.1, 1.0))
    assert slow["fill_rtts"][0] > 3 * usual["fill_rtts"][0]
    assert slow["share_rtts"][0] > 3 * usual["share_rtts"][0]


def liar(name: str, number: int, gain: float) -> float:
    """A T-liar's share: that of as many flows, at least a packet in a round trip of 96 ms."""
    return max(xcp_7_1.expected(gain), xcp_7_1.ONE_PACKET / 1.2)


def test_each_claim_about_one_t_liar_can_fail() -> None:
    def fails(first: Column, last: Column = lambda *at: 0.09) -> list[int]:
        return failing(xcp_7_1.check(made(xcp_7_1.CHEATS, first=first, last=last)))

    # As printed it has g fair shares at 8.
    assert fails(liar) == [0]
    assert fails(lambda name, number, gain: max(gain, 0.083)) == [1]
    assert fails(liar, lambda *at: 0.3) == [0, 2]
    assert fails(lambda *at: max(liar(*at), 0.15)) == [0, 3]


def test_each_claim_about_many_t_liars_can_fail() -> None:
    def fails(**columns: Column) -> list[int]:
        return failing(xcp_7_2.check(made(xcp_7_2.CHEATS, **columns)))

    assert fails() == []
    assert fails(utilization=lambda name, number, gain: 0.8 if gain == 100 else 0.98) == [0]
    assert fails(drops=lambda name, number, gain: float(gain == 0.01)) == [1]


def test_each_claim_about_one_d_liar_can_fail() -> None:
    def fails(first: Column) -> list[int]:
        return failing(xcp_7_3.check(made(xcp_7_3.CHEATS, first=first)))

    assert fails(lambda name, number, gain: 0.9 if gain < 0.2 else 1.0) == []
    assert fails(lambda name, number, gain: 1.2 if gain > 10 else 1.0) == [0]
    assert fails(lambda name, number, gain: 0.7 if gain < 0.2 else 1.0) == [1]


def test_each_claim_about_many_d_liars_can_fail() -> None:
    def fails(utilization: Column) -> list[int]:
        return failing(xcp_7_4.check(made(xcp_7_4.CHEATS, utilization=utilization)))

    def printed(name: str, number: int, gain: float) -> float:
        return 0.6 if number >= FLOWS // 2 and gain > 3 else 0.98

    assert fails(printed) == []
    assert fails(lambda name, number, gain: 0.8 if gain == 3 else printed(name, number, gain)) == [
        0,
        1,
    ]
    assert fails(lambda name, number, gain: 0.6 if gain > 3 else 0.98) == [1]
    assert fails(lambda name, number, gain: 0.98) == [2]


def abusers(first: Column) -> sluice.Frame:
    return frame(
        [
            {"kind": kind} | row
            for kind, of in xcp_7_5.KINDS.items()
            for row in made(of, first=first).arrow.to_pylist()
        ]
    )


def test_each_claim_about_one_abuser_can_fail() -> None:
    def fails(first: Column) -> list[int]:
        return failing(xcp_7_5.check(abusers(first)))

    def printed(name: str, number: int, gain: float) -> float:
        return 1.0 if gain == 1 else 1.5

    assert fails(printed) == []
    assert fails(lambda *at: 0.9 if at[0] == "XCP" and at[2] > 1 else printed(*at)) == [0]
    assert fails(lambda *at: 0.9 if at[0] == "TCP" and at[2] < 1 else printed(*at)) == [1]
    assert fails(lambda *at: 6.0 if at[2] == 100 else printed(*at)) == [2]
    assert fails(lambda name, number, gain: 1.5) == [3]


@pytest.mark.parametrize("figure", [xcp_7_6, xcp_7_7])
def test_each_claim_about_many_abusers_can_fail(figure: Any) -> None:
    for place, name in enumerate(figure.CHEATS.systems):
        table = made(figure.CHEATS, utilization=lambda *at, low=name: 0.7 if at[0] == low else 0.9)
        assert failing(figure.FIGURE.check(table)) == [place]
    assert failing(figure.FIGURE.check(made(figure.CHEATS))) == []


def unresponsive(**columns: Callable[[str, float], float]) -> sluice.Frame:
    usual: dict[str, Callable[[str, float], float]] = {
        "abusers": lambda name, gain: min(gain, 1.0),
        "abusers_share": lambda name, gain: 2 * min(gain, 1.0),
        "compliant": lambda name, gain: max(0.0, 1 - gain),
        "compliant_share": lambda name, gain: max(0.0, 2 - 2 * gain),
        "utilization": lambda name, gain: (
            xcp_7_8.equilibrium(gain) * 1.01 if name == "XCP" and gain < 1 else 0.905
        ),
        "queue_over_buffer": lambda name, gain: 0.99 if gain > 1 else 0.1,
    }
    points = [{"system": name, "gain": gain} for name in cheats.THESIS for gain in xcp_7_8.GAINS]
    return seeded(points, usual | columns)


def test_each_claim_about_unresponsive_abusers_can_fail() -> None:
    def fails(**columns: Callable[[str, float], float]) -> list[int]:
        return failing(xcp_7_8.check(unresponsive(**columns)))

    def used(name: str, gain: float) -> float:
        return xcp_7_8.equilibrium(gain) * 1.01 if name == "XCP" and gain < 1 else 0.905

    assert fails() == []
    assert fails(abusers=lambda name, gain: 0.8 * gain) == [0]
    low = {"utilization": lambda name, gain: 0.8 if name == "XCP" else 0.95}
    assert fails(**low) == [1, 3, 4]
    assert fails(utilization=lambda *at: 0.7 if at[0] == "TCP" else used(*at)) == [2]
    assert fails(utilization=lambda *at: 0.99 if at == ("XCP", 0.1) else used(*at)) == [3]
    assert fails(utilization=lambda *at: 0.99 if at == ("TCP", 0.1) else used(*at)) == [4]


def table_7_1(**measures: Callable[[str, float], float]) -> sluice.Frame:
    """A table as the thesis has it: by kind of misconduct and gain."""

    def share(kind: str, gain: float) -> float:
        if kind == "increase" and gain > 1:
            return 1.4
        return {"T-liar": gain, "unresponsive": 2 * gain}.get(kind, 1.0)

    def utilization(kind: str, gain: float) -> float:
        return 0.6 if kind == "D-liar" and gain > 10 else 0.98

    usual: dict[str, Callable[[str, float], float]] = {
        "share": share,
        "compliant": lambda kind, gain: max(0.0, 2 - 2 * gain),
        "utilization": utilization,
        "fill_rtts": lambda kind, gain: 6 / gain if kind == "D-liar" else 6,
        "share_rtts": lambda kind, gain: 20 / gain if kind == "D-liar" else 20,
        "queue": lambda kind, gain: 0.99 if gain > 1 else 0.1,
    }
    gains = {
        "T-liar": GAINS,
        "D-liar": (*GAINS, 1.5),
        "increase": (1.0, 10.0),
        "decrease": (0.1, 1.0),
        "unresponsive": xcp_7_8.GAINS,
    }
    values = usual | measures
    points = [
        {"kind": kind, "gain": gain, "measure": measure}
        for kind, each in gains.items()
        for gain in each
        for measure in values
    ]
    return seeded(points, {"value": lambda kind, gain, measure: values[measure](kind, gain)})


def test_the_table_has_a_cell_for_each_row_and_column() -> None:
    found = {(cell.row, cell.column) for cell in misconducts.CELLS}
    columns = (misconducts.EFFICIENCY, misconducts.FAIRNESS, misconducts.INCENTIVE)
    assert found == {(row, column) for row in misconducts.ROWS for column in columns}


def test_each_cell_can_fail() -> None:
    assert failing(xcp_t7_1.check(table_7_1())) == []
    for place, cell in enumerate(misconducts.CELLS):

        def wrong(kind: str, gain: float, cell: misconducts.Cell = cell) -> float:
            """Outside the cell's bounds: half of what complies, or nine times it."""
            if kind != cell.row.kind or not cell.row.has(gain):
                return 1.0
            return 0.5 if cell.low > 0 else 9.0

        found = xcp_t7_1.check(table_7_1(**{cell.measure: wrong}))
        assert found[place].verdict is Verdict.FAILS, cell


def test_gains_that_are_not_asked_do_not_decide() -> None:
    (faster,) = [cell for cell in misconducts.CELLS if cell.paper == "makes system faster"]
    assert faster.asks(1.5)
    assert not faster.asks(3.0)
