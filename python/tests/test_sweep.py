"""Sweeps: every combination on disk, going on after a kill, one tidy table."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sluice

OVER = {"group.web.poisson.load": [0.3, 0.6], "topology.dumbbell.rtt": ["20 ms", "40 ms"]}


def bytes_in(folder: Path) -> dict[Path, bytes]:
    """Every file of results, by its path."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder): path.read_bytes() for path in files}


def test_a_grid_has_every_combination(scenario: sluice.Scenario) -> None:
    sweep = sluice.sweep(scenario, OVER, protocols=["rcp"], seeds=[5], progress=False)
    loads, rtts = OVER.values()
    wanted = [
        {"group.web.poisson.load": a, "topology.dumbbell.rtt": b} for a in loads for b in rtts
    ]
    assert sweep.points == wanted
    assert [each.seeds for each in sweep] == [[5]] * 4
    table = sweep.frame().where(protocol="rcp").to_polars()
    whole = table.filter(table["size_from"].is_null())
    assert whole["group.web.poisson.load"].to_list() == [0.3, 0.3, 0.6, 0.6]
    means = [each.of("rcp")["all"]["completion"]["mean"] for each in sweep]
    assert whole["completion_mean"].to_list() == means
    assert means[2] > means[0]
    assert "group.web.poisson.load=0.6, topology.dumbbell.rtt=40 ms" in repr(sweep)


def test_lists_go_side_by_side_and_random_points_are_drawn(scenario: sluice.Scenario) -> None:
    side = sluice.sweep(scenario, OVER, how="list", protocols=["rcp"], out="a", progress=False)
    assert [tuple(point.values()) for point in side.points] == [(0.3, "20 ms"), (0.6, "40 ms")]
    over = {"group.web.poisson.load": {"from": 0.2, "to": 0.8}}
    drawn = sluice.sweep(
        scenario, over, how="random", points=5, protocols=["rcp"], out="b", progress=False
    )
    loads = [point["group.web.poisson.load"] for point in drawn.points]
    assert len(set(loads)) == 5 and all(0.2 <= load <= 0.8 for load in loads)


def test_a_law_in_python_runs_at_every_point(scenario: sluice.Scenario) -> None:
    class Part(sluice.Law):
        def start(self) -> float:
            return self.link.capacity / 20

        def tick(self, sample: sluice.LinkSample) -> float:
            if sample.now > 3:
                raise RuntimeError("three seconds are enough")
            return sample.capacity / 20

    swept = sluice.sweep(scenario, OVER, protocols=["rcp"], laws={"part": Part}, progress=False)
    assert [each.protocols for each in swept] == [["rcp", "part"]] * 4
    longer = scenario.set({"stop": "4 s"})
    with pytest.raises(RuntimeError, match="three seconds"):
        sluice.sweep(longer, OVER, protocols=["rcp"], laws={"part": Part}, progress=False)


def test_an_empty_sweep_and_wrong_values_are_errors(scenario: sluice.Scenario) -> None:
    with pytest.raises(ValueError, match="nothing to sweep"):
        sluice.sweep(scenario, progress=False)
    with pytest.raises(sluice.ScenarioError, match="parsecs"):
        sluice.sweep(scenario, {"topology.dumbbell.rtt": ["1 ms", "3 parsecs"]}, progress=False)
    with pytest.raises(sluice.ScenarioError, match="did you mean `grid`"):
        sluice.sweep(scenario, OVER, how="gird", progress=False)


@pytest.mark.parametrize("how", [None, "grid", "list"])
@pytest.mark.parametrize("given", [{"points": 3}, {"draw_seed": 3}])
def test_options_of_random_draws_need_random_draws(
    scenario: sluice.Scenario, how: str | None, given: dict[str, int]
) -> None:
    (name,) = given
    found = "not given" if how is None else f"'{how}'"
    said = f"`{name}` is for random draws, but `how` is {found}: set how='random', or remove"
    with pytest.raises(ValueError, match=said):
        sluice.sweep(scenario, OVER, how=how, **given, progress=False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"points": 0}, ValueError, "`points` must be 1 to 10000, not 0"),
        ({"points": -2}, ValueError, "`points` must be 1 to 10000, not -2"),
        ({"points": 2.5}, TypeError, "`points`: expected a whole number, not 2.5"),
        ({"draw_seed": -1}, ValueError, r"`draw_seed` must be 0 to 9223372036854775807, not -1"),
        ({"seeds": [-1]}, ValueError, r"`seeds` must be 0 to 9223372036854775807, not -1"),
        ({"threads": -1}, ValueError, "`threads` must be 0 to 65535, not -1"),
        ({"over": ["load"]}, TypeError, "`over`: expected a mapping .*, not \\['load'\\]"),
        ({"over": {"stop": 2}}, TypeError, "`over\\['stop'\\]`: expected a list, not 2"),
        ({"client": 3}, TypeError, "`client`: expected a distributed.Client or an address, not 3"),
    ],
)
def test_wrong_arguments_are_named(
    scenario: sluice.Scenario, given: dict, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        sluice.sweep(scenario, **{"over": OVER, "how": "random", "progress": False, **given})


def test_steps_are_not_for_random_draws(scenario: sluice.Scenario) -> None:
    over = {"group.web.poisson.load": {"from": 0.1, "to": 0.3, "steps": 3}}
    said = '`steps` is for even spacing, but `how` is "random"(.|\n)*remove `steps`'
    with pytest.raises(sluice.ScenarioError, match=said):
        sluice.sweep(scenario, over, how="random", points=2, progress=False)


def test_a_point_is_chosen_by_a_number(scenario: sluice.Scenario) -> None:
    swept = sluice.sweep(scenario, OVER, protocols=["rcp"], seeds=[5], progress=False)
    assert swept[-1].folder == swept[3].folder
    with pytest.raises(IndexError, match="no point 4; there are 4, from 0"):
        swept[4]
    with pytest.raises(TypeError, match="a point is chosen by a whole number, not '1'"):
        swept["1"]  # type: ignore[index]


def test_a_wrong_option_of_a_range_is_an_error(scenario: sluice.Scenario) -> None:
    for option in ({"steps": -3}, {"steps": 3, "log": 1}):
        over = {"group.web.poisson.load": {"from": 0.1, "to": 0.3, **option}}
        with pytest.raises(sluice.ScenarioError, match="invalid (value|type): integer"):
            sluice.sweep(scenario, over, progress=False)


def test_a_killed_sweep_goes_on_where_it_was(scenario: sluice.Scenario, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(scenario.set({"stop": "20 s"}).toml)
    script = f"import sluice; sluice.sweep('small.toml', {OVER}, out='out', progress=False)"
    process = subprocess.Popen([sys.executable, "-c", script])
    deadline = time.monotonic() + 60
    while len(whole := list(Path("out").glob("*/runs/*/run.json"))) < 3:
        assert process.poll() is None, "it was over before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = [path for path in whole if ".part" not in str(path)]
    made = {path: path.stat().st_mtime_ns for path in kept}
    sluice.sweep("small.toml", OVER, out="out", progress=False)
    assert {path: path.stat().st_mtime_ns for path in made} == made
    sluice.sweep("small.toml", OVER, out="fresh", progress=False)
    assert bytes_in(Path("out")) == bytes_in(Path("fresh"))
