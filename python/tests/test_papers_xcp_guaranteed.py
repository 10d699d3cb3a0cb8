"""Section 6.4 of XCP's thesis: claims hold for tables as it has them, and fail for others."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy
import sluice
from sluice.papers.rows import frame
from sluice.papers.xcp import (
    guaranteed,
    guaranteed_network,
    over_time,
    xcp_6_3,
    xcp_6_4,
    xcp_6_5,
    xcp_6_6,
    xcp_6_7,
    xcp_6_8,
    xcp_above_profile,
    xcp_denied,
    xcp_t6_2,
)
from sluice.papers.xcp.guaranteed import MOST, PROFILE, Request

from .seeded import failing

SEEDS = (1, 2)
TIMES = numpy.round(numpy.arange(0.2, 100.1, 0.2), 1)


def running(request: Request) -> numpy.ndarray:
    return (request.start <= TIMES) & (request.stop > TIMES)


def quantities(
    requests: tuple[Request, ...], admitted: list[int], **changed: numpy.ndarray
) -> list[dict[str, Any]]:
    """Rows of runs in which R_g is exact and everything is used, but for what is changed."""
    rows = []
    exact = committed(requests, admitted)
    for seed in SEEDS:
        noise = 1 + seed / 1e5
        found = {
            "committed": exact,
            "reserved": exact,
            "used": exact,
            "utilization": numpy.full(len(TIMES), 0.99),
            "queue": numpy.full(len(TIMES), 3000.0),
            "g_queue": numpy.zeros(len(TIMES)),
            "drops": numpy.zeros(1),
            "best-effort": numpy.full(len(TIMES), 5e6),
        }
        found |= {
            f"guaranteed-{number}": running(each) * (PROFILE if number in admitted else 0.0)
            for number, each in enumerate(requests)
        }
        found |= changed
        for quantity, values in found.items():
            counted = quantity in ("committed", "drops", "g_queue")
            values = values if counted else values * noise
            rows += over_time.rows(seed, quantity, 1e9 * TIMES[: len(values)], values)
    return rows


def first_five(requests: tuple[Request, ...]) -> list[int]:
    """The first five requests of each cycle of nine."""
    return [number for number in range(len(requests)) if number % 9 < MOST]


def committed(requests: tuple[Request, ...], admitted: list[int]) -> numpy.ndarray:
    return numpy.asarray(
        PROFILE * numpy.sum([running(requests[each]) for each in admitted], axis=0)
    )


def test_each_claim_about_the_estimate_can_fail() -> None:
    requests = xcp_6_3.REQUESTS
    usual = first_five(requests)

    def fails(admitted: list[int] = usual, **changed: numpy.ndarray) -> list[int]:
        table = frame(quantities(requests, admitted, **changed))
        return failing(xcp_6_3.FIGURE.check(table))

    exact = committed(requests, usual)
    assert fails() == []
    between = (TIMES > 40) & (TIMES < 41)
    # 12 % of what is committed then.
    assert fails(reserved=exact * (1 + 0.12 * between)) == [0]
    assert fails([each for each in usual if each != 9]) == [1]
    assert fails([*usual, 15]) == [2]
    # Half of each admission.
    assert fails(reserved=0.5 * exact) == [0, 3]
    assert fails(reserved=numpy.where((TIMES > 50) & (TIMES < 57), PROFILE, exact)) == [4]
    assert fails(utilization=numpy.full(len(TIMES), 0.9)) == [5]


def test_an_estimate_is_judged_while_it_may_be_expected_to_know() -> None:
    requests = xcp_6_3.REQUESTS
    late = committed(requests, first_five(requests))
    # R_g follows 0.4 s after each change.
    late = numpy.concatenate([numpy.zeros(2), late[:-2]])
    table = frame(quantities(requests, first_five(requests), reserved=late))
    assert failing(xcp_6_3.FIGURE.check(table)) == []
    rows = table.where(seed=1)
    errors = [guaranteed.settled(rows, after=after, since=0.0, until=50.0) for after in (0, 0.45)]
    assert numpy.abs(errors[0]).max() > 0.19 > numpy.abs(errors[1]).max()


def test_each_claim_about_flows_that_pause_can_fail() -> None:
    requests = xcp_6_4.REQUESTS
    everyone = list(range(MOST))
    exact = committed(requests, everyone)

    def fails(admitted: list[int] = everyone, **changed: numpy.ndarray) -> list[int]:
        changed = {"used": 0.5 * exact, "reserved": 1.02 * exact} | changed
        table = frame(quantities(requests, admitted, **changed))
        return failing(xcp_6_4.FIGURE.check(table))

    assert fails() == []
    assert fails(everyone[1:], reserved=0.8 * 1.02 * exact) == [0]
    assert fails(used=exact) == [1]
    swings = exact * (1.02 + 0.2 * numpy.sin(TIMES))
    assert fails(reserved=swings) == [2]
    assert fails(reserved=0.99 * exact) == [3]
    assert fails(utilization=0.5 + 0 * TIMES) == [4]


def services(**changed: numpy.ndarray) -> sluice.Frame:
    """Both senders of figures 6-5 and 6-6."""
    rows = quantities(xcp_6_5.REQUESTS, first_five(xcp_6_5.REQUESTS), **changed)
    return frame([{"system": name} | row for name in xcp_6_5.SERVICES for row in rows])


def test_each_claim_about_guaranteed_flows_can_fail() -> None:
    def fails(**changed: numpy.ndarray) -> list[int]:
        return failing(xcp_6_5.FIGURE.check(services(**changed)))

    assert fails() == []
    assert fails(**{"guaranteed-7": PROFILE * running(xcp_6_5.REQUESTS[7])}) == [0]
    assert fails(**{"guaranteed-2": 0.9 * PROFILE * running(xcp_6_5.REQUESTS[2])}) == [1]
    # Six packets are 5 ms at 10 Mb/s.
    seldom = numpy.where(numpy.arange(len(TIMES)) % 50 == 0, 6000.0, 0.0)
    assert fails(g_queue=seldom) == [2]
    # A single packet is a queue.
    often = numpy.where(numpy.arange(len(TIMES)) % 5 == 0, 1000.0, 0.0)
    assert fails(g_queue=often) == [3]


def test_each_claim_about_best_effort_flows_can_fail() -> None:
    def fails(**changed: numpy.ndarray) -> list[int]:
        return failing(xcp_6_6.FIGURE.check(services(**changed)))

    assert fails() == []
    assert fails(utilization=numpy.where(TIMES > 50, 0.9, 0.99)) == [0]
    assert fails(queue=numpy.full(len(TIMES), 20_000.0)) == [1]
    assert fails(drops=numpy.ones(1)) == [2]


def test_each_claim_about_what_exceeds_the_profile_can_fail() -> None:
    requests = xcp_above_profile.REQUESTS
    everyone = list(range(MOST))
    exact = committed(requests, everyone)

    def flows(above: float) -> dict[str, numpy.ndarray]:
        """What each sends in its profile and above it."""
        return {
            f"guaranteed-{number}": running(each) * (PROFILE + above)
            for number, each in enumerate(requests)
        }

    def fails(above: float = 5e5, **changed: numpy.ndarray) -> list[int]:
        table = frame(quantities(requests, everyone, **flows(above) | changed))
        return failing(xcp_above_profile.FIGURE.check(table))

    assert fails() == []
    # Less in profiles is more above them.
    assert fails(used=0.9 * exact) == [0, 1]
    assert fails(**{"best-effort": numpy.full(len(TIMES), 4e6)}) == [1]
    assert fails(above=5e4) == [1, 2]


def denied(**changed: numpy.ndarray) -> sluice.Frame:
    """Both options of denied flows; what is changed is of both."""
    rows = []
    early, late = xcp_denied.EARLY, xcp_denied.LATE
    for name in xcp_denied.SERVICES:
        below = 0.0 if name == "tries later" else 5e5
        after = PROFILE if name == "tries later" else 5e5
        flows = {
            f"guaranteed-{MOST + number}": numpy.where(xcp_denied.STOP_S < TIMES, after, below)
            for number in range(len(late))
        }
        found = quantities((*early, *late), list(range(MOST)), **flows | changed)
        rows += [{"system": name} | row for row in found]
    return frame(rows)


def test_each_claim_about_denied_flows_can_fail() -> None:
    def fails(**changed: numpy.ndarray) -> list[int]:
        return failing(xcp_denied.FIGURE.check(denied(**changed)))

    assert fails() == []
    assert fails(**{"guaranteed-2": 0.9 * PROFILE * running(xcp_denied.EARLY[2])}) == [0]
    # One that sends before it is admitted, one that never is, and one with too large a share.
    always = numpy.full(len(TIMES), 5e5)
    late = xcp_denied.STOP_S < TIMES
    sends = numpy.where(late, PROFILE, 5e4)
    assert fails(**{"guaranteed-5": sends}) == [1, 3]
    assert fails(**{"guaranteed-6": 0 * TIMES}) == [2, 3]
    assert fails(**{"guaranteed-6": always}) == [1, 2]
    assert fails(utilization=0.9 + 0 * TIMES) == [4]


def test_each_claim_about_the_network_can_fail() -> None:
    def links(
        nodes: int = 50, count: int = 153, bps: float = 10e6, delay_ms: float = 2.0
    ) -> sluice.Frame:
        ends = [(f"n{n % nodes}", f"n{(n * 7 + 1) % nodes}") for n in range(count)]
        return frame(
            [
                {"from": a, "to": b, "capacity_bps": bps, "delay_ms": delay_ms + 0.01 * number}
                for number, (a, b) in enumerate(ends)
            ]
        )

    def fails(**changed: Any) -> list[int]:
        return failing(xcp_6_7.FIGURE.check(links(**changed)))

    assert fails() == []
    assert fails(nodes=49) == [0]
    assert fails(count=152) == [1]
    assert fails(bps=1e6) == [2]
    assert fails(delay_ms=1.9) == [3]
    assert fails(delay_ms=44.0) == [3]


def test_nodes_are_laid_out_by_the_links_between_them() -> None:
    """A chain is a line: the furthest apart are its ends."""
    nodes = [f"n{number}" for number in range(5)]
    chain = frame([{"from": a, "to": b} for a, b in pairwise(nodes)])
    hops = xcp_6_7.hops_between(nodes, chain)
    assert hops[0].tolist() == [0, 1, 2, 3, 4]
    places = xcp_6_7.layout(hops)
    apart = numpy.linalg.norm(places[:, None] - places[None], axis=2)
    assert numpy.abs(apart - hops).max() < 0.05


def network(**changed: float) -> sluice.Frame:
    """A link and two flows of each sender."""
    value = {"delay_s": 0.002, "reserved": 0.75, "least": 0.99, "most": 1.01, "deviation": 0.002}
    value |= changed
    rows: list[dict[str, Any]] = []
    for name in guaranteed_network.SENDERS:
        for seed in SEEDS:
            common = {"sender": name, "seed": seed}
            link = {"kind": "link", "reserved": value["reserved"], "g_queue_bytes": 2000.0}
            rows.append(common | link | {"delay_s": value["delay_s"]})
            rows += [
                common
                | {"kind": "flow", "flow": number, "deviation": value["deviation"]}
                | {"over_profile": value[which], "delay_s": 0.01 * (1 + number)}
                for number, which in enumerate(("least", "most"))
            ]
    return frame(rows)


def test_each_claim_about_a_network_can_fail() -> None:
    def fails(figure: Any, **changed: float) -> list[int]:
        return failing(figure.check(network(**changed)))

    assert fails(xcp_6_8.FIGURE) == []
    assert fails(xcp_6_8.FIGURE, delay_s=0.02) == [0]
    assert fails(xcp_6_8.FIGURE, reserved=0.9) == [1]
    assert fails(xcp_t6_2.FIGURE) == []
    assert fails(xcp_t6_2.FIGURE, least=0.8) == [0]
    assert fails(xcp_t6_2.FIGURE, most=1.26) == [0]
    assert fails(xcp_t6_2.FIGURE, deviation=0.006) == [1]


def test_a_link_is_crossed_once_by_each_flow() -> None:
    counts = guaranteed_network.flows_by_link(["a>b>c", "b>c"])
    assert counts == {"a>b": 1, "b>c": 2}
