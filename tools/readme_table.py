"""The README's table: completion times by flow size, queue and drops, as Markdown."""

from typing import Any, NamedTuple

#: A `summary.json` as parsed.
Summary = dict[str, Any]


class Column(NamedTuple):
    """A protocol or ideal of a summary."""

    title: str
    summary: Summary
    name: str

    def figures(self) -> dict[str, Any]:
        systems = self.summary["protocols"] + self.summary["ideals"]
        return next(system for system in systems if system["protocol"] == self.name)


def table(columns: list[Column]) -> str:
    """A row for each range of sizes, then the bottleneck's mean queue and drops a run."""
    found = [column.figures() for column in columns]
    lines = [
        row("Flow size", [column.title for column in columns]),
        "|---|" + "---:|" * len(columns),
        row("all", [completion(system["all"]) for system in found]),
    ]
    for index, size in enumerate(found[0]["by_size"]):
        cells = [completion(system["by_size"][index]) for system in found]
        lines.append(row(sizes(size["from"], size["to"]), cells))
    # Ideals are fluid: they have no queue.
    links = [system.get("bottleneck") for system in found]
    queues = [number(link["mean_queue"], "B") if link else "" for link in links]
    drops = [f"{link['drops']:,.0f}" if link else "" for link in links]
    lines.append(row("mean queue", queues))
    lines.append(row("packets dropped per run", drops))
    return "\n".join(lines) + "\n"


def row(first: str, cells: list[str]) -> str:
    return f"| {first} | " + " | ".join(cells) + " |"


def completion(size: dict[str, Any]) -> str:
    """Mean and 99th percentile, with one unit where they share it."""
    mean, p99 = (number(size["completion"][name], "s") for name in ("mean", "p99"))
    if mean.split()[1] == p99.split()[1]:
        mean = mean.split()[0]
    return f"{mean} / {p99}"


def sizes(low: float, high: float | None) -> str:
    if low == 0:
        return f"below {number(high or 0, 'B', 0)}"
    if high is None:
        return f"above {number(low, 'B', 0)}"
    return f"{number(low, 'B', 0)} to {number(high, 'B', 0)}"


def number(value: float, unit: str, digits: int = 2) -> str:
    """The value with a prefix, to two significant digits or more."""
    for factor, prefix in [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m"), (1e-6, "u")]:
        if value >= factor:
            scaled = value / factor
            places = 1 if digits and scaled < 10 else 0
            return f"{scaled:.{places}f} {prefix}{unit}"
    return f"0 {unit}"
