"""What runs will cost, and runs beyond the machine."""

from __future__ import annotations

from pathlib import Path

import pytest
import sluice

HUGE = {"group": [{"name": "bulk", "from": "s0", "to": "d0", "long": {"count": 1_000_000_000}}]}


def test_a_cost_is_that_of_a_run_and_writes_nothing(scenario: sluice.Scenario) -> None:
    cost = sluice.cost(scenario, ["rcp", "tcp"], seeds=[1, 2], threads=3)
    runs = 2 * (
        2 + len(sluice.run(scenario, ["rcp"], out="run", progress=False).ideals)
    )  # two seeds
    assert (cost.runs, cost.stored, cost.threads) == (runs, 0, 3)
    assert cost.flows > 0
    assert cost.packets > cost.flows
    assert cost.memory_bytes > 0
    assert cost.disk_bytes > 0
    assert cost.excess is None
    for word in (f"{runs} runs", "flows", "packets", "3 cores", "of memory", "on disk"):
        assert word in repr(cost)
    assert not Path("results").exists()


def test_stored_runs_cost_nothing(scenario: sluice.Scenario) -> None:
    before = sluice.cost(scenario, ["rcp"])
    sluice.run(scenario, ["rcp"], progress=False)
    after = sluice.cost(scenario, ["rcp"])
    assert (after.runs, after.stored, after.seconds) == (0, before.runs, 0)
    assert sluice.cost(scenario, ["rcp"], again=True) == before


def test_the_points_of_a_sweep_add_up(scenario: sluice.Scenario) -> None:
    swept = sluice.sweep_cost(scenario, {"stop": ["1 s", "1 s"]}, protocols=["rcp"])
    one = sluice.cost(scenario.set({"stop": "1 s"}), ["rcp"])
    assert (swept.runs, swept.flows) == (2 * one.runs, 2 * one.flows)


def test_runs_beyond_the_machine_raise_before_anything_is_written(
    scenario: sluice.Scenario,
) -> None:
    huge = sluice.Scenario(
        stop="1 s", topology={"dumbbell": {"capacity": "10 Mbps", "rtt": "20 ms"}}, **HUGE
    )
    cost = sluice.cost(huge, ["rcp"])
    assert cost.excess is not None
    assert "group `bulk`" in cost.excess
    assert "Warning: the runs need" in repr(cost)
    with pytest.raises(sluice.RunError, match=r"of memory, but .* available(.|\n)*force=True"):
        sluice.run(huge, ["rcp"], progress=False)
    with pytest.raises(sluice.RunError, match="force=True"):
        sluice.sweep(huge, {"seed": [1, 2]}, protocols=["rcp"], progress=False)
    assert not Path("results").exists()


def test_a_long_run_shows_its_cost_first(
    scenario: sluice.Scenario, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("file").write_text("")
    long = scenario.set({"stop": "100000 s"})
    for progress, lines in ((True, 1), (False, 0)):
        # Results cannot be where a file is, so that only the cost is estimated.
        with pytest.raises(OSError, match="file"):
            sluice.run(long, ["rcp"], out="file/results", progress=progress)
        assert capsys.readouterr().err.count("Estimated cost, within") == lines
    sluice.run(scenario, ["rcp"])
    assert "Estimated cost" not in capsys.readouterr().err
