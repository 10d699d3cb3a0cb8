"""What the programs in the kernel cost, by the kernel's own count."""

import json
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from points import SCENARIO, Point, demo

STATISTICS = Path("/proc/sys/kernel/bpf_stats_enabled")
#: Names of our programs begin so, of which one is the router's and the others are the hosts'.
OURS, ROUTER = "sluice_", "sluice_router"
#: Flows that fill 1 Gb/s, from when on and for how long they are looked at.
POINT, FROM, FOR = Point(1000, 10, 8), 7.0, 3.0


def measure(sluice: Path, out: Path) -> dict[str, Any] | None:
    """The part of a core that both hosts' programs take, and the router's nanoseconds a run."""
    before = STATISTICS.read_text()
    STATISTICS.write_text("1")
    try:
        with ThreadPoolExecutor(1) as pool:
            played = pool.submit(demo, sluice, SCENARIO, out, POINT.settings())
            time.sleep(FROM)
            first = programs()
            begun = time.monotonic()
            time.sleep(FOR)
            last, elapsed = programs(), time.monotonic() - begun
            played.result()
    finally:
        STATISTICS.write_text(before)
    if first is None or last is None:
        return None
    all_ns, all_runs = spent(first, last, OURS)
    router_ns, router_runs = spent(first, last, ROUTER)
    if not router_runs:
        raise SystemExit("the router's program did not run while its cost was measured")
    return {
        "host_share": (all_ns - router_ns) / 1e9 / elapsed,
        "host_runs": (all_runs - router_runs) / elapsed,
        "router_share": router_ns / 1e9 / elapsed,
        "router_ns": router_ns / router_runs,
    }


def programs() -> list[dict[str, Any]] | None:
    """All programs in the kernel; nothing without `bpftool`."""
    try:
        done = subprocess.run(["bpftool", "-j", "prog", "show"], capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return json.loads(done.stdout)


def spent(first: list, last: list, name: str) -> tuple[float, float]:
    """Nanoseconds and runs between two looks, of the programs whose names begin so."""
    before = {program["id"]: program for program in first}
    ns = runs = 0
    for program in last:
        if program.get("name", "").startswith(name) and program["id"] in before:
            earlier = before[program["id"]]
            ns += program.get("run_time_ns", 0) - earlier.get("run_time_ns", 0)
            runs += program.get("run_cnt", 0) - earlier.get("run_cnt", 0)
    return ns, runs
