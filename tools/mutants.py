#!/usr/bin/env python3
"""Seeds bugs one at a time into a copy of the workspace, and checks that the test named for each
fails. The bugs are in seeded_bugs/ beside this file; docs/mutants.md is their table.

A bug survives if its test still passes. One that does not compile, or whose text no longer stands in
its file exactly once, is no proof of anything and counts as a failure too, and so does a test that
fails, or cannot be found, without any bug.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from seeded_bugs import BUGS

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "mutants.md"
#: What a build needs of the repository.
PARTS = ["Cargo.toml", "Cargo.lock", "crates", "scenarios"]
#: Random tests stop at the first failing case: the least one is of no use here.
ENVIRONMENT = {"PROPTEST_MAX_SHRINK_ITERS": "0", "RUST_BACKTRACE": "0", "RUSTFLAGS": "--cap-lints warn"}


def main():
    options = arguments()
    bugs = chosen(options.only)
    if options.list:
        for bug in bugs:
            print(f"{bug.name:32}{bug.wrong}")
        return 0
    if options.write_docs:
        DOCS.parent.mkdir(exist_ok=True)
        DOCS.write_text(document(), encoding="utf-8")
        return 0
    if options.check:
        return check()
    return seed_all(bugs, Workplace(options.dir), options.timeout)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="name the bugs and do nothing")
    what.add_argument(
        "--check",
        action="store_true",
        help="build nothing; check that every bug still applies and docs/mutants.md tells of it",
    )
    what.add_argument("--write-docs", action="store_true", help="write docs/mutants.md anew")
    parser.add_argument("--only", action="append", metavar="NAME", help="this bug (again for more)")
    parser.add_argument(
        "--dir",
        type=Path,
        default=ROOT / "target" / "mutants",
        help="where the copy and its build are kept (target/mutants)",
    )
    parser.add_argument(
        "--timeout", type=float, default=120, metavar="S", help="a test that runs longer has failed"
    )
    return parser.parse_args()


def chosen(names):
    if not names:
        return BUGS
    unknown = set(names) - {bug.name for bug in BUGS}
    if unknown:
        sys.exit(f"no bug is called {', '.join(sorted(unknown))}; --list names them")
    return [bug for bug in BUGS if bug.name in names]


def check():
    stale = [bug.name for bug in BUGS if not applies(bug, ROOT)]
    for name in stale:
        print(f"{name}: its text is not in its file exactly once")
    told = DOCS.is_file() and DOCS.read_text(encoding="utf-8") == document()
    if not told:
        print("docs/mutants.md is out of date: run tools/mutants.py --write-docs")
    return int(bool(stale) or not told)


def applies(bug, root):
    file = root / bug.file
    return file.is_file() and file.read_text(encoding="utf-8").count(bug.before) == 1


def seed_all(bugs, workplace, timeout):
    workplace.renew()
    width = max(len(bug.name) for bug in bugs)
    # First of all tests without a bug: then each bug costs one build.
    sound = {test: workplace.test(test, timeout) for test in dict.fromkeys(b.test for b in bugs)}
    failures = 0
    for bug in bugs:
        began = time.monotonic()
        good, verdict = seed(bug, sound[bug.test], workplace, timeout)
        failures += not good
        print(f"{bug.name:{width}}  {verdict:28} {time.monotonic() - began:5.1f} s  {bug.test}", flush=True)
    print(f"{len(bugs) - failures} of {len(bugs)} seeded bugs are found")
    return int(failures > 0)


def seed(bug, sound, workplace, timeout):
    """Whether the bug is found, and what happened in words; `sound` is its test without a bug."""
    if not applies(bug, workplace.source):
        return False, "NO LONGER APPLIES"
    if sound != "passes":
        return False, f"WITHOUT IT, TEST {sound.upper()}"
    file = workplace.source / bug.file
    text = file.read_text(encoding="utf-8")
    try:
        file.write_text(text.replace(bug.before, bug.after), encoding="utf-8")
        found = workplace.test(bug.test, timeout)
    finally:
        file.write_text(text, encoding="utf-8")
    verdicts = {
        "fails": (True, "killed"),
        "runs too long": (True, "killed (ran too long)"),
        "passes": (False, "SURVIVED"),
    }
    return verdicts.get(found, (False, f"TEST {found.upper()}"))


class Workplace:
    """A copy of the workspace, with a build directory that all bugs share."""

    def __init__(self, folder):
        self.source = folder.resolve() / "workspace"
        self.target = folder.resolve() / "target"

    def renew(self):
        """Makes the copy equal to the repository. Only what differs is written, so that only that
        is built again, whatever an interrupted run may have left."""
        wanted = set()
        for part in PARTS:
            top = ROOT / part
            for file in [top] if top.is_file() else sorted(top.rglob("*")):
                if file.is_file():
                    wanted.add(file.relative_to(ROOT))
        self.source.mkdir(parents=True, exist_ok=True)
        for old in [file for file in self.source.rglob("*") if file.is_file()]:
            if old.relative_to(self.source) not in wanted:
                old.unlink()
        for file in wanted:
            new, copy = (ROOT / file).read_bytes(), self.source / file
            if not copy.is_file() or copy.read_bytes() != new:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(new)

    def test(self, test, timeout):
        """Builds and runs one test: 'passes', 'fails', 'runs too long', 'does not compile' or
        'is not there'."""
        package, place, name = test.split()
        file = file_of(package, place)
        if not file:
            where = ["--lib"]
        elif file.startswith("tests/it/"):
            where, name = ["--test", "it"], f"{place}::{name}"
        else:
            where = ["--test", place]
        cargo = ["cargo", "test", "--quiet", "--package", package, *where]
        if self.run([*cargo, "--no-run"], None)[0] != 0:
            return "does not compile"
        code, output = self.run([*cargo, "--", "--exact", "--include-ignored", name], timeout)
        if code is None:
            return "runs too long"
        if "running 1 test\n" not in output:
            return "is not there"
        return "passes" if code == 0 else "fails"

    def run(self, command, timeout):
        """The exit status and the output; no status if it ran too long."""
        environment = {**os.environ, **ENVIRONMENT, "CARGO_TARGET_DIR": str(self.target)}
        process = subprocess.Popen(
            command,
            cwd=self.source,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=timeout)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            # Cargo does not end the test when it is ended, so all of its group goes.
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def file_of(package, place):
    """The file in a package's folder that has the test; none if it is beside the code it tests."""
    if place == "lib":
        return None
    files = (f"tests/it/{place}.rs", f"tests/it/{place}/mod.rs")
    merged = [file for file in files if (ROOT / "crates" / package / file).is_file()]
    return merged[0] if merged else f"tests/{place}.rs"


