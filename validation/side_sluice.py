"""Runs Sluice and reads its results.

The only module that depends on Sluice's command line and result files.
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
BOTTLENECK = {"forward": ("left", "right"), "reverse": ("right", "left")}
# For convergence: the length of bins, the bottleneck, and the delay of ACKs.
BIN_S = 0.1
CAPACITY_BPS = 45e6
ACK_S = 0.020


class Sluice:
    title = "Sluice"
    # SLUICE overrides the binary of the release build.
    binary = Path(os.environ.get("SLUICE", ROOT / "target" / "release" / "sluice"))

    def missing(self) -> str | None:
        return None if self.binary.exists() else f"{self.binary} is not built"

    def run(self, case: Case, seed: int) -> Run:
        results = self.results(case, seed, folder(case) / f"sluice-{seed}")
        run = Run()
        for direction in case.directions:
            run.links[direction] = link(case, results, direction)
            run.flows[direction] = throughputs(case, results, direction)
        if case.network == "tcp-two-way":
            self.count_resent(case, seed, results, run)
        if case.network == "xcp-convergence":
            run.bins = bins(case, results.series())
        return run

    def results(self, case: Case, seed: int, out: Path, settings: tuple = ()) -> "Results":
        """Runs the case with additional `settings`, unless `out` already holds that run."""
        out.mkdir(exist_ok=True)
        scenario = out / f"{case.name}.toml"
        common = (HERE / "scenarios" / f"{case.network}.toml").read_text()
        scenario.write_text(common + groups(case, seed))
        sets = [word for setting in (*case.sluice, *settings) for word in ("--set", setting)]
        finished([self.binary, "run", scenario, *sets, "--seed", seed, "--out", out, "--quiet"])
        return Results(out, case.protocol, self.binary)

    def count_resent(self, case: Case, seed: int, results: "Results", run: Run):
        """Adds retransmissions in the measured time, and drops from time zero.

        A second run, of the warm-up alone, provides the drops before the measured time.
        """
        warm_up = case.window_s[0]
        settings = ("warm_up=0 s", f"stop={warm_up} s", f"limit={warm_up} s")
        before = self.results(case, seed, folder(case) / f"sluice-{seed}-warm-up", settings)
        resent = results.resent()
        for direction in case.directions:
            found = run.links[direction]
            found["drops_ever"] = found["drops"] + link(case, before, direction)["drops"]
            found["resent"] = resent[direction]


class Results:
    """The result files of a run: summary, totals and tables."""

    def __init__(self, out: Path, protocol: str, binary: Path):
        self.binary = binary
        self.summary = json.loads((out / "summary.json").read_text())
        (found,) = (run for run in self.summary["runs"] if run["protocol"] == protocol)
        self.folder = out / found["folder"]
        self.totals = json.loads((self.folder / "run.json").read_text())["content"]

    def rows(self, table: str) -> csv.DictReader:
        done = finished([self.binary, "export", self.folder / f"{table}.parquet"])
        return csv.DictReader(io.StringIO(done))

    def series(self) -> dict[str, dict[str, list[tuple[float, float]]]]:
        """Samples, as (seconds, value), by link or group and then by quantity."""
        series: dict = {}
        for row in self.rows("series"):
            quantities = series.setdefault(row["link"] or row["group"], {})
            sample = (int(row["time_ns"]) / 1e9, float(row["value"]))
            quantities.setdefault(row["quantity"], []).append(sample)
        return series

    def resent(self) -> Counter[str]:
        """Retransmitted data packets in the measured time, by direction."""
        counts: Counter[str] = Counter()
        for row in self.rows("flows"):
            counts[row["group"].partition("-")[0]] += int(row["resent_measured"])
        return counts


def groups(case: Case, seed: int) -> str:
    """The flows, which depend on the seed, as a group of one long flow each."""
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
                traffic(case, pair, next(starts)),
            ]
    return "\n".join(lines) + "\n"


def traffic(case: Case, pair: int, start: float) -> str:
    """A long flow, or in the last pair of a case that has one a stream of datagrams."""
    starts = f'start = "{start:.9f} s"'
    if case.cbr_mbps and pair == case.pairs - 1:
        return f'udp = {{ rate = "{case.cbr_mbps} Mbps", size = "{PACKET_BYTES} B", {starts} }}'
    return f"long = {{ {starts} }}"


def link(case: Case, results: Results, direction: str) -> dict[str, float]:
    """Metrics of the bottleneck in one direction."""
    links = results.totals["links"]
    (row,) = (row for row in links if (row["from"], row["to"]) == BOTTLENECK[direction])
    found = {
        "utilization": row["utilization"],
        "queue_bytes": row["mean_queue"],
        "drops": row["drops"],
    }
    if case.marks:
        found["marks"] = row["marks"]
    if case.network == "tcp":
        # With one-way traffic, all packets are data.
        found["drop_rate"] = row["drops"] / (row["drops"] + row["sent"] / PACKET_BYTES)
    return found


def throughputs(case: Case, results: Results, direction: str) -> list[float]:
    """Each flow's throughput over the measured window in Mb/s; each flow is a group."""
    (protocol,) = results.summary["protocols"]
    groups = {group["name"]: group["throughput"] for group in protocol["groups"]}
    return [groups[f"{direction}-{pair}"] / 1e6 for pair in range(case.pairs)]


def bins(case: Case, series: dict) -> list[dict]:
    """Bins of 100 ms: samples of the link, and data received."""
    queue, load = series["left>right"]["queue_bytes"], series["left>right"]["load"]
    flows = [progress(series[f"forward-{pair}"]) for pair in range(case.pairs)]
    times = [time for time, _ in queue]
    rows = []
    queue_before = 0.0
    for number in range(1, round(case.window_s[1] / BIN_S) + 1):
        begin, end = (number - 1) * BIN_S, number * BIN_S
        inside = slice(bisect_right(times, begin + 1e-6), bisect_right(times, end + 1e-6))
        queues = [value for _, value in queue[inside]]
        # `load` is the arrivals over capacity x time; departures are less by the queue's growth.
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
    """Sample times of a flow, and packets acknowledged by then."""
    samples = flow["acked_packets"]
    return [time for time, _ in samples], [count for _, count in samples]


def received_by(time: float, flow: tuple[list[float], list[float]]) -> float:
    """Packets that have reached the receiver at `time`; 0 before the first sample.

    Their ACKs, which queue nowhere, arrive half an RTT later.
    """
    times, acked = flow
    index = bisect_right(times, time + ACK_S + 1e-6)
    return acked[index - 1] if index else 0.0
