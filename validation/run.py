"""What a run measured, whichever simulator it was, and where its files are."""

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

    `links` holds for each direction, over the measured window, utilization, queue_bytes (the
    packet being transmitted included as far as it is not yet sent) and drops; for one-way TCP also
    drop_rate, drops over data packets offered; for two-way TCP resent, data packets sent again, and
    drops_ever, drops from time zero; ns-2 adds queue_packets and time_outs. `flows` holds the
    throughput of each flow in Mb/s. `bins`, for convergence only, holds rows of 100 ms: time (its
    end), utilization, queue_bytes and flows.
    """

    links: dict[str, dict[str, float]] = field(default_factory=dict)
    flows: dict[str, list[float]] = field(default_factory=dict)
    bins: list[dict] = field(default_factory=list)


class RunFailed(Exception):
    """A simulator ended with an error."""


def folder(case: Case) -> Path:
    """Where the outputs of a set-up's runs lie."""
    path = RESULTS / case.name
    path.mkdir(parents=True, exist_ok=True)
    return path


def finished(command: list) -> str:
    """Runs the command to its end; what it printed, or an error that shows what went wrong."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT)
    if done.returncode != 0:
        raise RunFailed(f"{' '.join(words)} failed:\n{done.stderr[-2000:]}{done.stdout[-500:]}")
    return done.stdout
