"""NCP beside RCP and others: places, ages of unfinished flows, and claims that must not hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pytest
import sluice
from sluice.papers import Scale, Verdict
from sluice.papers.interval import Interval
from sluice.papers.ncp import (
    arrivals,
    fair_claims,
    fair_places,
    fair_runs,
    ncp_1,
    ncp_2,
    ncp_fair,
    ncp_fair_laws,
)
from sluice.papers.ncp.fair_places import COUNTED, DIMENSIONS, NCP, RCP, SIMPLE, SYSTEMS, XCP
from sluice.papers.ncp.measured import Flows, measured
from sluice.papers.rows import kept

from .seeded import failing, seeded

Column = Callable[[str, str, str], float]
#: Of made-up tables: those of the quick scale, and one more.
NAMES = [place.name for place in fair_places.places().values() if place.quick] + ["rtt-300"]


def test_unfinished_flows_count_with_their_age() -> None:
    flows = sluice.Frame(
        pyarrow.table(
            {
                "start_ns": [4e9, 1e9, 2e9, 2e9],
                "size_bytes": [3_000, 5_000, 9_000, 2_000],
                "completion_ns": [1e9, None, None, 6e9],
                "measured": [True, True, False, True],
            }
        )
    )
    found = measured(flows)
    # The last flow to finish does so at 8 s.
    assert found.packets.tolist() == [5, 2, 3]
    assert found.seconds.tolist() == [7, 6, 1]
    assert found.unfinished.tolist() == [True, False, False]


def test_ratios_are_of_the_same_flows_by_size() -> None:
    none = numpy.zeros(4, bool)
    packets = numpy.array([29, 30, 299, 3000])
    own = Flows(packets, numpy.array([2.0, 3.0, 5.0, 9.0]), none)
    ideal = Flows(packets, numpy.array([1.0, 2.0, 2.0, 6.0]), none)
    found = {name: fair_runs.relative(own, ideal, of) for name, of in fair_runs.classes(packets)}
    assert found["up to 30"] == {"flows": 1, "unfinished": 0, "mean_s": 2, "ratio": 2}
    assert found["30 to 300"] == {"flows": 2, "unfinished": 0, "mean_s": 4, "ratio": 2}
    assert found["300 to 3000"] == {"flows": 0}
    assert found["over 3000"]["ratio"] == 1.5
    with pytest.raises(ValueError, match="other flows"):
        fair_runs.relative(own, Flows(packets + 1, ideal.seconds, none), ~none)


def test_a_place_has_another_network_or_other_flows_than_the_reference() -> None:
    reference = fair_places.REFERENCE
    for name, dimension in DIMENSIONS.items():
        others = [place for place in dimension.places.values() if place is not reference]
        assert (len(others) < len(dimension.places)) == (name != "workload")
        # A quick run has a place of every dimension.
        assert any(place.quick for place in others)
        changed = {"topology": name in ("trips", "links", "buffer"), "groups": name != "buffer"}
        for place in others:
            assert (place.topology != reference.topology) == changed["topology"]
            assert changed["groups"] or place.groups == reference.groups
    names = [place.name for of in DIMENSIONS.values() for place in of.places.values()]
    assert len(set(names)) == len(names) - (len(DIMENSIONS) - 2)


def test_a_parking_lot_has_its_load_at_each_link(tmp_path: Path) -> None:
    """Flows take 1.5 round trips: of 100 ms through all links, of 36 ms across one. Each link
    carries a load of 0.8."""
    place = fair_places.places()["lot-3"]
    results = sluice.run(
        place.scenario(20).set({"ideals": []}), ["rcp"], seeds=[1], out=tmp_path, progress=False
    )
    flows = results.flows("rcp", 1)
    through = flows["group"] == "through"
    for these, rtt_s in ((through, 0.1), (~through, 0.036)):
        alone = flows["alone_ns"][these].min() / 1e9
        assert alone == pytest.approx(1.5 * rtt_s, rel=0.02)
    links = results.links("rcp", 1)
    carried = [links.where(**{"from": a, "to": b})["utilization"][0] for a, b in place.links]
    assert carried == pytest.approx([0.8] * 3, abs=0.12)


def test_flows_arrive_at_twice_load_over_size(tmp_path: Path) -> None:
    """f = 2 x 0.9 x 150 Mb/s / 30 packets is 1125 flows per second, for 5 s and no longer."""
    reading = arrivals.READINGS["150 Mb/s"]
    scale = Scale(full=False, folder=tmp_path)
    scenario = reading.scenario(ncp_2.PRESSURE, scale).set({"ideals": []})
    flows = sluice.run(scenario, ["rcp"], seeds=[1], out=tmp_path, progress=False).flows("rcp", 1)
    assert len(flows) == pytest.approx(5 * 1125, abs=5 * numpy.sqrt(5 * 1125))
    assert flows["measured"].all() and flows["start_ns"].max() < 5e9


def beside(**changed: Column) -> sluice.Frame:
    """A table in which each claim holds: NCP takes less time than the others, and drops less."""

    means = {NCP: 0.9, SIMPLE: 0.8, COUNTED: 0.7}

    def mean(_: str, system: str, __: str) -> float:
        return means.get(system, 1.0)

    columns: dict[str, Column] = {
        "mean_s": mean,
        "ratio": lambda *_: 1.1,
        "dropped": lambda *_: 0.01,
        "queue_bdp": lambda *_: 0.5,
        "flows": lambda *_: 100,
        "unfinished": lambda *_: 0,
    }
    points = [
        {"place": place, "system": system, "sizes": sizes}
        for place in NAMES
        for system in SYSTEMS
        for sizes in (fair_runs.ALL, *fair_runs.CLASSES.values())
    ]
    return seeded(points, columns | changed)


def changed_mean(system: str, value: float, place: str = "", sizes: str = fair_runs.ALL) -> Column:
    usual = {NCP: 0.9, SIMPLE: 0.8, COUNTED: 0.7}

    def mean(at: str, under: str, of: str) -> float:
        if under == system and place in ("", at) and of == sizes:
            return value
        return usual.get(under, 1.0)

    return mean


def test_each_claim_about_ncp_and_rcp_can_fail() -> None:
    def fails(**changed: Column) -> list[int]:
        return failing(ncp_fair.check(beside(**changed)))

    assert fails() == []
    assert fails(mean_s=changed_mean(NCP, 1.1, fair_places.REFERENCE.name)) == [1, 2]
    for number, dimension in enumerate(DIMENSIONS.values(), 3):
        place = next(
            each.name
            for each in dimension.places.values()
            if each is not fair_places.REFERENCE and each.name in NAMES
        )
        assert fails(mean_s=changed_mean(NCP, 1.1, place)) == [1, number]
    # Nowhere shorter, but by less than the margin, or longer.
    assert fails(mean_s=changed_mean(NCP, 0.99)) == [0]
    assert fails(mean_s=changed_mean(NCP, 1.1)) == [*range(10)]
    for number, sizes in enumerate(fair_runs.CLASSES.values(), 10):
        assert fails(mean_s=changed_mean(NCP, 1.1, "rtt-300", sizes)) == [number]
    assert fails(dropped=lambda _, system, __: 0.02 if system == NCP else 0.01) == [14]
    assert fails(queue_bdp=lambda _, system, __: 0.6 if system == NCP else 0.5) == [15]


def test_each_claim_about_the_other_systems_can_fail() -> None:
    def fails(**changed: Column) -> list[int]:
        return failing(ncp_fair_laws.check(beside(**changed)))

    assert fails() == []
    assert fails(mean_s=changed_mean(XCP, 0.9)) == [0]
    assert fails(mean_s=changed_mean("TCP", 0.9)) == [1]
    for number, other in enumerate((XCP, "TCP", "RCP 0.4", "CUBIC", "BBR v3"), 2):
        found = fails(mean_s=changed_mean(other, 0.85, "rtt-300"))
        assert found == [number]
    assert fails(ratio=lambda _, system, __: 1.3 if system == NCP else 1.0) == [7]
    assert fails(mean_s=changed_mean(SIMPLE, 0.95)) == [8]
    assert fails(mean_s=changed_mean(COUNTED, 1.2)) == [9, 10]


def test_claims_about_a_class_of_sizes_need_three_places() -> None:
    few = "over 3000"
    table = beside()
    rare = (table["sizes"] == few) & ~numpy.isin(table["place"].astype(str), NAMES[:2])
    said = [claim.says for claim in fair_claims.by_class(kept(table, ~rare))]
    assert len(said) == len(fair_runs.CLASSES) - 1
    assert not any(few in each for each in said)


def test_the_lowest_of_many_ratios_needs_a_wider_interval() -> None:
    """At a level of 0.05 this ratio is below 0.98 at its place, over the number of places not."""
    table = beside(mean_s=changed_mean(NCP, 1.0))
    spread = numpy.array([0.94, 0.945, 0.95])
    place = NAMES[1]
    mean = table["mean_s"].copy()
    own = (table["place"] == place) & (table["system"] == NCP) & (table["sizes"] == fair_runs.ALL)
    mean[own] = spread
    index = table.arrow.schema.get_field_index("mean_s")
    varied = sluice.Frame(table.arrow.set_column(index, "mean_s", pyarrow.array(mean)))
    found = fair_claims.can(varied, NCP, RCP)
    assert Interval.of(spread).below(0.98) is Verdict.HOLDS
    assert found.verdict is Verdict.UNDECIDED
    assert f"0.05/{len(NAMES)}" in found.taken


def test_the_answer_counts_places() -> None:
    table = beside(mean_s=changed_mean(NCP, 1.1, "rtt-300"))
    number = len(NAMES)
    found = fair_claims.answered(table)
    assert len(found.ours.split()) <= 60
    assert f"under NCP beside RCP: shorter at {number - 1}, longer at 1," in found.ours
    assert f"NCP beside RCP 0.4: {number - 1}, 1, 0, 0 (0.90 to 1.10)" in found.ours
    assert f"RCP 0.4 beside RCP: 0, 0, {number}, 0 (1.00 to 1.00)" in found.ours
    assert "longer: round trip (ms) 300 (RCP 0.4 beside RCP too at 0 of 1)" in found.why
    assert "shorter: the reference, load" in found.why
    late = beside(unfinished=lambda _, system, __: 7 if system == RCP else 0)
    count = 3 * 7 * number
    # Seeds of made-up tables differ by little, and counts are whole.
    assert f"{count:,} of" in fair_claims.answered(late).why


def by_size(**changed: float) -> sluice.Frame:
    """Mean completion times by protocol, at every size and for all."""
    means = {"ncp": 0.24, "rcp": 0.25, "xcp": 1.0, "tcp": 0.5, "max_min": 0.23} | changed
    edges = [0, 1, 10]
    rows: list[dict[str, Any]] = [
        {
            "reading": reading,
            "protocol": name,
            "seed": seed,
            "packets_from": edge,
            "packets_to": 10 * edge,
            "flows": 100,
            "unfinished": 0,
            "mean_s": value * (1 + seed / 1e5),
        }
        for reading in arrivals.READINGS
        for name, value in means.items()
        for seed in (1, 2, 3)
        for edge in edges
    ]
    return sluice.Frame(pyarrow.Table.from_pylist(rows))


def test_claims_of_figure_1_can_fail() -> None:
    def fails(**means: float) -> list[int]:
        return failing(ncp_1.check(by_size(**means)))

    assert fails() == []
    assert fails(max_min=0.18) == [0, 7]
    assert fails(xcp=0.2) == [1, 2]
    assert fails(tcp=0.2) == [3, 4]
    assert fails(rcp=0.22) == [5, 6]
    # RCP does not outperform NCP where the two are equal.
    assert fails(rcp=0.24) == fails(rcp=0.237) == []


def test_claims_of_figure_2_can_fail() -> None:
    def fails(**means: float) -> list[int]:
        return failing(ncp_2.check(by_size(**means)))

    worse = {"ncp": 0.33, "rcp": 2.0, "xcp": 1.0, "tcp": 0.5}
    assert fails(**worse) == []
    assert fails(**worse | {"rcp": 0.8}) == [0, 1]
    assert fails(**worse | {"rcp": 0.4}) == [0, 1, 2, 3]
    assert fails(**worse | {"ncp": 0.6}) == [8, 9]
    assert fails(**worse | {"ncp": 3.0}) == [4, 5, 6, 7, 8, 9]


def test_each_reading_has_a_verdict_of_its_own() -> None:
    table = by_size(rcp=2.0)
    found = ncp_2.check(table)[:2]
    assert all(at in claim.says for at, claim in zip(arrivals.READINGS, found, strict=True))
    assert all("by size, shorter at 0, longer at 2" in claim.ours for claim in found)
