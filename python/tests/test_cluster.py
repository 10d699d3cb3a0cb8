"""Sweeps on real Dask workers: the same bytes, also when one of them is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import dask
import pytest
import sluice
from distributed import Client, LocalCluster
from sluice import _core

from .test_sweep import OVER, bytes_in


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """Two workers, each a process of its own."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        yield client


def test_a_cluster_makes_the_same_bytes(scenario: sluice.Scenario, client: Client) -> None:
    sluice.sweep(scenario, OVER, out="here", progress=False)
    there = sluice.sweep(scenario, OVER, out="there", progress=False, client=client)
    assert len(there) == 4
    assert bytes_in(Path("here")) == bytes_in(Path("there"))


def test_a_killed_worker_costs_its_tasks_in_flight(
    scenario: sluice.Scenario, client: Client
) -> None:
    scenario = scenario.set({"stop": "60 s", "replications": 4})
    victim = next(iter(client.run(os.getpid).values()))
    kept: dict[Path, int] = {}

    def kill() -> None:
        while len(whole := list(Path("there").glob("*/runs/*/run.json"))) < 4:
            time.sleep(0.005)
        kept.update((path, path.stat().st_mtime_ns) for path in whole)
        os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    sluice.sweep(scenario, OVER, out="there", progress=False, client=client)
    killer.join(timeout=60)
    runs = list(Path("there").glob("*/runs/*/run.json"))
    assert 0 < len(kept) < len(runs), "the sweep was over before the worker was killed"
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    sluice.sweep(scenario, OVER, out="here", progress=False)
    assert bytes_in(Path("here")) == bytes_in(Path("there"))


def test_what_is_pending_goes_on_where_it_was(scenario: sluice.Scenario, client: Client) -> None:
    sluice.sweep(scenario, OVER, protocols=["rcp"], out="out", progress=False)
    made = {path: path.stat().st_mtime_ns for path in Path("out").glob("*/runs/*/run.json")}
    sluice.sweep(scenario, OVER, out="out", progress=False, client=client)
    assert made and {path: path.stat().st_mtime_ns for path in made} == made


def test_the_command_reaches_a_cluster(
    scenario: sluice.Scenario, cluster: LocalCluster, tmp_path: Path
) -> None:
    (tmp_path / "small.toml").write_text(scenario.toml)
    vary = "topology.dumbbell.rtt=20ms,40ms"
    sweep = [sys.executable, "-m", "sluice", "sweep", "small.toml", "--vary", vary]
    address = cluster.scheduler_address
    subprocess.run([*sweep, "--out", "there", "--quiet", "--cluster", address], check=True)
    subprocess.run([*sweep, "--out", "here", "--quiet"], check=True)
    assert bytes_in(Path("here")) == bytes_in(Path("there"))


def test_an_unreachable_cluster_is_an_error(scenario: sluice.Scenario) -> None:
    with dask.config.set({"distributed.comm.timeouts.connect": "200ms"}):
        with pytest.raises(ConnectionError, match="127.0.0.1:9"):
            sluice.sweep(scenario, OVER, progress=False, client="tcp://127.0.0.1:9")


def test_another_build_is_refused(scenario: sluice.Scenario) -> None:
    _build, *rest = scenario._core.plan().task(1)
    with pytest.raises(sluice.RunError, match="0.0.1"):
        _core.make(("0.0.1+older", *rest))
