"""Section 8.1 of XCP's thesis: the room of queues in a cloud, and claims that can fail."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sluice
from sluice.papers.xcp import clouds, xcp_8_buffer, xcp_8_core

from .seeded import failing, seeded


def sized(**columns: Callable[[float], float]) -> sluice.Frame:
    """A table of xcp-8-buffer in which the thesis is right at each size, but for these columns."""
    usual: dict[str, Callable[[float], float]] = {
        "stream": lambda kb: 1.0,
        "utilization": lambda kb: 0.99 if kb else 0.98,
        "empty": lambda kb: 0.4 if kb < 100 else 0.01,
        "core_ms": lambda kb: 1.0,
        "tcp_ms": lambda kb: 15.0 if kb else 30.0,
        "all_ms": lambda kb: 20.0 if kb else 30.0,
        "stream_ms": lambda kb: 1300.0 if kb else 60.0,
    }
    points = [{"kb": kb} for kb in (0.0, *xcp_8_buffer.SIZES)]
    return seeded(points, usual | columns)


@pytest.mark.parametrize(
    ("columns", "fails", "reason"),
    [
        ({}, [], ""),
        (
            {"stream": lambda kb: 1.5 if kb == 25 else 1.0},
            [0],
            "with 25 kB, 1.0% of the link are unused",
        ),
        (
            {"utilization": lambda kb: 0.9 if kb == 25 else 0.95},
            [1],
            "is empty in 40% of samples with 25 kB, in 1% with 150 kB",
        ),
        (
            {"tcp_ms": lambda kb: 100.0 if kb == 150 else 30.0 - kb / 10},
            [2],
            "with 150 kB, 99.0% of the time is at ingress routers",
        ),
        (
            {"all_ms": lambda kb: 100.0 if kb == 150 else 30.0 - kb / 10},
            [3],
            "with 150 kB, packets of the stream take 1300 ms on their way, under CSFQ 60 ms; TCP's "
            "are 15 ms in queues",
        ),
    ],
)
def test_claims_about_sizes_can_fail(
    columns: dict[str, Callable[[float], float]], fails: list[int], reason: str
) -> None:
    claims = xcp_8_buffer.check(sized(**columns))
    assert failing(claims) == fails
    assert all(reason in claims[place].why for place in fails)


#: A column by system and size.
RoomColumn = Callable[[str, str, float, int], float]


def rooms(**columns: RoomColumn) -> sluice.Frame:
    """A table of xcp-8-core in which the cloud uses more at each size, but for these columns."""
    usual: dict[str, RoomColumn] = {
        "utilization": lambda name, room, kb, flows: 0.99 if name == "XCP cloud" else 0.95,
        "empty": lambda name, room, kb, flows: 0.3,
        "core_ms": lambda name, room, kb, flows: 0.5 if name == "XCP cloud" else 1.0,
    }
    points = [
        {"system": name, "room": room, "kb": kb, "flows": count}
        for name in clouds.NAMES
        for room in (xcp_8_core.CORE, xcp_8_core.ALL)
        for kb in xcp_8_core.SIZES
        if room == xcp_8_core.CORE or kb > 5
        for count in xcp_8_core.COUNTS
    ]
    return seeded(points, usual | columns)


@pytest.mark.parametrize(
    ("kb", "room", "fails"),
    [
        (5, xcp_8_core.CORE, [0]),
        (15, xcp_8_core.CORE, [1]),
        (50, xcp_8_core.CORE, [2]),
        (150, xcp_8_core.CORE, [3]),
        (15, xcp_8_core.ALL, [4]),
        (50, xcp_8_core.ALL, [5]),
        (150, xcp_8_core.ALL, [6]),
    ],
)
def test_claims_about_little_room_can_fail(kb: float, room: str, fails: list[int]) -> None:
    def used(name: str, where: str, size: float, count: int) -> float:
        worse = (where, size, count, name) == (room, kb, 10, "XCP cloud")
        return 0.9 if worse else 0.99 if name == "XCP cloud" else 0.95

    claims = xcp_8_core.check(rooms(utilization=used))
    assert failing(claims) == fails
    reason = "with 10 flows by either ingress, CSFQ uses 0.9500 of the link and the cloud 0.9000"
    assert all(reason in claims[place].why for place in fails)
    assert all("is empty in 30% of samples" in claims[place].why for place in fails)


def test_queues_of_the_core_are_compared() -> None:
    assert failing(xcp_8_core.check(rooms())) == []
    longer = rooms(core_ms=lambda name, *at: 2.0 if name == "XCP cloud" else 1.0)
    assert failing(xcp_8_core.check(longer)) == [7]


def test_all_queues_together_have_the_room() -> None:
    for size in xcp_8_core.SIZES[1:]:
        inside, ingress = xcp_8_core._rooms("XCP cloud", xcp_8_core.ALL, size)
        assert inside + 2 * ingress == size
        assert xcp_8_core._rooms("CSFQ", xcp_8_core.ALL, size)[0] == size
