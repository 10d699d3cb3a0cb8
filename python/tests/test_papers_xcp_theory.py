"""XCP's theory and mechanisms: claims that hold for the thesis, and must not for another table."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy
import pytest
import sluice
from sluice.papers import Claim, Figure, Verdict
from sluice.papers.rows import frame
from sluice.papers.xcp import (
    controllers as runs,
)
from sluice.papers.xcp import (
    idle,
    loop,
    sender,
    xcp_2_1,
    xcp_4_1,
    xcp_4_5,
    xcp_9_1,
    xcp_b,
    xcp_eq3_1,
    xcp_t6_1,
)
from sluice.papers.xcp.xcp_4_1 import Field
from sluice.theory import linear

Row = dict[str, Any]


def failing(figure: Figure[Any], rows: Sequence[Row]) -> list[int]:
    """The places of the claims that fail; the others have to hold."""
    claims = figure.check(frame(rows))
    assert {claim.verdict for claim in claims} <= {Verdict.HOLDS, Verdict.FAILS}, claims
    return [place for place, claim in enumerate(claims) if claim.verdict is Verdict.FAILS]


def claims_of(figure: Figure[Any], rows: Sequence[Row]) -> list[Claim]:
    return figure.check(frame(rows))


#: The standard deviation of the load by site, whether flows go both ways, and alpha.
Load = Callable[[str, bool, float], float]


def as_found(site: str, both_ways: bool, alpha: float) -> float:
    """One way the edge is that of the fluid, both ways the bound."""
    edge = linear.XCP_ALPHA if both_ways else 0.93
    return 0.3 if alpha > edge else 0.01


@cache
def _computed() -> sluice.Frame:
    return xcp_b.table({})


def theory_of_xcp() -> list[Row]:
    """The rows of xcp-b without packets."""
    return _computed().arrow.to_pylist()


def stability(load: Load = as_found, gain: float = 2.2, growing: float = 1.0) -> list[Row]:
    """The table of xcp-b with the gain margin that the thesis prints."""
    theory = theory_of_xcp()
    theory[0]["gain"] = gain
    return theory + [
        {
            "kind": "packets",
            "site": site,
            "both_ways": both_ways,
            "alpha": alpha,
            "seed": seed,
            "load_sd": load(site, both_ways, alpha) * (1 + seed / 100),
            "before_sd": load(site, both_ways, alpha) / (growing + seed / 100),
            "queue_bdp": 0.1,
            "empty": 0.2,
            "round_trip": 1.5,
        }
        for site in loop.SITES
        for both_ways, (_, alphas) in loop.ALPHAS.items()
        for alpha in alphas
        for seed in (1, 2, 3)
    ]


def test_stability_holds_for_the_thesis_and_fails_for_another() -> None:
    figure = xcp_b.FIGURE
    assert failing(figure, stability()) == []
    # The gain margin that is computed is not the one that is printed.
    assert failing(figure, stability(gain=2.43)) == [2]
    # One site that oscillates below the bound, so that its edge is another.
    assert failing(figure, stability(lambda site, both, alpha: _at(site, both, alpha, 0.5))) == [
        3,
        4,
        5,
    ]
    # An edge that is not the fluid's.
    assert failing(figure, stability(lambda site, both, alpha: _at(site, both, alpha, 0.75))) == [
        4,
        5,
    ]
    assert failing(figure, stability(growing=3.0)) == [6]
    # Both ways: the thesis' own gains, then others below the bound, then stability beyond it.
    assert failing(figure, stability(lambda *at: _both(*at, edge=0.35))) == [7, 8]
    assert failing(figure, stability(lambda *at: _both(*at, edge=0.45))) == [8]
    assert failing(figure, stability(lambda *at: _both(*at, edge=0.65))) == [9]


def _at(site: str, both_ways: bool, alpha: float, edge: float) -> float:
    if site == "320 ms" and not both_ways:
        return 0.3 if alpha >= edge else 0.01
    return as_found(site, both_ways, alpha)


def _both(site: str, both_ways: bool, alpha: float, edge: float) -> float:
    if site == "1 flow" and both_ways:
        return 0.3 if alpha > edge else 0.01
    return as_found(site, both_ways, alpha)


def test_margins_are_computed_and_may_fail() -> None:
    for column, value in (("crossover", 0.6), ("gain", 0.9), ("phase", -0.1), ("growth", 0.01)):
        rows = stability()
        kind = "loop" if column == "crossover" else "below"
        next(row for row in rows if row["kind"] == kind)[column] = value
        assert failing(xcp_b.FIGURE, rows) == [0 if kind == "loop" else 1], column


def test_the_reason_for_another_gain_margin_is_computed() -> None:
    claim = claims_of(xcp_b.FIGURE, stability(gain=2.43))[2]
    assert "alpha 0.420" in claim.why
    assert linear.margins(0.42, float(linear.xcp_beta(0.42))).gain == pytest.approx(2.2, rel=0.01)
    assert "1.05 round trips" in claim.why
    assert linear.margins(0.4 * 1.05, 0.226 * 1.05**2).gain == pytest.approx(2.2, rel=0.01)


@pytest.mark.parametrize("site", loop.SITES)
def test_sites_are_sound_and_differ_in_one_respect(site: str) -> None:
    found = loop.SITES[site]
    for both_ways, (quick, full) in loop.ALPHAS.items():
        assert set(quick) <= set(full)
        found.scenario(full[-1], both_ways).check()
    first, *_ = loop.SITES.values()
    apart = [
        found.flows != first.flows,
        found.place.capacity != first.place.capacity,
        found.place.rtt != first.place.rtt,
    ]
    assert sum(apart) == (found is not first)
    assert found.place.bdp_packets / found.flows >= 10


def test_the_fluid_has_an_edge_beyond_the_bound() -> None:
    alphas = numpy.array([0.5, 0.8, 1.0])
    settled = loop.fluid(alphas) < 0.1
    assert settled.tolist() == [True, True, False]


def senders(
    used: float = 1.05,
    scarce: float = 1.05,
    empty: float = 1.05,
    acks: float = 0.5,
    sums: float = 1,
    kept: float = 0.5,
    drops: int = 0,
) -> list[Row]:
    """Round trips until rates are reached, acknowledgements for a packet, the part of the window
    that delayed ones leave, that which an idle round trip leaves, and what is dropped then."""

    def reached(rate: float, busy: bool) -> float:
        if not busy:
            return empty
        return used if sender.spare_grant(rate) >= 1 else scarce

    return (
        [
            {
                "kind": "reached",
                "rate_bps": rate,
                "used": busy,
                "seed": seed,
                "rtts": reached(rate, busy) + seed / 1e3,
                "first": 0.6,
            }
            for rate in sender.RATES
            for busy in (True, False)
            for seed in (1, 2, 3)
        ]
        + [
            {"delayed": delayed, "flow": flow, "seed": seed, **row}
            for delayed in (False, True)
            for flow in ("first", "second")
            for seed in (1, 2, 3)
            for row in [
                {"kind": "acknowledged", "acks": (acks if delayed else 1) + seed / 1e3},
                *(
                    {"kind": "window", "rtts": at, "cwnd": at * (sums if delayed else 1)}
                    for at in (1.0, 2.0)
                ),
            ]
        ]
        + [
            {
                "kind": "idle",
                "idle": rtts,
                "beside": beside,
                "seed": seed,
                "part": kept**rtts * (1 + seed / 1e4),
                "drops": drops if beside else 0,
            }
            for rtts in idle.IDLE
            for beside in (False, True)
            for seed in (1, 2, 3)
        ]
    )


def test_senders_hold_for_the_thesis_and_fail_for_another() -> None:
    figure = xcp_4_5.FIGURE
    assert failing(figure, senders()) == []
    assert failing(figure, senders(used=2)) == [0]
    assert failing(figure, senders(scarce=2)) == [1]
    assert failing(figure, senders(empty=2)) == [2]
    assert failing(figure, senders(acks=1)) == [3]
    # Acknowledgements that return the feedback of one packet in two.
    assert failing(figure, senders(sums=0.6)) == [4]
    # A window that stays, and one that is lost at once.
    assert failing(figure, senders(kept=1)) == failing(figure, senders(kept=0.1)) == [5]
    assert failing(figure, senders(drops=1)) == [6]


def test_scenarios_of_senders_are_sound() -> None:
    for rate in sender.RATES:
        for used in (True, False):
            sender.asks(rate, used).check()
    for delayed in (True, False):
        sender.joins(delayed).check()
        idle.pauses(3, delayed).check()
    # All but the last are granted in one interval.
    assert [sender.spare_grant(rate) >= 1 for rate in sender.RATES] == [True, True, True, False]


def loss(
    p: float = 2e-8, rare: float = 1.05, many: float = 0.5, power: float = 0.0, later: float = 1.0
) -> list[Row]:
    """Throughput over the equation's, with a slope that differs by ``power``, and ``later`` times
    as much over the longest round trip."""

    def over(rate: float, rtt: float) -> float:
        if rate > xcp_eq3_1.RARE:
            return many
        far = later if rtt == max(xcp_eq3_1.RTTS) else 1.0
        return rare * far * (rate / xcp_eq3_1.RARE) ** power

    return [{"kind": "example", "p": p, "rtt_s": 0.1, "bps": 1e9}] + [
        {
            "kind": "run",
            "p": rate,
            "rtt_s": rtt,
            "seed": seed,
            "bps": over(rate, rtt) * xcp_eq3_1.throughput(rate, rtt) * (1 + seed / 1e3),
            "over": over(rate, rtt) * (1 + seed / 1e3),
        }
        for rate in xcp_eq3_1.RATES
        for rtt in xcp_eq3_1.RTTS
        for seed in (1, 2, 3)
    ]


def test_the_equation_holds_for_the_thesis_and_fails_for_another() -> None:
    figure = xcp_eq3_1.FIGURE
    assert failing(figure, loss()) == []
    assert failing(figure, loss(p=2e-7)) == [0, 1]
    assert failing(figure, loss(rare=1.3)) == [2]
    # Throughput that falls as p^-0.6, which is 1.4 times the equation's at 3e-5.
    assert failing(figure, loss(power=-0.1)) == [2, 3]
    assert failing(figure, loss(rare=0.98, later=1.15)) == [4]
    assert failing(figure, loss(many=0.9)) == [5]


def test_the_example_is_computed_from_the_equation() -> None:
    p = xcp_eq3_1.drop_rate(xcp_eq3_1.RATE, xcp_eq3_1.OVER)
    assert p == pytest.approx(2.07e-8, rel=0.01)
    assert xcp_eq3_1.throughput(p, xcp_eq3_1.OVER) == pytest.approx(xcp_eq3_1.RATE)
    assert xcp_eq3_1.table({}).where(kind="example")["p"].tolist() == [p]


def windows(start: float = 1, tooth: float = 1, fall: float = 0.5, time_outs: int = 0) -> list[Row]:
    """The phases of windows, with time-outs of Reno."""
    each = {"start": start, "tooth": tooth, "fall": fall, "time-out": 1.0}
    return [
        {"system": name, "kind": kind, "seed": seed, "each": each[kind], "peak": 160.0}
        for name in xcp_2_1.RECOVERY
        for seed in (1, 2, 3)
        for kind in ("start", "tooth", "fall", *["time-out"] * (time_outs * (name == "Reno")))
    ]


def test_windows_hold_for_the_thesis_and_fail_for_another() -> None:
    figure = xcp_2_1.FIGURE
    assert failing(figure, windows()) == []
    assert failing(figure, windows(start=0.5)) == [0]
    assert failing(figure, windows(tooth=0.5)) == [1]
    assert failing(figure, windows(fall=0.7)) == [2]
    assert failing(figure, windows(time_outs=1)) == [3]


def test_phases_of_a_trace() -> None:
    # Slow start to 8, a halving, recovery without growth, a tooth of one packet for each window,
    # and a time-out.
    window = [1.0, 2, 3, 4, 5, 6, 7, 8, 4, 4, 4, 4.25, 4.48, 4.7, 1.0, 2, 3]
    acked = [0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 12, 13, 14, 15, 15, 16, 17]
    rows = list(xcp_2_1.phases(numpy.array(window), numpy.array(acked)))
    assert [row["kind"] for row in rows] == ["start", "fall", "time-out"]
    assert [row["each"] for row in rows] == [1, 0.5, 1]
    # The same with a halving at the end: the tooth is whole.
    window[14:] = [2.35, 2.35, 2.35]
    rows = list(xcp_2_1.phases(numpy.array(window), numpy.array(acked)))
    assert [row["kind"] for row in rows] == ["start", "fall", "tooth", "fall"]
    assert rows[2]["each"] == pytest.approx(1, abs=0.02)


def header(**changed: Field) -> list[Row]:
    """The fields of xcp-4-1, with others by the thesis' name."""
    return [asdict(changed.get(field.thesis, field)) for field in xcp_4_1.FIELDS]


