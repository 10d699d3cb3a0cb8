"""The metrics compared: one value per run and metric, then a 95% t interval over runs."""

from dataclasses import dataclass
from itertools import pairwise
from math import floor, log10, sqrt
from statistics import mean, stdev

from case import Case
from run import Run

# Two-sided 95% points of Student's t, by degrees of freedom.
T95 = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
]  # fmt: skip


@dataclass(frozen=True)
class Interval:
    """A mean over seeds and the half width of its 95% t interval."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: list[float]) -> "Interval":
        n = len(values)
        if n < 2:
            return cls(mean(values), float("inf"))
        # Above 30 degrees of freedom, the point for 30 is conservative by at most 4%.
        t = T95[min(n - 1, len(T95)) - 1]
        return cls(mean(values), t * stdev(values) / sqrt(n))

    def overlaps(self, other: "Interval") -> bool:
        return abs(self.mean - other.mean) <= self.half + other.half

    def __str__(self) -> str:
        """Mean and half width, rounded to two significant digits of the half width."""
        if self.half in (0, float("inf")):
            return f"{self.mean:.5g} ± {self.half:.2g}"
        places = 1 - floor(log10(self.half))
        mean, half = round(self.mean, places), round(self.half, places)
        return f"{mean:.{max(places, 0)}f} ± {half:.{max(places, 0)}f}"


@dataclass(frozen=True)
class Row:
    """A metric of a set-up by Sluice and what it is compared with; None for a side without it."""

    metric: str
    reference: Interval | None
    sluice: Interval | None

    @property
    def overlap(self) -> bool | None:
        """Whether the intervals overlap; None if there are not two."""
        return self.reference.overlaps(self.sluice) if self.reference and self.sluice else None

    @property
    def difference(self) -> str:
        """Sluice relative to the reference in percent; the absolute difference if that is 0."""
        if self.overlap is None:
            return "-"
        if self.reference.mean == 0:
            return f"{self.sluice.mean:+.3g}"
        return f"{100 * (self.sluice.mean / self.reference.mean - 1):+.2f}%"


def rows(reference: list[dict[str, float]], sluice: list[dict[str, float]]) -> list[Row]:
    """Rows from the metrics of the runs of each side; empty for one that did not run."""

    def interval(runs: list[dict[str, float]], name: str) -> Interval | None:
        return Interval.of([run[name] for run in runs]) if runs and name in runs[0] else None

    names = (reference or sluice)[0]
    return [Row(name, interval(reference, name), interval(sluice, name)) for name in names]


def measures(case: Case, run: Run) -> dict[str, float]:
    """The metrics of a run by name, in the order of the table."""
    if case.bins:
        return convergence(run) if case.bins == "flows" else sudden(run)
    if run.completions:
        return steady(run) | completions(run)
    return both_ways(steady(run)) if case.network == "tcp-two-way" else steady(run)


def both_ways(values: dict[str, float]) -> dict[str, float]:
    """Means over the two directions, which differ only in start times."""
    pairs: dict[str, list[float]] = {}
    for name, value in values.items():
        pairs.setdefault(name.partition(": ")[2], []).append(value)
    return {name: mean(pair) for name, pair in pairs.items()}


# Labels of a link's metrics; a simulator may omit some.
LINK = {
    "utilization": "utilization",
    "queue_kb": "queue, kB",
    "queue_packets": "queue, packets",
    "drops": "drops",
    "drops_ever": "drops from time 0",
    "drop_rate": "drops / packets offered",
    "marks": "marks",
    "resent": "packets sent again",
    "resent_per_drop": "packets sent again / drops",
    "time_outs": "time-outs",
    "time_outs_ever": "time-outs from time 0",
}


def steady(run: Run) -> dict[str, float]:
    """Metrics of each link and of the throughput of each direction's flows after the warm-up."""
    values = {}
    for where in dict.fromkeys([*run.links, *run.flows]):
        found = {}
        if where in run.links:
            found |= link_metrics(run.links[where])
        if where in run.flows:
            found |= shares(run.flows[where])
        values |= {f"{where}: {name}": value for name, value in found.items()}
    return values


def link_metrics(link: dict[str, float]) -> dict[str, float]:
    link = link | {"queue_kb": link["queue_bytes"] / 1000}
    if "resent" in link:
        link = link | {"resent_per_drop": link["resent"] / max(link["drops"], 1)}
    return {LINK[name]: link[name] for name in LINK if name in link}


