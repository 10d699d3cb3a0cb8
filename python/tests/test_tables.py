"""The documented globs read the runs of the current results as one table, and no others."""

from __future__ import annotations

from pathlib import Path

import pandas
import polars
import pytest
import sluice
from pyarrow import dataset

LOAD = "group.web.poisson.load"
BUFFER = "topology.dumbbell.buffer"


def by_every_library(folder: Path, kind: str) -> dict[str, int]:
    """The number of rows in the tables of a kind, by library."""
    glob = f"{folder}/tables/{kind}/*.parquet"
    return {
        "polars": polars.read_parquet(glob).height,
        "polars, lazily": polars.scan_parquet(glob).select(polars.len()).collect().item(),
        "pandas": len(pandas.read_parquet(folder / "tables" / kind)),
        "pyarrow": dataset.dataset(folder / "tables" / kind).count_rows(),
    }


@pytest.mark.parametrize("kind", ["flows", "links", "series"])
def test_a_sweep_s_glob_has_the_points_of_its_last_axis(
    scenario: sluice.Scenario, kind: str
) -> None:
    for values in ([0.2, 0.3, 0.4], [0.3, 0.5]):
        swept = sluice.sweep(scenario, {LOAD: values}, out="out", progress=False)
        rows = sum(len(getattr(point, kind)()) for point in swept)
        assert set(by_every_library(Path("out"), kind).values()) == {rows}
        table = polars.read_parquet(f"out/tables/{kind}/*.parquet")
        assert table[LOAD].unique().sort().to_list() == values


def test_a_run_s_glob_has_the_runs_of_its_scenario(scenario: sluice.Scenario) -> None:
    sluice.run(scenario, out="out", progress=False)
    results = sluice.run(scenario.set({"stop": "1 s"}), ["rcp"], out="out", progress=False)
    assert set(by_every_library(Path("out"), "flows").values()) == {len(results.flows())}
    table = polars.read_parquet("out/tables/flows/*.parquet")
    assert table.columns == results.flows().columns
    same = ["protocol", "seed", "group", "index"]
    ours = results.flows().to_polars().with_columns(polars.col(polars.Categorical).cast(str))
    assert table.sort(same).equals(ours.sort(same))


def test_swept_words_and_quantities_are_columns(scenario: sluice.Scenario) -> None:
    over = {BUFFER: ["100 ms", "20 ms"], "transport.recovery": ["rack", "new_reno"]}
    swept = sluice.sweep(scenario, over, protocols=["rcp"], out="out", progress=False)
    table = polars.read_parquet("out/tables/links/*.parquet")
    points = table.select(BUFFER, "transport.recovery").unique(maintain_order=True)
    assert points.rows() == [(0.1, "rack"), (0.1, "new_reno"), (0.02, "rack"), (0.02, "new_reno")]
    first = swept[0].links()
    assert first.columns[:4] == ["protocol", "seed", BUFFER, "transport.recovery"]
    assert set(first["transport.recovery"]) == {"rack"} and set(first[BUFFER]) == {0.1}


def test_a_swept_field_never_hides_a_column_of_the_summary() -> None:
    changed = sluice.Scenario.load("ps2-rcp")
    swept = sluice.sweep(changed, {"seed": [3, 4]}, protocols=["rcp"], progress=False)
    assert swept.frame().columns[:2] == ["seed", "protocol"]
    assert swept[0].flows().columns[:3] == ["protocol", "seed", "point.seed"]
