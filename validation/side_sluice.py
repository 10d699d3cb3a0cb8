"""Sluice, this repository's simulator: how a run is started and how its files are read.

Whatever changes in its command line or its result files changes here and nowhere else.
"""

import csv
import io
import json
import os
from bisect import bisect_right
from collections import Counter
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
        results = self.results(case, seed, folder(case) / f"sluice-{seed}")
        run = Run()
        for direction, ends in zip(case.directions, (("left", "right"), ("right", "left"))):
            run.links[direction] = link(case, results, *ends)
            run.flows[direction] = throughputs(case, results, direction)
        if case.network == "tcp-two-way":
            self.count_resent(case, seed, results, run)
        if case.network == "xcp-convergence":
            run.bins = bins(case, results.series())
        return run

    def results(self, case: Case, seed: int, out: Path, settings: tuple = ()) -> "Results":
        """Runs the case, `settings` over its own, unless `out` already holds that run."""
        out.mkdir(exist_ok=True)
        scenario = out / f"{case.name}.toml"
        common = (HERE / "scenarios" / f"{case.network}.toml").read_text()
        scenario.write_text(common + groups(case, seed))
        sets = [word for setting in (*case.sluice, *settings) for word in ("--set", setting)]
        finished([self.binary, "run", scenario, *sets, "--seed", seed, "--out", out, "--quiet"])
        return Results(out, case.protocol, self.binary)

    def count_resent(self, case: Case, seed: int, results: "Results", run: Run):
        """Adds what was sent again in the measured time, and drops from time zero: a second run,
        of the warm-up alone, has those that the measured time lacks."""
        warm_up = case.window_s[0]
        settings = ("warm_up=0 s", f"stop={warm_up} s", f"limit={warm_up} s")
        before = self.results(case, seed, folder(case) / f"sluice-{seed}-warm-up", settings)
        resent = results.resent()
        for direction, ends in zip(case.directions, (("left", "right"), ("right", "left"))):
            found = run.links[direction]
            found["drops_ever"] = found["drops"] + link(case, before, *ends)["drops"]
            found["resent"] = resent[direction]


class Results:
    """What a run left: its summary, its totals, its flows, its samples."""

    def __init__(self, out: Path, protocol: str, binary: Path):
        self.binary = binary
        self.summary = json.loads((out / "summary.json").read_text())
        (found,) = (run for run in self.summary["runs"] if run["protocol"] == protocol)
        self.folder = out / found["folder"]
        self.totals = json.loads((self.folder / "run.json").read_text())

    def rows(self, table: str) -> csv.DictReader:
        done = finished([self.binary, "export", self.folder / f"{table}.parquet"])
        return csv.DictReader(io.StringIO(done))

    def series(self) -> dict[str, dict[str, list[tuple[float, float]]]]:
        """By link or group, then by quantity: times and values."""
        series: dict = {}
        for row in self.rows("series"):
            quantities = series.setdefault(row["link"] or row["group"], {})
            sample = (int(row["time_ns"]) / 1e9, float(row["value"]))
            quantities.setdefault(row["quantity"], []).append(sample)
        return series

    def resent(self) -> Counter[str]:
        """Data packets sent again in the measured time, by direction."""
        counts: Counter[str] = Counter()
        for row in self.rows("flows"):
            counts[row["group"].partition("-")[0]] += int(row["resent_measured"])
        return counts


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


def link(case: Case, results: Results, begin: str, end: str) -> dict[str, float]:
    """The bottleneck from one node to another."""
    links = results.totals["links"]
    (row,) = (row for row in links if (row["from"], row["to"]) == (begin, end))
    found = {
        "utilization": row["utilization"],
        "queue_bytes": row["mean_queue"],
        "drops": row["drops"],
    }
    if case.network == "tcp":
        # One way only, all that is sent is data.
        found["drop_rate"] = row["drops"] / (row["drops"] + row["sent"] / PACKET_BYTES)
    return found


def throughputs(case: Case, results: Results, direction: str) -> list[float]:
    """Each flow's throughput over the measured window in Mb/s: each is a group of its own."""
    (protocol,) = results.summary["protocols"]
    groups = {group["name"]: group["throughput"] for group in protocol["groups"]}
    return [groups[f"{direction}-{pair}"] / 1e6 for pair in range(case.pairs)]


def bins(case: Case, series: dict) -> list[dict]:
    """Bins of 100 ms: the link's samples in them, and what reached the receivers in them."""
    queue, load = series["left>right"]["queue_bytes"], series["left>right"]["load"]
    flows = [progress(series[f"forward-{pair}"]) for pair in range(case.pairs)]
    times = [time for time, _ in queue]
    rows = []
    queue_before = 0.0
    for number in range(1, round(case.window_s[1] / BIN_S) + 1):
        begin, end = (number - 1) * BIN_S, number * BIN_S
        inside = slice(bisect_right(times, begin + 1e-6), bisect_right(times, end + 1e-6))
        queues = [value for _, value in queue[inside]]
        # `load` is what joined the queue over capacity x time; what left is less by the growth.
        loads = [value for _, value in load[inside]]
        growth = (queues[-1] - queue_before) * 8 / (CAPACITY_BPS * BIN_S)
        queue_before = queues[-1]
        packets = [received_by(end, flow) - received_by(begin, flow) for flow in flows]
        rows.append(
            {
                "time": end,
                "utilization": sum(loads) / len(loads) - growth,
                "queue_bytes": sum(queues) / len(queues),
                "flows": [count * PACKET_BYTES * 8e-6 / BIN_S for count in packets],
            }
        )
    return rows


def progress(flow: dict) -> tuple[list[float], list[float]]:
    """When a flow was sampled, and how many of its packets were acknowledged then."""
    samples = flow["acked_packets"]
    return [time for time, _ in samples], [count for _, count in samples]


def received_by(time: float, flow: tuple[list[float], list[float]]) -> float:
    """Packets that had reached the receiver at `time`: their ACKs, which queue nowhere, are back
    half an RTT later. None before the first sample."""
    times, acked = flow
    index = bisect_right(times, time + ACK_S + 1e-6)
    return acked[index - 1] if index else 0.0
