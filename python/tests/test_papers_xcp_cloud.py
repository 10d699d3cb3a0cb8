"""Section 8.1 of XCP's thesis: clouds in the simulator, and claims that can fail."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import sluice
from sluice.papers.scale import Scale
from sluice.papers.xcp import (
    clouds,
    xcp_8_back,
    xcp_8_cloud,
    xcp_8_macro,
    xcp_8_web,
    xcp_8_within,
)

from .seeded import failing, seeded

#: A column by system and rate, or number of flows.
Column = Callable[[str, float], float]
STREAM, LESS, FLOWS, MACRO, USED, CORE_MS, TCP_MS, ALL_MS = range(8)
CORE_DROPS, TCP_DROPS, ALL_DROPS, MIXED = range(8, 12)


def cloud(**columns: Column) -> sluice.Frame:
    """A table of xcp-8-cloud in which the thesis is right, but for these columns."""

    def better(of: float, than: float) -> Column:
        return lambda name, gain: of if name == clouds.CLOUD else than

    usual: dict[str, Column] = {
        "stream": lambda name, gain: gain if name == clouds.MIXED else min(gain, 1.0),
        "jain": better(0.999, 0.9),
        "off": better(0.01, 0.1),
        "empty": lambda name, gain: 0.25,
        "utilization": better(0.99, 0.98),
        "core_ms": better(0.5, 30.0),
        "tcp_ms": better(15.0, 30.0),
        "all_ms": better(20.0, 30.0),
        "stream_ms": better(400.0, 60.0),
        "core_drops": better(0.0, 0.02),
        "tcp_drops": better(0.01, 0.02),
        "all_drops": better(0.01, 0.02),
    }
    points = [
        {"system": name, "gain": gain} for name in clouds.SYSTEMS for gain in xcp_8_cloud.GAINS
    ]
    return seeded(points, usual | columns)


def test_a_cloud_as_the_thesis_has_it_passes() -> None:
    assert failing(xcp_8_cloud.check(cloud())) == []


@pytest.mark.parametrize(
    ("column", "value", "fails"),
    [
        ("stream", lambda name, gain: gain, [STREAM]),
        ("stream", lambda name, gain: 0.4 * gain, [STREAM, LESS, MIXED]),
        ("jain", lambda name, gain: 0.9 if name == "XCP cloud" else 0.95, [FLOWS]),
        ("off", lambda name, gain: 0.1 if name == "XCP cloud" else 0.05, [MACRO]),
        ("utilization", lambda name, gain: 0.9 if name == "XCP cloud" else 0.95, [USED]),
        ("core_ms", lambda name, gain: 40.0 if name == "XCP cloud" else 30.0, [CORE_MS]),
        ("tcp_ms", lambda name, gain: 40.0 if name == "XCP cloud" else 30.0, [TCP_MS]),
        ("all_ms", lambda name, gain: 40.0 if name == "XCP cloud" else 30.0, [ALL_MS]),
        ("core_drops", lambda name, gain: 0.2 if name == "XCP cloud" else 0.1, [CORE_DROPS]),
        ("tcp_drops", lambda name, gain: 0.2 if name == "XCP cloud" else 0.1, [TCP_DROPS]),
        ("all_drops", lambda name, gain: 0.2 if name == "XCP cloud" else 0.1, [ALL_DROPS]),
        ("stream", lambda name, gain: min(gain, 1.0), [MIXED]),
    ],
)
def test_claims_about_the_cloud_can_fail(column: str, value: Column, fails: list[int]) -> None:
    assert failing(xcp_8_cloud.check(cloud(**{column: value}))) == fails


#: A column by system, number of flows, weight and round trip.
MacroColumn = Callable[[str, int, float, int], float]


def macro(**columns: MacroColumn) -> sluice.Frame:
    """A table of xcp-8-macro with shares by number and weight, but for these columns."""
    usual: dict[str, MacroColumn] = {
        "part": lambda name, flows, weight, rtt: 1.0,
        "counted": lambda name, flows, weight, rtt: 1.0,
        "stated": lambda name, flows, weight, rtt: 3.0,
        "empty": lambda name, flows, weight, rtt: 0.2,
        "utilization": lambda name, flows, weight, rtt: 0.99,
        "core_drops": lambda name, flows, weight, rtt: 0.0,
    }
    points = [
        {"system": name, "flows": count, "weight": 1.0, "rtt": rtt}
        for name in clouds.NAMES
        for rtt in xcp_8_macro.RTTS
        for count in (xcp_8_macro.COUNTS if rtt == 60 else xcp_8_macro.FAR_COUNTS)
    ]
    points += [
        {"system": name, "flows": xcp_8_macro.FIRST, "weight": weight, "rtt": 60}
        for name in xcp_8_macro.WEIGHTED
        for weight in xcp_8_macro.WEIGHTS
        if weight != 1
    ]
    return seeded(points, usual | columns)


@pytest.mark.parametrize(
    ("columns", "fails", "reason"),
    [
        ({}, [], ""),
        (
            # Equal shares: the ratio of 256 to 4 is farthest from 1.
            {"part": lambda name, flows, weight, rtt: 4 / flows if rtt == 60 else 1.0},
            [0],
            "with 256, the macro-flow of 4 flows states 3.0 micro-flows",
        ),
        (
            # TCP's, by round trips.
            {"part": lambda name, flows, weight, rtt: 60 / rtt},
            [1],
            "with 1 over 450 ms, the queue of the farther macro-flow is empty in 20% of samples; "
            "under others: drop tail 0.13, CSFQ 0.13",
        ),
        ({"part": lambda name, flows, weight, rtt: 1 / weight}, [2], ""),
        ({"counted": lambda name, flows, weight, rtt: 0.5 if flows == 256 else 1.0}, [3], ""),
        ({"counted": lambda name, flows, weight, rtt: 1.0 if weight == 1 else 0.5}, [3], ""),
        ({"counted": lambda name, flows, weight, rtt: 60 / rtt}, [3], ""),
        ({"utilization": lambda name, flows, weight, rtt: 0.9}, [4], ""),
        ({"core_drops": lambda name, flows, weight, rtt: 0.01}, [5], ""),
    ],
)
def test_claims_about_macro_flows_can_fail(
    columns: dict[str, MacroColumn], fails: list[int], reason: str
) -> None:
    claims = xcp_8_macro.check(macro(**columns))
    assert failing(claims) == fails
    assert all(reason in claims[place].why for place in fails)


def test_reasons_are_those_of_the_worst_points() -> None:
    def stream(name: str, gain: float) -> float:
        return 1.7 if name == clouds.OTHER and gain == 2 else min(gain, 1.0)

    def off(name: str, gain: float) -> float:
        return 0.2 if name == clouds.CLOUD and gain == 5 else 0.1

    def drops(name: str, gain: float) -> float:
        return 0.3 if name == clouds.CLOUD and gain == 2 else 0.1

    def used(name: str, gain: float) -> float:
        return 0.9 if name == clouds.CLOUD and gain == 5 else 0.95

    def waits(name: str, gain: float) -> float:
        return 50.0 if name == clouds.CLOUD and gain == 20 else 30.0

    def again(name: str, gain: float) -> float:
        return 0.03 if name == clouds.CLOUD and gain == 2 else 0.02

    claims = xcp_8_cloud.check(
        cloud(
            stream=stream,
            off=off,
            all_drops=drops,
            tcp_drops=again,
            all_ms=waits,
            utilization=used,
        )
    )
    assert (
        "at 2, CSFQ lets 1.70 shares of the stream through; at 5, the cloud departs by 20.0%, "
    ) in claims[MACRO].why
    assert "with 10.0% of the link unused, and CSFQ by 10.0%" in claims[MACRO].why
    assert "at 5, 10.0% of the link are unused" in claims[USED].why
    assert "is empty in 25% of samples" in claims[USED].why
    assert (
        "at 20, packets of the stream take 400 ms on their way, and 60 ms under CSFQ; TCP's are "
        "15 ms in queues"
    ) in claims[ALL_MS].why
    assert (
        "at 2, TCP sends 3.00% again beside 1.00 shares of the stream, under CSFQ 2.00% beside 1.70"
    ) in claims[TCP_DROPS].why
    assert (
        "at 2, the cloud drops 30.0% of packets and lets 1.00 shares of the stream through, CSFQ "
        "10.0% and 1.70"
    ) in claims[ALL_DROPS].why


def test_differences_may_be_large() -> None:
    """A departure of two shares is a difference below -1."""
    cases = cloud(off=lambda name, gain: 0.01 if name == clouds.CLOUD else 2.5)
    assert failing(xcp_8_cloud.check(cases)) == []


def within(**columns: Callable[[str, str], float]) -> sluice.Frame:
    """A table of xcp-8-within in which each flow has its share, but for these columns."""
    usual: dict[str, Callable[[str, str], float]] = {
        "low": lambda name, load: 0.5,
        "high": lambda name, load: 1.5,
        "of_fair": lambda name, load: 1.0,
        "weight": lambda name, load: 101.0,
        "jain": lambda name, load: 0.99,
        "alike": lambda name, load: 0.99,
        "ratio": lambda name, load: 1.1,
    }
    loads = (xcp_8_within.STREAMS, xcp_8_within.ROUND_TRIPS, *map(str, xcp_8_within.QUIETS))
    points = [{"system": name, "load": load} for name in clouds.NAMES for load in loads]
    return seeded(points, usual | columns)


@pytest.mark.parametrize(
    ("columns", "fails", "reason"),
    [
        ({}, [], ""),
        ({"high": lambda name, load: 3.0}, [0], ""),
        (
            {"low": lambda name, load: 0.05, "high": lambda name, load: 1.95},
            [1],
            "it has 2.5% of what both receive, and 2.4% of what they send",
        ),
        (
            {"of_fair": lambda name, load: 17.0 if load == "100" else 1.0},
            [2],
            "beside 100 quiet streams, its macro-flow states 101.0 micro-flows; it has 17.00 under "
            "drop tail, 17.00 under CSFQ",
        ),
        (
            {"of_fair": lambda name, load: 1.9 if load == xcp_8_within.STREAMS else 1.0},
            [2],
            "outside beside one that sends half its share (1.90",
        ),
        ({"of_fair": lambda name, load: 0.5 if load == "0" else 1.0}, [2], "beside 0 quiet"),
        ({"alike": lambda name, load: 0.7}, [3], ""),
        ({"jain": lambda name, load: 0.7}, [4], "the nearer ones have 1.1 times the throughput"),
    ],
)
def test_claims_about_the_inside_can_fail(
    columns: dict[str, Callable[[str, str], float]], fails: list[int], reason: str
) -> None:
    claims = xcp_8_within.check(within(**columns))
    assert failing(claims) == fails
    assert all(reason in claims[place].why for place in fails)


#: A column by system, what is beside the short flows, and their rate.
ShortColumn = Callable[[str, str, float], float]


def short(**columns: ShortColumn) -> sluice.Frame:
    """A table of xcp-8-web in which the cloud does as well as can be, but for these columns."""
    usual: dict[str, ShortColumn] = {
        "utilization": lambda name, beside, rate: 0.99,
        "others": lambda name, beside, rate: 18.0,
        "of_share": lambda name, beside, rate: 1.0,
        "seconds": lambda name, beside, rate: 0.2 if name in xcp_8_web.CLOUDS else 0.3,
        "under_way": lambda name, beside, rate: 2.5,
        "stated": lambda name, beside, rate: 10.0,
    }
    points = [
        {"system": name, "beside": beside, "rate": rate}
        for name in xcp_8_web.SYSTEMS
        for beside in xcp_8_web.BESIDE
        for rate in xcp_8_web.RATES
    ]
    return seeded(points, usual | columns)


@pytest.mark.parametrize("place", range(len(xcp_8_web.CLOUDS)))
@pytest.mark.parametrize(
    ("column", "value", "claim", "reason"),
    [
        (
            "utilization",
            0.8,
            0,
            "states 10.0 micro-flows, of which 2.5 are under way; CSFQ uses 0.990",
        ),
        (
            "of_share",
            0.7,
            1,
            "50.0% of the weights are theirs and 80.0% of the flows under way",
        ),
        ("seconds", 0.4, 2, "short flows take 0.400 s, and 0.300 s under CSFQ"),
    ],
)
def test_claims_about_short_flows_can_fail(
    place: int, column: str, value: float, claim: int, reason: str
) -> None:
    assert failing(xcp_8_web.check(short())) == []
    usual = short()[column]

    def worse(name: str, beside: str, rate: float) -> float:
        if (name, beside, rate) == (xcp_8_web.CLOUDS[place], "ten long flows", 50.0):
            return value
        return float(usual[0] if name not in xcp_8_web.CLOUDS else usual[-1])

    claims = xcp_8_web.check(short(**{column: worse}))
    at = claim * len(xcp_8_web.CLOUDS) + place
    assert failing(claims) == [at]
    assert "at 50 a second beside ten long flows" in claims[at].why
    assert reason in claims[at].why


@pytest.mark.parametrize(
    ("column", "system", "fails"),
    [
        ("", "", []),
        ("there", "XCP cloud", [0]),
        ("return", "XCP cloud", [1]),
        ("there", xcp_8_back.SAME, [2]),
        ("return", xcp_8_back.SAME, [2]),
    ],
)
def test_claims_about_both_ways_can_fail(column: str, system: str, fails: list[int]) -> None:
    def used(of: str) -> Column:
        return lambda name, back: 0.3 if (of, name, back) == (column, system, 200) else 0.99

    points = [
        {"system": name, "back": count} for name in xcp_8_back.LINES for count in xcp_8_back.COUNTS
    ]
    columns = {"there": used("there"), "return": used("return")}
    for way in ("there", "return"):
        columns |= {
            f"{way}_weight": lambda name, back: 0.8,
            f"{way}_bytes": lambda name, back: 0.04,
        }
    claims = xcp_8_back.check(seeded(points, columns))
    assert failing(claims) == fails
    reason = "with 200 back, acknowledgements have 80% of the weights and send 4% of the bytes"
    assert all(reason in claims[place].why for place in fails if place < 2)


def test_only_clouds_have_a_cloud() -> None:
    for name in clouds.SYSTEMS:
        scenario = clouds.scenario(name, [clouds.flows("one", clouds.ONE, 2)])
        entries = tomllib.loads(scenario.toml).get("cloud", [])
        assert len(entries) == name.startswith("XCP cloud")
        assert all(entry.get("mixed", False) == name.endswith("mixed") for entry in entries)


def test_scenarios_have_their_settings() -> None:
    groups = [clouds.flows("one", clouds.ONE, 2)]
    scenario = clouds.scenario(
        "XCP cloud",
        groups,
        20,
        core_kb=5,
        second_s=0.05,
        timeout_ms=200,
        measured=(60.0, 120.0),
    )
    told = tomllib.loads(scenario.toml)
    links = {(link["from"], link["to"]): link for link in told["topology"]["link"]}
    assert links[clouds.CORE]["buffer"] == "5 kB"
    assert links["in1", "c1"]["buffer"] == "150 kB"
    assert [links[into]["delay"] for into in clouds.INTO] == ["5 ms", "50 ms"]
    assert told["cloud"][0]["buffer"] == "20 kB"
    assert told["cloud"][0]["flow_timeout"] == "200 ms"
    assert (told["warm_up"], told["stop"]) == ("60 s", "120 s")


def test_ended_flows_count_by_hand(tmp_path: Path) -> None:
    """Of 20 arrivals a second that last for a time t each, 20 (t + 1 s) count on average."""
    scale = Scale(full=False, folder=tmp_path, progress=False)
    groups = [xcp_8_web._short(20), xcp_8_web._others("a stream", 20)]
    scenario = clouds.scenario("XCP cloud", groups, timeout_ms=1000)
    results = scale.run(scenario, ["tcp"], name="short")
    seconds, under_way = xcp_8_web._short_flows(results, 1)
    # Little's law, and at least two round trips for 21 packets.
    assert under_way == pytest.approx(20 * seconds, rel=0.2)
    assert 0.12 < seconds < 1
    assert clouds.stated(results, 1) == pytest.approx(20 * (1 + seconds), rel=0.2)
    # The stream sends what short flows leave.
    offered = clouds.throughputs(results, 1, "short").sum() / 0.96
    sent = float(results.flows("tcp", 1).where(group="others")["datagrams_sent"][0]) * 8e3
    assert offered + sent / 30 == pytest.approx(clouds.CAPACITY, rel=0.05)


def test_a_cloud_shares_by_hand(tmp_path: Path) -> None:
    """Two flows of TCP and a stream that sends the link's rate: a third of 20 Mb/s."""
    scale = Scale(full=False, folder=tmp_path, progress=False)
    groups = [
        clouds.flows("two", clouds.ONE, 2),
        clouds.stream("stream", clouds.TWO, clouds.CAPACITY),
    ]
    results = scale.run(clouds.scenario("XCP cloud", groups), ["tcp"], name="by-hand")
    stream = clouds.throughputs(results, 1, "stream")[0]
    assert stream == pytest.approx(clouds.CAPACITY / 3, rel=0.05)
    assert clouds.counted(results, 1) == pytest.approx(3, rel=0.05)
    assert clouds.stated(results, 1) == pytest.approx(2, rel=0.01)
    core = clouds.core(results, 1)
    assert core["core_drops"] == 0
    assert core["all_drops"] > 0.5 * 2 / 3
    assert core["all_ms"] > core["core_ms"]
    # The stream is alone at the second ingress, whose queue of 150 kB is full.
    assert core["tcp_ms"] == pytest.approx(8 * 150 / (clouds.CAPACITY / 3e3) * 1e3, rel=0.1)
    assert clouds.delay_ms(results, 1, "stream") == pytest.approx(30 + core["tcp_ms"], rel=0.05)
    rows = results.flows("tcp", 1).where(group="two")
    again = rows["resent_measured"].sum() / (rows["delivered_bytes"].sum() / 1e3)
    assert core["tcp_drops"] == pytest.approx(again)
    links = results.links("tcp", 1).where(**{"from": "in2", "to": "c1"})
    assert (int(links["macro_flows"][0]), bool(links["router"][0])) == (1, True)
