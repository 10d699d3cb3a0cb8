"""Scenarios from Python are checked where the command line checks them."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
import sluice

DUMBBELL = {"dumbbell": {"capacity": "10 Mbps", "rtt": "40 ms"}}
LONG = {"name": "a", "from": "s0", "to": "d0", "long": {}}


def test_what_is_written_comes_back_with_every_default() -> None:
    scenario = sluice.Scenario(stop="2 s", topology=DUMBBELL, group=[LONG])
    assert 'stop = "2 s"' in scenario.toml
    assert 'packet = "1000 B"' in scenario.toml or 'packet = "1 kB"' in scenario.toml


def _toml(scenario: sluice.Scenario) -> str:
    return scenario.toml


def test_a_scenario_is_copied_and_sent_to_other_processes(tmp_path: Path) -> None:
    (tmp_path / "flows.csv").write_text("start,size\n0,10 kB\n")
    group = {"name": "a", "from": "s0", "to": "d0", "replay": "flows.csv"}
    written = sluice.Scenario(
        name="sent", folder=tmp_path, stop="$end", topology=DUMBBELL, group=[group],
        variables={"end": "2 s"},
    )  # fmt: skip
    for scenario in [written, written.set({"end": "3 s"}), sluice.Scenario.load("websearch")]:
        copies = [copy.copy(scenario), copy.deepcopy(scenario)]
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            copies.append(pickle.loads(pickle.dumps(scenario, protocol)))
        for copied in copies:
            assert type(copied) is sluice.Scenario
            assert copied.toml == scenario.toml
            assert repr(copied) == repr(scenario)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        scenarios = [written.set({"end": f"{end} s"}) for end in (2, 3)]
        assert pool.map(_toml, scenarios) == [scenario.toml for scenario in scenarios]


def test_errors_of_a_copy_point_to_the_same_places() -> None:
    scenario = sluice.Scenario(stop="2 s", topology=DUMBBELL, group=[LONG]).set({"stop": "soon"})
    errors = []
    for each in [scenario, pickle.loads(pickle.dumps(scenario))]:
        with pytest.raises(sluice.ScenarioError, match=r"Scenario\.set") as raised:
            each.check()
        errors.append(str(raised.value))
    assert errors[0] == errors[1]


def test_all_errors_are_reported_at_once() -> None:
    scenario = sluice.Scenario(stop="2 parsecs", topology=DUMBBELL, grup=[LONG])
    with pytest.raises(sluice.ScenarioError) as raised:
        scenario.check()
    assert "parsecs" in str(raised.value)
    assert "did you mean `group`?" in str(raised.value)
    assert isinstance(raised.value, ValueError)


def test_an_error_says_what_the_command_line_says(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('schema = 1\nstop = "2 parsecs"\n')
    command = [sys.executable, "-m", "sluice", "run", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    with pytest.raises(sluice.ScenarioError) as raised:
        sluice.Scenario.load(path).check()
    assert said.returncode == 2
    assert said.stderr.strip() == str(raised.value).strip()


def test_a_name_that_is_near_is_suggested() -> None:
    with pytest.raises(sluice.ScenarioError, match="websearch"):
        sluice.Scenario.load("websaerch")
    with pytest.raises(sluice.ScenarioError, match="did you mean `rcp`"):
        sluice.run("websearch", ["rpc"], progress=False)


def test_fields_are_set_by_value_of_any_kind() -> None:
    scenario = sluice.Scenario(stop="2 s", topology=DUMBBELL, group=[LONG])
    changed = scenario.set(
        {
            "stop": "3 s",
            "seeds": [3, 4],
            "rcp.alpha": numpy.float64(0.25),
            "rcp.losses_as_queue": True,
            "group.a.long": {"count": 2},
        }
    )
    for line in ('stop = "3 s"', "seeds = [3, 4]", "alpha = 0.25", "losses_as_queue = true"):
        assert line in changed.toml
    assert 'stop = "2 s"' in scenario.toml


def test_the_constructor_takes_numpy_s_values_and_none() -> None:
    group = {**LONG, "path": None}
    scenario = sluice.Scenario(
        stop="2 s",
        topology=DUMBBELL,
        group=[group],
        seeds=numpy.array([3, 4]),
        rcp={"alpha": numpy.float32(0.25)},
    )
    for line in ("seeds = [3, 4]", "alpha = 0.25"):
        assert line in scenario.toml
    assert "seeds = [5, 6]" in scenario.set({"seeds": numpy.array([5, 6])}).toml


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"seed": -1}, "integer `-1`(.|\n)*expected a whole number, at least 0"),
        ({"seed": 2**63}, "a seed must be less than 2\\^63"),
        ({"seed": 2**64}, "18446744073709551616(.|\n)*expected a whole number"),
        ({"replications": -1}, "integer `-1`(.|\n)*expected a whole number, at least 0"),
        ({"stop": float("nan")}, "`nan` is not a point in time"),
        ({"stop": "200000 h"}, "`limit` must be at most 320255 h \\(36 years\\)"),
        ({"limit": "1e12 h"}, "it is more than 18446744073 s"),
        ({"seeds": [None]}, "None"),
    ],
)
def test_values_out_of_range_are_shown_in_place(fields: dict, said: str) -> None:
    right = {"stop": "2 s", "topology": DUMBBELL, "group": [LONG]}
    said = f"(?i){said}"
    with pytest.raises(sluice.ScenarioError, match=said):
        sluice.Scenario(**{**right, **fields}).check()
    with pytest.raises(sluice.ScenarioError, match=said):
        sluice.Scenario(**right).set(fields).check()


def test_settings_are_a_mapping() -> None:
    scenario = sluice.Scenario(stop="2 s", topology=DUMBBELL, group=[LONG])
    with pytest.raises(TypeError, match="`fields`: expected a mapping"):
        scenario.set("seed=3")  # type: ignore[arg-type]
    with pytest.raises(sluice.ScenarioError, match="unknown field `3`"):
        scenario.set({3: 4}).check()  # type: ignore[dict-item]


def test_files_are_found_from_the_scenario_s_folder(tmp_path: Path) -> None:
    (tmp_path / "flows.csv").write_text("start,size\n0.1,5000\n")
    replay = {"name": "a", "from": "s0", "to": "d0", "replay": "flows.csv"}
    scenario = sluice.Scenario(stop="1 s", topology=DUMBBELL, group=[replay], folder=tmp_path)
    results = sluice.run(scenario, ["rcp"], progress=False)
    assert results.flows("rcp")["size_bytes"].tolist() == [5000]


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: sluice.Scenario(name=None), TypeError, "`name`: expected a text, not None"),
        (lambda: sluice.Scenario(folder=3), TypeError, "`folder`: expected a path, not 3"),
        (lambda: sluice.Scenario.load(None), TypeError, "`file`: expected a path, not None"),
        (lambda: sluice.Scenario.load("a\0b"), ValueError, "`file`: no path has the character NUL"),
        (lambda: sluice.Scenario.parse(3), TypeError, "`text`: expected a text, not 3"),
        (lambda: sluice.explain(3), TypeError, "`name`: expected a text, not 3"),
        (lambda: sluice.explain("\ud800"), ValueError, "characters that are not Unicode"),
    ],
)
def test_wrong_arguments_are_named(make: object, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        make()  # type: ignore[operator]


def test_a_network_by_name_with_a_matrix_runs(tmp_path: Path) -> None:
    cable = {"capacity": "1 Gbps", "delay": "5 us"}
    scenario = sluice.Scenario(
        name="fabric", stop="20 ms",
        topology={"leaf_spine": {"leaves": 2, "spines": 2, "hosts": 2, "access": cable}},
        group=[{
            "name": "p",
            "pairs": {"permutation": {"across_racks": True}},
            "periodic": {"every": "5 ms", "sizes": {"fixed": "10 kB"}},
        }],
    )  # fmt: skip
    results = sluice.run(scenario, ["tcp"], out=tmp_path, progress=False)
    assert set(results.flows("tcp").to_polars()["group"]) == {"p.0", "p.1", "p.2", "p.3"}
    with pytest.raises(sluice.ScenarioError, match="2 to 200000 are needed"):
        sluice.run(scenario.set({"topology.leaf_spine.leaves": 1, "topology.leaf_spine.hosts": 1}))
