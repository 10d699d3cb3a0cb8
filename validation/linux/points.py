"""Long flows over one link: the points of the grid, and what is measured at one."""

import csv
import io
import json
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SCENARIO = HERE / "shares.toml"
#: A full frame, in bytes.
FRAME = 1514
#: What is measured of a system.
FIGURES = ("utilization", "mean_queue", "p99_queue", "drops")


@dataclass(frozen=True)
class Point:
    """So many flows at a capacity and a round-trip time."""

    mbps: int
    rtt_ms: int
    flows: int

    @property
    def bdp(self) -> float:
        """In bytes."""
        return self.mbps * 1e6 / 8 * self.rtt_ms / 1e3

    @property
    def queue_limit(self) -> float:
        """A tenth of the BDP, or ten packets."""
        return max(0.1 * self.bdp, 10 * FRAME)

    def settings(self) -> dict[str, str]:
        # Flows that start at once overload the link at first. R falls to its least for a crowd,
        # and takes some hundred RTTs to return.
        warm_up = 4 + (0.2 if self.flows > 8 else 0.1) * self.rtt_ms
        return {
            "capacity": f"{self.mbps} Mbps",
            "rtt": f"{self.rtt_ms} ms",
            "one_way": f"{self.rtt_ms / 2:g} ms",
            "flows": str(self.flows),
            # Trains of segments are to find room, too.
            "buffer": f"{max(self.bdp, 300e3 if self.mbps > 200 else 100e3):.0f} B",
            "warm_up": f"{warm_up:g} s",
            "stop": f"{warm_up + 6:g} s",
        }


GRID = [
    Point(mbps, rtt_ms, flows)
    for mbps in (100, 1000)
    for rtt_ms in (1, 10, 40, 100)
    for flows in (1, 2, 4, 8, 64)
]


def demo(sluice: Path, scenario: Path, out: Path, settings: dict[str, str]) -> str:
    """Plays a scenario; returns what is said about it on standard error."""
    words = [str(sluice), "demo", str(scenario), "--out", str(out)]
    for name, value in settings.items():
        words += ["--set", f"{name}={value}"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}: {done.stderr}")
    return done.stderr


def measure(point: Point, sluice: Path, out: Path) -> dict[str, Any]:
    """A row of the grid: the point, and the figures of `rcp` and `rcp@linux`."""
    said = demo(sluice, SCENARIO, out, point.settings())
    summary = json.loads((out / "summary.json").read_text())
    row: dict[str, Any] = asdict(point)
    for system in summary["protocols"]:
        name = system["protocol"]
        figures = {figure: system["bottleneck"][figure] for figure in FIGURES}
        row[name] = figures | {"uneven": uneven(sluice, out / f"tables/flows/{name}-1.parquet")}
    row["notes"] = notes(said)
    return row


def notes(said: str) -> list[str]:
    """What casts doubt on a run."""
    lines = [line for line in said.splitlines() if line.startswith("rcp@linux, ")]
    return [line.split(": ", 1)[1] for line in lines]


def uneven(sluice: Path, flows: Path) -> float:
    """By what part of the mean the most different share differs."""
    text = subprocess.run(
        [str(sluice), "export", str(flows)], capture_output=True, text=True, check=True
    ).stdout
    shares = [int(row["delivered_bytes"]) for row in csv.DictReader(io.StringIO(text))]
    mean = sum(shares) / len(shares)
    return max(abs(share / mean - 1) for share in shares)
