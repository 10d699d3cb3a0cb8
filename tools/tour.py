#!/usr/bin/env python3
"""Runs the commands of docs/tour.md and other pages, and holds what they print against the pages.

    tools/tour.py SLUICE            checks
    tools/tour.py --write SLUICE    writes what they print into the pages

A command stands in a block ```sh. The block ```text that follows it, if there is one, holds the parts
of the output that begin with the words in the comment between them:

    <!-- shows: completion time, mean | bottleneck used -->
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).parent.parent / "docs"
PAGES = ["tour.md", "tutorial/shell.md", "how-to/resume.md", "how-to/sweep.md", "how-to/trace.md"]
STEP = re.compile(
    r"```sh\n(?P<command>.*?)```\n"
    r"(?:\n<!-- shows: (?P<shows>.*?) -->\n\n```text\n(?P<text>.*?)```\n)?",
    re.DOTALL,
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("sluice", type=pathlib.Path)
    args = parser.parse_args()
    path = f"{args.sluice.resolve().parent}:{os.environ['PATH']}"
    for name in PAGES:
        before = (DOCS / name).read_text()
        after, steps = taken(before, os.environ | {"PATH": path})
        if args.write:
            (DOCS / name).write_text(after)
        elif after != before:
            sys.exit("".join(difflib.unified_diff(
                before.splitlines(True), after.splitlines(True), f"docs/{name}", "what is printed now")))
        print(f"docs/{name}: {steps} commands ran, and print what it says")


def taken(page, environment):
    """The page with what its commands print, and how many there are.

    They run in one folder, in order: later ones may build on earlier ones.
    """
    with tempfile.TemporaryDirectory() as folder:

        def step(found):
            output = run(found["command"], folder, environment)
            if found["shows"] is None:
                return found[0]
            text = parts(output, found["shows"])
            return found[0].replace(f"```text\n{found['text']}", f"```text\n{text}")

        return STEP.subn(step, page)


def run(command, folder, environment):
    """What a command prints; a command that fails ends the tour."""
    done = subprocess.run(["bash", "-euc", command], cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}\nended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def parts(output, shows):
    """The lines that begin with one of the words wanted, each with the indented lines below it."""
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
            sys.exit(f"nothing printed begins with `{wanted}`:\n{output}")
    return "\n".join(kept) + "\n"


if __name__ == "__main__":
    main()
