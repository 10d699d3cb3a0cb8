"""Chapter 5 of XCP's thesis: claims hold for tables as the thesis has them, and fail for others."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import sluice
from sluice.papers import Figure, Verdict
from sluice.papers.rows import frame
from sluice.papers.xcp import (
    comparison,
    over_time,
    xcp_5_3,
    xcp_5_4,
    xcp_5_5,
    xcp_5_6,
    xcp_5_7,
    xcp_5_8,
    xcp_5_9,
    xcp_5_10,
    xcp_5_12,
    xcp_5_13,
    xcp_5_14,
    xcp_reroute,
)
from sluice.papers.xcp.axis import Axis
from sluice.papers.xcp.bottleneck import Place
from sluice.papers.xcp.comparison import SYSTEMS

AXES = {
    "xcp-5-3": (xcp_5_3.FIGURE, xcp_5_3.AXIS),
    "xcp-5-4": (xcp_5_4.FIGURE, xcp_5_4.AXIS),
    "xcp-5-5": (xcp_5_5.FIGURE, xcp_5_5.AXIS),
    "xcp-5-6": (xcp_5_6.FIGURE, xcp_5_6.AXIS),
    "xcp-5-13": (xcp_5_13.FIGURE, xcp_5_13.AXIS),
}
#: A column of a system, by place among the values: 0 is the smallest.
Column = Callable[[int], float]


def varied(axis: Axis, changed: dict[tuple[str, str], Column] | None = None) -> sluice.Frame:
    """Results as the thesis has them, except the columns of ``changed``, by system and column."""
    usual: dict[tuple[bool, str], Column] = {
        (True, "utilization"): lambda place: 0.98,
        (False, "utilization"): lambda place: 0.95 - 0.05 * place,
        (True, "queue_over_buffer"): lambda place: 0.05,
        (False, "queue_over_buffer"): lambda place: 0.4,
        (True, "queue_packets"): lambda place: 100.0 + 60.0 * (place >= len(axis.values) - 2),
        (False, "queue_packets"): lambda place: 400.0,
        (True, "queue_s"): lambda place: 0.005,
        (False, "queue_s"): lambda place: 0.04,
        (True, "drops"): lambda place: 0.0,
        (False, "drops"): lambda place: 4000.0,
        (True, "drop_rate"): lambda place: 0.0,
        (False, "drop_rate"): lambda place: 0.01,
        (True, "late_drops"): lambda place: 0.0,
        (False, "late_drops"): lambda place: 8000.0,
        (True, "early_drops"): lambda place: 0.0,
        (False, "early_drops"): lambda place: 5000.0,
    }
    names = list(dict.fromkeys(column for _, column in usual))
    rows = []
    for name in axis.systems:
        for place, value in enumerate(axis.values):
            for seed in (1, 2, 3, 4):
                row = {"system": name, axis.column: value, "seed": seed}
                for column in names:
                    own = name.startswith("XCP")
                    of = (changed or {}).get((name, column), usual[own, column])
                    found = of(place)
                    row[column] = found * (1 + seed / 1e4)
                rows.append(row)
    return frame(rows)


#: What the thesis has beyond ``usual``.
AS_PRINTED: dict[str, dict[tuple[str, str], Column]] = {
    "xcp-5-3": {("AVQ", "drops"): lambda place: 500.0},
    "xcp-5-5": {
        # 500 and 750 flows.
        ("AVQ", "utilization"): lambda place: 1.01 if place in (3, 4) else 0.9,
        ("AVQ", "queue_packets"): lambda place: 50.0 if place == 3 else 80.0,
    },
    "xcp-5-6": {
        ("XCP", "drops"): lambda place: 5000.0 if place == 6 else 0.0,
        ("XCP, gamma 0.02", "utilization"): lambda place: 0.99,
    },
    "xcp-5-13": {("RED", "utilization"): lambda place: 0.95 - 0.05 * place},
}


def verdicts(figure: Figure[Any], table: sluice.Frame) -> list[Verdict]:
    found = [claim.verdict for claim in figure.check(table)]
    assert set(found) <= {Verdict.HOLDS, Verdict.FAILS}
    return found


def failing(name: str, **changed: Column) -> list[int]:
    """Places of the claims that fail if columns (``XCP__drops``) change."""
    figure, axis = AXES[name]
    columns = dict(AS_PRINTED.get(name, {}))
    for key, column in changed.items():
        system, _, quantity = key.partition("__")
        columns[system, quantity] = column
    found = verdicts(figure, varied(axis, columns))
    return [place for place, verdict in enumerate(found) if verdict is Verdict.FAILS]


@pytest.mark.parametrize("name", AXES)
def test_all_claims_hold_as_the_thesis_has_them(name: str) -> None:
    assert failing(name) == []


def test_each_claim_about_capacity_and_delay_can_fail() -> None:
    for name in ("xcp-5-3", "xcp-5-4"):
        assert failing(name, XCP__utilization=lambda place: 0.98 - 0.1 * (place == 0)) == [0]
        assert failing(name, RED__utilization=lambda place: 0.8) == [1]
        assert failing(name, AVQ__utilization=lambda place: 0.9 + 0.03 * place) == [1, 2]
        assert failing(name, XCP__late_drops=lambda place: 1.0) == [3]
        assert failing(name, XCP__early_drops=lambda place: float(place == 1)) == [4]
    assert failing("xcp-5-3", RED__drops=lambda place: 500.0) == [5]
    # AVQ is not among those that drop thousands.
    assert failing("xcp-5-3", AVQ__drops=lambda place: 5000.0) == [6]
    assert failing("xcp-5-3", XCP__drop_rate=lambda place: 1e-4) == [7]
    assert failing("xcp-5-3", XCP__queue_s=lambda place: 0.005 + 0.003 * place) == [8]


def test_each_claim_about_the_number_of_flows_can_fail() -> None:
    assert failing("xcp-5-5", XCP__utilization=lambda place: 0.98 - 0.1 * (place == 0)) == [0]
    assert failing("xcp-5-5", XCP__queue_packets=lambda place: 120 + (place < 2)) == [3, 5]
    assert failing("xcp-5-5", AVQ__utilization=lambda place: 0.98) == [4]
    # With 1000 flows windows are smaller.
    assert failing("xcp-5-5", AVQ__utilization=lambda place: 1.01 - 0.1 * (place == 5)) == []
    assert failing("xcp-5-5", AVQ__queue_packets=lambda place: 130.0) == [5]
    assert failing("xcp-5-5", AVQ__drops=lambda place: 10.0) == [6]


def test_each_claim_about_short_flows_can_fail() -> None:
    assert failing("xcp-5-6", XCP__utilization=lambda place: 0.9) == [0]
    # At 800 arrivals a second, but not above.
    assert failing("xcp-5-6", XCP__late_drops=lambda place: 9.0 * (place == 5)) == [1]
    assert failing("xcp-5-6", XCP__early_drops=lambda place: 9.0 * (place == 6)) == []
    assert failing("xcp-5-6", XCP__queue_over_buffer=lambda place: 0.05 + 0.1 * place) == [3]
    small = {"XCP, gamma 0.02__utilization": lambda place: 0.97}
    assert failing("xcp-5-6", **small) == [4]
    assert failing("xcp-5-6", XCP__drops=lambda place: 0.0) == [5]


def test_each_claim_about_spreading_round_trips_can_fail() -> None:
    assert failing("xcp-5-13", XCP__utilization=lambda place: 0.94) == [0]
    # Up to 1 s, but not beyond.
    assert failing("xcp-5-13", XCP__utilization=lambda at: 0.98 - 0.05 * max(at - 1, 0)) == []
    assert failing("xcp-5-13", XCP__utilization=lambda at: 0.98 - 0.065 * max(at - 1, 0)) == [1]
    assert failing("xcp-5-13", XCP__utilization=lambda place: 0.98 - 0.15 * (place == 5)) == [2]
    assert failing("xcp-5-13", RED__utilization=lambda place: 0.9) == [3]


@pytest.mark.parametrize("name", AXES)
def test_each_panel_has_each_system(name: str) -> None:
    figure, axis = AXES[name]
    panels = figure.plot(varied(axis)).axes
    assert [panel.get_ylabel() for panel in panels] == list(comparison.PANELS.values())
    legend = panels[0].get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == list(axis.systems)


def test_numbers_of_flows_and_round_trips_are_those_asked_for() -> None:
    few = tomllib.loads(SYSTEMS["XCP"].scenario(Place(150e6, 0.08, flows=10)).toml)
    assert few["topology"]["dumbbell"]["pairs"] == 50
    forward = [group for group in few["group"] if group["name"].startswith("forward")]
    assert len(forward) == 10 and len({group["from"] for group in forward}) == 10
    assert all(group["to"] == group["from"].replace("s", "d") for group in forward)
    many = SYSTEMS["RED"].scenario(xcp_5_5.AXIS.place(1000))
    assert tomllib.loads(many.toml)["topology"]["dumbbell"]["pairs"] == 1000
    spread = tomllib.loads(SYSTEMS["RED"].scenario(xcp_5_13.AXIS.place(1.0)).toml)
    assert spread["topology"]["dumbbell"]["rtt"] == ["5 ms", "1 s"]
    # 200 ms at 100 Mb/s.
    assert spread["topology"]["dumbbell"]["buffer"] == "2.5 MB"
    for _, axis in AXES.values():
        for value in (axis.values[0], axis.values[-1]):
            SYSTEMS["RED"].scenario(axis.place(value)).check()


def fairness(changed: dict[tuple[str, str], Callable[[int], float]]) -> sluice.Frame:
    """Throughputs: equal under XCP; under TCP uneven, and in (b) falling."""

    def usual(part: str, name: str, flow: int) -> float:
        if name == "XCP":
            return 1.0
        return 1.0 + 0.3 * (-1) ** flow if part == "equal" else 2.0 - flow / 20

    return frame(
        [
            {
                "part": part,
                "system": name,
                "seed": seed,
                "flow": flow,
                "bps": 1e6
                * (
                    changed[part, name](flow)
                    if (part, name) in changed
                    else usual(part, name, flow)
                )
                * (1 + (seed * 7 + flow) % 5 / 1e4),
            }
            for part in xcp_5_7.PLACES
            for name in SYSTEMS
            for seed in (1, 2, 3, 4)
            for flow in range(xcp_5_7.FLOWS)
        ]
    )


def test_each_claim_about_fairness_can_fail() -> None:
    def fails(**changed: Callable[[int], float]) -> list[int]:
        columns = {tuple(key.split("__", 1)): each for key, each in changed.items()}
        found = verdicts(xcp_5_7.FIGURE, fairness(columns))  # type: ignore[arg-type]
        return [place for place, verdict in enumerate(found) if verdict is Verdict.FAILS]

    assert fails() == []
    assert fails(equal__XCP=lambda flow: 0.8 if flow == 3 else 1.0) == [0]
    assert fails(equal__XCP=lambda flow: 0.2 if flow == 3 else 1.0) == [0, 1]
    assert fails(different__XCP=lambda flow: 0.8 if flow < 10 else 1.0) == [0, 2]
    assert fails(different__CSFQ=lambda flow: 1.0 + 0.3 * (-1) ** flow) == [3]


def lot(**changed: Callable[[int], float]) -> sluice.Frame:
    usual: dict[str, Callable[[int], float]] = {
        "utilization": lambda hop: 0.94 if hop < 5 else 0.98,
        "queue_packets": lambda hop: 20.0,
        "drops": lambda hop: 0.0,
        "drops_back": lambda hop: 0.0,
    }
    rows = []
    for name in SYSTEMS:
        for seed in (1, 2, 3, 4):
            for hop in range(1, 10):
                row = {"system": name, "seed": seed, "link": hop}
                for column in usual:
                    found = changed.get(f"{name}__{column}", usual[column])(hop)
                    own = name == "XCP" or column != "queue_packets"
                    row[column] = found * (1 if own else 10) * (1 + seed / 1e4)
                rows.append(row)
    return frame(rows)


def test_each_claim_about_nine_links_can_fail() -> None:
    def fails(**changed: Callable[[int], float]) -> list[int]:
        found = verdicts(xcp_5_8.FIGURE, lot(**changed))
        return [place for place, verdict in enumerate(found) if verdict is Verdict.FAILS]

    assert fails() == []
    assert fails(XCP__utilization=lambda hop: 0.85 if hop == 1 else 0.98) == [0]
    assert fails(XCP__queue_packets=lambda hop: 900.0 if hop == 9 else 9.0) == [1]
    assert fails(XCP__drops=lambda hop: float(hop == 4)) == [2]
    assert fails(XCP__drops_back=lambda hop: float(hop == 4)) == [2]
    assert fails(XCP__utilization=lambda hop: 0.98 if hop < 5 else 0.94) == [3]
    for name in SYSTEMS:
        xcp_5_8._scenario(name, True).check()


def test_utilization_is_arrivals_less_the_growth_of_the_queue() -> None:
    """One TCP flow alone: over the run, what the link sent."""
    dumbbell = {"capacity": "10 Mbps", "rtt": "40 ms", "buffer": "20 packets"}
    scenario = sluice.Scenario(
        name="alone",
        stop="4 s",
        limit="4 s",
        ideals=[],
        topology={"dumbbell": dumbbell},
        group=[{"name": "a", "from": "s0", "to": "d0", "long": {}}],
        metrics=[{"link": ["left", "right"], "every": "10 ms"}],
    )
    results = sluice.run(scenario, ["tcp"], out="alone", progress=False)
    rows = frame(over_time.link_rows(results, "tcp", results.seeds[0], 10e6, 0.2))
    used = rows.where(quantity="utilization")
    assert len(used) == 20 and used["time_s"][-1] == 4.0
    link = results.links("tcp").where(**{"from": "left"})
    assert used["value"].mean() == pytest.approx(link["utilization"][0], abs=0.002)


def convergence(
    *, share: float = 1.0, late: float = 1.0, used: float = 1.0, queue: float = 1e3
) -> sluice.Frame:
    """Newcomers have ``share`` of theirs ``late`` seconds after their start."""
    rows = []
    ends = numpy.arange(1, 101) * xcp_5_9.BIN_S
    for seed in (1, 2, 3, 4):
        noise = 1 + seed / 1e4
        for number in range(xcp_5_9.FLOWS):
            begin = 2.0 * number
            rate = [
                share * 45e6 / (1 + min(end // 2, 4)) if end >= begin + late else 0 for end in ends
            ]
            rows += over_time.rows(seed, f"flow-{number}", 1e9 * ends, noise * numpy.array(rate))
        rows += over_time.rows(seed, "utilization", 1e9 * ends, 0 * ends + used / noise)
        rows += over_time.rows(seed, "queue", 1e9 * ends, 0 * ends + queue * noise)
    return frame(rows)


def test_each_claim_about_newcomers_can_fail() -> None:
    def fails(**changed: float) -> list[int]:
        found = verdicts(xcp_5_9.FIGURE, convergence(**changed))
        return [place for place, verdict in enumerate(found) if verdict is Verdict.FAILS]

    assert fails() == []
    assert fails(late=2.5) == [0]
    # Reached once others have left, or never.
    assert fails(share=0.5) == [0]
    assert fails(used=0.88) == [1]
    assert fails(queue=30e3) == [2]


def sampled(
    ends: numpy.ndarray, columns: dict[str, Callable[[numpy.ndarray], numpy.ndarray]]
) -> sluice.Frame:
    """Quantities over time by system (``XCP__drops``), of three seeds; drops at the end alone."""
    rows = []
    for key, values in columns.items():
        name, _, quantity = key.partition("__")
        for seed in (1, 2, 3):
            found = values(ends) * (1 + seed / 1e4)
            times = ends
            if quantity == "drops":
                times, found = ends[-1:], found[-1:]
            rows += [
                {"system": name} | row for row in over_time.rows(seed, quantity, 1e9 * times, found)
            ]
    return frame(rows)


def demands(**changed: Callable[[numpy.ndarray], numpy.ndarray]) -> sluice.Frame:
    ends = numpy.arange(1, 351) * xcp_5_10.PLACE.rtt
    usual: dict[str, Callable[[numpy.ndarray], numpy.ndarray]] = {
        "XCP__utilization": lambda t: numpy.where((t > 8) & (t < 8.2), 0.1, 0.98),
        "RED__utilization": lambda t: numpy.where(
            (t > 8) & (t < 10), 0.1, numpy.where((t > 4.1) & (t < 4.3), 0.7, 0.98)
        ),
        "XCP__drops": lambda t: 0 * t,
        "RED__drops": lambda t: 0 * t + 4000,
    }
    return sampled(ends, usual | changed)


def test_each_claim_about_sudden_demands_can_fail() -> None:
    def fails(**changed: Callable[[numpy.ndarray], numpy.ndarray]) -> list[int]:
        found = verdicts(xcp_5_10.FIGURE, demands(**changed))
        return [place for place, verdict in enumerate(found) if verdict is Verdict.FAILS]

    assert fails() == []
    assert fails(XCP__drops=lambda t: 0 * t + 1) == [0]
    assert fails(XCP__utilization=lambda t: numpy.where((t > 8) & (t < 9), 0.1, 0.98)) == [1]
    assert fails(
        XCP__utilization=lambda t: numpy.where((t > 8) & (t < 8.2) | (t > 5) & (t < 5.2), 0.8, 0.98)
    ) == [3]
    # TCP that recovers at once, and is not disturbed.
    assert fails(RED__utilization=lambda t: numpy.where((t > 8) & (t < 8.1), 0.1, 0.99)) == [2, 4]
    # A link that never recovers counts up to the end.
    assert fails(XCP__utilization=lambda t: numpy.where(t > 8, 0.5, 0.98)) == [1, 2]


def test_round_trips_are_those_that_the_thesis_states() -> None:
    rtts = xcp_5_12.round_trips(1000)
    assert numpy.median(rtts) == pytest.approx(0.08, rel=0.01)
    # "Most flows have an RTT < 200 ms."
    assert (rtts < 0.2).mean() == pytest.approx(0.9, abs=0.002)
    ends = xcp_5_12.round_trips(xcp_5_12.FLOWS)[[0, -1]]
    assert [f"{1e3 * end:.0f} ms" for end in ends] == ["13 ms", "505 ms"]
    for name in xcp_5_12.COMPARED:
        xcp_5_12._scenario(name, 40.0).check()


def test_each_claim_about_measured_round_trips_can_fail() -> None:
    def fails(**changed: float) -> list[int]:
        usual = {
            "XCP__utilization": 0.98,
            "RED__utilization": 0.9,
            "XCP__drop_rate": 0.0,
            "RED__drop_rate": 0.01,
            "XCP__mean_queue": 4e5,
            "RED__mean_queue": 1e5,
        }
        rows = []
        for key, value in (usual | changed).items():
            name, _, quantity = key.partition("__")
            rows += [
                {"system": name, "seed": seed, "quantity": quantity, "value": value + seed / 1e6}
                for seed in (1, 2, 3, 4)
            ]
        found = verdicts(xcp_5_12.FIGURE, frame(rows))
        return [place for place, verdict in enumerate(found) if verdict is Verdict.FAILS]

    assert fails() == []
    assert fails(XCP__utilization=0.9) == [0]
    assert fails(XCP__drop_rate=1e-3) == [1]
    assert fails(XCP__mean_queue=4e4) == [2]


def test_equation_3_1_is_that_of_the_thesis() -> None:
    # 1.2 x 8000 bits / (80 ms x 0.01).
    assert xcp_5_14.equation(1e-4) == pytest.approx(12e6)


def test_each_claim_about_errors_can_fail() -> None:
    def fails(times: Callable[[str, float], float]) -> list[int]:
        rows = [
            {
                "recovery": name,
                "loss": loss,
                "seed": seed,
                "bps": times(name, loss) * xcp_5_14.equation(loss) * (1 + seed / 1e4),
            }
            for name in xcp_5_14.RECOVERIES
            for loss in xcp_5_14.LOSSES
            for seed in (1, 2, 3)
        ]
        found = verdicts(xcp_5_14.FIGURE, frame(rows))
        return [place for place, verdict in enumerate(found) if verdict is Verdict.FAILS]

    assert fails(lambda name, loss: 9.0) == []
    assert fails(lambda name, loss: 3.0 if loss == 1e-2 else 9.0) == [0]
    assert fails(lambda name, loss: 40.0 if name == "Reno" else 9.0) == [1]
    assert fails(lambda name, loss: 40.0 if name == "RACK" else 9.0) == []


def routes(**changed: Callable[[numpy.ndarray], numpy.ndarray]) -> sluice.Frame:
    ends = numpy.arange(1, 301) * xcp_reroute.BIN_S

    def moves(late: float) -> Callable[[numpy.ndarray], numpy.ndarray]:
        return lambda t: numpy.where(
            t < 10, 1e8, numpy.where(t < 10 + late, 9e7, numpy.where(t < 20 + late, 5e7, 1e8))
        )

    usual: dict[str, Callable[[numpy.ndarray], numpy.ndarray]] = {
        "XCP__moves": moves(1),
        "RED__moves": moves(4),
        "XCP__drops": lambda t: 0 * t,
        "RED__drops": lambda t: 0 * t + 4000,
    }
    return sampled(ends, usual | changed)


def test_each_claim_about_a_change_of_routes_can_fail() -> None:
    def fails(**changed: Callable[[numpy.ndarray], numpy.ndarray]) -> list[int]:
        found = verdicts(xcp_reroute.FIGURE, routes(**changed))
        return [place for place, verdict in enumerate(found) if verdict is Verdict.FAILS]

    def late(seconds: float) -> Callable[[numpy.ndarray], numpy.ndarray]:
        return lambda t: numpy.where(t < 10 + seconds, 1e8, numpy.where(t < 20 + seconds, 5e7, 1e8))

    assert fails() == []
    assert fails(XCP__moves=late(3)) == [0]
    assert fails(XCP__moves=late(6)) == [0, 1]
    assert fails(XCP__drops=lambda t: 0 * t + 9000) == [2]
    for name in xcp_reroute.COMPARED:
        xcp_reroute._scenario(name).check()