def field(name: str) -> Field:
    return next(each for each in xcp_4_1.FIELDS if each.thesis == name)


def test_the_header_holds_for_the_thesis_and_fails_for_another() -> None:
    figure = xcp_4_1.FIGURE
    assert failing(figure, header()) == []
    # Times in milliseconds, and feedback of 16 bits.
    coarse = replace(field("H_throughput"), unit=1e-3)
    assert failing(figure, header(H_throughput=coarse)) == [0]
    narrow = replace(field("H_feedback"), largest=2**15 - 1)
    assert failing(figure, header(H_feedback=narrow)) == [0]


def test_fields_cover_the_option_once() -> None:
    bits = [
        32 * field.row + bit
        for field in xcp_4_1.FIELDS
        for bit in range(field.first_bit, field.first_bit + field.bits)
    ]
    assert bits == list(range(32 * xcp_4_1.ROWS))


LAWS = Path(__file__).parents[2] / "crates" / "sluice-laws" / "src"


@pytest.mark.skipif(not LAWS.exists(), reason="the package is not in its repository")
def test_fields_are_those_of_the_source() -> None:
    source = (LAWS / "xcp" / "header.rs").read_text(encoding="utf-8")
    words = re.findall(r"^    pub (\w+): ([ui])32,", source, re.MULTILINE)
    assert words == [("x", "u"), ("rtt", "u"), ("delta", "i"), ("reverse", "i")]
    assert "let [x, rtt, delta, reverse] = wire.get();" in source
    named = ["H_throughput", "H_rtt", "H_feedback"]
    forward = [each for each in xcp_4_1.FIELDS if each.row >= 2]
    assert [each.thesis for each in forward] == named
    for each, (_, sign) in zip(forward, words, strict=False):
        assert (each.first_bit, each.bits) == (0, 32)
        assert each.largest == (2**31 if sign == "i" else 2**32) - 1
    form = re.search(r"Form \{ law: (\d+), forward: (\d+), echo: (.*) \}", source)
    assert form
    assert form.groups() == ("2", str(len(forward)), "Coding::Feedback")
    # What a router writes: nothing but the feedback.
    stamped = (LAWS / "xcp" / "feedback.rs").read_text(encoding="utf-8").partition("mod tests")[0]
    assert set(re.findall(r"header\.(\w+) = ", stamped)) == {"delta"}
    assert [each.thesis for each in forward if each.writer == xcp_4_1.ROUTER] == ["H_feedback"]


