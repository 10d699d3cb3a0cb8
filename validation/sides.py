"""The two simulators: how each is started, and how what it prints becomes a `Run`.

Whatever changes in the command line or the results of `sluice` changes here and nowhere else.
"""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from cases import Case

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
RESULTS = ROOT / "target" / "validation"


@dataclass
class Run:
    """What one run measured.

    `links` holds, for each direction, utilization, queue_bytes, queue_packets and drops over the
    measured window, and drops_ever, from time zero; `flows` the throughput of each flow in Mb/s. `bins`, for convergence only,
    holds rows of 100 ms: time (its end), utilization, queue_bytes, queue_packets, drops, flows.
    """

    links: dict[str, dict[str, float]] = field(default_factory=dict)
    flows: dict[str, list[float]] = field(default_factory=dict)
    bins: list[dict] = field(default_factory=list)


class Ns2:
    """ns-2.35, as Debian packages it (`ns2`)."""

    title = "ns-2.35"

    def missing(self) -> str | None:
        return None if shutil.which("ns") else "ns-2 is not installed (Debian package `ns2`)"

    def run(self, case: Case, seed: int) -> Run:
        out = RESULTS / case.name / f"ns2-{seed}.tsv"
        starts = write_starts(case, seed)
        script = HERE / "ns2" / case.script
        command = ["ns", script, *case.arguments, "-seed", seed, "-starts", starts]
        out.write_text(finished(command))
        rows = [line.split("\t") for line in out.read_text().splitlines()]
        return self._windows(rows) if case.has_reverse else self._bins(rows)

    def _windows(self, rows) -> Run:
        run = Run()
        for direction, name, value in rows:
            if name.startswith("flow"):
                run.flows.setdefault(direction, []).append(float(value))
            else:
                run.links.setdefault(direction, {})[name] = float(value)
        return run

    def _bins(self, rows) -> Run:
        header, *rows = rows
        flows = [i for i, name in enumerate(header) if name.startswith("flow")]
        run = Run()
        for row in rows:
            values = [float(value) for value in row]
            named = dict(zip(header[: flows[0]], values))
            run.bins.append(named | {"flows": [values[i] for i in flows]})
        return run


class Sluice:
    """This repository's simulator; SLUICE names another binary than the release build's."""

    title = "Sluice"
    binary = Path(os.environ.get("SLUICE", ROOT / "target" / "release" / "sluice"))

    def missing(self) -> str | None:
        return None if self.binary.exists() else f"{self.binary} is not built"

    def run(self, case: Case, seed: int) -> Run:
        out = RESULTS / case.name / f"sluice-{seed}"
        out.mkdir(parents=True, exist_ok=True)
        write_starts(case, seed)
        scenario = HERE / "scenarios" / f"{case.name}.toml"
        finished([self.binary, "run", scenario, "--seed", seed, "--out", out])
        return self._read(out)

    def _read(self, out: Path) -> Run:
        # The fields of `Run`, by their names: see the README beside this file.
        return Run(**json.loads((out / "validation.json").read_text()))


def write_starts(case: Case, seed: int) -> Path:
    """The file with this run's start times, one a line."""
    path = RESULTS / case.name / f"starts-{seed}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{start:.9f}\n" for start in case.starts(seed)))
    return path


def finished(command: list) -> str:
    """Runs the command to its end; what it printed, or an error that shows what went wrong."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)} failed:\n{done.stderr[-2000:]}{done.stdout[-500:]}")
    return done.stdout
