#!/usr/bin/env python3
"""Runs the commands of docs/tour.md and other pages and compares their output with the pages.

A command is a block ```sh. The block ```text after it, if any, shows the parts of the output that
begin with the words in the comment between the two:

    <!-- shows: completion time, mean | bottleneck used -->
"""

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = [
    "tour.md",
    "tutorial/shell.md",
    "how-to/compare-with-ideals.md",
    "how-to/estimate.md",
    "how-to/resume.md",
    "how-to/sweep.md",
    "how-to/trace.md",
    "explanation/ledger.md",
]
STEP = re.compile(
    r"```sh\n(?P<command>.*?)```\n"
    r"(?:\n<!-- shows: (?P<shows>.*?) -->\n\n```text\n(?P<text>.*?)```\n)?",
    re.DOTALL,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--write", action="store_true", help="update the pages instead")
    parser.add_argument("sluice", type=Path, help="the sluice command")
    args = parser.parse_args()
    path = f"{args.sluice.resolve().parent}:{os.environ['PATH']}"
    for name in PAGES:
        page = DOCS / name
        before = page.read_text(encoding="utf-8")
        after, steps = updated(before, os.environ | {"PATH": path})
        if args.write:
            page.write_text(after, encoding="utf-8")
        elif after != before:
            texts = (before.splitlines(True), after.splitlines(True))
            sys.exit("".join(difflib.unified_diff(*texts, f"docs/{name}", "actual output")))
        print(f"docs/{name}: {steps} commands ran; their output is as shown")


def updated(page: str, environment: dict[str, str]) -> tuple[str, int]:
    """The page with the output of its commands, and how many commands it has.

    They run in order in one folder, since later ones may build on earlier ones.
    """
    with tempfile.TemporaryDirectory() as folder:

        def step(found: re.Match[str]) -> str:
            output = run(found["command"], folder, environment)
            if found["shows"] is None:
                return found[0]
            text = parts(output, found["shows"])
            return found[0].replace(f"```text\n{found['text']}", f"```text\n{text}")

        return STEP.subn(step, page)


def run(command: str, folder: str, environment: dict[str, str]) -> str:
    """The output of a command; exits if it fails."""
    done = subprocess.run(
        ["bash", "-euc", command], cwd=folder, env=environment, text=True, capture_output=True
    )
    if done.returncode != 0:
        sys.exit(f"{command}\nfailed with exit status {done.returncode}:\n{done.stderr}")
    return done.stdout


def parts(output: str, shows: str) -> str:
    """The lines that begin with one of the words of `shows`, each with the indented lines below."""
    kept = []
    for wanted in shows.split(" | "):
        lines = iter(output.splitlines())
        for line in lines:
            if line.startswith(wanted):
                kept.append(line)
                for below in lines:
                    if not below.startswith(" "):
                        break
                    kept.append(below)
                break
        else:
            sys.exit(f"no line of the output begins with `{wanted}`:\n{output}")
    return "\n".join(kept) + "\n"


if __name__ == "__main__":
    main()
