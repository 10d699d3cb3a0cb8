"""Running from Python: the same bytes as the command, progress, Ctrl-C, laws in Python."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sluice


def test_the_command_writes_the_same_bytes(scenario: sluice.Scenario, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(scenario.toml)
    command = [sys.executable, "-m", "sluice", "run", str(file), "--out", "there", "--quiet"]
    subprocess.run(command, check=True)
    here = sluice.run(scenario, out="here", progress=False)
    files = sorted(path.relative_to("here") for path in here.folder.rglob("*") if path.is_file())
    assert files
    for path in files:
        if path.name != "scenario.toml":
            assert Path("here", path).read_bytes() == Path("there", path).read_bytes(), path


def test_what_is_there_is_not_made_again(scenario: sluice.Scenario) -> None:
    first = sluice.run(scenario, ["rcp"], out="out", progress=False)
    path = first.folder / first.summary["runs"][-1]["folder"] / "flows.parquet"
    made = path.stat().st_mtime_ns
    sluice.run(scenario, ["rcp"], out="out", progress=False)
    assert path.stat().st_mtime_ns == made
    sluice.run(scenario, ["rcp"], out="out", again=True, progress=False)
    assert path.stat().st_mtime_ns > made


def test_other_threads_run_meanwhile() -> None:
    ticks = []
    over = threading.Event()

    def count() -> None:
        while not over.wait(0.005):
            ticks.append(time.monotonic())

    counter = threading.Thread(target=count)
    counter.start()
    scenario = sluice.Scenario.load("websearch").set({"stop": "4 s"})
    began = time.monotonic()
    sluice.run(scenario, ["rcp"], progress=False)
    took = time.monotonic() - began
    over.set()
    counter.join()
    assert took > 0.05
    longest = max(later - sooner for sooner, later in itertools.pairwise(ticks))
    assert longest < max(0.5 * took, 0.05)


def test_ctrl_c_ends_a_run_and_keeps_what_is_finished() -> None:
    script = "import sluice; sluice.run('websearch', progress=False, out='out', threads=1)"
    process = subprocess.Popen(
        [sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, env=os.environ
    )
    runs = Path("out/runs")
    deadline = time.monotonic() + 60
    # The first ideal is through as soon as there is a folder with a whole name.
    while not (runs.is_dir() and any("." not in path.name for path in runs.iterdir())):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("the run was over before Ctrl-C came")
    assert "KeyboardInterrupt" in said
    assert any((path / "run.json").is_file() for path in runs.iterdir())


def test_a_damaged_run_is_made_again_with_a_warning(scenario: sluice.Scenario) -> None:
    first = sluice.run(scenario, ["rcp"], out="out", progress=False)
    path = first.folder / first.summary["runs"][-1]["folder"] / "flows.parquet"
    flows = path.read_bytes()
    path.write_bytes(flows[:-1])
    with pytest.warns(UserWarning, match=r"flows\.parquet is not as it was written") as caught:
        again = sluice.run(scenario, ["rcp"], out="out", progress=False)
    assert Path(caught[0].filename) == Path(__file__)
    assert path.read_bytes() == flows and again.summary == first.summary
    swept = sluice.sweep(scenario, {"seed": [1, 2]}, protocols=["rcp"], out="swept", progress=False)
    next(swept.folder.glob("001/runs/rcp-*/links.parquet")).unlink()
    with pytest.warns(UserWarning, match=r"links\.parquet is missing"):
        sluice.sweep(scenario, {"seed": [1, 2]}, protocols=["rcp"], out="swept", progress=False)


def test_threads_in_one_folder_get_the_results_of_their_own_scenarios(
    scenario: sluice.Scenario,
) -> None:
    scenarios = [scenario.set({"stop": f"{stop} ms"}) for stop in range(1000, 1800, 100)]

    def run(one: sluice.Scenario) -> sluice.Results:
        return sluice.run(one, ["rcp"], out="out", threads=1, progress=False)

    with ThreadPoolExecutor(max_workers=4) as pool:
        found = list(pool.map(run, scenarios))
    for one, results in zip(scenarios, found, strict=True):
        alone = sluice.run(one, ["rcp"], out="alone", progress=False)
        assert results.summary == alone.summary and repr(results) == repr(alone)
        assert results.flows().to_polars().equals(alone.flows().to_polars())
    assert not list(Path("out").glob("*.part"))


class Constant(sluice.Law):
    """A twentieth of the capacity, always."""

    interval = 0.05

    def start(self) -> float:
        return self.link.capacity / 20

    def tick(self, sample: sluice.LinkSample) -> float:
        assert sample.capacity == self.link.capacity
        assert sample.elapsed > 0 and sample.queue >= sample.min_queue >= 0
        assert sample.queue >= sample.waiting >= 0
        return sample.capacity / 20


def test_a_law_in_python_decides_the_rate(scenario: sluice.Scenario) -> None:
    results = sluice.run(scenario, ["rcp"], laws={"constant": Constant}, progress=False)
    assert results.protocols == ["rcp", "constant"]
    rates = results.series("constant", 1).where(quantity="R")["value"]
    assert set(rates) == {5e5}
    # The long flow sends at that rate and no other.
    long = results.flows("constant", 1).where(group="long")["delivered_bytes"][0]
    assert long == pytest.approx(5e5 / 8 * 2, rel=0.1)


def test_rcp_in_python_is_rcp(scenario: sluice.Scenario) -> None:
    """Equation (2) of the paper with its own measure of the round trip, in a dozen lines."""

    class Rcp(sluice.Law):
        interval = 0.01
        d0 = None

        def start(self) -> float:
            self.rate = 0.05 * self.link.capacity
            return self.rate

        def tick(self, sample: sluice.LinkSample) -> float:
            if sample.mean_rtt is not None:
                # The first packet replaces what nobody measured, each other moves it by 0.02.
                d0 = sample.mean_rtt if self.d0 is None else self.d0
                self.d0 = sample.mean_rtt + (d0 - sample.mean_rtt) * 0.98**sample.packets
            d0 = self.d0 or 0.2
            spare = 0.1 * (sample.capacity - 8 * sample.arrived / sample.elapsed)
            change = (spare - 8 * sample.waiting / d0) / sample.capacity
            part = min(sample.elapsed, d0) / d0
            self.rate = min(max(self.rate * (1 + part * change), 1e4), sample.capacity)
            return self.rate

    results = sluice.run(scenario, ["rcp"], laws={"python": Rcp}, progress=False)
    ours, theirs = results.of("python")["all"], results.of("rcp")["all"]
    assert ours["completion"]["mean"] == pytest.approx(theirs["completion"]["mean"], rel=0.02)


@pytest.mark.parametrize(
    ("law", "error", "said"),
    [
        ({"tick": lambda self, sample: 1 / 0}, ZeroDivisionError, "division"),
        ({"tick": lambda self, sample: -1.0}, ValueError, "above 0"),
        ({"tick": lambda self, sample: "fast"}, TypeError, "'fast'; expected a number"),
        ({"interval": 0.0}, ValueError, "interval"),
        ({"start": lambda self: float("nan")}, ValueError, "above 0"),
        ({"__init__": lambda self, link: 1 / 0}, ZeroDivisionError, "division"),
    ],
)
def test_what_a_law_raises_is_raised(
    scenario: sluice.Scenario, law: dict, error: type[Exception], said: str
) -> None:
    wrong = type("Wrong", (Constant,), law)
    with pytest.raises(error, match=said):
        sluice.run(scenario, ["rcp"], laws={"wrong": wrong}, progress=False)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"seeds": [1, -1]}, ValueError, r"`seeds` must be 0 to 9223372036854775807, not -1"),
        (
            {"seeds": [2**63]},
            ValueError,
            r"`seeds` must be 0 to 9223372036854775807, not 9223372036854775808",
        ),
        ({"seeds": [1.5]}, TypeError, "`seeds`: expected a whole number, not 1.5"),
        ({"seeds": 3}, TypeError, r"`seeds`: expected a list, not 3; write \[3\]"),
        ({"threads": -1}, ValueError, "`threads` must be 0 to 65535, not -1"),
        ({"protocols": "rcp"}, TypeError, r"`protocols`: expected a list, .* write \['rcp'\]"),
        ({"protocols": [3]}, TypeError, "`protocols`: expected names, not 3"),
        ({"laws": [Constant]}, TypeError, "`laws`: expected a mapping"),
        ({"laws": {"a": 3}}, TypeError, "`laws`: expected a subclass of Law or a function, not 3"),
        ({"out": 3}, TypeError, "`out`: expected a path, not 3"),
        ({"again": "no"}, TypeError, "`again`: expected True or False, not 'no'"),
        ({"watch": None}, TypeError, "`watch`: expected True or False, not None"),
        ({"scenario": {"stop": "1 s"}}, TypeError, "`scenario`: expected a Scenario, a path or"),
    ],
)
def test_wrong_arguments_are_named(
    scenario: sluice.Scenario, given: dict, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        sluice.run(**{"scenario": scenario, "progress": False, **given})


def test_a_law_needs_a_name_of_its_own(scenario: sluice.Scenario) -> None:
    for name in ("rcp", "max_min", "two words", ""):
        with pytest.raises(sluice.ScenarioError):
            sluice.run(scenario, laws={name: Constant}, progress=False)


def test_the_command_s_exit_codes() -> None:
    def code(*args: str) -> int:
        command = [sys.executable, "-m", "sluice", *args]
        return subprocess.run(command, capture_output=True, check=False).returncode

    assert code("--version") == 0
    assert code("run", "nothing-of-that-name") == 2
    assert code("frobnicate") == 2


def test_sluice_is_imported_in_no_time() -> None:
    script = "import time; t = time.perf_counter(); import sluice; print(time.perf_counter() - t)"
    command = [sys.executable, "-c", script]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(5)]
    assert min(float(run.stdout) for run in runs) < 0.3
