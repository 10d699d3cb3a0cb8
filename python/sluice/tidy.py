"""Summaries as a tidy table: a row for each point of a sweep, system and bin of flow sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .frame import Frame

#: Quantities of a flow: a time in seconds, and two ratios.
MEASURES = ("completion", "slowdown", "ideal_ratio")
#: Statistics of their distributions, each with the ends of its confidence interval.
FIGURES = ("mean", "p50", "p99", "p999")
#: Counts over flows of all sizes.
COUNTS = ("unfinished", "retransmissions", "drops", "errors")
#: Statistics of the bottleneck: columns, and their names in a summary.
LINK = {
    "utilization": "utilization",
    "mean_queue": "mean_queue",
    "p99_queue": "p99_queue",
    "bottleneck_drops": "drops",
}


def frame(summaries: Iterable[tuple[dict[str, Any], dict[str, Any]]]) -> Frame:
    """Summaries as one table, each preceded by the given columns, with ``point.`` before their name
    if it is that of another column.

    In the row over all sizes, ``size_from`` and ``size_to`` are null; in the other rows, counts and
    statistics of the bottleneck are.
    """
    import pyarrow

    rows = [joined(point, row) for point, summary in summaries for row in _rows(summary)]
    if not rows:
        raise ValueError("no run has finished")
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return Frame(pyarrow.table({name: _array(name, values) for name, values in columns.items()}))


def joined(point: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """A row after the columns of its point."""
    return {f"point.{name}" if name in row else name: value for name, value in point.items()} | row


def _rows(summary: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for system in summary["protocols"] + summary["ideals"]:
        yield _row(system, system["all"], whole=True)
        for sizes in system["by_size"]:
            yield _row(system, sizes, whole=False)


def _row(system: dict[str, Any], sizes: dict[str, Any], *, whole: bool) -> dict[str, Any]:
    row: dict[str, Any] = {
        "protocol": system["protocol"],
        "size_from": None if whole else sizes["from"],
        "size_to": None if whole else sizes["to"],
        "runs": system["runs"],
        "flows": sizes["flows"],
    }
    for measure in MEASURES:
        for figure in FIGURES:
            found = sizes[measure]
            low, high = found["intervals"][figure] or (None, None)
            name = f"{measure}_{figure}"
            row |= {name: found[figure], f"{name}_low": low, f"{name}_high": high}
    # Summaries of before estimates have none.
    row["estimate_mean"] = _estimate(system.get("estimate"), None if whole else sizes["from"])
    row |= {name: system[name] if whole else None for name in COUNTS}
    return row | {
        name: system["bottleneck"][field] if whole else None for name, field in LINK.items()
    }


def _estimate(found: dict[str, Any] | None, size_from: int | None) -> float | None:
    """What models predict of the mean completion time, over all sizes or a bin."""
    if found is None:
        return None
    if size_from is None:
        return found["completion"]
    means = (bin["completion"] for bin in found["by_size"] if bin["from"] == size_from)
    return next(means, None)


def _array(name: str, values: list[Any]) -> Any:
    import pyarrow

    measured = name.startswith((*MEASURES, "estimate")) or name in LINK
    # The type must not depend on whether a column has values.
    kind = pyarrow.float64() if measured else pyarrow.int64() if name in COUNTS else None
    if name in ("size_from", "size_to"):
        kind = pyarrow.int64()
    return pyarrow.array(values, kind)
