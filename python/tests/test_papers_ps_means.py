"""Figures 9 to 11 of PS: what their claims take for holding."""

from __future__ import annotations

from typing import Any

import pyarrow
import pytest
import sluice
from sluice.papers import completion
from sluice.papers.ps import apart, by_mean, ps_9, ps_10, ps_11

SEEDS = range(1, 6)


def seconds(times: dict[str, float], seed: int) -> dict[str, float]:
    """Mean completion times, as multiples of processor sharing's; seeds differ a little."""
    every = {"max_min": 1.0, completion.FORMULA: 1.0, apart.QUICKER: 1.0} | times
    return {
        name: time * (1 + (0.001 * seed if name in times else 0)) for name, time in every.items()
    }


def frame(column: str, cells: list[tuple[int, int, int, dict[str, float]]]) -> sluice.Frame:
    rows: list[dict[str, Any]] = [
        {
            column: at,
            "protocol": name,
            "seed": seed,
            "packets_from": begin,
            "packets_to": end,
            "mean_s": mean_s,
        }
        for at, begin, end, times in cells
        for seed in SEEDS
        for name, mean_s in seconds(times, seed).items()
    ]
    return sluice.Frame(pyarrow.Table.from_pylist(rows))


@pytest.mark.parametrize(
    ("rcp", "xcp", "holds"),
    [
        (1.2, 1.3, [True] * 5),
        # RCP at the larger mean alone, on both sides, beside both.
        (1.6, 1.3, [False] + [True] * 4),
        # XCP stays where it was: no better than TCP, and no nearer.
        (1.2, 20.0, [True] * 2 + [False, False, True]),
    ],
)
def test_means_change_places(rcp: float, xcp: float, holds: list[bool]) -> None:
    small = {"rcp": 1.1, "xcp": 19.0, "tcp": 4.0}
    large = {"rcp": rcp, "xcp": xcp, "tcp": 15.0}
    sides = ((1, 7000), (7000, 10**9))
    cells = [(mean, *side, own) for mean, own in ((30, small), (30_000, large)) for side in sides]
    assert [claim.holds for claim in ps_9.check(frame("mean", cells))] == holds


def test_the_formula_of_a_mean_is_that_of_the_paper() -> None:
    """Equation (3) for 30,000 packets: 0.15 s, and 0.1 s of transmission at a fifth of the link."""
    link = by_mean.link(30_000)
    assert sluice.theory.ps(link, 30e6) == pytest.approx(0.15 + 0.1 / 0.2)
    assert link.arrivals_per_s == pytest.approx(8)


@pytest.mark.parametrize(
    ("tcp", "xcp", "holds"),
    [(15.0, 1.2, [True] * 4), (9.0, 2.0, [True, False, False, True])],
)
def test_ends_are_judged_at_every_size(tcp: float, xcp: float, holds: list[bool]) -> None:
    small = {"rcp": 1.1, "xcp": 19.0, "tcp": 4.0}
    cells = [(30, 5, 50, small), (30, 50, 500, small)]
    cells += [(30_000, 5000, 9000, {"rcp": 1.2, "xcp": 1.2, "tcp": 15.0})]
    cells += [(30_000, 9000, 10**7, {"rcp": 1.2, "xcp": xcp, "tcp": tcp})]
    assert [claim.holds for claim in ps_10.check(frame("mean", cells))] == holds


def test_a_protocol_that_favours_short_round_trips_fails() -> None:
    def claims(longest: float) -> list[bool]:
        cells = [
            (rtt, *side, {"rcp": longest if rtt == 200 else 1.1})
            for rtt in ps_11.ROUND_TRIPS
            for side in ((1, 501), (501, 10**9))
        ]
        return [claim.holds for claim in ps_11.check(frame("rtt_ms", cells))]

    assert claims(1.1) == [True, True]
    assert claims(1.45) == [True, False]
    assert claims(1.6) == [False, False]