def shares(flows: list[float]) -> dict[str, float]:
    values = {"throughput, mean, Mb/s": mean(flows)}
    if len(flows) > 1:
        values |= {
            "throughput, least / mean": min(flows) / mean(flows),
            "throughput, most / mean": max(flows) / mean(flows),
            "Jain's index": jain(flows),
        }
    return values


# Ranges of flow sizes in packets, for means of completion times.
SIZES = [(1, 9), (10, 29), (30, 99), (100, 999), (1000, 10**9)]


def completions(run: Run) -> dict[str, float]:
    """Mean completion times of short flows by size, and the number of those that did not finish."""
    values = {"short flows: completion time, mean, s": mean(took for _, took in run.completions)}
    for least, most in SIZES:
        label = f"{least} to {most}" if most < 10**9 else f"{least} or more"
        times = [took for packets, took in run.completions if least <= packets <= most]
        if times:
            values[f"short flows of {label} packets: completion time, mean, s"] = mean(times)
    return values | {"short flows: not finished": run.unfinished}


def sudden(run: Run) -> dict[str, float]:
    """Metrics of a link where flows start after four seconds and stop after eight."""
    phases = {"1 to 4 s": (1, 4), "4 to 5 s": (4, 5), "5 to 8 s": (5, 8), "8 to 9 s": (8, 9)}
    values = {}
    for label, (begin, end) in (phases | {"from 9 s": (9, run.bins[-1]["time"])}).items():
        rows = between(run.bins, begin, end)
        values |= {
            f"utilization, {label}": mean(row["utilization"] for row in rows),
            f"queue, {label}, kB": mean(row["queue_bytes"] for row in rows) / 1000,
        }
    largest = max(row["queue_bytes"] for row in run.bins) / 1000
    least = min(row["utilization"] for row in between(run.bins, 8, 9))
    return values | {
        "largest mean queue of 100 ms, kB": largest,
        "least utilization of 100 ms, 8 to 9 s": least,
        "drops": run.links["forward"]["drops"],
    }


def convergence(run: Run) -> dict[str, float]:
    """Metrics of five flows that start two seconds apart.

    These are the link from 1 s on, fairness before each next start, and the time that each new
    flow takes to reach its share.
    """
    settled = [row for row in run.bins if row["time"] > 1.05]
    values = {
        "utilization from 1 s": mean(row["utilization"] for row in settled),
        "least utilization of 100 ms from 1 s": min(row["utilization"] for row in settled),
        "queue from 1 s, bytes": mean(row["queue_bytes"] for row in settled),
        "largest mean queue of 100 ms, bytes": max(row["queue_bytes"] for row in run.bins),
        "drops": run.links["forward"]["drops"],
    }
    count = len(run.bins[0]["flows"])
    for flows in range(2, count + 1):
        end = 2.0 * flows if flows < count else run.bins[-1]["time"]
        rows = between(run.bins, end - 1, end)
        shares = [mean(row["flows"][i] for row in rows) for i in range(flows)]
        values[f"Jain's index, {flows} flows, last second"] = jain(shares)
    for newcomer in range(1, count):
        start = 2.0 * newcomer
        end = start + 2 if newcomer + 1 < count else run.bins[-1]["time"]
        values[f"flow {newcomer + 1}: seconds to 90% of its share"] = time_to_share(
            between(run.bins, start, end), newcomer, start
        )
    return values


def time_to_share(rows: list[dict], newcomer: int, start: float) -> float:
    """Seconds from `start` to the end of the first 200 ms (five RTTs) in which the new flow has 0.9
    of an equal share; the whole phase if there are none."""
    for before, row in pairwise(rows):
        mine = before["flows"][newcomer] + row["flows"][newcomer]
        if mine >= 0.9 * (sum(before["flows"]) + sum(row["flows"])) / (newcomer + 1):
            return row["time"] - start
    return rows[-1]["time"] - start


def between(rows: list[dict], begin: float, end: float) -> list[dict]:
    """The bins that end in (begin, end], except for rounding."""
    return [row for row in rows if begin + 0.01 < row["time"] < end + 0.01]


def jain(values: list[float]) -> float:
    """Jain's fairness index: 1 for equal values, 1/n if only one is not 0."""
    return sum(values) ** 2 / (len(values) * sum(value**2 for value in values))
