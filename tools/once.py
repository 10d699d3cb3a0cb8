#!/usr/bin/env python3
"""Runs a test unless it passed before with the same inputs.

    tools/once.py NAME PATH... -- COMMAND...

Inputs are the files at these paths that git does not ignore, the command, and the versions of
rustc and Python. target/stamps/NAME keeps their hash from the last run that passed; one with a
line that begins with SKIPPED runs again. With CI set, or outside of a git checkout, it always runs.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import watched

ROOT = Path(__file__).resolve().parent.parent
STAMPS = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "stamps"


def main():
    split = sys.argv.index("--")
    name, *paths = sys.argv[1:split]
    command = sys.argv[split + 1 :]
    stamp = STAMPS / name
    inputs = None if os.environ.get("CI") else digest(paths, command)
    if inputs and stamp.is_file() and stamp.read_text(encoding="utf-8") == inputs:
        print(f"unchanged since it passed, not run again: {name} (`rm {stamp}` runs it)")
        return 0
    stamp.unlink(missing_ok=True)
    status, skipped = watched.run(command, ROOT)
    if inputs and status == 0 and not skipped and inputs == digest(paths, command):
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(inputs, encoding="utf-8")
    return status


def digest(paths, command):
    """The hash of all inputs; none without git."""
    list_files = [
        "git",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        "--",
        *paths,
    ]
    listed = subprocess.run(list_files, cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        return None
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, check=True).stdout
    total = hashlib.sha256(repr((command, rustc, sys.version)).encode())
    for name in sorted(set(listed.stdout.split(b"\0")) - {b""}):
        file = ROOT / os.fsdecode(name)
        content = file.read_bytes() if file.is_file() else b""
        total.update(name + b"\0" + hashlib.sha256(content).digest())
    return total.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
