#!/usr/bin/env python3
"""Runs ns-2.35 and Sluice on the same set-ups and compares what they measure.

    validation/compare.py [--seeds 10] [--only GLOB ...] [--ns2-only] [--check]

Prints a table for each set-up and writes it as markdown to target/validation/comparison.md; the
outputs of single runs lie beside it. With --check, a metric whose 95% intervals do not overlap
makes the exit status 1, unless the set-up is not expected to agree (see cases.py). Without ns-2
nothing is compared, and that is said.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch

from cases import CASES, Case
from measures import Interval, measures
from run import RESULTS, RunFailed
from side_ns2 import Ns2
from side_sluice import Sluice


def main() -> int:
    args = arguments()
    if reason := Ns2().missing():
        print(f"SKIPPED: nothing was compared, because {reason}.", file=sys.stderr)
        return 0
    sides = [Ns2()] if args.ns2_only else [Ns2(), Sluice()]
    if not args.ns2_only and (reason := Sluice().missing()):
        print(f"compare.py: {reason}; --ns2-only runs the other side.", file=sys.stderr)
        return 2
    cases = [case for case in CASES if any(fnmatch(case.name, only) for only in args.only)]
    tables, apart, unsettled = [], [], []
    for case in cases:
        rows = compared(case, sides, range(1, args.seeds + 1), args.jobs)
        tables.append(markdown(case, sides, rows, args.seeds))
        print(tables[-1], flush=True)
        (unsettled if case.unsettled else apart).extend(
            f"{case.name}: {name}" for name, _, overlap in rows if overlap is False
        )
    (RESULTS / "comparison.md").write_text("\n".join(tables))
    if len(sides) == 2:
        print(f"{len(unsettled)} metrics apart where that is not checked")
        print(f"{len(apart)} metrics apart" + "".join(f"\n  {name}" for name in apart))
    return 1 if args.check and apart else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10, help="runs a set-up and simulator")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    parser.add_argument("--only", nargs="+", default=["*"], help="only these set-ups, as globs")
    parser.add_argument("--ns2-only", action="store_true", help="measure ns-2, compare nothing")
    parser.add_argument("--check", action="store_true", help="fail if two intervals are apart")
    args = parser.parse_args()
    names = [case.name for case in CASES]
    for only in args.only:
        if not any(fnmatch(name, only) for name in names):
            parser.error(f"no set-up matches {only}; there are {', '.join(names)}")
    if args.seeds < 2:
        parser.error("an interval needs at least two seeds")
    return args


def compared(case: Case, sides: list, seeds: range, jobs: int) -> list[tuple]:
    """Rows of (metric, an interval a side, whether they overlap).

    What only one side measures has None for the other's interval and for the overlap.
    """
    with ThreadPoolExecutor(jobs) as pool:
        runs = [[pool.submit(side.run, case, seed) for seed in seeds] for side in sides]
        columns = [[measures(run.result()) for run in side] for side in runs]
    rows = []
    for name in columns[0][0]:
        intervals = [
            Interval.of([values[name] for values in side]) if name in side[0] else None
            for side in columns
        ]
        both = len(intervals) == 2 and None not in intervals
        overlap = intervals[0].overlaps(intervals[1]) if both else None
        rows.append((name, intervals, overlap))
    return rows


def markdown(case: Case, sides: list, rows: list[tuple], seeds: int) -> str:
    """One set-up's table, its columns aligned so that it reads as plain text too, and why it is
    not checked, if so."""
    header = [f"{case.name}, {seeds} seeds", *(side.title for side in sides)]
    cells = [[name, *(str(each or "-") for each in intervals)] for name, intervals, _ in rows]
    if len(sides) == 2:
        header += ["difference", "intervals"]
        for line, (_, (reference, ours), overlap) in zip(cells, rows):
            if overlap is None:
                line += ["-", "-"]
            else:
                line += [relative(reference.mean, ours.mean), "overlap" if overlap else "APART"]
    widths = [max(map(len, column)) for column in zip(header, *cells)]
    lines = [header, ["-" * width for width in widths], *cells]
    table = "".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |\n"
        for line in lines
    )
    return table + (f"\nNot checked: {case.unsettled}.\n" if case.unsettled else "")


def relative(reference: float, other: float) -> str:
    """`other` against `reference` in percent; the plain difference if the reference is 0."""
    if reference == 0:
        return f"{other - reference:+.3g}"
    return f"{100 * (other / reference - 1):+.2f}%"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RunFailed as failed:
        print(f"compare.py: {failed}", file=sys.stderr)
        sys.exit(2)
