"""Every public function takes any wrong argument with an error that it raises itself."""

from __future__ import annotations

import inspect
import linecache
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sluice
from matplotlib import pyplot

#: Values that some argument does not take; a few of them in each change's tests.
FEW = [object(), "\ud800", -1, [3], "\0"]
WRONG = [
    *[None, True, -1, 0, 3, 1.5, float("nan"), float("inf"), 2**70],
    *["", "x", "\ud800", "\0", b"x", object(), int, len, iter(())],
    *[[], [3], ["x"], [None], [[]], (), ("x", -1), ("long", 9)],
    *[{}, {"x": 1}, {3: []}, {"x": [3]}],
]

Call = Callable[..., Any]


class Fixed(sluice.Law):
    def start(self) -> float:
        return 1e6

    def tick(self, sample: sluice.LinkSample) -> float:
        return 1e6


def calls(results: sluice.Results, swept: sluice.Sweep) -> Iterator[tuple[Call, dict[str, Any]]]:
    """Each public function, with arguments that are right."""
    scenario = sluice.Scenario.load("ps2-rcp")
    run = {"scenario": scenario, "protocols": ["rcp"], "progress": False}
    draws = {"over": {"rcp.alpha": [0.1]}, "how": "random", "points": 1, "draw_seed": 1}
    yield sluice.run, run | {"seeds": [1], "laws": {"own": Fixed}, "threads": 1, "again": False}
    yield sluice.run, run | {"watch": False, "out": "out"}
    yield sluice.sweep, run | draws | {"seeds": [1], "laws": None, "threads": 1, "again": False}
    yield sluice.sweep, run | {"over": {"rcp.alpha": [0.1]}, "out": "out", "client": None}
    yield sluice.load, {"folder": results.folder}
    yield sluice.Results, {"folder": results.folder, "summary": None}
    yield sluice.Sweep, {"folder": swept.folder}
    yield swept.__getitem__, {"index": 0}
    yield sluice.Frame, {"arrow": results.frame().arrow}
    yield results.flows().__getitem__, {"column": "group"}
    yield results.flows().where, {"seed": 1, "group": "long", "slowdown": 1.0, "measured": True}
    yield results.of, {"protocol": "rcp"}
    for table in (results.flows, results.links, results.series, results.packets, results.senders):
        yield table, {"protocol": "rcp", "seed": 1}
    yield results.report, {"out": "page.html"}
    yield sluice.Scenario, {"name": "a", "folder": ".", "stop": "1 s", "topology": {}, "group": []}
    yield sluice.Scenario.load, {"file": "ps2-rcp"}
    yield sluice.Scenario.parse, {"text": "schema = 1", "name": "a", "folder": "."}
    yield scenario.set, {"fields": {"stop": "1 s"}}
    yield sluice.names, {"kind": "protocol"}
    yield sluice.explain, {"name": "rcp"}
    yield from plots(results, swept)


def plots(results: sluice.Results, swept: sluice.Sweep) -> Iterator[tuple[Call, dict[str, Any]]]:
    plot, some = sluice.plot, {"results": results, "ax": None}
    one = some | {"protocol": "rcp", "seed": 1}
    for by_size in (plot.completion, plot.slowdown):
        yield by_size, some | {"figure": "mean", "protocol": "rcp"}
    yield plot.cdf, some | {"of": "slowdown", "sizes": None, "protocol": "rcp"}
    yield plot.series, one | {"quantity": "queue_bytes", "link": None, "flow": None}
    yield plot.queue, one | {"unit": "bytes", "link": None}
    yield plot.rate, one | {"flow": ("long", 0)}
    yield plot.cwnd, some | {"protocol": "tcp", "seed": 1, "flow": ("long", 0)}
    yield plot.phase, one | {"x": "queue_bytes", "y": "R", "link": None}
    yield plot.sequence, one | {"group": "long", "index": 0}
    yield plot.convergence, one | {"window": 0.2}
    yield plot.fairness, one | {"window": 0.2}
    field = {"swept": swept, "x": "rcp.alpha", "y": "completion_mean", "sizes": None, "ax": None}
    yield plot.sweep, field


def fault(call: Call, arguments: dict[str, Any]) -> str | None:
    """What is wrong with the error of a call; None for a good one, or for none at all."""
    try:
        if inspect.ismethod(call) and call.__name__ == "__getitem__":
            call(*arguments.values())
        else:
            call(**arguments)
    except (TypeError, ValueError, KeyError, IndexError, OSError, sluice.RunError) as error:
        if isinstance(error, (sluice.ScenarioError, sluice.RunError, OSError)):
            return None
        frame = traceback.extract_tb(error.__traceback__)[-1]
        line = (linecache.getline(frame.filename, frame.lineno) or "").strip()
        # The words of an unknown name's error are in Rust.
        by_hand = line.startswith("raise") or (type(error) is ValueError and "_core." in line)
        if "/sluice/" in frame.filename and by_hand:
            return None
        return f"{type(error).__name__}: {error}, from {frame.filename}:{frame.lineno}: {line}"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return None


@pytest.mark.parametrize("values", [FEW, pytest.param(WRONG, marks=pytest.mark.long)])
def test_wrong_arguments_are_refused_where_they_are_given(
    values: list[Any], mixed: sluice.Results, capfd: pytest.CaptureFixture[str]
) -> None:
    swept = sluice.sweep(
        "ps2-rcp", {"rcp.alpha": [0.1, 0.2]}, protocols=["rcp"], out="swept", progress=False
    )
    faults = []
    for call, right in calls(mixed, swept):
        assert fault(call, right) is None, f"{call}({right})"
        for name in right:
            for wrong in values:
                found = fault(call, right | {name: wrong})
                if found:
                    faults.append(f"{call.__qualname__}({name}={wrong!r}): {found}")
            pyplot.close("all")
    assert not faults, "\n".join([f"{len(faults)} faults", *faults])
    assert "panicked" not in capfd.readouterr().err
