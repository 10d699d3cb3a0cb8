#!/usr/bin/env python3
"""Runs ns-2.35 and Sluice on the same set-ups and compares what they measure.

    validation/compare.py [--seeds 10] [--only GLOB ...] [--set FIELD=VALUE ...] [--ns2-only]
                          [--once] [--write-docs] [--check]

Prints a table for each set-up and writes it as markdown to target/validation/comparison.md; the
outputs of single runs lie beside it. ns-2's are kept: after a change of Sluice, only its side runs.
--set changes a field of Sluice's scenarios, as in `sluice run`: `--set tcp.growth=byte_counting`
shows what that rule of ns-2's makes. --write-docs fills in the tables of docs/validation.md of which
all set-ups ran. Of 95% intervals equally wide, about one pair in two hundred lies apart by chance: a
set-up with such a pair runs again with three times as many seeds, unless --once. With --check, the exit
status is 1 if a pair lies apart then, but for set-ups that are not expected to agree (see cases.py).
Without ns-2 nothing is compared, and that is said.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fnmatch import fnmatch

import docs
from cases import CASES, Case
from measures import Row, measures, rows
from run import RESULTS, RunFailed
from side_ns2 import Ns2
from side_sluice import Sluice


# How many times as many seeds a set-up gets whose intervals lie apart.
SECOND_LOOK = 3


def main() -> int:
    args = arguments()
    if reason := Ns2().missing():
        print(f"SKIPPED: nothing was compared, because {reason}.", file=sys.stderr)
        return 0
    sides = {"ns2": Ns2()} if args.ns2_only else {"ns2": Ns2(), "sluice": Sluice()}
    if not args.ns2_only and (reason := Sluice().missing()):
        print(f"compare.py: {reason}; --ns2-only runs the other side.", file=sys.stderr)
        return 2
    results, again, tables, apart, unsettled, pairs = {}, {}, [], [], [], 0
    for case in CASES:
        if not any(fnmatch(case.name, only) for only in args.only):
            continue
        case = replace(case, sluice=(*case.sluice, *args.set))
        for seeds in (args.seeds, SECOND_LOOK * args.seeds):
            found = compared(case, sides, range(1, seeds + 1), args.jobs)
            (results if seeds == args.seeds else again)[case.name] = found
            tables.append(markdown(case, found, seeds))
            print(tables[-1], flush=True)
            if args.once or all(row.overlap is not False for row in found):
                break
        (unsettled if case.unsettled else apart).extend(
            f"{case.name}: {row.metric}" for row in found if row.overlap is False
        )
        pairs += sum(row.overlap is not None for row in found if not case.unsettled)
    (RESULTS / "comparison.md").write_text("\n".join(tables))
    if args.write_docs:
        docs.write(results, again)
    if not args.ns2_only:
        print(f"{len(unsettled)} pairs of intervals apart where that is not checked")
        print(f"{len(apart)} of {pairs} others apart" + "".join(f"\n  {name}" for name in apart))
    return 1 if args.check and apart else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10, help="runs a set-up and simulator")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    parser.add_argument("--only", nargs="+", default=["*"], help="only these set-ups, as globs")
    parser.add_argument("--set", nargs="+", default=[], help="fields of Sluice's scenarios")
    parser.add_argument("--ns2-only", action="store_true", help="measure ns-2, compare nothing")
    parser.add_argument("--write-docs", action="store_true", help="fill in docs/validation.md")
    parser.add_argument("--once", action="store_true", help="take no second look")
    parser.add_argument("--check", action="store_true", help="fail if any is apart twice")
    args = parser.parse_args()
    names = [case.name for case in CASES]
    if args.set and args.write_docs:
        parser.error("the documentation shows the cases as they are, without --set")
    for only in args.only:
        if not any(fnmatch(name, only) for name in names):
            parser.error(f"no set-up matches {only}; there are {', '.join(names)}")
    if args.seeds < 2:
        parser.error("an interval needs at least two seeds")
    return args


def compared(case: Case, sides: dict, seeds: range, jobs: int) -> list[Row]:
    """The rows of a set-up; `sides` holds those that run."""
    with ThreadPoolExecutor(jobs) as pool:
        runs = {
            name: [pool.submit(side.run, case, seed) for seed in seeds]
            for name, side in sides.items()
        }
        values = {
            name: [measures(case, run.result()) for run in side] for name, side in runs.items()
        }
    return rows(values.get("ns2", []), values.get("sluice", []))


def markdown(case: Case, found: list[Row], seeds: int) -> str:
    """One set-up's table, its columns aligned so that it reads as plain text too, and why it is
    not checked, if so."""
    verdict = {None: "-", True: "overlap", False: "APART"}
    cells = []
    for row in found:
        sides = [str(row.ns2 or "-"), str(row.sluice or "-")]
        cells.append([row.metric, *sides, row.difference, verdict[row.overlap]])
    header = [f"{case.name}, {seeds} seeds", Ns2.title, Sluice.title, "difference", "intervals"]
    widths = [max(map(len, column)) for column in zip(header, *cells)]
    lines = [header, ["-" * width for width in widths], *cells]
    table = "".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |\n"
        for line in lines
    )
    return table + (f"\nNot checked: {case.unsettled}.\n" if case.unsettled else "")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RunFailed as failed:
        print(f"compare.py: {failed}", file=sys.stderr)
        sys.exit(2)
