"""XCP in a random network: claims hold for tables as printed, and fail for others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import sluice
from sluice.papers import Figure, Verdict
from sluice.papers.rows import frame
from sluice.papers.xcp import xcp_5_16


def verdicts(figure: Figure[Any], table: sluice.Frame) -> list[Verdict]:
    found = [claim.verdict for claim in figure.check(table)]
    assert set(found) <= {Verdict.HOLDS, Verdict.FAILS}
    return found


def network(**changed: Callable[[int], float]) -> sluice.Frame:
    """Ten links of LANs and ten of the WAN, the first of them without flows."""
    usual: dict[str, Callable[[int], float]] = {
        "flows": lambda link: float(link),
        "capacity_bps": lambda link: 1e7 if link < 10 else 1e8,
        "utilization": lambda link: 0.9,
        "queue_packets": lambda link: 5.0,
        "drops": lambda link: 0.0,
    }
    others: dict[str, Callable[[int], float]] = {
        "utilization": lambda link: 0.8,
        "queue_packets": lambda link: 50.0,
        "drops": lambda link: 2000.0,
    }
    rows = []
    for name in xcp_5_16.SYSTEMS:
        columns = usual | (others if "TCP" in name else {})
        for seed in (1, 2, 3, 4):
            for link in range(20):
                row: dict[str, Any] = {"system": name, "seed": seed, "link": f"a{link}>b"}
                for column, of in columns.items():
                    key = f"{name.split(',')[0].split()[0]}__{column}"
                    found = changed.get(key, of)(link)
                    noise = 1 if column == "flows" else 1 + seed / 1e4
                    row[column] = found * noise
                rows.append(row)
    return frame(rows)


def test_each_claim_about_a_random_network_can_fail() -> None:
    def fails(**changed: Callable[[int], float]) -> list[int]:
        found = verdicts(xcp_5_16.FIGURE, network(**changed))
        return [place for place, verdict in enumerate(found) if verdict is Verdict.FAILS]

    assert fails() == []
    assert fails(XCP__utilization=lambda link: 0.9 if link < 8 else 0.7) == [0]
    assert fails(XCP__queue_packets=lambda link: 60.0 if link == 3 else 1.0) == [1]
    assert fails(XCP__drops=lambda link: 9.0 if link > 9 else 0.0) == [2]
    assert fails(TCP__drops=lambda link: 9.0) == [3]
    why = xcp_5_16.FIGURE.check(network(XCP__drops=lambda link: 9.0))[2].why
    # One link of ten WAN links has ten flows or less.
    assert "5% of them on links of the WAN with at most 10 flows, 50% on links of LANs" in why


def test_flows_of_a_link_are_counted_by_direction() -> None:
    paths = numpy.array(["a>b>c", "b>c", "c>b"], dtype=object)
    assert xcp_5_16._flows(paths) == {"a>b": 1, "b>c": 2, "c>b": 1}


def test_the_random_network_has_the_size_of_the_thesis(tmp_path: Any) -> None:
    scenario = xcp_5_16._scenario("XCP", 0.1, 0.2)
    results = sluice.run(scenario, ["xcp"], seeds=[1], out=tmp_path, progress=False)
    links, flows = results.links("xcp"), results.flows("xcp")
    assert len(links) == 153 and len(flows) == 1000
    assert len(set(links["from"]) | set(links["to"])) == 50
    assert set(links["capacity_bps"]) == {10_000_000, 100_000_000}
    assert links["delay_ns"].min() >= 2e6 and links["delay_ns"].max() <= 45e6
