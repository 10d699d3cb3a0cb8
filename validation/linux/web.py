"""Web-search flows at load 0.8: what is kept of the summary."""

import json
from pathlib import Path
from typing import Any

from points import HERE, demo

SCENARIO = HERE / "websearch.toml"
#: RCP alone, with the papers' gains and the least R of their authors.
OTHER_GAINS = {
    "protocols": '["rcp"]',
    "rcp.alpha": "0.1",
    "rcp.beta": "1",
    "rcp.min_rate": "0.01",
}


def measure(sluice: Path, out: Path, settings: dict[str, str]) -> dict[str, Any]:
    """The systems of the summary, by name, and what casts doubt on them."""
    said = demo(sluice, SCENARIO, out, settings)
    summary = json.loads((out / "summary.json").read_text())
    return {
        "systems": {system["protocol"]: figures(system) for system in summary["protocols"]},
        "notes": [line for line in said.splitlines() if "@linux, " in line],
    }


def figures(system: dict[str, Any]) -> dict[str, Any]:
    link = system["bottleneck"]
    return {
        "all": size(system["all"]),
        "by_size": [size(each) for each in system["by_size"]],
        "utilization": link["utilization"],
        "mean_queue": link["mean_queue"],
        "drops": link["drops"],
        "unfinished": system["unfinished"],
    }


def size(of: dict[str, Any]) -> dict[str, Any]:
    ends = {"from": of["from"], "to": of["to"], "flows": of["flows"]}
    kept = {
        name: {figure: of[name][figure] for figure in ("mean", "p99")}
        for name in ("completion", "slowdown")
    }
    return ends | kept
