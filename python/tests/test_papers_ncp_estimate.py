"""The figures that hold formulas without packets against packets."""

from __future__ import annotations

import dataclasses
import tomllib
from typing import Any

import numpy
import pytest
from sluice.frame import Frame
from sluice.papers.ncp import ncp_3, ncp_estimate
from sluice.papers.ncp.drawn import SHAPES, Drawn
from sluice.papers.rows import frame
from sluice.papers.verdict import Verdict

HOLDS, FAILS, OPEN = Verdict.HOLDS, Verdict.FAILS, Verdict.UNDECIDED


def tables(factor: dict[str, float], estimated: float | None = 1.0) -> Frame:
    """The paper's tables as if they were measured, times a factor of a law."""
    return frame(
        [
            {
                "law": law.title,
                "reading": reading,
                "capacity": capacity,
                "seed": seed,
                "printed_s": printed,
                "estimated_s": None if estimated is None else estimated * printed,
                "flows": 100,
                "unfinished": 0,
                "packets_s": printed * factor.get(law.title, 1.0) * (1 + 1e-4 * seed),
                "shared_s": printed,
            }
            for law in ncp_3.LAWS.values()
            for reading in ncp_3.READINGS
            for capacity, printed in zip(ncp_3.CAPACITIES, law.printed_s, strict=True)
            for seed in (1, 2, 3)
        ]
    )


def verdicts(table: Frame) -> dict[str, Verdict]:
    return {claim.says: claim.verdict for claim in ncp_3.check(table)}


def test_the_paper_has_its_own_claims() -> None:
    found = verdicts(tables({}))
    # NCP-S's table is that of NCP to the digit at two capacities, where it is not below.
    outperforms = [says for says in found if says.startswith("NCP-S outperforms")]
    assert {says for says, verdict in found.items() if verdict is not HOLDS} <= {*outperforms}


@pytest.mark.parametrize(
    ("factor", "begin"),
    [
        ({"NCP-S": 3.0}, "NCP-S outperforms them all"),
        ({"NCP": 4.0}, "NCP outperforms both"),
        ({"RCP": 0.3}, "RCP does not always"),
        ({"RCP": 1.1}, "RCP outperforms TCP at 200 packets/s alone"),
        ({"TCP": 1.5}, "Figure 3"),
        ({"NCP-S": 0.5}, "Figure 6"),
    ],
)
def test_each_sentence_can_fail(factor: dict[str, float], begin: str) -> None:
    found = verdicts(tables(factor))
    judged = [verdict for says, verdict in found.items() if says.startswith(begin)]
    assert judged and all(verdict is FAILS for verdict in judged)


def test_an_estimate_that_is_off_fails_and_a_missing_one_is_open() -> None:
    for estimated, verdict in ((1.0, HOLDS), (1.4, FAILS), (None, OPEN)):
        found = verdicts(tables({}, estimated))
        judged = [each for says, each in found.items() if says.startswith("formulas")]
        assert judged == [verdict] * len(ncp_3.LAWS)


@pytest.mark.parametrize("reading", ncp_3.READINGS)
def test_files_are_those_of_the_tables(reading: str) -> None:
    scenario = ncp_3.scenario(ncp_3.LAWS["TCP"], reading, 200, 40)
    fields = tomllib.loads(scenario.toml)
    [group] = fields["group"]
    [traffic] = [group[name] for name in ("poisson", "incast") if name in group]
    assert traffic["sizes"]["uniform"] == {"min": "200 packets", "max": "800 packets"}
    # C/10 packets are a BDP of 0.1 s.
    assert fields["topology"]["dumbbell"]["buffer"] == "20 packets"


def points(ratios: dict[int, float], **other: Any) -> Frame:
    """A group for each scenario, the same under all systems."""
    row = {"shape": SHAPES[0], "load": 0.5, "group": "flows", "measured_s": 1.0, "state": "sure"}
    return frame(
        [
            row | {"scenario": number, "law": title, "estimated_s": ratio, "ratio": ratio} | other
            for title in ncp_estimate.SYSTEMS
            for number, ratio in ratios.items()
        ]
    )


def test_nine_tenths_of_the_scenarios_are_to_be_close() -> None:
    close = dict.fromkeys(range(100), 1.2)
    for far, verdict in ((0, HOLDS), (10, OPEN), (30, FAILS)):
        ratios = close | dict.fromkeys(range(far), 0.5)
        claims = ncp_estimate.check(points(ratios))
        assert [claim.verdict for claim in claims] == [verdict] * len(ncp_estimate.SYSTEMS)


def test_scenarios_with_a_doubt_or_without_an_estimate_do_not_count() -> None:
    ratios = dict.fromkeys(range(100), 1.0)
    sure = points(ratios)
    for state, ratio in (("doubted", 9.0), ("none", None)):
        more = points(dict.fromkeys(range(50), 9.0), state=state, ratio=ratio)
        both = frame([*sure.arrow.to_pylist(), *more.arrow.to_pylist()])
        claims = ncp_estimate.check(both)
        assert all("50 of 100 scenarios" in claim.ours for claim in claims)
        assert all(claim.verdict is not FAILS for claim in claims)


def test_nothing_sure_is_not_decided() -> None:
    claims = ncp_estimate.check(points({1: 1.0}, state="none", ratio=None))
    assert {claim.verdict for claim in claims} == {OPEN}


def test_any_number_of_scenarios_begins_with_the_same_ones() -> None:
    first = [Drawn.of(number) for number in range(12)]
    assert first == [Drawn.of(number) for number in range(12)]
    assert {drawn.shape for drawn in first} == {*SHAPES}
    assert len({drawn.capacity_bps for drawn in first}) == 12


@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_drawn_scenarios_have_their_load(number: int) -> None:
    """By the estimate of the fluid, whose links carry what arrives."""
    from sluice import estimate

    drawn = dataclasses.replace(Drawn.of(number), load=0.4)
    links = estimate(drawn.scenario(100), ["rcp"]).links().where(protocol="max_min")
    slow = links["capacity_bps"] == drawn.capacity_bps
    stream = drawn.stream if drawn.shape == "beside a stream" else 0.0
    expected = {"beside long flows": 1.0}.get(drawn.shape, 0.4 + stream)
    assert links["load"][slow].max() == pytest.approx(expected, rel=0.06)
    assert numpy.isfinite(links["load"]).all()