@pytest.mark.skipif(not LAWS.exists(), reason="the package is not in its repository")
def test_the_option_is_that_of_the_source() -> None:
    option = (LAWS / "wire" / "option.rs").read_text(encoding="utf-8")
    names = [each.name for each in xcp_4_1.FIELDS]
    constants = dict(re.findall(r"pub const (\w+): u\d+ = (\w+);", option))
    kind, exid, version = (constants[name] for name in ("KIND", "EXID", "VERSION"))
    assert {f"kind {kind}", f"ExID {exid}", f"version {version}", "law 2"} <= set(names)
    assert f"length {4 * xcp_4_1.ROWS}" in names
    ticks = (LAWS / "wire" / "ticks.rs").read_text(encoding="utf-8")
    assert f"FRACTION_BITS: u32 = {-round(math.log2(xcp_4_1.TICK))};" in ticks


def controllers(
    efficiency: float = 0.0,
    fairness: float = 0.0,
    used: float = 0.99,
    over: float = 1.0,
    stalled: float = 0.1,
) -> list[Row]:
    """The sides of equations, utilization without shuffling, and shares over weights."""

    def share(name: str, flow: int) -> float:
        if name in runs.FAIR:
            return over if flow == 0 else 1.0
        return stalled

    rows: list[Row] = []
    for name in runs.DIVISIONS:
        for seed in (1, 2, 3):
            own = {"division": name, "seed": seed}
            full = used if name == "without shuffling" else 0.99
            sides = {"efficiency": efficiency, "fairness": fairness, "utilization": full}
            rows.append({"kind": "sides", **own, **sides})
            rows += [
                {"kind": "share", **own, "flow": flow, "over": share(name, flow)}
                for flow in range(3)
            ]
    return rows


