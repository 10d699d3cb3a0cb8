#!/usr/bin/env python3
"""Runs scenarios/websearch.toml and puts what it gives into the README: parts of the tables as
printed, and docs/figures/websearch.svg, mean completion time by flow size. TCP is run once more
with the initial window of the RCP papers.

    tools/readme_figure.py [--check] target/release/sluice

Runs are deterministic, so that --check, which writes nothing, can tell whether the README still shows
what the code does. Standard library only.
"""

import argparse
import csv
import io
import json
import math
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from tour import parts

ROOT = Path(__file__).resolve().parent.parent
SCENARIO = ROOT / "scenarios" / "websearch.toml"
FIGURE = ROOT / "docs" / "figures" / "websearch.svg"
README = ROOT / "README.md"
#: A table of the README stands between these lines.
BEGIN, END = "<!-- `make figure` writes the table of {}. -->\n```text\n", "```\n<!-- end of table -->\n"


class Run(NamedTuple):
    """What is run, and which parts of what it prints the README shows."""

    name: str
    arguments: list[str]
    shows: str


RUNS = [
    Run(
        "all",
        [],
        "websearch | flow size | completion time, mean | completion time, 99th percentile"
        " | links that | packets on",
    ),
    Run(
        "the papers' TCP",
        ["--protocols", "tcp", "--set", "tcp.initial_window=2", "--set", "ideals=[]"],
        "flow size | completion time, mean | completion time, 99th percentile",
    ),
]

BINS_A_DECADE = 4
#: Smaller flows are a single packet, as those of this size are.
LEAST_SIZE = 1000


class Style(NamedTuple):
    """How a protocol is drawn: told apart by the marker too, for those who do not see the colours."""

    name: str
    label: str
    #: The run of `RUNS` and the protocol in it.
    run: str
    protocol: str
    marker: str
    #: On white and on dark; from Okabe and Ito's palette for the colour-blind.
    colours: tuple[str, str]


