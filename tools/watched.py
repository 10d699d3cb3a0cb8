"""Runs a command, passes on what it prints, and notes what it says that it left out."""

import os
import subprocess

#: Make's job server is open to its own children only.
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS")
}


def run(command, folder):
    """The exit status, and the lines that begin with SKIPPED."""
    skipped = []
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    for line in process.stdout:
        print(line, end="", flush=True)
        if line.startswith("SKIPPED"):
            skipped.append(line.strip())
    return process.wait(), skipped
