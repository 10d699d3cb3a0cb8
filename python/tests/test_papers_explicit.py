"""Explicit rates beside other congestion control: settings by hand, and claims that must fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
import sluice
from sluice.papers import Claim
from sluice.papers.explicit import (
    by_size,
    explicit_access,
    explicit_centre,
    explicit_conditions,
    explicit_hidden,
    explicit_incast,
    explicit_mixed,
    explicit_short,
    explicit_varying,
    systems,
)
from sluice.papers.explicit.systems import EXPLICIT, SYSTEMS
from sluice.papers.rows import frame


def rows(value: Callable[..., dict[str, Any]], *of: Iterable[Any]) -> sluice.Frame:
    """A row for each system, three seeds and combinations of ``of``."""
    places: list[tuple[Any, ...]] = [()]
    for values in of:
        places = [(*place, each) for place in places for each in values]
    return frame(
        [
            {"system": name, "seed": seed, **value(name, *place)}
            for name in SYSTEMS
            for seed in (1, 2, 3)
            for place in places
        ]
    )


def holding(claims: list[Claim]) -> list[bool]:
    return [claim.holds for claim in claims]


def test_settings_follow_the_path() -> None:
    path = systems.Path(congested=[("a", "b")], capacity=100e6, rtt=0.07)
    # C RTT / 7 = 100 Mb/s x 10 ms = 125 kB.
    queue = {"threshold": {"mark_above": "125000 B"}}
    dctcp = path.settings(SYSTEMS["DCTCP"])
    assert dctcp["link"] == [{"from": "a", "to": "b", "queue": queue}]
    assert path.settings(SYSTEMS["Swift"])["swift.base_target"] == "77000000 ns"
    assert path.settings(SYSTEMS["RCP"])["header"] == "56 B"
    assert path.settings(SYSTEMS["CUBIC"]) == {"header": "40 B", "control": "40 B"}
    assert explicit_centre.PATH.settings(SYSTEMS["DCTCP"])["link"][0]["queue"] == {
        "threshold": {"mark_above": "97500 B"}
    }


@pytest.mark.parametrize("name", SYSTEMS)
def test_scenarios_are_sound(name: str) -> None:
    incast = explicit_incast._scenario(4, 1).set(explicit_incast.PATH.settings(SYSTEMS[name]))
    hidden = explicit_hidden._scenario(0.5).set(explicit_hidden.PATH.settings(SYSTEMS[name]))
    of_conditions = [
        explicit_conditions._scenario(condition).set(
            explicit_conditions.PATH.settings(SYSTEMS[name])
        )
        for condition in explicit_conditions.CONDITIONS.values()
    ]
    mixed = [
        explicit_mixed._scenario(beside, 0.5).set(explicit_mixed.PATH.settings(SYSTEMS[name]))
        for beside in ("cubic", "udp")
    ]
    for scenario in (incast, hidden, *of_conditions, *mixed):
        scenario.set({"protocols": [SYSTEMS[name].protocol]}).check()


def test_each_size_and_each_other_system_counts() -> None:
    def table(slow: str, size: int) -> sluice.Frame:
        def value(name: str, size_from: int) -> dict[str, Any]:
            own = 1.1 if (name, size_from) == (slow, size) else 0.9
            took = own if name in EXPLICIT else 1.0
            return {"size_from": size_from, "mean_s": took, "flows": 9, "unfinished": 0}

        return rows(value, by_size.CLASSES)

    check = explicit_access.NETWORK.check
    assert holding(check(table("none", 1))) == [True] * 4
    assert holding(check(table("XCP", 10))) == [True, True, False, True]


def test_short_flows_gain_nothing_and_long_ones_do() -> None:
    def table(trips: float) -> sluice.Frame:
        return frame(
            [
                {
                    "system": name,
                    "open": is_open,
                    "packets": packets,
                    "round_trips": 1.5 - is_open if packets <= 10 else took,
                }
                for name in SYSTEMS
                for is_open in (False, True)
                for packets in explicit_short.PACKETS
                for took in [trips if name in EXPLICIT else 4.5 - is_open]
            ]
        )

    assert holding(explicit_short.check(table(1.5))) == [True] * 6
    assert holding(explicit_short.check(table(3.6))) == [True, True, *[False] * 4]


def test_an_incast_counts_at_each_number_of_senders() -> None:
    def table(slow: int) -> sluice.Frame:
        def value(name: str, senders: int) -> dict[str, Any]:
            own = 3.0 if (name, senders) == ("RCP", slow) else 1.0
            ratio = own if name in EXPLICIT else 2.0
            return {"senders": senders, "ratio": ratio, "repeats": 0.5}

        return rows(value, explicit_incast.SENDERS)

    assert holding(explicit_incast.check(table(slow=0))) == [True] * 4
    claims = explicit_incast.check(table(slow=64))
    assert holding(claims) == [False, True, True, True]
    assert "retransmitted 0.50 times" in claims[0].why


def test_a_hidden_bottleneck_must_be_used_without_losses() -> None:
    def table(**other: float) -> sluice.Frame:
        good = {"delivered": 0.9, "repeats": 0.01, "jain": 1.0}
        return rows(
            lambda name, share: {"share": share, **good, **(other if name == "NCP" else {})},
            explicit_hidden.HIDDEN,
        )

    assert holding(explicit_hidden.check(table())) == [True] * 9
    assert holding(explicit_hidden.check(table(jain=0.9))) == [False, *[True] * 8]
    assert holding(explicit_hidden.check(table(delivered=0.7))) == [*[True] * 7, False, True]
    assert holding(explicit_hidden.check(table(repeats=0.1))) == [*[True] * 8, False]


def test_a_varying_link_is_judged_by_use_and_by_time() -> None:
    def table(used: float, took: float) -> sluice.Frame:
        def value(name: str) -> dict[str, Any]:
            own = name in EXPLICIT
            return {"utilization": used if own else 0.8, "mean_s": took if own else 1.0}

        return rows(value)

    assert holding(explicit_varying.check(table(0.9, 0.5))) == [True] * 8
    assert holding(explicit_varying.check(table(0.7, 0.5))) == [False, True] * 4
    assert holding(explicit_varying.check(table(0.9, 1.5))) == [True, False] * 4


def test_shares_beside_others_are_kept_or_not() -> None:
    def table(cubic: float, udp: float) -> sluice.Frame:
        cases = [("cubic", value) for value in explicit_mixed.BUFFERS]
        cases += [("udp", value) for value in explicit_mixed.STREAMS]

        def value(name: str, case: tuple[str, float]) -> dict[str, Any]:
            beside, at = case
            return {"beside": beside, "value": at, "ratio": cubic if beside == "cubic" else udp}

        return rows(value, cases)

    assert holding(explicit_mixed.check(table(1.0, 0.9))) == [True] * 8
    # Too much is no share either, and too little beside a stream.
    assert holding(explicit_mixed.check(table(1.5, 0.9))) == [False, True] * 4
    assert holding(explicit_mixed.check(table(1.0, 0.5))) == [True, False] * 4


def test_a_share_beside_a_stream_is_at_most_that_of_ten() -> None:
    assert explicit_mixed._fair("cubic", 4.0) == 50e6
    assert explicit_mixed._fair("udp", 0.05) == 90e6
    assert explicit_mixed._fair("udp", 0.75) == 25e6
    assert explicit_mixed._fair("udp", 1.25) == 90e6


def test_every_condition_counts() -> None:
    def table(condition: str, **other: float) -> sluice.Frame:
        def value(name: str, at: str) -> dict[str, Any]:
            good = {"condition": at, "used": 0.9, "jain": 0.99}
            return good | (other if name == "XCP" and at == condition else {})

        return rows(value, explicit_conditions.CONDITIONS)

    check = explicit_conditions.check
    assert holding(check(table("none"))) == [True] * 8
    assert holding(check(table("loss 1 %", used=0.7))) == [*[True] * 4, False, *[True] * 3]
    assert holding(check(table("new path", jain=0.8))) == [*[True] * 5, False, *[True] * 2]
