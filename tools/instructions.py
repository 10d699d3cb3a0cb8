#!/usr/bin/env python3
"""Counts the instructions that the engine's benchmarks execute for each packet, and compares them
with crates/sluice-sim/benches/instructions.toml.

Unlike timings, counts are exact: two runs of one binary give the same. Another compiler gives other
counts, so with a rustc other than the table's the differences are printed and nothing fails. Needs
valgrind and says loudly where there is none; with SLUICE_VALGRIND=must that is an error. Standard
library only.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "crates" / "sluice-sim" / "benches" / "instructions.toml"
CARGO = os.environ.get("CARGO", "cargo")
#: The largest relative difference from the table that passes.
MARGIN = 0.02
RENEW = "`make instructions` writes the new counts; say in the commit why they changed."


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--write", action="store_true", help="write the table anew")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("SKIPPED: no instructions are counted: valgrind is not installed", file=sys.stderr)
        return int(options.write or os.environ.get("SLUICE_VALGRIND") == "must")
    counts = counted(benchmark())
    if options.write:
        TABLE.write_text(document(rustc(), counts), encoding="utf-8")
        print(f"{TABLE.relative_to(ROOT)} is written")
        return 0
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return compare(table["rustc"], table["instructions"], counts)


def rustc():
    command = [os.environ.get("RUSTC", "rustc"), "--version"]
    return output(command).strip()


def output(command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def benchmark():
    """Builds the binary that `make bench` runs, and returns its path."""
    build = [CARGO, "bench", "--locked", "-p", "sluice-sim", "--bench", "engine", "--no-run"]
    built = output([*build, "--message-format", "json-render-diagnostics"])
    messages = [json.loads(line) for line in built.splitlines()]
    engine = [m for m in messages if m.get("executable") and m["target"]["name"] == "engine"]
    return engine[0]["executable"]


def counted(binary):
    """Instructions a packet of each benchmark's brief run, by name."""
    lines = output([binary, "--brief"])
    packets = dict(re.findall(r"^bench (\S+) .*\bpackets=(\d+)", lines, re.MULTILINE))
    # What else runs changes times, but no counts.
    with ThreadPoolExecutor(os.cpu_count()) as cores:
        each = cores.map(lambda name: instructions(binary, name) / int(packets[name]), packets)
        return dict(zip(packets, each, strict=True))


def instructions(binary, name):
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = subprocess.run([*valgrind, binary, name, "--brief"], capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not collected:
        sys.exit(f"valgrind does not run {name}:\n{run.stderr}")
    return int(collected[1])


def document(compiler, counts):
    lines = [
        "# Instructions a packet of the engine's benchmarks, brief runs, by callgrind.",
        "# Written by `make instructions`, compared by `make check-instructions`.",
        f'rustc = "{compiler}"',
        "",
        "[instructions]",
        *(f"{name} = {count:.1f}" for name, count in counts.items()),
    ]
    return "\n".join(lines) + "\n"


def compare(compiler, expected, counts):
    """Prints a line for each benchmark; returns the exit status."""
    failures = []
    for name in dict.fromkeys([*expected, *counts]):
        if name not in expected or name not in counts:
            where = "table" if name in counts else "benchmark"
            failures.append(f"{name} is not in the {where}")
            continue
        change = counts[name] / expected[name] - 1
        print(f"{name:20} {expected[name]:8.1f} {counts[name]:8.1f} {change:+7.2%}")
        if abs(change) > MARGIN:
            kind = "more" if change > 0 else "fewer"
            failures.append(f"{name}: {abs(change):.1%} {kind} instructions a packet than recorded")
    for failure in failures:
        print(f"instructions.py: {failure}", file=sys.stderr)
    if compiler != rustc():
        print(f"Not judged: counted with {rustc()}, recorded with {compiler}.", file=sys.stderr)
        return 0
    if failures:
        print(f"At most {MARGIN:.0%} either way pass. {RENEW}", file=sys.stderr)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
