"""Several paths, from Python."""

from __future__ import annotations

from typing import Any

import pytest
import sluice

LINKS = [
    {"from": a, "to": b, "capacity": "100 Mbps", "delay": "1 ms"}
    for a, b in [("a", "up"), ("a", "down"), ("up", "b"), ("down", "b")]
]


def paths(**fields: Any) -> set[str]:
    """The paths of a hundred flows from `a` to `b`."""
    flows = {"every": "1 ms", "sizes": {"fixed": "3 kB"}}
    group = {"name": "g", "from": "a", "to": "b", "periodic": flows, **fields}
    scenario = sluice.Scenario(
        stop="100 ms", protocols=["tcp"], topology={"link": LINKS}, group=[group]
    )
    return set(sluice.run(scenario, progress=False).flows()["path"])


def test_flows_name_their_paths() -> None:
    assert paths() == {"a>up>b", "a>down>b"}
    assert paths(routing="spray") == {"a>(up|down)>b"}
    both = [{"path": ["a", "up", "b"], "weight": 3}, {"path": ["a", "down", "b"]}]
    assert paths(paths=both) == {"a>up>b", "a>down>b"}


def test_idle_paths_are_a_warning() -> None:
    with pytest.warns(UserWarning, match="lie idle"):
        assert paths(routing="single") == {"a>up>b"}
