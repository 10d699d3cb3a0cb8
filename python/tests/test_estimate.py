"""What models predict of results."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import sluice
from sluice import tidy

OVERLOAD = {"group.web.poisson.load": 1.5}


def test_an_estimate_is_near_a_run_and_writes_nothing(scenario: sluice.Scenario) -> None:
    found = sluice.estimate(scenario, ["rcp", "tcp"])
    assert found.protocols == ["rcp", "tcp", "max_min"]
    assert found.converged == {"rcp": True, "tcp": True, "max_min": True}
    assert not Path("results").exists()
    assert "completion time, mean" in repr(found)
    results = sluice.run(scenario, ["rcp", "tcp"], progress=False)
    # Summaries have the same.
    frame = found.frame().to_polars()
    for protocol in found.protocols:
        rows = frame.filter(protocol=protocol)
        whole = rows.filter(rows["size_from"].is_null())["completion_mean"].item()
        assert results.of(protocol)["estimate"]["completion"] == whole
        bins = results.of(protocol)["estimate"]["by_size"]
        assert [one["completion"] for one in bins] == rows["completion_mean"].to_list()[1:]


def test_groups_and_links_are_tables(scenario: sluice.Scenario) -> None:
    found = sluice.estimate(scenario, ["tcp"])
    groups = found.groups().where(protocol="tcp")
    assert list(groups["arrivals"] > 0) == [True, False]
    links = found.links().where(protocol="tcp", **{"from": "left", "to": "right"})
    assert 0 < links["utilization"][0] < 1


def test_overload_has_no_completion_time(scenario: sluice.Scenario) -> None:
    found = sluice.estimate(scenario.set(OVERLOAD), ["tcp"])
    assert found.converged["max_min"]
    assert found.overloaded["tcp"] == ["left->right"]
    assert sluice.estimate(scenario, ["tcp"]).overloaded == {"tcp": [], "max_min": []}
    assert any("left->right" in warning for warning in found.warnings)
    assert found.frame().arrow["completion_mean"].to_pylist() == [None, None]


def test_what_has_no_model_is_named(scenario: sluice.Scenario) -> None:
    found = sluice.estimate(scenario, ["cubic", "tcp"])
    assert found.protocols == ["tcp", "max_min"]
    assert list(found.not_modelled) == ["cubic"]
    assert "no model" in found.not_modelled["cubic"][0]
    brief = scenario.set({"group.web.poisson.stop": "0.1 s"})
    with pytest.raises(sluice.ScenarioError, match=r"group\.web\.traffic"):
        sluice.estimate(brief, ["tcp"])


def test_a_sweep_is_one_table(scenario: sluice.Scenario) -> None:
    frame = sluice.estimate_sweep(
        scenario, {"group.web.poisson.load": [0.2, 0.8]}, protocols=["tcp"]
    )
    tcp = frame.where(protocol="tcp").to_polars()
    low, high = tcp.filter(tcp["size_from"].is_null())["completion_mean"]
    assert low < high
    assert frame.columns[-2:] == ["converged", "doubts"]
    assert all(tcp["converged"])
    crowded = scenario.set({"topology.dumbbell.buffer": "3 packets"})
    doubted = sluice.estimate_sweep(
        crowded, {"group.web.poisson.load": [0.9]}, protocols=["tcp"]
    ).where(protocol="tcp")
    assert all("many_losses" in doubts for doubts in doubted["doubts"])
    with pytest.raises(ValueError, match="nothing to sweep"):
        sluice.estimate_sweep(scenario)


def test_summaries_of_before_have_no_estimate(results: sluice.Results) -> None:
    """Like those that were written before summaries had one."""
    summary = copy.deepcopy(results.summary)
    for system in summary["protocols"] + summary["ideals"]:
        del system["estimate"]
    means = tidy.frame([({}, summary)]).arrow["estimate_mean"]
    assert means.null_count == len(means) > 0
