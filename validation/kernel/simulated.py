"""Sluice's side: the scenario of a set-up, its run, and results as from the kernel."""

from collections import defaultdict
from pathlib import Path

from run import RESULTS, finished
from setups import ACK_BYTES, BITS_PER_S, LAWS, PACKET_BYTES, SetUp
from side_sluice import Results, Sluice

COMMON = Path(__file__).with_name("scenario.toml")


def simulated(of: SetUp, seed: int) -> dict:
    """As `measure.measured`, without the lateness."""
    out = RESULTS / "kernel" / of.name / f"sluice-{seed}"
    out.mkdir(parents=True, exist_ok=True)
    file = out / f"{of.name}.toml"
    file.write_text(scenario(of, seed))
    finished([Sluice.binary, "run", file, "--seed", seed, "--out", out, "--quiet"])
    results = Results(out, LAWS[of.law][0], Sluice.binary)
    return {"link": link(results), "samples": samples(of, results), "flows": flows(of, results)}


def scenario(of: SetUp, seed: int) -> str:
    """The common part with what differs between set-ups and seeds."""
    warm_up, stop = of.window_s
    starts = ", ".join(f'"{start:.9f} s"' for start in of.starts(seed))
    sampled = "".join(
        f'\n[[metrics]]\nflow = {{ group = "flows", index = {index} }}\nevery = "{of.every_s} s"\n'
        for index in range(of.flows)
    )
    return f"""protocols = ["{LAWS[of.law][0]}"]
warm_up = "{warm_up} s"
stop = "{stop} s"
limit = "{stop} s"
{COMMON.read_text()}
[topology.dumbbell]
capacity = "{BITS_PER_S / 1e6} Mbps"
rtt = "{of.rtt_s} s"
bottleneck_delay = "{of.rtt_s / 2} s"
buffer = "{of.buffer_bytes} B"
access = "10 Gbps"

[[group]]
name = "flows"
from = "s0"
to = "d0"
long = {{ starts = [{starts}] }}
{sampled}"""


def link(results: Results) -> dict[str, float]:
    rows = {(row["from"], row["to"]): row for row in results.totals["links"]}
    data, acks = rows["left", "right"], rows["right", "left"]
    return {
        "utilization": data["utilization"],
        "queue_bytes": data["mean_queue"],
        "drops": data["drops"],
        "acks_per_packet": acks["sent"] / ACK_BYTES / (data["sent"] / PACKET_BYTES),
    }


def samples(of: SetUp, results: Results) -> list[list[dict[str, float]]]:
    """Samples of each flow, as `at`, `cwnd` and `ssthresh`."""
    found: list[dict[float, dict[str, float]]] = [defaultdict(dict) for _ in range(of.flows)]
    for row in results.rows("series"):
        at = int(row["time_ns"]) / 1e9
        found[int(row["index"])][at][row["quantity"]] = float(row["value"])
    return [[{"at": at, **values} for at, values in sorted(flow.items())] for flow in found]


def flows(of: SetUp, results: Results) -> list[dict[str, float]]:
    """Throughput in bit/s, and packets sent again before and in the measured time, by flow."""
    return [
        {
            "throughput": 8 * int(row["delivered_bytes"]) / of.span_s,
            "resent_before": int(row["retransmissions"]) - int(row["resent_measured"]),
            "resent": int(row["resent_measured"]),
        }
        for row in results.rows("flows")
    ]
