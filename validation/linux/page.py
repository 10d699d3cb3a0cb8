"""The tables of docs/linux.md.

Each lies between `<!-- measured: NAME -->` and `<!-- end of table -->`.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from points import GRID, HERE, Point

ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "linux.md"
MEASURED = HERE / "measured.json"
TABLE = re.compile(r"(<!-- measured: (\S+) -->\n).*?(<!-- end of table -->)", re.DOTALL)
#: A point passes with this much of the capacity, and shares within this part of their mean.
LEAST_USED, UNEVEN = 0.93, 0.05
#: Simulated and measured means are as good as equal within this.
ALIKE = 0.15
PROTOCOLS = {"rcp": "RCP", "cubic": "CUBIC", "bbr1": "BBR"}


def write(measured: dict[str, Any]) -> None:
    """Replaces the tables of the page."""
    tables = {
        "machine": machine(measured),
        "grid": grid(measured["grid"], marked_cell),
        "simulated": grid(measured["grid"], lambda row: cell(row, "rcp")),
        "misses": misses(measured["grid"]),
        "web": web(measured["web"]["systems"]) + doubts(measured["web"]),
        "gains": gains(measured["gains"]["systems"]) + doubts(measured["gains"]),
        "sizes": sizes(measured["web"]["systems"]),
        "cost": cost(measured["cost"]),
    }
    text = PAGE.read_text()
    PAGE.write_text(TABLE.sub(lambda found: found[1] + tables[found[2]] + found[3], text))


def machine(measured: dict[str, Any]) -> str:
    dates = sorted(set(measured["dates"].values()))
    when = " to ".join(dict.fromkeys((dates[0], dates[-1])))
    return f"Linux {measured['kernel']} with {measured['cpus']} virtual CPUs, {when}.\n"


def grid(rows: list[dict[str, Any]], of: Callable[[dict[str, Any]], str]) -> str:
    """A row for each capacity and RTT, a column for each number of flows."""
    found = {point_of(row): row for row in rows}
    counts = sorted({point.flows for point in GRID})
    lines = [
        "| link | " + " | ".join("1 flow" if n == 1 else f"{n} flows" for n in counts) + " |",
        "|---|" + "---|" * len(counts),
    ]
    for mbps, rtt_ms in dict.fromkeys((point.mbps, point.rtt_ms) for point in GRID):
        cells = [of(found[Point(mbps, rtt_ms, n)]) for n in counts]
        lines.append(f"| {link_name(mbps, rtt_ms)} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def marked_cell(row: dict[str, Any]) -> str:
    """What is measured at a point, bold unless it is as it should be."""
    text = cell(row, "rcp@linux")
    return f"**{text}**" if faults(row) else text


def cell(row: dict[str, Any], system: str) -> str:
    found = row[system]
    text = f"{100 * found['utilization']:.1f} %, {volume(found['mean_queue'])}"
    return text if row["flows"] == 1 else f"{text}, {100 * found['uneven']:.1f} %"


def faults(row: dict[str, Any]) -> list[str]:
    """What of a point is not as it should be."""
    kernel, limit = row["rcp@linux"], point_of(row).queue_limit
    found = []
    if kernel["utilization"] < LEAST_USED:
        found.append(f"{100 * kernel['utilization']:.1f} % of the capacity")
    if kernel["mean_queue"] > limit:
        found.append(f"a mean queue of {volume(kernel['mean_queue'])} (limit {volume(limit)})")
    if kernel["uneven"] > UNEVEN:
        found.append(f"a share {100 * kernel['uneven']:.1f} % from the mean")
    return found


def misses(rows: list[dict[str, Any]]) -> str:
    """How many points pass, and a line for each that does not or whose run is in doubt."""
    passed = sum(not faults(row) for row in rows)
    lines = []
    for row in rows:
        said = [", ".join(faults(row))] if faults(row) else []
        said += row["notes"]
        if said:
            place = f"{link_name(row['mbps'], row['rtt_ms'])}, {flows(row['flows'])}"
            lines.append(f"- {place}: {'; '.join(said)}.")
    head = f"{passed} of {len(rows)} points are within all three."
    return "\n".join([head, "", *lines]).rstrip() + "\n"


def web(systems: dict[str, Any]) -> str:
    """Measured and simulated totals, side by side."""
    rows = [both(title, systems, name) for name, title in PROTOCOLS.items()]
    return header() + "".join(rows)


def gains(systems: dict[str, Any]) -> str:
    """The same of RCP with the papers' gains."""
    return header() + both("RCP", systems, "rcp")


