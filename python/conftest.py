"""What tests and the examples in docstrings share: small runs, and matplotlib without a window."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ["MPLBACKEND"] = "Agg"

import pytest
import sluice

TOPOLOGY = {"dumbbell": {"capacity": "10 Mbps", "rtt": "40 ms", "buffer": "1 bdp"}}
LONG = {"name": "long", "from": "s0", "to": "d0", "long": {"count": 2, "spacing": "1 s"}}
SIZES = {"pareto": {"mean": "20 kB", "shape": 1.4}}
WEB = {"name": "web", "from": "s0", "to": "d0", "poisson": {"load": "$load", "sizes": SIZES}}
LINK = {"link": ["left", "right"], "every": "40 ms"}
FLOWS = [{"flow": {"group": "long", "index": index}, "every": "40 ms"} for index in (0, 1)]
BOTH_WAYS = [["left", "right"], ["right", "left"]]


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture(scope="session")
def scenario() -> sluice.Scenario:
    """Two sizes of flows over a bottleneck, two seeds; a link and a flow are sampled."""
    return sluice.Scenario(
        name="small",
        replications=2,
        protocols=["rcp", "tcp"],
        stop="2 s",
        topology={"dumbbell": {"capacity": "10 Mbps", "rtt": "40 ms"}},
        group=[
            {
                "name": "web",
                "from": "s0",
                "to": "d0",
                "poisson": {"load": 0.5, "sizes": {"fixed": "30 packets"}},
            },
            {"name": "long", "from": "s0", "to": "d0", "long": {"count": 1}},
        ],
        metrics=[
            {"link": ["left", "right"], "every": "20 ms"},
            {"flow": {"group": "long"}, "every": "20 ms"},
        ],
    )


@pytest.fixture(scope="session")
def results(scenario: sluice.Scenario, tmp_path_factory: pytest.TempPathFactory) -> sluice.Results:
    """The results of the small scenario."""
    return sluice.run(scenario, out=tmp_path_factory.mktemp("small"), progress=False)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where results of the whole session lie."""
    return tmp_path_factory.mktemp("results")


@pytest.fixture(scope="session")
def mixed(folder: Path) -> sluice.Results:
    """Short flows beside two long ones, whose packets are traced; two seeds."""
    scenario = sluice.Scenario(
        name="mixed",
        protocols=["rcp", "tcp"],
        stop="4 s",
        replications=2,
        variables={"load": 0.5},
        topology=TOPOLOGY,
        group=[LONG, WEB],
        metrics=[LINK, *FLOWS],
        trace={"flows": ["long"], "packets": BOTH_WAYS},
    )
    return sluice.run(scenario, out=folder / "mixed", progress=False)


@pytest.fixture(scope="session")
def long(folder: Path) -> sluice.Results:
    """Two long flows, and nothing else, under three protocols."""
    scenario = sluice.Scenario(
        name="long",
        protocols=["rcp", "xcp", "tcp"],
        stop="8 s",
        limit="8 s",
        topology=TOPOLOGY,
        group=[LONG],
        metrics=[LINK, *FLOWS],
    )
    return sluice.run(scenario, out=folder / "long", progress=False)


@pytest.fixture(scope="session")
def web() -> sluice.Scenario:
    """Short flows that arrive at random, and a limit that some of them meet."""
    return sluice.Scenario(
        name="web",
        protocols=["rcp", "tcp"],
        stop="4 s",
        limit="4 s",
        replications=3,
        variables={"load": 0.5},
        topology=TOPOLOGY,
        group=[WEB],
        metrics=[LINK],
    )


@pytest.fixture(scope="session")
def short(web: sluice.Scenario, folder: Path) -> sluice.Results:
    """The results of short flows."""
    return sluice.run(web, out=folder / "short", progress=False)


@pytest.fixture(scope="session")
def swept(web: sluice.Scenario, folder: Path) -> sluice.Frame:
    """The tidy table of a sweep of them over two fields."""
    over = {"load": [0.3, 0.6], "topology.dumbbell.buffer": ["100 ms", "10 ms"]}
    return sluice.sweep(web, over, out=folder / "sweep", progress=False).frame()


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results that are given no folder go to one that nobody keeps."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _examples(doctest_namespace: dict[str, Any], request: pytest.FixtureRequest) -> None:
    """Examples in docstrings of plots have results to draw."""
    if request.node.name.startswith("sluice.plot"):
        swept = request.getfixturevalue("swept")
        only = swept.where(**{"topology.dumbbell.buffer": "100 ms"})
        results = request.getfixturevalue("mixed")
        doctest_namespace |= {"sluice": sluice, "results": results, "swept": only}
