"""XCP's weak points: the equilibrium beside others' limits, and claims that must not hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
import sluice
from sluice.papers.rows import frame
from sluice.papers.xcp import xcp_elsewhere, xcp_newcomer, xcp_outlier, xcp_windows
from sluice.papers.xcp.equilibrium import utilization

from .seeded import failing, seeded


def test_the_equilibrium_gives_each_free_flow_a_feedback_of_zero() -> None:
    for free, limited, rate in ((1, 1, 0.1), (10, 10, 0.01), (3, 200, 1e-4)):
        y = utilization(free, limited, rate)
        share = (y - limited * rate) / free
        phi = 0.4 * (1 - y)
        h = 0.1 * y - phi
        assert h > 0
        assert (h + phi) / (free + limited) == pytest.approx(h * share / y)


def test_the_equilibrium_has_its_known_ends() -> None:
    # Without limited flows, and where their limit is above the fair share, the link is full.
    assert utilization(5, 0, 0) == 1.0
    assert utilization(10, 10, 0.05) == 1.0
    assert utilization(1, 10**6, 1e-9) == pytest.approx(0.8, abs=1e-5)
    assert utilization(1, 10**6, 1e-9, gamma=0.02) == pytest.approx(0.4 / 0.42, abs=1e-5)


def test_packets_follow_the_equilibrium(tmp_path: Any) -> None:
    """0.901 of the link by Low, Andrew and Wydrowski's equation, where max-min would fill it."""
    scenario = xcp_elsewhere._scenario(10, 10, 0.1)
    results = sluice.run(scenario, ["xcp"], seeds=[1], out=tmp_path, progress=False)
    rows = xcp_elsewhere.table({(10, 10, 0.1): results})
    assert rows["equilibrium"][0] == pytest.approx(0.901, abs=0.003)
    assert rows["utilization"][0] == pytest.approx(rows["equilibrium"][0], abs=0.005)
    assert rows["share"][0] == pytest.approx(0.80 / 0.90, abs=0.01)


def elsewhere(**changed: Callable[[int, int, float], float]) -> sluice.Frame:
    columns: dict[str, Callable[[int, int, float], float]] = {
        "utilization": lambda free, limited, gamma: 0.85 if gamma == 0.1 else 0.97,
        "equilibrium": lambda free, limited, gamma: 0.85 if gamma == 0.1 else 0.97,
        "share": lambda free, limited, gamma: 0.97,
    }
    points = [
        {"free": free, "limited": limited, "gamma": gamma}
        for gamma in xcp_elsewhere.GAMMAS
        for free in xcp_elsewhere.FREE
        for limited in xcp_elsewhere.LIMITED
    ]
    return seeded(points, columns | changed)


def test_each_claim_about_limits_elsewhere_can_fail() -> None:
    def fails(**changed: Callable[[int, int, float], float]) -> list[int]:
        return failing(xcp_elsewhere.check(elsewhere(**changed)))

    assert fails() == []
    assert fails(equilibrium=lambda free, limited, gamma: 0.9) == [0]
    assert fails(utilization=lambda free, limited, gamma: 0.7 if limited == 30 else 0.86) == [0, 1]
    assert fails(share=lambda free, limited, gamma: 0.8 if gamma == 0.1 else 0.97) == [2]
    assert fails(share=lambda free, limited, gamma: 0.97 if gamma == 0.1 else 0.9) == [3]


def newcomers(**after: float) -> sluice.Frame:
    """Newcomers have their share after these round trips."""
    usual = {"XCP, gamma 0.02": 100.0, "XCP": 20.0, "XCP, gamma 0.3": 6.0, "RCP": 3.0}
    rtts = numpy.arange(1, 101) - 0.5
    return frame(
        [
            {"system": name, "seed": seed, "rtts": float(at), "share": float(at > long + seed / 9)}
            for name, long in (usual | after).items()
            for seed in (1, 2, 3)
            for at in rtts
        ]
    )


def test_each_claim_about_newcomers_can_fail() -> None:
    def fails(**after: float) -> list[int]:
        return failing(xcp_newcomer.check(newcomers(**after)))

    assert fails() == []
    assert fails(XCP=40.0) == [0]
    assert fails(RCP=15.0) == [1]


def windows(**changed: Callable[[str, int], float]) -> sluice.Frame:
    columns: dict[str, Callable[[str, int], float]] = {
        "fastest": lambda stated, window: 1 + (0.3 if stated == "whole" else 0.2) / window,
        "utilization": lambda stated, window: 0.97 if stated == "whole" else 0.98,
    }
    points = [
        {"stated": stated, "window": window}
        for stated in xcp_windows.STATED
        for window in xcp_windows.WINDOWS
    ]
    return seeded(points, columns | changed)


def test_each_claim_about_small_windows_can_fail() -> None:
    def fails(**changed: Callable[[str, int], float]) -> list[int]:
        return failing(xcp_windows.check(windows(**changed)))

    assert fails() == []
    assert fails(fastest=lambda stated, window: 1.0001 * window) == [0, 1]
    assert fails(
        fastest=lambda stated, window: 1 + (0.2 if stated == "whole" else 0.3) / window
    ) == [1]
    assert fails(utilization=lambda stated, window: 0.98 if stated == "whole" else 0.9) == [2]


def outliers(**changed: Callable[[float], float]) -> sluice.Frame:
    columns: dict[str, Callable[[float], float]] = {
        "utilization": lambda rtt: 0.98,
        "p99_s": lambda rtt: 0.01,
        "share": lambda rtt: 1.0,
        "drops": lambda rtt: 0.0,
    }
    return seeded([{"rtt_s": rtt} for rtt in xcp_outlier.LONG_S], columns | changed)


def test_each_claim_about_long_round_trips_can_fail() -> None:
    def fails(**changed: Callable[[float], float]) -> list[int]:
        return failing(xcp_outlier.check(outliers(**changed)))

    assert fails() == []
    assert fails(utilization=lambda rtt: 0.9 if rtt == 3 else 0.98) == [0]
    assert fails(share=lambda rtt: 0.5 if rtt == 3 else 1.0) == [1]
    assert fails(drops=lambda rtt: float(rtt == 0.3)) == [2]
    longest = xcp_outlier._scenario(3.0)
    # 45 flows with 10 ms and 5 with 3 s: a mean of 309 ms.
    assert 'buffer = "5.79375 MB"' in longest.toml
