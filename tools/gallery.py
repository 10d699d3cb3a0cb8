#!/usr/bin/env python3
"""Compares the verdicts of two folders of the papers' figures, drawn by `sluice reproduce`.

    tools/gallery.py target/gallery docs/gallery

Numbers may differ, verdicts must not: a change of the engine may move every interval a little. The
exit status is 1 if a claim's verdict differs or a claim is in only one of the folders.
"""

import argparse
import re
import sys
from pathlib import Path

VERDICT = re.compile(r"\**(holds|fails|not decided)\b")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("drawn", type=Path)
    parser.add_argument("committed", type=Path)
    options = parser.parse_args()
    drawn, committed = verdicts(options.drawn), verdicts(options.committed)
    if not committed:
        sys.exit(f"no claims in {options.committed}")
    differ = [claim for claim in {**committed, **drawn} if drawn.get(claim) != committed.get(claim)]
    for claim in differ:
        before, now = (found.get(claim, "missing") for found in (committed, drawn))
        print(f"{': '.join(claim)}\n    committed: {before}, drawn: {now}")
    print(f"{len(committed)} claims, {len(differ)} verdicts differ")
    return int(bool(differ))


def verdicts(folder):
    """The verdict of each claim, by page, figure and the claim's words."""
    found = {}
    for page in sorted(folder.glob("*.md")):
        figure = ""
        for line in page.read_text(encoding="utf-8").splitlines():
            if line.startswith("## "):
                figure = line.removeprefix("## ")
            cells = re.split(r"(?<!\\)\|", line)
            if len(cells) > 3 and (verdict := VERDICT.match(cells[-2].strip())):
                found[page.stem, figure, cells[1].strip()] = verdict[1]
    return found


if __name__ == "__main__":
    sys.exit(main())
