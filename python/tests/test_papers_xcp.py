"""XCP-3.2 and 3.3: every registered discipline and sender, and claims that must not hold."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import pytest
import sluice
from sluice.papers import Figure, Verdict
from sluice.papers.rows import frame
from sluice.papers.xcp import disciplines, xcp_3_2, xcp_3_3
from sluice.papers.xcp.axis import Axis
from sluice.papers.xcp.bottleneck import Place
from sluice.papers.xcp.disciplines import EXEMPT, MARKING
from sluice.papers.xcp.systems import END_TO_END, EXPLICIT, OF_THE_THESIS, OTHERS, SYSTEMS
from sluice.plot.scales import number

FIGURES = [(xcp_3_2.FIGURE, xcp_3_2.AXIS), (xcp_3_3.FIGURE, xcp_3_3.AXIS)]
#: A system's utilization by place among the values: 0 is the smallest.
Used = Callable[[int], float]


def test_every_registered_discipline_is_drawn_or_exempt() -> None:
    drawn = {system.discipline for system in (OF_THE_THESIS | OTHERS).values()}
    assert drawn | set(EXEMPT) == set(sluice.names("queue"))
    assert not drawn & set(EXEMPT)
    assert drawn == set(disciplines.PARAMETERS)


def test_every_registered_sender_is_drawn() -> None:
    drawn = [system.protocol for system in (END_TO_END | EXPLICIT).values()]
    # A flow with a profile sends that, and does not fill a link. XCP derived from NCP is in ncp-21,
    # and Ledger is no paper's.
    exempt = ["ledger", "ncp_increments", "xcp_guaranteed"]
    assert sorted([*drawn, *exempt]) == sorted(sluice.names("protocol"))


def test_disciplines_that_mark_are_those_with_marks_in_their_manual() -> None:
    """``threshold`` and ``dualpi2`` always mark; the others have a switch."""
    switched = {
        name
        for name in disciplines.PARAMETERS
        if any(
            field["name"] == "ecn"
            for entry in sluice.explain(name)
            if entry["kind"] == "queue"
            for field in entry["fields"]
        )
    }
    assert set(MARKING) == switched | {"threshold", "dualpi2"}


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_scenario_is_sound_at_each_end(name: str) -> None:
    for _, axis in FIGURES:
        for value in (axis.values[0], axis.values[-1]):
            SYSTEMS[name].scenario(axis.place(value)).check()


def test_flows_start_two_round_trips_apart_on_average() -> None:
    groups = tomllib.loads(SYSTEMS["RED"].scenario(Place(155e6, 0.08)).toml)["group"]
    assert [group["direction"] for group in groups] == ["forward", "reverse"]
    # Fifty flows in a hundred round trips of 80 ms.
    assert all(group["pairs"] == "each" for group in groups)
    assert all(number(group["long"]["within"]) == (8.0, "s") for group in groups)


def test_parameters_are_those_of_the_thesis() -> None:
    # 155 Mb/s x 80 ms are 1,550,000 bytes; ten packets take 516 us.
    place = Place(155e6, 0.08)
    assert disciplines.queue("red", place)["red"] == {
        "min_th": "516667 B",
        "max_th": "1033333 B",
        "max_p": 0.1,
        "weight": 0.002,
        "gentle": True,
        "wait": True,
    }
    assert disciplines.queue("rem", place)["rem"]["period"] == "516129 ns"
    assert disciplines.queue("csfq", place)["csfq"]["k"] == "160000000 ns"


def table(axis: Axis, **used: Used) -> sluice.Frame:
    """Utilizations as the thesis has them, except those of ``used`` (``_`` for ``-``)."""

    def usual(name: str) -> Used:
        if name in OF_THE_THESIS or name in OTHERS:
            return lambda place: 0.95 - 0.05 * place
        return lambda place: 0.98 * SYSTEMS[name].target

    return frame(
        [
            {
                "system": name,
                axis.column: value,
                "seed": seed,
                "utilization": used.get(name.replace("-", "_"), usual(name))(place) + seed / 1e4,
                "queue_over_buffer": 0.5,
                "drops": 0,
            }
            for name in SYSTEMS
            for place, value in enumerate(axis.values)
            for seed in (1, 2, 3)
        ]
    )


def failing(figure: Figure[Any], axis: Axis, **used: Used) -> list[int]:
    """The places of the claims that fail; the others have to hold."""
    verdicts = [claim.verdict for claim in figure.check(table(axis, **used))]
    assert set(verdicts) <= {Verdict.HOLDS, Verdict.FAILS}
    return [place for place, verdict in enumerate(verdicts) if verdict is Verdict.FAILS]


@pytest.mark.parametrize(("figure", "axis"), FIGURES)
def test_each_claim_holds_for_the_thesis_and_fails_for_another(
    figure: Figure[Any], axis: Axis
) -> None:
    assert failing(figure, axis) == []
    # TCP that wastes as much at each value, and TCP that falls a little.
    assert failing(figure, axis, RED=lambda place: 0.85) == [0]
    assert failing(figure, axis, REM=lambda place: 0.95 - 0.015 * place) == [1]
    assert failing(figure, axis, WFQ=lambda place: 1.0) == [2]
    assert failing(figure, axis, XCP=lambda place: 0.98 if place else 0.9) == [3, 6]
    # TCP rises above XCP.
    assert failing(figure, axis, AVQ=lambda place: 0.9 + 0.03 * place) == [0, 1, 4]
    assert failing(figure, axis, Swift=lambda place: 0.9 - 0.1 * place) == [5]
    assert failing(figure, axis, NCP=lambda place: 0.85) == [6]


@pytest.mark.parametrize(("figure", "axis"), FIGURES)
def test_a_trend_that_fails_lists_utilization_and_queue(figure: Figure[Any], axis: Axis) -> None:
    claim = figure.check(table(axis, RED=lambda place: 0.8 + 0.01 * place))[0]
    assert claim.verdict is Verdict.FAILS
    assert claim.why.endswith("RED 0.80 to 0.83 with a mean queue of 0.50 to 0.50 BDP")


@pytest.mark.parametrize(("figure", "axis"), FIGURES)
def test_each_system_is_in_a_panel(figure: Figure[Any], axis: Axis) -> None:
    panels = figure.plot(table(axis)).axes
    legends = [panel.get_legend() for panel in panels]
    shown = [text.get_text() for legend in legends if legend for text in legend.get_texts()]
    assert shown == list(SYSTEMS)
