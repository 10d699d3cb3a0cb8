#!/usr/bin/env python3
"""Runs the checks that take too long for `make test`, and records in docs/test-long.md when they
last passed, and on which commit.

Steps that have passed on the same commit are not repeated, so that an interrupted run can be
continued. The record is written once every step has passed on a clean tree. --age prints how old
it is. Standard library only.
"""

import argparse
import json
import re
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import watched

ROOT = Path(__file__).resolve().parent.parent
RECORD = Path("docs/test-long.md")
#: The steps that have passed, by commit.
PASSED = ROOT / "target" / "test-long.json"
#: What runs, by the name it has in the record.
STEPS = {
    "command and package for macOS and Windows, compiled but not run": ["make", "check-platforms"],
    "Rust's tests, the ignored ones too, random ones with more cases": ["make", "test-rust-long"],
    "fifteen million random packets through the kernel's programs, garbled options": [
        "make",
        "test-linux-long",
    ],
    "Python's long tests": ["make", "test-python-long"],
    "comparison with ns-2": ["make", "validate"],
    "seeded bugs": ["make", "mutants"],
    "the papers' figures, full scale: verdicts as in docs/gallery": ["make", "check-gallery"],
}


class Step(NamedTuple):
    name: str
    seconds: float
    passed: bool
    #: Lines that say what the step left out.
    skipped: list[str]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--age",
        action="store_true",
        help="run nothing; print how long ago and where it last passed",
    )
    if parser.parse_args().age:
        print(age())
        return 0
    commit = clean_commit()
    if not commit:
        print("The tree has changes: nothing will be recorded.", file=sys.stderr)
    steps = [passed(commit, name) or run(commit, name) for name in STEPS]
    print("\n" + "\n".join(table(steps)))
    if not all(step.passed for step in steps):
        return 1
    if not commit or clean_commit() != commit:
        print("Passed, but the tree has changes: not recorded.", file=sys.stderr)
        return 1
    (ROOT / RECORD).write_text(record(commit, steps), encoding="utf-8")
    print(f"{RECORD} is written: commit it")
    return 0


def clean_commit():
    """The commit that the tree is, or nothing if it differs from every commit."""
    return None if git("status", "--porcelain") else git("rev-parse", "HEAD")


def git(*arguments):
    command = ["git", *arguments]
    return subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def run(commit, name):
    """Runs one step, showing what it prints."""
    print(f"\n== {name}: {' '.join(STEPS[name])}", flush=True)
    began = time.monotonic()
    status, skipped = watched.run(STEPS[name], ROOT)
    step = Step(name, time.monotonic() - began, status == 0, skipped)
    if commit and step.passed and clean_commit() == commit:
        earlier = stored().get(commit, {})
        PASSED.parent.mkdir(exist_ok=True)
        PASSED.write_text(json.dumps({commit: earlier | {name: step}}), encoding="utf-8")
    return step


def passed(commit, name):
    """The step if it has passed on this commit."""
    step = stored().get(commit, {}).get(name)
    if step:
        print(f"\n== {name}: passed on this commit before", flush=True)
        return Step(*step)
    return None


def stored():
    return json.loads(PASSED.read_text(encoding="utf-8")) if PASSED.is_file() else {}


def table(steps):
    lines = ["| Step | Minutes | |", "|---|---|---|"]
    for step in steps:
        verdict = ("; ".join(step.skipped) or "passed") if step.passed else "**FAILED**"
        lines.append(f"| {step.name} | {step.seconds / 60:.1f} | {verdict} |")
    return lines


def record(commit, steps):
    rustc = subprocess.run(
        ["rustc", "--version"], check=True, capture_output=True, text=True
    ).stdout
    lines = [
        "# The long tests",
        "",
        "<!-- Written by `make test-long`. -->",
        "",
        "A release runs `make test-long`; `make test` prints how old this record is.",
        "",
        f"Last passed on {datetime.now(UTC):%Y-%m-%d} at commit `{commit}`, with {rustc.strip()}.",
        "",
        *table(steps),
    ]
    return "\n".join(lines) + "\n"


def age():
    text = (ROOT / RECORD).read_text(encoding="utf-8") if (ROOT / RECORD).is_file() else ""
    passed = re.search(r"^Last passed on (\S+) at commit `(\w+)`", text, re.MULTILINE)
    if not passed:
        return "make test-long has never passed"
    date, commit = passed.groups()
    days = (datetime.now(UTC).date() - datetime.fromisoformat(date).date()).days
    try:
        since = git("rev-list", "--count", f"{commit}..HEAD")
    except (OSError, subprocess.CalledProcessError):
        since = "an unknown number of"
    return f"make test-long last passed {days} days and {since} commits ago, at {commit[:12]}"


if __name__ == "__main__":
    sys.exit(main())
