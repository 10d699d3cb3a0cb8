#!/usr/bin/env python3
"""Runs scenarios/websearch.toml and updates the README's table and docs/figures/websearch.svg.

TCP runs once more with the initial window of the RCP papers. Runs are deterministic, so --check can
compare the README with what the code does. Standard library only.
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

import figure
import generated
import readme_table

ROOT = Path(__file__).resolve().parent.parent
SCENARIO = ROOT / "scenarios" / "websearch.toml"
FIGURE = ROOT / "docs" / "figures" / "websearch.svg"
README = ROOT / "README.md"
#: The lines around the table of the README.
BEGIN = "<!-- `make figure` writes this table. -->\n"
END = "<!-- end of table -->\n"


class Run(NamedTuple):
    """A run of the scenario."""

    name: str
    arguments: list[str]


RUNS = [
    Run("all", []),
    Run(
        "the papers' TCP",
        ["--protocols", "tcp", "--set", "tcp.initial_window=2", "--set", "ideals=[]"],
    ),
]
#: The columns of the table: title, run and system.
COLUMNS = [
    ("RCP", "all", "rcp"),
    ("XCP", "all", "xcp"),
    ("NCP", "all", "ncp"),
    ("Ledger", "all", "ledger"),
    ("TCP, initial window 10", "all", "tcp"),
    ("TCP, initial window 2", "the papers' TCP", "tcp"),
    ("processor sharing", "all", "max_min"),
]
#: The run and the protocol behind each line of the figure.
LINES = {
    "tcp2": ("the papers' TCP", "tcp"),
    "tcp": ("all", "tcp"),
    "xcp": ("all", "xcp"),
    "ncp": ("all", "ncp"),
    "ledger": ("all", "ledger"),
    "rcp": ("all", "rcp"),
}

BINS_PER_DECADE = 4
#: In bytes. All smaller flows are a single packet, like flows of this size.
MIN_SIZE = 1000

Flows = list[dict[str, str]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if out of date")
    parser.add_argument("sluice", type=Path, help="the sluice command")
    args = parser.parse_args()
    readme = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        folders = {run.name: Path(folder) / str(number) for number, run in enumerate(RUNS)}
        for run in RUNS:
            sluice(args.sluice, "run", SCENARIO, "--out", folders[run.name], *run.arguments)
        summaries = {name: summary(folder) for name, folder in folders.items()}
        flows = {
            name: read(args.sluice, folders[run], protocol)
            for name, (run, protocol) in LINES.items()
        }
    columns = [readme_table.Column(title, summaries[run], system) for title, run, system in COLUMNS]
    readme = with_table(readme, readme_table.table(columns))
    lines = {name: means(rows, "completion_ns") for name, rows in flows.items()}
    files = {README: readme, FIGURE: figure.draw(lines, means(flows["rcp"], "alone_ns"))}
    if args.check:
        return generated.check(files, "make figure")
    generated.write(files)
    return 0


def sluice(command: Path, *arguments: object) -> str:
    """The output of a command; exits if it fails."""
    words = [str(word) for word in (command.resolve(), *arguments)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def with_table(readme: str, table: str) -> str:
    """The README with this table in the place of its own."""
    before, rest = readme.split(BEGIN)
    _, after = rest.split(END, 1)
    return before + BEGIN + table + END + after


def summary(folder: Path) -> readme_table.Summary:
    """The summary of a run."""
    found: readme_table.Summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return found


def read(command: Path, folder: Path, protocol: str) -> Flows:
    """The flows of all runs of a protocol."""
    runs = summary(folder)["runs"]
    flows: Flows = []
    for run in runs:
        if run["protocol"] == protocol:
            table = sluice(command, "export", folder / run["folder"] / "flows.parquet")
            flows += csv.DictReader(io.StringIO(table))
    return flows


def means(flows: Flows, column: str) -> figure.Points:
    """The geometric mean of sizes and the mean of a column, in seconds, for each bin of sizes."""
    bins = defaultdict(list)
    for row in flows:
        size = int(row["size_bytes"])
        if row["measured"] == "true" and row["completion_ns"] and size >= MIN_SIZE:
            number = math.floor(math.log10(size) * BINS_PER_DECADE)
            bins[number].append((size, int(row[column]) / 1e9))
    points = []
    for _, found in sorted(bins.items()):
        # Geometric, because the axis of sizes is logarithmic.
        middle = math.exp(math.fsum(math.log(size) for size, _ in found) / len(found))
        points.append((middle, math.fsum(value for _, value in found) / len(found)))
    return points


if __name__ == "__main__":
    sys.exit(main())
