"""Chapter 8 of XCP's thesis: sound scenarios, and claims that must not hold."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import sluice
from sluice.papers.rows import frame
from sluice.papers.xcp import xcp_8_1, xcp_fallback
from sluice.papers.xcp.friendly import (
    EQUAL_THROUGHPUTS,
    EQUAL_WINDOWS,
    MIXTURES,
    ONE_QUEUE,
    RFC_WINDOWS,
    ROUTERS,
    SHORT_QUEUE,
    TFRC,
)

from .seeded import failing, seeded


@pytest.mark.parametrize("name", ROUTERS)
def test_scenarios_of_mixtures_are_sound(name: str) -> None:
    for mixture in MIXTURES:
        ROUTERS[name].scenario(mixture).set({"protocols": ["xcp"]}).check()


@pytest.mark.parametrize("path", xcp_fallback.PATHS)
def test_scenarios_of_paths_are_sound(path: str) -> None:
    for fallback in (False, True):
        scenario = xcp_fallback.PATHS[path].scenario(fallback=fallback)
        scenario.set({"protocols": ["xcp"]}).check()


Column = Callable[[str, int, int], float]


#: With which all claims hold.
COLUMNS: dict[str, Column] = {
    "tcp": lambda name, tcp, other: {
        ONE_QUEUE: 2.0,
        TFRC: 0.8,
        SHORT_QUEUE: 1.0,
        RFC_WINDOWS: 0.9,
    }.get(name, 0.95),
    "other": lambda name, tcp, other: {ONE_QUEUE: 0.2, TFRC: 1.2}.get(name, 1.05),
    "used": lambda name, tcp, other: 0.99,
    "weight": lambda name, tcp, other: 0.5,
    "tcp_window": lambda name, tcp, other: 8e3,
    "xcp_window": lambda name, tcp, other: 8e3,
    "measured_window": lambda name, tcp, other: 7.5e3,
    "waits": lambda name, tcp, other: 0.01,
    "xcp_rtt": lambda name, tcp, other: 0.04,
}


def shares(**changed: Column) -> sluice.Frame:
    points = [
        {"system": name, "tcp_flows": mixture.tcp, "other_flows": mixture.other}
        for name in ROUTERS
        for mixture in MIXTURES
    ]
    return seeded(points, COLUMNS | changed)


def test_each_claim_about_mixtures_can_fail() -> None:
    def fails(**changed: Column) -> list[int]:
        return failing(xcp_8_1.check(shares(**changed)))

    def where(router: str, value: float, column: str) -> dict[str, Column]:
        """Another value of a router with 3 flows of TCP."""

        def of(name: str, tcp: int, other: int) -> float:
            return value if (name, tcp) == (router, 3) else COLUMNS[column](name, tcp, other)

        return {column: of}

    assert fails() == []
    assert fails(**where(EQUAL_WINDOWS, 0.5, "tcp")) == [0, 3, 6]
    assert fails(**where(EQUAL_WINDOWS, 2e4, "xcp_window")) == [1]
    assert fails(**where(EQUAL_WINDOWS, 12e3, "measured_window")) == [2]
    assert fails(**where(TFRC, 1.15, "tcp")) == [3, 8]
    assert fails(**where(ONE_QUEUE, 0.9, "other")) == [4]
    assert fails(**where(SHORT_QUEUE, 0.9, "tcp")) == [5]
    assert fails(**where(RFC_WINDOWS, 1.0, "tcp")) == [6]
    assert fails(**where(EQUAL_THROUGHPUTS, 1.5, "other")) == [7, 8]
    assert fails(**where(EQUAL_THROUGHPUTS, 5e3, "measured_window")) == [9]
    assert fails(**where(EQUAL_WINDOWS, 0.9, "used")) == [10]
    assert fails(**where(SHORT_QUEUE, 0.9, "used")) == [10]


def test_noise_around_equal_shares_does_not_add_up() -> None:
    """Seeds that have more of either kind in turn are as near as their means."""
    swinging = frame([{"tcp": tcp, "other": 1.0} for tcp in (0.8, 1.25, 0.8, 1.25)])
    assert xcp_8_1._apart(swinging).mean() == pytest.approx(0, abs=1e-12)
    rows = shares().where(system=EQUAL_WINDOWS, tcp_flows=3)
    assert xcp_8_1._apart(rows).mean() == pytest.approx(math.log(1.05 / 0.95))


def test_a_reason_names_the_round_trips_of_the_run() -> None:
    table = shares(
        tcp=lambda name, tcp, other: 0.5,
        waits=lambda name, tcp, other: 0.08 if (name, tcp) == (EQUAL_WINDOWS, 3) else 0.0,
    )
    claim = xcp_8_1.check(table)[0]
    assert "3.0 with 3 TCP and 30 XCP, 1.0 with 15 TCP and 30 XCP" in claim.why
    assert "with a short queue 1.0, and TCP 0.50 of its share, with 3 TCP and 30 XCP" in claim.why


def test_reasons_name_what_a_short_queue_leaves() -> None:
    def where(short: float, other: float, of: str, tcp: int) -> float:
        return short if (of, tcp) == (SHORT_QUEUE, 15) else other

    table = shares(
        tcp=lambda name, tcp, other: where(0.6, 0.8, name, tcp),
        used=lambda name, tcp, other: where(0.9, 0.98, name, tcp),
        weight=lambda name, tcp, other: where(0.01, 0.2, name, tcp),
    )
    claims = xcp_8_1.check(table)
    assert (
        "with 15 TCP and 30 XCP, 0.900 of the link is used instead of 0.980, and XCP's weight is "
        "0.01 instead of 0.20" in claims[5].why
    )
    assert "with 15 TCP and 30 XCP, 0.980 with the queue of the thesis" in claims[10].why


def paths(**changed: Callable[[str, str], float]) -> sluice.Frame:
    columns: dict[str, Callable[[str, str], float]] = {
        "mean_s": lambda path, what: 0.1,
        "as_tcp": lambda path, what: float(path != xcp_fallback.ALL or what == xcp_fallback.TCP),
        "as_xcp": lambda path, what: float(path == xcp_fallback.ALL),
    }
    points = [{"path": path, "what": xcp_fallback.CHECKS} for path in xcp_fallback.PATHS]
    points += [
        {"path": xcp_fallback.ALL, "what": what} for what in (xcp_fallback.XCP, xcp_fallback.TCP)
    ]
    return frame(
        [
            {**point, "seed": seed}
            | {name: of(*point.values()) for name, of in (columns | changed).items()}
            for point in points
            for seed in (1, 2, 3)
        ]
    )


def test_each_claim_about_paths_can_fail() -> None:
    def fails(**changed: Callable[[str, str], float]) -> list[int]:
        return failing(xcp_fallback.check(paths(**changed)))

    assert fails() == []
    assert fails(as_tcp=lambda path, what: 0.99 * (path != xcp_fallback.ALL)) == [0]
    assert fails(as_xcp=lambda path, what: 0.5) == [1]
    assert fails(as_tcp=lambda path, what: 1.0) == [2]
