#!/usr/bin/env python3
"""Runs ns-2.35 and Sluice on the same set-ups and compares their metrics.

Prints a table for each set-up and writes all as markdown to target/validation/comparison.md, beside
the outputs of single runs. Runs of ns-2 are kept, so that after a change only Sluice runs again.

If a pair of 95% intervals does not overlap, the set-up is repeated with three times as many seeds
(not with --once): about one pair in two hundred is apart by chance if widths are equal. With
--check, the exit status is 1 if a pair is apart in the last repetition, except in set-ups that are
marked as unsettled in cases.py. Without ns-2 nothing is compared, and the exit status is 0.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fnmatch import fnmatch

from case import Case
from cases import CASES
from measures import Row, measures, rows
from run import RESULTS, RunError
from side_ns2 import Ns2
from side_sluice import Sluice

import docs

# Factor on the number of seeds for a set-up whose intervals are apart.
SECOND_LOOK = 3


def main() -> int:
    args = arguments()
    if reason := Ns2().missing():
        print(f"SKIPPED: {reason}; nothing was compared", file=sys.stderr)
        return 0
    sides = {"ns2": Ns2()} if args.ns2_only else {"ns2": Ns2(), "sluice": Sluice()}
    if not args.ns2_only and (reason := Sluice().missing()):
        print(f"compare.py: {reason}; --ns2-only runs ns-2 alone", file=sys.stderr)
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
        print(f"unsettled set-ups: {len(unsettled)} pairs of intervals are apart")
        print(
            f"all others: {len(apart)} of {pairs} are apart"
            + "".join(f"\n  {name}" for name in apart)
        )
    return 1 if args.check and apart else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--seeds",
        type=int,
        default=10,
        help="seeds per set-up and simulator (default: %(default)s)",
    )
    parser.add_argument(
        "--jobs", type=int, default=2, help="concurrent runs (default: %(default)s)"
    )
    parser.add_argument("--only", nargs="+", default=["*"], help="set-ups to run, as globs")
    parser.add_argument(
        "--set",
        nargs="+",
        default=[],
        metavar="FIELD=VALUE",
        help="set fields of Sluice's scenarios, e.g. tcp.growth=byte_counting",
    )
    parser.add_argument("--ns2-only", action="store_true", help="run ns-2 alone")
    parser.add_argument(
        "--write-docs",
        action="store_true",
        help="update the tables of docs/validation.md whose set-ups all ran",
    )
    parser.add_argument("--once", action="store_true", help="do not repeat set-ups with more seeds")
    parser.add_argument("--check", action="store_true", help="fail if a pair of intervals is apart")
    args = parser.parse_args()
    names = [case.name for case in CASES]
    if args.set and args.write_docs:
        parser.error("--write-docs and --set conflict: the documentation shows unmodified set-ups")
    for only in args.only:
        if not any(fnmatch(name, only) for name in names):
            parser.error(f"no set-up matches {only}; available: {', '.join(names)}")
    if args.seeds < 2:
        parser.error("--seeds: intervals need at least 2")
    return args


def compared(case: Case, sides: dict, seeds: range, jobs: int) -> list[Row]:
    """The rows of a set-up, run by the simulators in `sides`."""
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
    """The table of a set-up, with aligned columns to be legible as plain text, and the reason why
    it is not checked, if any."""
    verdict = {None: "-", True: "overlap", False: "APART"}
    cells = []
    for row in found:
        sides = [str(row.reference or "-"), str(row.sluice or "-")]
        cells.append([row.metric, *sides, row.difference, verdict[row.overlap]])
    header = [f"{case.name}, {seeds} seeds", Ns2.title, Sluice.title, "difference", "intervals"]
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    lines = [header, ["-" * width for width in widths], *cells]
    table = "".join(
        "| "
        + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        + " |\n"
        for line in lines
    )
    return table + (f"\nNot checked: {case.unsettled}.\n" if case.unsettled else "")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RunError as failed:
        print(f"compare.py: {failed}", file=sys.stderr)
        sys.exit(2)
