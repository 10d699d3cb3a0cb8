"""Sluice, this repository's simulator: how a run is started and how its files are read.

Whatever changes in its command line or its result files changes here and nowhere else.
"""

import csv
import os
import shutil
from bisect import bisect_right
from pathlib import Path

from cases import Case
from run import HERE, ROOT, Run, finished, folder

# Far more than a flow can send in a run: the flows are long ones.
LONG_BYTES = 10**10
PACKET_BYTES = 1000
BIN_S = 0.1


class Sluice:
    title = "Sluice"
    # SLUICE names another binary than the release build's.
    binary = Path(os.environ.get("SLUICE", ROOT / "target" / "release" / "sluice"))

    def missing(self) -> str | None:
        return None if self.binary.exists() else f"{self.binary} is not built"

    def run(self, case: Case, seed: int) -> Run:
        out = folder(case) / f"sluice-{seed}"
        out.mkdir(exist_ok=True)
        # The scenario replays `starts.csv`, which lies beside it and differs with the seed.
        scenario = shutil.copy(HERE / "scenarios" / f"{case.name}.toml", out / f"{case.name}.toml")
        write_starts(case, seed, out / "starts.csv")
        finished([self.binary, "run", scenario, "--seed", seed, "--out", out])
        run = Run()
        for direction, ends in zip(case.directions, (("left", "right"), ("right", "left"))):
            run.links[direction] = link(out, *ends)
            run.flows[direction] = throughputs(case, out / f"flows-xcp-{seed}.csv", direction)
        if case.script == "xcp-convergence.tcl":
            run.bins = bins(case, out, seed)
        return run


def write_starts(case: Case, seed: int, path: Path) -> None:
    starts = iter(case.starts(seed))
    rows = ["start,size,group"]
    for direction in case.directions:
        for pair in range(case.pairs):
            rows.append(f"{next(starts):.9f},{LONG_BYTES},{direction}.{pair}")
    path.write_text("\n".join(rows) + "\n")


def link(out: Path, begin: str, end: str) -> dict[str, float]:
    """The bottleneck from one node to another, from links.csv."""
    rows = [row for row in table(out / "links.csv") if (row["from"], row["to"]) == (begin, end)]
    (row,) = rows
    return {
        "utilization": float(row["utilization"]),
        "queue_bytes": float(row["mean_queue"]),
        "drops": float(row["drops"]),
    }


def throughputs(case: Case, path: Path, direction: str) -> list[float]:
    """Each flow's throughput over the measured window in Mb/s, from its delivered bytes."""
    begin, end = case.window_s
    rows = {row["group"]: row for row in table(path)}
    pairs = (rows[f"{direction}.{pair}"] for pair in range(case.pairs))
    return [int(row["delivered"]) * 8e-6 / (end - begin) for row in pairs]


def bins(case: Case, out: Path, seed: int) -> list[dict]:
    """Bins of 100 ms: means of the link's samples in them, and what was acknowledged in them."""
    samples = table(out / f"link-left-right-xcp-{seed}.csv")
    flows = [
        progress(out / f"flow-forward.{pair}-0-xcp-{seed}.csv") for pair in range(case.pairs)
    ]
    rows = []
    for number in range(1, round(case.window_s[1] / BIN_S) + 1):
        begin, end = (number - 1) * BIN_S, number * BIN_S
        inside = [row for row in samples if begin + 1e-6 < float(row["time"]) <= end + 1e-6]
        rows.append(
            {
                "time": end,
                "utilization": sum(float(row["load"]) for row in inside) / len(inside),
                "queue_bytes": sum(float(row["queue_bytes"]) for row in inside) / len(inside),
                "flows": [
                    (acked_by(end, flow) - acked_by(begin, flow)) * PACKET_BYTES * 8e-6 / BIN_S
                    for flow in flows
                ],
            }
        )
    return rows


def progress(path: Path) -> tuple[list[float], list[float]]:
    """When a flow was sampled, and how many of its packets were acknowledged then."""
    rows = table(path)
    return [float(row["time"]) for row in rows], [float(row["acked_packets"]) for row in rows]


def acked_by(time: float, flow: tuple[list[float], list[float]]) -> float:
    """Packets acknowledged by the last sample until `time`; none before the first."""
    times, acked = flow
    index = bisect_right(times, time + 1e-6)
    return acked[index - 1] if index else 0.0


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
