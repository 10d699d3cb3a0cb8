"""What tests share: a small scenario, and its results."""

from __future__ import annotations

from pathlib import Path

import pytest

import sluice


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
        probe=[
            {"link": ["left", "right"], "every": "20 ms"},
            {"flow": {"group": "long"}, "every": "20 ms"},
        ],
    )


@pytest.fixture(scope="session")
def results(scenario: sluice.Scenario, tmp_path_factory: pytest.TempPathFactory) -> sluice.Results:
    """The results of the small scenario."""
    return sluice.run(scenario, out=tmp_path_factory.mktemp("small"), progress=False)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results that are given no folder go to one that nobody keeps."""
    monkeypatch.chdir(tmp_path)
