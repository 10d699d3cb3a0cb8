"""Results from Python are those in the folder."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy
import polars
import pyarrow
import pytest
import sluice
from pyarrow import parquet


def test_flows_are_the_rows_of_every_run(results: sluice.Results) -> None:
    flows = results.flows()
    runs = [results.folder / run["folder"] / "flows.parquet" for run in results.summary["runs"]]
    assert len(flows) == sum(parquet.read_metadata(run).num_rows for run in runs)
    assert flows.columns[:4] == ["protocol", "seed", "group", "index"]
    assert set(flows["protocol"]) == {"rcp", "tcp", "max_min", "srpt"}
    one = results.flows("tcp", 2)
    assert set(one["protocol"]) == {"tcp"}
    assert set(one["seed"]) == {2}


def test_frames_add_up_to_the_summary(results: sluice.Results) -> None:
    flows = results.flows("rcp").to_polars()
    finished = flows.filter(polars.col("measured") & polars.col("completion_ns").is_not_null())
    mean = finished["completion_ns"].mean() / 1e9
    assert math.isclose(mean, results.of("rcp")["all"]["completion"]["mean"], rel_tol=1e-9)


def test_every_library_takes_a_frame(results: sluice.Results) -> None:
    flows = results.flows("rcp", 1)
    pandas = flows.to_pandas()
    assert len(pandas) == len(flows) == flows.to_polars().height
    assert pandas["slowdown"].equals(flows.to_polars()["slowdown"].to_pandas())
    assert pyarrow.table(flows).num_rows == len(flows)
    assert polars.DataFrame(flows).columns == flows.columns


def test_numbers_are_handed_on_without_a_copy(results: sluice.Results) -> None:
    column = results.links("rcp", 1).arrow.column("sent_bytes")
    assert column.num_chunks == 1
    address = column.chunk(0).buffers()[1].address
    values = column.chunk(0).to_numpy(zero_copy_only=True)
    assert values.ctypes.data == address
    assert polars.from_arrow(results.links("rcp", 1).arrow).height == len(values)


def test_missing_values_are_missing(results: sluice.Results) -> None:
    series = results.series("rcp", 1)
    of_link = [link for link in series["link"] if link is not None]
    assert of_link and len(of_link) < len(series)
    assert len(series.where(quantity="R")) > 0


def test_the_tidy_table_is_the_summary(results: sluice.Results) -> None:
    frame = results.frame()
    whole = frame.where(protocol="tcp").to_polars().filter(polars.col("size_from").is_null())
    found = results.of("tcp")
    assert whole.height == 1
    assert whole["completion_mean"].item() == found["all"]["completion"]["mean"]
    assert whole["unfinished"].item() == found["unfinished"]
    sizes = frame.where(protocol="tcp").to_polars().filter(polars.col("size_from").is_not_null())
    assert sizes["flows"].to_list() == [sizes["flows"] for sizes in found["by_size"]]


def test_a_result_shows_itself(results: sluice.Results) -> None:
    assert "rcp" in repr(results) and "tcp" in repr(results)
    html = results._repr_html_()
    assert "<pre>" in html and "<img" in html


def test_a_folder_is_read_again(results: sluice.Results) -> None:
    again = sluice.load(results.folder)
    assert again.summary == results.summary
    assert again.scenario["name"] == "small"
    assert repr(again) == repr(results)


def test_missing_runs_and_names_are_errors(results: sluice.Results, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there are rcp, tcp, max_min, srpt"):
        results.flows("xcp")
    with pytest.raises(ValueError, match="no run with seed 9"):
        results.flows(seed=9)
    with pytest.raises(ValueError, match=r"\[trace\]"):
        results.packets()
    with pytest.raises(KeyError, match="slowdown"):
        results.flows()["slow"]
    with pytest.raises(ValueError, match="no run of 'None'; there are rcp"):
        results.of(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="column 'seed' is int64, not 'a'"):
        results.flows().where(seed="a")
    with pytest.raises(TypeError, match="column 'group' is string, not 3"):
        results.flows().where(group=3)
    with pytest.raises(FileNotFoundError, match="summary.json"):
        sluice.load(tmp_path)


def test_the_report_is_written(results: sluice.Results, tmp_path: Path) -> None:
    page = results.report(tmp_path / "page.html")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_results_of_another_schema_are_an_error(results: sluice.Results) -> None:
    shutil.copytree(results.folder, "later")
    summary = Path("later/summary.json")
    text = summary.read_text(encoding="utf-8")
    summary.write_text(text.replace('"schema": 1', '"schema": 2', 1), encoding="utf-8")
    with pytest.raises(ValueError, match="its `schema` is 2, this version of sluice reads 1"):
        sluice.load("later")
    Path("sweep.json").write_text('{"schema": 0, "points": []}', encoding="utf-8")
    with pytest.raises(ValueError, match="its `schema` is 0"):
        sluice.Sweep(".")


def test_drops_of_the_bottleneck_are_those_of_its_link(short: sluice.Results) -> None:
    found = short.of("tcp")
    link = found["bottleneck"]
    rows = short.links("tcp").to_polars()
    drops = rows.filter(polars.col("from") == link["from"], polars.col("to") == link["to"])["drops"]
    assert drops.sum() > 0 and len(drops) == 3
    assert link["drops"] == drops.mean()
    assert short.frame().where(protocol="tcp")["bottleneck_drops"][0] == drops.mean()
    assert found["drops"] == rows["drops"].sum()


def test_ratios_are_those_of_stored_flows(short: sluice.Results) -> None:
    ratios = short.ratios()
    assert ratios.where(protocol="tcp", packets="all")["unfinished"].sum() > 0
    assert set(zip(ratios["protocol"], ratios["reference"], strict=True)) == {
        (protocol, ideal) for protocol in ("rcp", "tcp") for ideal in ("max_min", "srpt")
    } | {("tcp", "rcp")}
    for reference in ("max_min", "srpt", "rcp"):
        expected = _by_hand(short, "tcp", reference)
        found = ratios.where(protocol="tcp", reference=reference)
        rows = zip(found["packets"], found["flows"], found["unfinished"], strict=True)
        assert list(rows) == [(label, flows, late) for label, flows, late, _ in expected]
        assert numpy.allclose(found["ratio"], [ratio for *_, ratio in expected], rtol=1e-9)


def _by_hand(
    results: sluice.Results, protocol: str, reference: str
) -> list[tuple[str, int, int, float]]:
    """Label, flows, unfinished flows and ratio of all sizes and of each class."""
    runs = [run for run in results.summary["runs"] if run["protocol"] == protocol]
    ends = {run["seed"]: run["end"] for run in runs}
    names = ["seed", "group", "index"]
    under = results.flows(reference).to_polars().select(*names, under="completion_ns")
    flows = results.flows(protocol).to_polars().filter("measured").join(under, on=names)
    flows = flows.filter(polars.col("under").is_not_null() & polars.col("size_bytes").is_not_null())
    # 1000 bytes of data in each packet.
    assert (results.scenario["packet"], results.scenario["header"]) == ("1 kB", "0 B")
    end = numpy.array([ends[seed] * 1e9 for seed in flows["seed"]])
    took = flows["completion_ns"].to_numpy()
    late = numpy.isnan(took)
    took = numpy.where(late, end - flows["start_ns"].to_numpy(), took)
    packets = numpy.maximum(numpy.ceil(flows["size_bytes"].to_numpy() / 1000), 1)
    place = numpy.digitize(packets, [1, 30, 300, 3000])
    chosen = [("all", place > 0)] + [
        (label, place == number)
        for number, label in enumerate(["1-29", "30-299", "300-2999", ">=3000"], start=1)
    ]
    return [
        (label, int(some.sum()), int(late[some].sum()), took[some].sum() / reference_sum)
        for label, some in chosen
        if (reference_sum := flows["under"].to_numpy()[some].sum()) > 0
    ]


def test_ratios_by_group_and_without_flows(
    mixed: sluice.Results, short: sluice.Results, long: sluice.Results
) -> None:
    assert set(mixed.ratios(by_group=True)["group"]) == {"web"}, "long flows have no completion"
    everything = short.ratios().where(reference="max_min")
    assert everything["ratio_low"][0] < everything["ratio_high"][0]
    with pytest.raises(ValueError, match="no ratios: there is neither an ideal"):
        long.ratios()


def test_a_sweep_has_ratios_at_every_point(web: sluice.Scenario, folder: Path) -> None:
    swept = sluice.sweep(
        web, {"load": [0.2, 0.5]}, seeds=[1], out=folder / "swept-ratios", progress=False
    )
    ratios = swept.ratios()
    assert ratios.columns[:3] == ["load", "protocol", "reference"]
    own = swept[1].ratios()
    assert numpy.array_equal(ratios.where(load=0.5)["ratio"], own["ratio"])
