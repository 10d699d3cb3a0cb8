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

from case import Case, Flow
from run import HERE, ROOT, Run, finished, folder

PACKET_BYTES = 1000
# The length of bins.
BIN_S = 0.1


class Sluice:
    title = "Sluice"
    # SLUICE overrides the binary of the release build.
    binary = Path(os.environ.get("SLUICE", ROOT / "target" / "release" / "sluice"))

    def missing(self) -> str | None:
        return None if self.binary.exists() else f"{self.binary} is not built"

    def run(self, case: Case, seed: int) -> Run:
        results = self.results(case, seed, folder(case) / f"sluice-{seed}")
        run = Run()
        flows = case.flows(seed)
        for name, ends in case.links.items():
            run.links[name] = link(case, results, ends)
        run.flows = throughputs(flows, results)
        run.add_completions(case, flows, results.completed(case, flows))
        if case.network == "tcp-two-way":
            self.count_resent(case, seed, results, run)
        if case.bins:
            run.bins = bins(case, flows, results.series())
        return run

    def results(self, case: Case, seed: int, out: Path, settings: tuple = ()) -> "Results":
        """Runs the case with additional `settings`, unless `out` already holds that run."""
        out.mkdir(exist_ok=True)
        scenario = out / f"{case.name}.toml"
        common = (HERE / "scenarios" / f"{case.network}.toml").read_text()
        flows = case.flows(seed)
        (out / "short.csv").write_text(arrivals(case, flows))
        scenario.write_text(common + groups(case, flows) + metrics(case, flows))
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
        for direction, ends in case.links.items():
            found = run.links[direction]
            found["drops_ever"] = found["drops"] + link(case, before, ends)["drops"]
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

    def completed(self, case: Case, flows: list[Flow]) -> dict[int, float]:
        """The completion times in seconds of finished short flows, by their number in `flows`."""
        numbers = {
            (case.ends(flow), f"{flow.start:.9f}"): number
            for number, flow in enumerate(flows)
            if flow.packets
        }
        completed = {}
        for row in self.rows("flows") if numbers else ():
            if row["completion_ns"]:
                nodes = row["path"].split(">")
                start = f"{int(row['start_ns']) / 1e9:.9f}"
                number = numbers[(nodes[0], nodes[-1]), start]
                completed[number] = int(row["completion_ns"]) / 1e9
        return completed

    def resent(self) -> Counter[str]:
        """Retransmitted data packets in the measured time, by direction."""
        counts: Counter[str] = Counter()
        for row in self.rows("flows"):
            counts[row["group"].partition("-")[0]] += int(row["resent_measured"])
        return counts


def named(flows: list[Flow]) -> list[tuple[str, Flow]]:
    """The long flows with the names of their groups, such as `forward-0`."""
    counts: Counter[str] = Counter()
    found = []
    for flow in flows:
        if flow.packets is None:
            found.append((f"{flow.direction}-{counts[flow.direction]}", flow))
            counts[flow.direction] += 1
    return found


def groups(case: Case, flows: list[Flow]) -> str:
    """A group for each long flow, and one for all short ones."""
    lines = []
    for name, flow in named(flows):
        sender, receiver = case.ends(flow)
        lines += [
            "\n[[group]]",
            f'name = "{name}"',
            f'from = "{sender}"',
            f'to = "{receiver}"',
            traffic(case, flow),
            *([f"conduct = {case.conduct}"] if case.conduct else []),
        ]
    if any(flow.packets for flow in flows):
        lines += ["\n[[group]]", 'name = "short"', 'from = "s0"', 'to = "d0"']
        lines += ['replay = "short.csv"']
    return "\n".join(lines) + "\n"


def arrivals(case: Case, flows: list[Flow]) -> str:
    """The table of short flows that Sluice replays."""
    lines = ["from,to,start,size"]
    for flow in flows:
        if flow.packets:
            size = flow.packets * PACKET_BYTES
            lines.append(",".join([*case.ends(flow), f"{flow.start:.9f}", str(size)]))
    return "\n".join(lines) + "\n"


def metrics(case: Case, flows: list[Flow]) -> str:
    """What is sampled for bins."""
    targets = []
    if case.bins:
        targets.append('link = ["left", "right"]')
    if case.bins == "flows":
        targets += [f'flow = {{ group = "{name}" }}' for name, _ in named(flows)]
    return "".join(f'\n[[metrics]]\n{target}\nevery = "1 ms"\n' for target in targets)


def traffic(case: Case, flow: Flow) -> str:
    """A long flow, or in the last pair of a case that has one a stream of datagrams."""
    times = f'start = "{flow.start:.9f} s"'
    if flow.stop is not None:
        times += f', stop = "{flow.stop:.9f} s"'
    if case.cbr_mbps and flow.pair == case.pairs - 1:
        return f'udp = {{ rate = "{case.cbr_mbps} Mbps", size = "{PACKET_BYTES} B", {times} }}'
    return f"long = {{ {times} }}"


def link(case: Case, results: Results, ends: tuple[str, str]) -> dict[str, float]:
    """Metrics of a link."""
    links = results.totals["links"]
    (row,) = (row for row in links if (row["from"], row["to"]) == ends)
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


def throughputs(flows: list[Flow], results: Results) -> dict[str, list[float]]:
    """Each long flow's throughput over the measured window in Mb/s, by direction."""
    (protocol,) = results.summary["protocols"]
    groups = {group["name"]: group["throughput"] for group in protocol["groups"]}
    found: dict[str, list[float]] = {}
    for name, flow in named(flows):
        found.setdefault(flow.direction, []).append(groups[name] / 1e6)
    return found


def bins(case: Case, flows: list[Flow], series: dict) -> list[dict]:
    """Bins of 100 ms: samples of the link, and data received."""
    queue, load = series["left>right"]["queue_bytes"], series["left>right"]["load"]
    flow_series = [progress(series[name]) for name, _ in named(flows) if name in series]
    ack_s = case.rtt_s / 2
    times = [time for time, _ in queue]
    rows = []
    queue_before = 0.0
    for number in range(1, round(case.window_s[1] / BIN_S) + 1):
        begin, end = (number - 1) * BIN_S, number * BIN_S
        inside = slice(bisect_right(times, begin + 1e-6), bisect_right(times, end + 1e-6))
        queues = [value for _, value in queue[inside]]
        # `load` is the arrivals over capacity x time; departures are less by the queue's growth.
        loads = [value for _, value in load[inside]]
        growth = (queues[-1] - queue_before) * 8 / (case.mbps * 1e6 * BIN_S)
        queue_before = queues[-1]
        packets = [
            received_by(end + ack_s, flow) - received_by(begin + ack_s, flow)
            for flow in flow_series
        ]
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
    """Packets acknowledged at `time`; 0 before the first sample.

    ACKs queue nowhere, so these packets had reached the receiver half an RTT before.
    """
    times, acked = flow
    index = bisect_right(times, time + 1e-6)
    return acked[index - 1] if index else 0.0
