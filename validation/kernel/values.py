"""The metrics of a run of either side."""

from statistics import mean

from curve import curve_values
from measures import jain
from setups import CURVES, SetUp

#: Significant digits of a metric: runs that are equal but for rounding have the same.
DIGITS = 5


def values(of: SetUp, run: dict) -> dict[str, float]:
    """Metrics by name, in the order of the table."""
    if of in CURVES:
        window = [each for each in run["samples"][0] if each["at"] >= of.window_s[0]]
        found = curve_values(window)
    else:
        found = steady_values(of, run)
    return {name: float(f"{value:.{DIGITS}g}") for name, value in found.items()}


def steady_values(of: SetUp, run: dict) -> dict[str, float]:
    link, flows = run["link"], run.get("flows") or throughputs(of, run["samples"])
    found = {
        "utilization": link["utilization"],
        "queue, kB": link["queue_bytes"] / 1000,
        "drops": link["drops"],
        "packets sent again": sum(flow["resent"] for flow in flows),
        "packets sent again before": sum(flow["resent_before"] for flow in flows),
        "cwnd, mean, packets": mean(mean_window(of, flow) for flow in run["samples"]),
        "ACKs per data packet": link["acks_per_packet"],
    }
    if of.flows > 1:
        found["Jain's index"] = jain([flow["throughput"] for flow in flows])
    return found


def throughputs(of: SetUp, samples: list[list[dict]]) -> list[dict[str, float]]:
    """What Sluice counts by flow, from samples of the kernel's senders."""
    found = []
    for flow in samples:
        early = next(each for each in flow if each["at"] >= of.window_s[0])
        late = flow[-1]
        acked = late["acked_bytes"] - early["acked_bytes"]
        found.append(
            {
                "throughput": 8 * acked / (late["at"] - early["at"]),
                "resent_before": early["resent"],
                "resent": late["resent"] - early["resent"],
            }
        )
    return found


def mean_window(of: SetUp, flow: list[dict]) -> float:
    return mean(each["cwnd"] for each in flow if each["at"] >= of.window_s[0])
