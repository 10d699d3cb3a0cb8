#!/usr/bin/env python3
"""Compares Sluice's Reno, CUBIC and BBR v1 with those of this machine's kernel.

Flows of the kernel run between two network namespaces, over a link that a relay in user space makes
(relay.py), and flows of Sluice over the same link, started at the same times. Prints both with 95%
t intervals over seeds, and how late the relay delivered packets. Runs of the kernel are kept in
target/validation/kernel and used again, except with --again.

Requires root on Linux. If something is missing, names it and compares nothing; with
SLUICE_KERNEL=must that is an error.
"""

import argparse
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path

# The folder of what this comparison has in common with that of ns-2.
sys.path.append(str(Path(__file__).resolve().parent.parent))

import tables
from kernel_runs import LATEST_P99_S, KernelRuns
from measures import rows
from needs import missing
from run import RunError
from setups import SET_UPS, SetUp
from side_sluice import Sluice
from simulated import simulated
from values import values


def main() -> int:
    args = arguments()
    set_ups = [each for each in SET_UPS.values() if any(fnmatch(each.name, g) for g in args.only)]
    if reason := missing({each.law for each in set_ups}) or Sluice().missing():
        print(f"SKIPPED: the kernel's TCP was not compared; missing: {reason}", file=sys.stderr)
        return 1 if os.environ.get("SLUICE_KERNEL") == "must" else 0
    runs = KernelRuns(args.again)
    results: dict[str, tables.Found] = {}
    with ThreadPoolExecutor(args.jobs) as pool:
        try:
            for each in set_ups:
                results[each.name] = compared(each, runs, pool, args.seeds)
                print(tables.markdown({each.name: results[each.name]}, kernel()), flush=True)
        finally:
            runs.stop()
    if args.write_docs:
        tables.write(results, kernel())
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--seeds", type=int, default=5, help="runs per set-up and side (default: %(default)s)"
    )
    parser.add_argument(
        "--jobs", type=int, default=1, help="concurrent runs (default: %(default)s)"
    )
    parser.add_argument("--only", nargs="+", default=["*"], help="set-ups to run, as globs")
    parser.add_argument("--again", action="store_true", help="measure the kernel again")
    parser.add_argument(
        "--write-docs", action="store_true", help="update the tables of docs/validation.md"
    )
    args = parser.parse_args()
    for only in args.only:
        if not any(fnmatch(name, only) for name in SET_UPS):
            parser.error(f"no set-up matches {only}; available: {', '.join(SET_UPS)}")
    if args.seeds < 2:
        parser.error("--seeds: intervals need at least 2")
    return args


def compared(of: SetUp, runs: KernelRuns, pool: ThreadPoolExecutor, seeds: int) -> tables.Found:
    """The rows of a set-up; the reason if a run of the kernel has none that is trustworthy."""
    numbers = range(1, seeds + 1)
    tried = list(pool.map(lambda seed: runs.run(of, seed), numbers))
    measured = [run for run in tried if isinstance(run, dict)]
    if reasons := [run for run in tried if isinstance(run, str)]:
        return reasons[0]
    latest = max(run["lateness_s"]["p99"] for run in measured)
    print(f"{of.name}: p99 of lateness {1e6 * latest:.0f} us, of {1e6 * LATEST_P99_S:.0f} allowed")
    ours = list(pool.map(lambda seed: simulated(of, seed), numbers))
    return rows([values(of, run) for run in measured], [values(of, run) for run in ours])


def kernel() -> str:
    """The kernel's version, without what a distributor adds."""
    return f"Linux {os.uname().release.partition('-')[0]}"


if __name__ == "__main__":
    # As an interrupt: runs in progress are ended.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except RunError as failed:
        print(f"compare.py: {failed}", file=sys.stderr)
        sys.exit(2)
