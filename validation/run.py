"""The results of a run, in a form common to both simulators, and the folder of its files."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from case import Case, Flow

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
RESULTS = ROOT / "target" / "validation"


@dataclass
class Run:
    """The results of one run.

    `links` holds metrics over the measured window by link or direction: utilization, queue_bytes
    (with the unsent part of the packet in transmission) and drops; for one-way TCP also drop_rate,
    drops over data packets offered; for two-way TCP resent, retransmitted data packets, and
    drops_ever, drops from time zero; ns-2 adds queue_packets and time_outs. `flows` holds the
    throughput of each long flow in Mb/s by direction. `completions` holds size in packets and
    seconds of the short flows that began in the measured time, at least five seconds before its
    end; `unfinished` counts those of them that are still there at its end. `bins`, where a set-up
    has them, holds rows of 100 ms: time (of the end), utilization, queue_bytes and flows.
    """

    links: dict[str, dict[str, float]] = field(default_factory=dict)
    flows: dict[str, list[float]] = field(default_factory=dict)
    completions: list[tuple[int, float]] = field(default_factory=list)
    unfinished: int = 0
    bins: list[dict] = field(default_factory=list)

    def add_completions(self, case: Case, flows: list[Flow], completed: dict[int, float]):
        """Adds the short flows, of which those numbered in `completed` took as many seconds."""
        begin, end = case.window_s
        for number, flow in enumerate(flows):
            if flow.packets is None or not begin <= flow.start < end - 5:
                continue
            if number in completed:
                self.completions.append((flow.packets, completed[number]))
            else:
                self.unfinished += 1


class RunError(Exception):
    """A simulator failed."""


def folder(case: Case) -> Path:
    """The folder of the outputs of a set-up's runs."""
    path = RESULTS / case.name
    path.mkdir(parents=True, exist_ok=True)
    return path


def finished(command: list) -> str:
    """The output of a command; raises `RunError` with the end of its output if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT)
    if done.returncode != 0:
        raise RunError(f"{' '.join(words)} failed:\n{done.stderr[-2000:]}{done.stdout[-500:]}")
    return done.stdout