def document():
    lines = [
        "# Seeded bugs",
        "",
        "<!-- Written by tools/mutants.py --write-docs from tools/seeded_bugs/. -->",
        "",
        "A test is worth something if it fails when the code is wrong. `make mutants` puts each of",
        "these bugs into a copy of the workspace, one at a time, and runs the test named for it, which",
        "must fail. A bug that does not compile proves nothing and is an error, as is one whose text is",
        "no longer in the code; a test that runs for more than two minutes has failed.",
        "",
        "To add one: an entry in `tools/seeded_bugs/`, in the file of its crate, then",
        "`tools/mutants.py --only NAME` and `tools/mutants.py --write-docs`.",
        "",
        f"There are {len(BUGS)}.",
    ]
    crate = None
    for bug in BUGS:
        _, package, _, file = bug.file.split("/", 3)
        if package != crate:
            crate = package
            lines += ["", f"## {crate}", "", "| Bug | What goes wrong | Where | The test that fails |"]
            lines += ["|---|---|---|---|"]
        tested, place, name = bug.test.split()
        beside = "" if tested == crate else f"{tested}: "
        file_of_test = file_of(tested, place)
        test = f"{beside}`{file_of_test}` `{name}`" if file_of_test else f"{beside}`{name}`"
        wrong = bug.wrong.replace("|", "\\|")
        lines.append(f"| {bug.name} | {wrong} | `{file}` | {test} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
