#!/usr/bin/env python3
"""Measures RCP on this machine's kernel, and writes the tables of docs/linux.md.

`sluice demo` plays forty points of long flows over one link, and web-search flows at load 0.8
under RCP, CUBIC and BBR, each beside its simulation; half an hour on a machine that does nothing
else. What is measured is kept in validation/linux/measured.json: `--tables` writes the tables from
that alone.

Needs root on Linux, and a command built by `make live`.
"""

import argparse
import datetime
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

import cost
import figure
import page
import points
import web


def main() -> int:
    args = arguments()
    if not args.tables:
        measure(args)
    measured = page.read()
    page.write(measured)
    figure.draw(measured["web"]["systems"])
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("sluice", type=Path, nargs="?", help="the command")
    parser.add_argument("--tables", action="store_true", help="measure nothing")
    parser.add_argument(
        "--only", choices=("grid", "cost", "web", "gains"), help="measure this, and keep the rest"
    )
    args = parser.parse_args()
    if not args.tables and args.sluice is None:
        parser.error("name the command")
    return args


def measure(args: argparse.Namespace) -> None:
    measured = page.read() if page.MEASURED.exists() else {}
    machine = {"kernel": platform.release().split("-")[0], "cpus": os.cpu_count()}
    if args.only and any(measured.get(name) != value for name, value in machine.items()):
        raise SystemExit("the rest is of another machine: measure all, without `--only`")
    measured |= machine

    def keep(part: str, found: Any) -> None:
        """Writes what was found at once: the next part may fail."""
        measured[part] = found
        measured.setdefault("dates", {})[part] = datetime.date.today().isoformat()
        page.keep(measured)

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        if args.only in (None, "grid"):
            keep("grid", grid(args.sluice, out))
        if args.only in (None, "cost"):
            keep("cost", cost.measure(args.sluice, out / "cost"))
        if args.only in (None, "web"):
            keep("web", web.measure(args.sluice, out / "web", {}))
        if args.only in (None, "gains"):
            keep("gains", web.measure(args.sluice, out / "gains", web.OTHER_GAINS))


def grid(sluice: Path, out: Path) -> list:
    rows = []
    for number, point in enumerate(points.GRID):
        row = points.measure(point, sluice, out / str(number))
        rows.append(row)
        faults = ", ".join(page.faults(row)) or "ok"
        print(f"{number + 1}/{len(points.GRID)} {point}: {faults}", file=sys.stderr, flush=True)
    return rows


if __name__ == "__main__":
    sys.exit(main())
