#!/usr/bin/env python3
"""Takes a screenshot of the top of a report for the README: docs/figures/report.png.

Needs Chromium or Chrome. Standard library only.
"""

import argparse
import sys
from pathlib import Path

import browser

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "figures" / "report.png"
#: Width in pixels, and the first element below the screenshot.
WIDTH, END = 1240, "#ratios-section"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("page", type=Path, help="an HTML page by `sluice report`")
    args = parser.parse_args()
    binary = browser.find()
    if binary is None:
        print("report_picture.py: Chromium not found (Debian package: chromium)", file=sys.stderr)
        return 1
    with browser.Browser(binary, WIDTH, 900) as window:
        window.open(args.page)
        end = window.evaluate(f"document.querySelector('{END}').getBoundingClientRect().top")
        window.resize(WIDTH, int(end))
        PICTURE.write_bytes(window.picture())
    return 0


if __name__ == "__main__":
    sys.exit(main())