def test_controllers_hold_for_the_thesis_and_fail_for_another() -> None:
    figure = xcp_9_1.FIGURE
    assert failing(figure, controllers()) == []
    assert failing(figure, controllers(efficiency=0.1)) == [0]
    assert failing(figure, controllers(fairness=0.1)) == [1]
    assert failing(figure, controllers(used=0.9)) == [2]
    assert failing(figure, controllers(over=1.2)) == [3]
    assert failing(figure, controllers(stalled=0.9)) == [4]


@pytest.mark.parametrize("name", runs.DIVISIONS)
def test_scenarios_of_controllers_are_sound(name: str) -> None:
    runs.scenario(name).set({"protocols": ["xcp"]}).check()


def test_the_equation_of_the_router_is_that_of_its_defaults() -> None:
    fields = {each["name"]: each for each in sluice.explain("xcp")[0]["fields"]}
    for name, value in (("alpha", runs.ALPHA), ("beta", runs.BETA), ("gamma", runs.GAMMA)):
        assert float(fields[name]["default"]) == value
    assert sender.ALPHA == runs.ALPHA == xcp_b.THESIS[0]
    assert xcp_b.THESIS[1] == runs.BETA


def services(
    weighted: float = 1.0,
    queued: float = 1.0,
    relative: float = 0.2,
    absolute: float = 1.0,
    packets: float = 2.0,
) -> list[Row]:
    """Ratios to weights in XCP and in queues, ratios of throughput beside many to that beside few,
    and delays."""

    def row(name: str, others: int, streams: int, seed: int) -> Row:
        model = xcp_t6_1.MODELS[name]
        kept = absolute if model.absolute else relative
        over = weighted if name == xcp_t6_1.XCP else queued
        return {
            "model": name,
            "absolute": model.absolute,
            "others": others,
            "streams": streams,
            "seed": seed,
            "bps": 5e6 * (1 if others == min(xcp_t6_1.OTHERS) else kept) * (1 + seed / 1e3),
            "over": xcp_t6_1.WEIGHT * over * (1 + seed / 1e3),
            "least": 1.0 if streams <= xcp_t6_1.FULL else 0.5,
            "delay_s": packets / 1250,
        }

    points = [(name, others, 1) for name in xcp_t6_1.MODELS for others in xcp_t6_1.OTHERS]
    points += [(xcp_t6_1.PRIORITY, xcp_t6_1.OTHERS[0], more) for more in xcp_t6_1.STREAMS[1:]]
    return [row(*point, seed) for point in points for seed in (1, 2, 3)]


def test_services_hold_for_the_thesis_and_fail_for_another() -> None:
    figure = xcp_t6_1.FIGURE
    assert failing(figure, services()) == []
    assert failing(figure, services(weighted=0.7)) == [0]
    assert failing(figure, services(queued=0.7)) == [1]
    assert failing(figure, services(relative=0.9)) == [2]
    assert failing(figure, services(absolute=0.8)) == [3]
    assert failing(figure, services(packets=50)) == [4]


@pytest.mark.parametrize("name", xcp_t6_1.MODELS)
def test_scenarios_of_services_are_sound(name: str) -> None:
    xcp_t6_1.MODELS[name].scenario(max(xcp_t6_1.OTHERS), 2).check()


def test_streams_have_priority() -> None:
    model = xcp_t6_1.MODELS[xcp_t6_1.PRIORITY]
    group, *others = tomllib.loads(model.scenario(4, 3).toml)["group"]
    assert (group["class"], group["udp"]["count"]) == (1, 3)
    assert "long" not in group
    assert all(other.get("class", 0) == 0 and "long" in other for other in others)
