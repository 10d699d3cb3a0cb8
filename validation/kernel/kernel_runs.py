"""The kernel's side: runs of measure.py, each in a process of its own, and their files."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

from run import RESULTS, RunError
from setups import SetUp

MEASURE = Path(__file__).with_name("measure.py")
#: A run whose deliveries were later is of a busy machine, and discarded.
LATEST_P99_S, LATEST_S = 0.0003, 0.020
ATTEMPTS = 3


class KernelRuns:
    """Starts runs, and can end those in progress."""

    def __init__(self, again: bool):
        self.again = again
        self.running: set[subprocess.Popen[str]] = set()
        self.stopped = threading.Event()

    def run(self, of: SetUp, seed: int) -> dict | str:
        """A run, measured now or before; why there is none, if the machine was too busy."""
        file = RESULTS / "kernel" / of.name / f"kernel-{seed}.json"
        if not self.again and (kept := kept_run(file)):
            return kept
        for _ in range(ATTEMPTS):
            output = self.measured(of, seed)
            run = json.loads(output)
            if reason := refused(run):
                print(f"{of.name}, seed {seed}: {reason}; discarded", file=sys.stderr)
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(output)
            return run
        return f"{reason}, in {ATTEMPTS} attempts"

    def measured(self, of: SetUp, seed: int) -> str:
        if self.stopped.is_set():
            raise RunError("interrupted")
        command = [sys.executable, str(MEASURE), of.name, str(seed)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            self.running.add(process)
            try:
                output, _ = process.communicate()
            finally:
                self.running.discard(process)
        if process.returncode != 0:
            raise RunError(f"{' '.join(command)} failed with {process.returncode}")
        return output

    def stop(self) -> None:
        """Ends the runs in progress; their namespaces and flows end with them."""
        self.stopped.set()
        for process in list(self.running):
            process.kill()


def kept_run(file: Path) -> dict | None:
    """A run of an earlier call, if it is of this kernel."""
    run = json.loads(file.read_text()) if file.exists() else None
    return run if run and run["kernel"] == os.uname().release else None


def refused(run: dict) -> str:
    """Why a run is not to be trusted; empty if it is."""
    late = run["lateness_s"]
    if late["p99"] > LATEST_P99_S or late["max"] > LATEST_S:
        return f"packets were late by {1e3 * late['p99']:.2f} (p99) and {1e3 * late['max']:.1f} ms"
    limited = max(flow[-1]["limited_us"] for flow in run["samples"])
    return "buffers of hosts limited a flow" if limited else ""
