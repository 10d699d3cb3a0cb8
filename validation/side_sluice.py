"""Sluice, this repository's simulator: how a run is started and how its files are read.

Whatever changes in its command line or its result files changes here and nowhere else.
"""

import csv
import os
from bisect import bisect_right
from pathlib import Path

from cases import Case
from run import HERE, ROOT, Run, finished, folder

PACKET_BYTES = 1000
# Convergence only: its bins, its bottleneck, and how long an ACK is on its way back.
BIN_S = 0.1
CAPACITY_BPS = 45e6
ACK_S = 0.020


class Sluice:
    title = "Sluice"
    # SLUICE names another binary than the release build's.
    binary = Path(os.environ.get("SLUICE", ROOT / "target" / "release" / "sluice"))

    def missing(self) -> str | None:
        return None if self.binary.exists() else f"{self.binary} is not built"

    def run(self, case: Case, seed: int) -> Run:
        out = folder(case) / f"sluice-{seed}"
        out.mkdir(exist_ok=True)
        scenario = out / f"{case.name}.toml"
        common = (HERE / "scenarios" / scenario.name).read_text()
        scenario.write_text(common + groups(case, seed))
        finished([self.binary, "run", scenario, "--seed", seed, "--out", out])
        run = Run()
        for direction, ends in zip(case.directions, (("left", "right"), ("right", "left"))):
            run.links[direction] = link(case, out, *ends)
            run.flows[direction] = throughputs(case, out, seed, direction)
        if case.script == "xcp-convergence.tcl":
            run.bins = bins(case, out, seed)
        return run


def groups(case: Case, seed: int) -> str:
    """The flows, which differ with the seed: a group of one long flow for each."""
    starts = iter(case.starts(seed))
    lines = []
    for direction in case.directions:
        ends = ("s", "d") if direction == "forward" else ("d", "s")
        for pair in range(case.pairs):
            lines += [
                "\n[[group]]",
                f'name = "{direction}-{pair}"',
                f'from = "{ends[0]}{pair}"',
                f'to = "{ends[1]}{pair}"',
                f'long = {{ start = "{next(starts):.9f} s" }}',
            ]
    return "\n".join(lines) + "\n"


def link(case: Case, out: Path, begin: str, end: str) -> dict[str, float]:
    """The bottleneck from one node to another, from links.csv."""
    rows = [row for row in table(out / "links.csv") if (row["from"], row["to"]) == (begin, end)]
    (row,) = rows
    found = {
        "utilization": float(row["utilization"]),
        "queue_bytes": float(row["mean_queue"]),
        "drops": float(row["drops"]),
    }
    if case.protocol == "tcp":
        # One way only, all that is sent is data.
        sent = float(row["sent"]) / PACKET_BYTES
        found["drop_rate"] = found["drops"] / (found["drops"] + sent)
    return found


def throughputs(case: Case, out: Path, seed: int, direction: str) -> list[float]:
    """Each flow's throughput over the measured window in Mb/s, from its delivered bytes."""
    begin, end = case.window_s
    flows = table(out / f"flows-{case.protocol}-{seed}.csv")
    rows = {row["group"]: row for row in flows}
    pairs = (rows[f"{direction}-{pair}"] for pair in range(case.pairs))
    return [int(row["delivered"]) * 8e-6 / (end - begin) for row in pairs]


def bins(case: Case, out: Path, seed: int) -> list[dict]:
    """Bins of 100 ms: the link's samples in them, and what reached the receivers in them."""
    samples = table(out / f"link-left+right-xcp-{seed}.csv")
    flows = [
        progress(out / f"flow-forward-{pair}-0-xcp-{seed}.csv") for pair in range(case.pairs)
    ]
    times = [float(row["time"]) for row in samples]
    rows = []
    queue_before = 0.0
    for number in range(1, round(case.window_s[1] / BIN_S) + 1):
        begin, end = (number - 1) * BIN_S, number * BIN_S
        inside = samples[bisect_right(times, begin + 1e-6) : bisect_right(times, end + 1e-6)]
        queues = [float(row["queue_bytes"]) for row in inside]
        # `load` is what joined the queue over capacity x time; what left is less by the growth.
        load = sum(float(row["load"]) for row in inside) / len(inside)
        growth = (queues[-1] - queue_before) * 8 / (CAPACITY_BPS * BIN_S)
        queue_before = queues[-1]
        packets = [received_by(end, flow) - received_by(begin, flow) for flow in flows]
        rows.append(
            {
                "time": end,
                "utilization": load - growth,
                "queue_bytes": sum(queues) / len(queues),
                "flows": [count * PACKET_BYTES * 8e-6 / BIN_S for count in packets],
            }
        )
    return rows


def progress(path: Path) -> tuple[list[float], list[float]]:
    """When a flow was sampled, and how many of its packets were acknowledged then."""
    rows = table(path)
    return [float(row["time"]) for row in rows], [float(row["acked_packets"]) for row in rows]


def received_by(time: float, flow: tuple[list[float], list[float]]) -> float:
    """Packets that had reached the receiver at `time`: their ACKs, which queue nowhere, are back
    half an RTT later. None before the first sample."""
    times, acked = flow
    index = bisect_right(times, time + ACK_S + 1e-6)
    return acked[index - 1] if index else 0.0


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
