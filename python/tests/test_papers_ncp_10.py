"""NCP's case studies: core-stateless fair queueing, and priorities."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import sluice
from sluice.papers.claim import Claim
from sluice.papers.ncp import fair_cases, ncp_10_csfq, ncp_10_priority, priority_cases
from sluice.papers.rows import frame
from sluice.papers.xcp.fair_shares import max_min

from .seeded import seeded

Column = Callable[[str, str], float]


def verdicts(claims: list[Claim], words: str) -> set[str]:
    """Of the claims that say this."""
    return {str(claim.verdict) for claim in claims if words in claim.says}


def test_fair_rates_are_max_min() -> None:
    """By filling all at once; a flow that sends less than the link is held by a link of its own."""
    for name, case in fair_cases.CASES.items():
        if name == fair_cases.ON_OFF:
            continue  # Its streams send at most four shares, half of the time.
        links = [fair_cases.CAPACITY] * len(case.shared)
        routes, fair = [], []
        for flows in case.flows:
            udp = flows.settings.get("udp")
            kind = udp or flows.settings["long"]
            nodes = [link[0] for link in case.shared] + [case.shared[-1][1]]
            start = max(
                nodes.index(flows.settings["from"]) if flows.settings["from"] in nodes else 0, 0
            )
            crossed = list(range(start, nodes.index(flows.settings["to"])))
            for _ in range(kind["count"]):
                routes.append([*crossed, len(links)])
                links.append(float(udp["rate"].split()[0]) if udp else math.inf)
                fair.append(flows.fair)
        limits = [min(link, fair_cases.CAPACITY) for link in links]
        assert max_min(limits, routes) == pytest.approx(fair, rel=1e-5), name


def shares(**changed: Column) -> sluice.Frame:
    """A table for which each of the hopes holds."""

    def deviation(case: str, system: str) -> float:
        return {ncp_10_csfq.CSFQ: 0.08, ncp_10_csfq.DRR: 0.001}.get(system, 0.02)

    columns: dict[str, Column] = {
        "deviation": deviation,
        "stream": deviation,
        "noise": lambda *_: 0.01,
        "worst": lambda *_: 2.0,
        "utilization": lambda *_: 0.98,
        "loss": lambda *_: 0.0,
        "counted": lambda *_: 1.0,
    }
    points = [
        {"case": case, "system": system}
        for case in fair_cases.CASES
        for system in [*ncp_10_csfq.QUEUES, ncp_10_csfq.NCP]
    ]
    rows = seeded(points, columns | changed).arrow.to_pylist()
    return frame([{"kind": "run"} | row for row in rows])


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        (
            "more accuracy than CSFQ",
            {"deviation": lambda case, system: 0.08 + 0.01 * ("8" in system)},
        ),
        (
            "a stream beside TCP",
            {"stream": lambda case, system: 0.1 + 0.1 * (system != ncp_10_csfq.CSFQ)},
        ),
        ("gets the share:", {"worst": lambda *_: 4.0}),
        ("count the flows", {"counted": lambda *_: 1.1}),
        ("lose nothing", {"loss": lambda *_: 0.01}),
        ("the others get", {"utilization": lambda *_: 0.5}),
        (
            "before the ingress",
            {"deviation": lambda case, _: 0.02 + 0.01 * (case == ncp_10_csfq.INGRESS)},
        ),
        (
            "before the ingress",
            {"counted": lambda case, _: 1 + 0.01 * (case == ncp_10_csfq.INGRESS)},
        ),
        ("NCP itself", {"deviation": lambda case, system: 0.1 + 0.1 * (system == "NCP hosts")}),
    ],
)
def test_each_claim_about_shares_can_fail(words: str, changed: dict[str, Column]) -> None:
    assert verdicts(ncp_10_csfq.check(shares()), words) == {"holds"}
    assert "fails" in verdicts(ncp_10_csfq.check(shares(**changed)), words)


def test_labels_add_up_in_packets(tmp_path: Any) -> None:
    """By (8) what 16 streams leave stays unused: 1/8 + 1/2 of the link, by hand. By (12) it does
    not."""
    case = fair_cases.CASES[fair_cases.BELOW]
    found = {}
    for system in (ncp_10_csfq.BY_8, ncp_10_csfq.BY_12):
        scenario = case.scenario(ncp_10_csfq.QUEUES[system], 15)
        results = sluice.run(scenario, ["tcp"], seeds=[1], out=tmp_path / system, progress=False)
        rows = ncp_10_csfq.table({(fair_cases.BELOW, system): results})
        found[system] = rows.where(kind="run")["utilization"][0]
    assert found[ncp_10_csfq.BY_8] == pytest.approx(1 / 8 + 1 / 2, abs=0.02)
    assert found[ncp_10_csfq.BY_12] == pytest.approx(1, abs=0.03)


def test_rates_of_long_flows_are_those_on_the_wire(tmp_path: Any) -> None:
    """DRR loses little of a flow: what 8 flows receive is what the link carries."""
    case = fair_cases.CASES[fair_cases.HOSTS]
    scenario = case.scenario("drr", 15)
    results = sluice.run(scenario, ["tcp"], seeds=[1], out=tmp_path, progress=False)
    [utilization] = ncp_10_csfq.table({(fair_cases.HOSTS, "DRR"): results})["utilization"]
    [flows] = case.flows
    received = [flows.over_fair(each, 10) for each in results.flows("tcp", 1)["delivered_bytes"]]
    assert sum(received) / 8 == pytest.approx(utilization, abs=0.01)


def test_noise_is_that_of_draws() -> None:
    """By hand: half of 2 Mb/s is 1250 packets of 1000 bytes in 10 s, sqrt(0.5 / 1250) = 0.02."""
    assert fair_cases.Flows({}, 1e6, 2e6).noise(10) == pytest.approx(0.02)
    assert fair_cases.Flows({}, 1e6, 1e6).noise(10) == 0
    assert fair_cases.Flows({}, 1e6).noise(10) == 0


def tasks(**changed: Any) -> sluice.Frame:
    """A table for which each claim about priorities holds, but where EDF serves more."""
    kinds = (ncp_10_priority.HOSTS, ncp_10_priority.COUNTED, ncp_10_priority.PRINTED)
    over, granted = changed.get("over", {}), changed.get("granted", {})
    rows: list[dict[str, Any]] = [
        {"kind": kind, "seed": seed, "priority": priority, "queue_s": 0.01}
        | {"over": over.get(kind, lambda _: 1.0)(priority), "granted": granted.get(kind, 0.9)}
        | {"proportion": changed.get("proportion", lambda _: 1.0)(priority)}
        for kind in kinds
        for seed in (1, 2, 3)
        for priority in priority_cases.PRIORITIES
    ]
    all_admitted = (ncp_10_priority.ALONE, ncp_10_priority.PASSING)
    for kind in ncp_10_priority.DRAWN:
        for seed in (1, 2, 3):
            for admitted in (True, False):
                if kind in all_admitted and not admitted:
                    continue
                about = {"kind": kind, "seed": seed, "admitted": admitted, "edf": seed < 3}
                about |= {
                    "part": 0.5 if admitted else 1.5,
                    "load": 0.8,
                    "missed": 0.0,
                    "late": 0.5,
                    "counted": 1.0,
                }
                about |= {"lost": 0.0 if admitted else 1.0}
                of_kind = changed.get(kind, {})
                rows.append(about | (of_kind if admitted else changed.get("refused", {})))
    return frame(rows)


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("gets p_j R(t)", {"over": {ncp_10_priority.HOSTS: lambda priority: 1.2}}),
        ("sum of p_j: their sum", {"granted": {ncp_10_priority.COUNTED: 1.5}}),
        ("as (10) is printed", {"granted": {ncp_10_priority.PRINTED: 3.5}}),
        ("in proportion", {"proportion": lambda priority: 1 / priority}),
        ("where all are admitted", {ncp_10_priority.ALONE: {"missed": 0.3}}),
        ("do not disturb", {ncp_10_priority.TOGETHER: {"missed": 0.3}}),
        ("serves what EDF can", {ncp_10_priority.TOGETHER: {"missed": 0.3}}),
        ("admits packets", {ncp_10_priority.REFUSING: {"lost": 0.3}}),
        ("admits packets", {ncp_10_priority.PASSING: {"lost": 0.3}}),
        ("and no others", {"refused": {"lost": 0.5}}),
        ("meet their deadlines", {ncp_10_priority.PASSING: {"late": 2.0}}),
    ],
)
def test_each_claim_about_priorities_can_fail(words: str, changed: dict[str, Any]) -> None:
    assert verdicts(ncp_10_priority.check(tasks()), words) == {"holds"}
    assert "fails" in verdicts(ncp_10_priority.check(tasks(**changed)), words)


def test_admission_is_stricter_than_earliest_deadline_first() -> None:
    """By hand: of two tasks of equal priority, with 0.3 and 1.6 shares of 4.75 Mb/s, one is
    refused, and EDF serves both."""
    both = [priority_cases.Demand(0.3, 1, 1), priority_cases.Demand(1.6, 1, 1)]
    rates = priority_cases.rates(both)
    assert rates == pytest.approx([1.425e6, 7.6e6])
    assert [task.admitted for task in both] == [True, False]
    assert priority_cases.within_capacity(both, rates)
    assert not priority_cases.within_capacity(both, [2.5e6, 7.6e6])


def test_drawn_tasks_are_not_at_the_border() -> None:
    parts = [task.part for seed in range(1, 25) for task in priority_cases.drawn(seed)]
    assert all(abs(part - 1) >= 0.05 for part in parts)
    assert 0.4 < sum(part < 1 for part in parts) / len(parts) < 0.6


def test_sets_of_which_all_are_admitted_fill_the_link() -> None:
    """Up to 0.95 of alpha C, and some most of that."""
    sets = [priority_cases.all_admitted(seed) for seed in range(1, 25)]
    assert all(task.part <= 0.95 for tasks in sets for task in tasks)
    loads = [sum(priority_cases.rates(tasks)) / priority_cases.CAPACITY for tasks in sets]
    assert min(loads) > 0.28
    assert 0.85 < max(loads) < 0.95 * priority_cases.ALPHA
