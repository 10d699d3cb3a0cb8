"""What tests and the examples in docstrings share: small runs, and matplotlib without a window."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

os.environ["MPLBACKEND"] = "Agg"

import pytest

import sluice

LINK = """
[topology.dumbbell]
capacity = "10 Mbps"
rtt = "40 ms"
buffer = "1 bdp"

[[probe]]
link = ["left", "right"]
every = "40 ms"
"""

LONG = """
[[group]]
name = "long"
from = "s0"
to = "d0"
long = { count = 2, spacing = "1 s" }

[[probe]]
flow = { group = "long", index = 0 }
every = "40 ms"

[[probe]]
flow = { group = "long", index = 1 }
every = "40 ms"
"""

SHORT = """
[variables]
load = 0.5

[[group]]
name = "web"
from = "s0"
to = "d0"
poisson = { load = "$load", sizes = { pareto = { mean = "20 kB", shape = 1.4 } } }
"""

TRACED = """
[trace]
flows = ["long"]
packets = [["left", "right"], ["right", "left"]]
"""


def _scenario(folder: Path, name: str, head: str, *parts: str) -> sluice.Scenario:
    file = folder / f"{name}.toml"
    file.write_text("\n".join(["schema = 1", head, *parts]), encoding="utf-8")
    return sluice.Scenario.load(file)


def _run(folder: Path, name: str, *parts: str) -> sluice.Results:
    scenario = _scenario(folder, name, *parts)
    return sluice.run(scenario, out=folder / name, progress=False)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results")


@pytest.fixture(scope="session")
def results(folder: Path) -> sluice.Results:
    """Short flows beside two long ones, whose packets are traced; two seeds."""
    head = 'protocols = ["rcp", "tcp"]\nstop = "4 s"\nreplications = 2'
    return _run(folder, "mixed", head, LINK, LONG, SHORT, TRACED)


@pytest.fixture(scope="session")
def long(folder: Path) -> sluice.Results:
    """Two long flows, and nothing else, under three protocols."""
    head = 'protocols = ["rcp", "xcp", "tcp"]\nstop = "8 s"\nlimit = "8 s"'
    return _run(folder, "long", head, LINK, LONG)


@pytest.fixture(scope="session")
def short(folder: Path) -> sluice.Results:
    """Short flows that arrive at random, and a limit that some of them meet."""
    head = 'protocols = ["rcp", "tcp"]\nstop = "4 s"\nlimit = "4 s"\nreplications = 3'
    return _run(folder, "short", head, LINK, SHORT)


@pytest.fixture(scope="session")
def swept(folder: Path) -> sluice.Frame:
    """The tidy table of a sweep over two fields."""
    head = 'protocols = ["rcp", "tcp"]\nstop = "4 s"\nreplications = 2'
    scenario = _scenario(folder, "swept", head, LINK, SHORT)
    fields = {"load": [0.3, 0.6], "topology.dumbbell.buffer": ["100 ms", "10 ms"]}
    return sluice.sweep(scenario, fields, out=folder / "sweep").frame()


@pytest.fixture(autouse=True)
def _examples(doctest_namespace: dict[str, Any], request: pytest.FixtureRequest) -> None:
    """Examples in docstrings of plots have results to draw."""
    if request.node.name.startswith("sluice.plot"):
        swept = request.getfixturevalue("swept")
        only = swept.where(**{"topology.dumbbell.buffer": "100 ms"})
        results = request.getfixturevalue("results")
        doctest_namespace |= {"sluice": sluice, "results": results, "swept": only}
