"""Mean completion times relative to those under an ideal, as a tidy table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .frame import Frame
from .tidy import joined

#: Columns of whole numbers, and of ratios and seconds.
WHOLE = ("packets_from", "packets_to", "flows", "unfinished", "left_out")
REAL = ("ratio", "ratio_low", "ratio_high", "completion", "reference_completion")


def frame(summaries: Iterable[tuple[dict[str, Any], dict[str, Any]]], *, by_group: bool) -> Frame:
    """The ratios of summaries as one table, each preceded by the given columns.

    In the row over all classes, ``packets`` is ``all``, and the bounds are null.
    """
    import pyarrow

    summaries = list(summaries)
    if summaries and not any("ratios" in summary for _, summary in summaries):
        raise ValueError("these results were made before there were ratios: run the scenario again")
    rows = [joined(point, row) for point, summary in summaries for row in _rows(summary, by_group)]
    if not rows:
        raise ValueError(
            "no ratios: there is neither an ideal nor a second protocol to compare with, or no "
            "measured flow has finished under it"
        )
    # The type must not depend on whether a column has values.
    kinds = dict.fromkeys(WHOLE, pyarrow.int64()) | dict.fromkeys(REAL, pyarrow.float64())
    columns = {
        name: pyarrow.array([row[name] for row in rows], kinds.get(name)) for name in rows[0]
    }
    return Frame(pyarrow.table(columns))


def _rows(summary: dict[str, Any], by_group: bool) -> Iterator[dict[str, Any]]:
    # Summaries of before ratios have none.
    for found in summary.get("ratios", []):
        names = {"protocol": found["protocol"], "reference": found["reference"]}
        if not by_group:
            yield from (names | row for row in _classes(found))
        for group in found["groups"] if by_group else []:
            place = names | {"group": group["name"]}
            yield from (place | row for row in _classes(group))


def _classes(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """All flows, then those of each class."""
    yield {"packets": "all", "packets_from": None, "packets_to": None} | _row(found["all"])
    for flows in found["by_class"]:
        low, end = flows["from"], flows["to"]
        label = f">={low}" if end is None else f"{low}-{end - 1}"
        yield {"packets": label, "packets_from": low, "packets_to": end} | _row(flows)


def _row(flows: dict[str, Any]) -> dict[str, Any]:
    low, high = flows["ratio_interval"] or (None, None)
    return {
        "ratio": flows["ratio"],
        "ratio_low": low,
        "ratio_high": high,
        "flows": flows["flows"],
        "unfinished": flows["unfinished"],
        "left_out": flows["left_out"],
        "completion": flows["completion"],
        "reference_completion": flows["reference_completion"],
    }
