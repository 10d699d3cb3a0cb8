"""NCP's figure about flows that are bottlenecked elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sluice
from sluice.papers.ncp import ncp_elsewhere

from .seeded import failing, seeded

Column = Callable[[str, str, int], float]


def test_packets_follow_the_fixed_point(tmp_path: Any) -> None:
    """(100 - 10) / 10 of 95 Mb/s and more by (12), 95 / 20 by (8): by hand, over 9 Mb/s."""
    shares = {}
    for system in ("NCP (8)", ncp_elsewhere.EXACT):
        protocol, fields = ncp_elsewhere.SYSTEMS[system]
        scenario = ncp_elsewhere._scenario("behind", 10, {protocol: fields})
        out = tmp_path / protocol / str(len(shares))
        results = sluice.run(scenario, [protocol], seeds=[1], out=out, progress=False)
        rows = ncp_elsewhere.table({(system, "behind", 10): results})
        shares[system] = float(rows["share"][0])
        assert rows["drops"][0] == 0
    by_8, by_12 = shares.values()
    assert by_8 == pytest.approx(95 / 20 / 9, rel=0.01)
    assert by_12 == pytest.approx((95 - 9.5) / 10 / 9, rel=0.03)


def test_processor_sharing_is_below_max_min_where_flows_are_held() -> None:
    assert ncp_elsewhere.fair(10) == 9e6
    assert ncp_elsewhere.processor_sharing(10) == pytest.approx(5 / 9)
    # One flow that needs more than its share is not held.
    assert ncp_elsewhere.fair(1) == pytest.approx(100e6 / 11)
    assert ncp_elsewhere.processor_sharing(1) == pytest.approx(1)


def made_up(**changed: Column) -> sluice.Frame:
    printed = {"behind": 0.45, "before": 0.95}
    shares = {ncp_elsewhere.PRINTED: None, "NCP (8)": 0.55, "RCP": 0.85, "XCP": 0.75}

    def share(system: str, place: str, _: int) -> float:
        found = shares.get(system, 0.95)
        return printed[place] if found is None else found

    columns: dict[str, Column] = {
        "share": share,
        # Where granted rates show bottlenecks behind the link too.
        "utilization": lambda *_: ncp_elsewhere.ALPHA,
        "queue_s": lambda *_: 0.0,
        "drops": lambda *_: 0,
    }
    points = [
        {"system": system, "place": place, "held": held}
        for system in ncp_elsewhere.SYSTEMS
        for place in ncp_elsewhere.PLACES
        for held in ncp_elsewhere.HELD
    ]
    return seeded(points, columns | changed)


def test_each_claim_about_flows_held_elsewhere_can_fail() -> None:
    def fails(**changed: Column) -> list[int]:
        return failing(ncp_elsewhere.check(made_up(**changed)))

    def shares(**of: float) -> Column:
        """Shares by the first letters of systems that differ from the usual."""

        def share(system: str, place: str, held: int) -> float:
            names = {"printed": ncp_elsewhere.PRINTED, "exact": ncp_elsewhere.EXACT}
            names |= {"by_8": "NCP (8)", "rcp": "RCP", "xcp": "XCP", "bitmap": ncp_elsewhere.BITMAP}
            for short, value in of.items():
                if names[short] == system:
                    return value
            usual = made_up().where(system=system, place=place, held=held)
            return float(usual["share"].mean())

        return share

    assert fails() == []
    assert fails(share=shares(printed=0.97, by_8=1.03, exact=0.96)) == [0, 2]
    assert fails(share=shares(by_8=0.4)) == [1]
    assert fails(share=shares(by_8=0.97)) == [2]
    assert fails(share=shares(rcp=0.97)) == [3]
    assert fails(share=shares(xcp=0.97)) == [4]
    assert fails(share=shares(bitmap=0.8)) == [8]
    low = fails(utilization=lambda system, place, _: 0.6 if system == ncp_elsewhere.EXACT else 0.95)
    assert low == [6]

    def printed(system: str, place: str, _: int) -> float:
        return 0.55 if (system, place) == (ncp_elsewhere.PRINTED, "behind") else 0.95

    assert fails(utilization=printed) == [7]
    # Less than C / N of a link with 3 flows that are held.
    assert 5 in fails(share=lambda system, *_: 0.2)