def doubts(found: dict[str, Any]) -> str:
    """A line for each reason to doubt runs."""
    lines = list(found["notes"])
    for name, of in found["systems"].items():
        if of["unfinished"]:
            lines.append(f"{name}: {of['unfinished']} flows did not finish")
    return "".join(f"\n- {line}" for line in lines) + ("\n" if lines else "")


def header() -> str:
    return (
        "| | mean completion time | 99th percentile | mean slowdown | 99th percentile | utilization"
        " | mean queue | packets dropped a run |\n"
        "|---|---|---|---|---|---|---|---|\n"
    )


def both(title: str, systems: dict[str, Any], name: str) -> str:
    """Rows of what is measured and simulated of a protocol, and their ratios."""
    kernel, simulated = systems[f"{name}@linux"], systems[name]
    ratios = [
        kernel["all"][kind][figure] / simulated["all"][kind][figure]
        for kind in ("completion", "slowdown")
        for figure in ("mean", "p99")
    ]
    return (
        f"| **{title}**, measured | " + " | ".join(totals(kernel)) + " |\n"
        "| simulated | " + " | ".join(totals(simulated)) + " |\n"
        "| ratio | " + " | ".join(marked(ratio) for ratio in ratios) + " | | | |\n"
    )


def totals(of: dict[str, Any]) -> list[str]:
    completion, slowdown = of["all"]["completion"], of["all"]["slowdown"]
    return [
        seconds(completion["mean"]),
        seconds(completion["p99"]),
        f"{slowdown['mean']:.2f}",
        f"{slowdown['p99']:.1f}",
        f"{100 * of['utilization']:.1f} %",
        volume(of["mean_queue"]),
        f"{of['drops']:,.0f}",
    ]


def sizes(systems: dict[str, Any]) -> str:
    """Mean completion times by size: measured, and in parentheses over simulated."""
    bins = systems["rcp"]["by_size"]
    lines = [
        "| flow size (flows) | " + " | ".join(PROTOCOLS.values()) + " |",
        "|---|" + "---|" * len(PROTOCOLS),
    ]
    for place, of in enumerate(bins):
        cells = []
        for name in PROTOCOLS:
            kernel, simulated = (
                systems[system]["by_size"][place]["completion"]["mean"]
                for system in (f"{name}@linux", name)
            )
            cells.append(f"{seconds(kernel)} ({marked(kernel / simulated)})")
        lines.append(f"| {size_name(of)} ({of['flows']}) | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def cost(found: dict[str, Any] | None) -> str:
    if found is None:
        return "Not measured: there is no `bpftool`.\n"
    return (
        "At 1 Gb/s, 10 ms and eight flows, by the kernel's own count of run times: the"
        f" programs of both hosts take {100 * found['host_share']:.1f} % of a core, in"
        f" {found['host_runs']:,.0f} runs a second. The router's takes"
        f" {100 * found['router_share']:.1f} % of a core, {found['router_ns']:,.0f} ns a run, with"
        " the readings of the clock for the count.\n"
    )


def marked(ratio: float) -> str:
    """A ratio of measured to simulated, bold where they are not alike."""
    return f"{ratio:.2f}" if abs(ratio - 1) <= ALIKE else f"**{ratio:.2f}**"


def point_of(row: dict[str, Any]) -> Point:
    return Point(row["mbps"], row["rtt_ms"], row["flows"])


def link_name(mbps: int, rtt_ms: int) -> str:
    return f"{mbps // 1000} Gb/s, {rtt_ms} ms" if mbps >= 1000 else f"{mbps} Mb/s, {rtt_ms} ms"


def flows(count: int) -> str:
    return "1 flow" if count == 1 else f"{count} flows"


def size_name(of: dict[str, Any]) -> str:
    if not of["from"]:
        return f"below {volume(of['to'])}"
    return (
        f"{volume(of['from'])} to {volume(of['to'])}" if of["to"] else f"above {volume(of['from'])}"
    )


def volume(size: float) -> str:
    for factor, unit in ((1e6, "MB"), (1e3, "kB")):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size:.0f} B"


def seconds(time: float) -> str:
    return f"{time:.2f} s" if time >= 1 else f"{1e3 * time:.3g} ms"


def read() -> dict[str, Any]:
    return json.loads(MEASURED.read_text())


def keep(measured: dict[str, Any]) -> None:
    MEASURED.write_text(json.dumps(measured, indent=1) + "\n")