STYLES = [
    Style(
        "tcp2",
        "TCP, window 2",
        "the papers' TCP",
        "tcp",
        "M-5 -4.2L0 5L5 -4.2Z",
        ("#8a6d3b", "#c9b282"),
    ),
    Style("tcp", "TCP", "all", "tcp", "M-5 4.2L0 -5L5 4.2Z", ("#a34700", "#f0a070")),
    Style("xcp", "XCP", "all", "xcp", "M-4.2 -4.2H4.2V4.2H-4.2Z", ("#007a5a", "#3dd6a8")),
    Style("ncp", "NCP", "all", "ncp", "M0 -5.4L5.4 0L0 5.4L-5.4 0Z", ("#7a3e9d", "#c79be0")),
    Style(
        "rcp",
        "RCP",
        "all",
        "rcp",
        "M-4.8 0A4.8 4.8 0 1 1 4.8 0A4.8 4.8 0 1 1 -4.8 0Z",
        ("#0060a8", "#6cbcf5"),
    ),
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if out of date")
    parser.add_argument("sluice", type=Path, help="the sluice command")
    args = parser.parse_args()
    readme = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        folders = {each.name: Path(folder) / str(number) for number, each in enumerate(RUNS)}
        for each in RUNS:
            printed = run(args.sluice, each.arguments, folders[each.name])
            before, rest = readme.split(BEGIN.format(each.name))
            after = rest.split(END, 1)[1]
            readme = before + BEGIN.format(each.name) + parts(printed, each.shows) + END + after
        flows = {
            style.name: read(args.sluice, folders[style.run], style.protocol) for style in STYLES
        }
        lines = {name: means(rows, "completion_ns") for name, rows in flows.items()}
        figure = draw(lines, means(flows["rcp"], "alone_ns"))
    wanted = {README: readme, FIGURE: figure}
    stale = [path for path, text in wanted.items() if not holds(path, text)]
    for path in stale:
        if args.check:
            print(f"{path.relative_to(ROOT)} is out of date: run `make figure` and look at it")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
    return int(args.check and bool(stale))


def holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def run(sluice: Path, arguments: list[str], folder: Path) -> str:
    """Runs the scenario; what it printed."""
    command = [sluice.resolve(), "run", SCENARIO, "--out", folder, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def read(sluice: Path, folder: Path, protocol: str) -> list[dict[str, str]]:
    """The flows of the protocol's runs."""
    runs = json.loads((folder / "summary.json").read_text(encoding="utf-8"))["runs"]
    flows = []
    for run in runs:
        if run["protocol"] == protocol:
            command = [sluice.resolve(), "export", folder / run["folder"] / "flows.parquet"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            flows += csv.DictReader(io.StringIO(done.stdout))
    return flows


def means(flows: list[dict[str, str]], column: str) -> list[tuple[float, float]]:
    """(size in bytes, mean of the column in seconds) for each bin of sizes."""
    bins = defaultdict(list)
    for row in flows:
        if row["measured"] == "true" and row["completion_ns"]:
            size = int(row["size_bytes"])
            if size >= LEAST_SIZE:
                number = math.floor(math.log10(size) * BINS_A_DECADE)
                bins[number].append((size, int(row[column]) / 1e9))
    points = []
    for _, flows in sorted(bins.items()):
        # The geometric mean of sizes, since their axis is logarithmic.
        size = math.exp(math.fsum(math.log(size) for size, _ in flows) / len(flows))
        points.append((size, math.fsum(value for _, value in flows) / len(flows)))
    return points


# --- drawing

WIDTH, HEIGHT = 760, 430
LEFT, RIGHT, TOP, BOTTOM = 78, 650, 70, 366
#: From one label to the next.
LINE = 15
SIZES, TIMES = (LEAST_SIZE, 3e7), (0.03, 2.0)

CSS = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; }
    .title { font-size: 16px; font-weight: 600; } .name { font-weight: 600; }
    .line { fill: none; stroke-width: 2; } .alone { stroke-dasharray: 5 4; stroke-width: 1.5; }
"""


def draw(lines: dict[str, list], alone: list) -> str:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-label="Mean flow completion time by flow size under RCP, '
        'XCP, NCP and TCP">',
        f"<style>{CSS}{theme(0)}    @media (prefers-color-scheme: dark) {{{theme(1)}    }}\n</style>",
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
        f'<text class="title" x="{LEFT}" y="28">How long a flow takes, by its size</text>',
        f'<text class="faint" x="{LEFT}" y="49">mean completion time; web-search flows at load 0.7 on a '
        "shared 10 Gb/s link, RTT 20 to 40 ms</text>",
        *axes(),
        f'<path class="line alone" d="{path(alone)}"/>',
        label("alone", "alone on the", alone[-1], 0),
        label("alone", "empty path", alone[-1], LINE),
    ]
    for style in STYLES:
        points = lines[style.name]
        parts.append(f'<path class="line {style.name}" d="{path(points)}"/>')
        for point in points:
            parts.append(
                f'<path class="mark {style.name}" d="{style.marker}" '
                f'transform="translate({x(point[0])} {y(point[1])})"/>'
            )
    parts += labels({style: lines[style.name][-1] for style in STYLES})
    return "\n".join([*parts, "</svg>\n"])


def theme(number: int) -> str:
    """Colours on white (0) or dark (1). The page is drawn too, so that either reads on any ground."""
    page, text, faint, grid = [
        ("#ffffff", "#1f2328", "#59636e", "#e3e7eb"),
        ("#151b23", "#f0f6fc", "#a5b0bb", "#2f3741"),
    ][number]
    rules = [
        f".page {{ fill: {page}; stroke: {grid}; }} text {{ fill: {text}; }}",
        f"text.faint, text.alone {{ fill: {faint}; }} .grid {{ stroke: {grid}; }}",
        f".line.alone {{ stroke: {faint}; }}",
    ]
    for style in STYLES:
        colour = style.colours[number]
        rules.append(
            f".line.{style.name} {{ stroke: {colour}; }} "
            f".mark.{style.name}, text.{style.name} {{ fill: {colour}; }}"
        )
    return "\n    " + "\n    ".join(rules) + "\n"


def axes() -> list[str]:
    parts = []
    names = {1e3: "1 kB", 1e4: "10 kB", 1e5: "100 kB", 1e6: "1 MB", 1e7: "10 MB"}
    for size, name in names.items():
        parts.append(f'<path class="grid" d="M{x(size)} {TOP}V{BOTTOM}"/>')
        parts.append(
            f'<text class="faint" text-anchor="middle" x="{x(size)}" y="{BOTTOM + 20}">{name}</text>'
        )
    names = {0.05: "50 ms", 0.1: "0.1 s", 0.2: "0.2 s", 0.5: "0.5 s", 1: "1 s", 2: "2 s"}
    for time, name in names.items():
        parts.append(f'<path class="grid" d="M{LEFT} {y(time)}H{RIGHT}"/>')
        parts.append(
            f'<text class="faint" text-anchor="end" x="{LEFT - 10}" y="{y(time) + 4.5:.1f}">{name}</text>'
        )
    middle = (LEFT + RIGHT) / 2
    parts.append(
        f'<text class="faint" text-anchor="middle" x="{middle}" y="{BOTTOM + 44}">flow size</text>'
    )
    return parts


def path(points: list) -> str:
    return "M" + "L".join(f"{x(size)} {y(time)}" for size, time in points)


def labels(ends: dict[Style, tuple[float, float]]) -> list[str]:
    """The lines' names where they end, lower where another stands there."""
    parts, free = [], float("-inf")
    for style, end in sorted(ends.items(), key=lambda item: y(item[1][1])):
        down = max(free - y(end[1]), 0)
        parts.append(label(style.name, style.label, end, down))
        free = y(end[1]) + down + LINE
    return parts


def label(name: str, text: str, point: tuple[float, float], down: float) -> str:
    shown = "" if name == "alone" else "name "
    return (
        f'<text class="{shown}{name}" x="{x(point[0]) + 12:.1f}" '
        f'y="{y(point[1]) + 4.5 + down:.1f}">{text}</text>'
    )


def x(size: float) -> float:
    return along(size, SIZES, LEFT, RIGHT)


def y(time: float) -> float:
    return along(time, TIMES, BOTTOM, TOP)


def along(value: float, ends: tuple[float, float], first: int, last: int) -> float:
    """Where a value stands on a logarithmic axis, to a tenth of a pixel."""
    part = math.log(value / ends[0]) / math.log(ends[1] / ends[0])
    return round(first + part * (last - first), 1)


if __name__ == "__main__":
    sys.exit(main())
