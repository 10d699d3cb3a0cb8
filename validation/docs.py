"""Puts results into the tables of docs/validation.md.

A table stands between `<!-- compare.py: GLOB: METRIC -->` and `<!-- end of table -->`: a row for
each set-up that GLOB matches, and for each direction where METRIC has two. METRIC `all` has a row for
each metric of one set-up. `<!-- compare.py: GLOB: pairs -->` is a sentence that counts intervals.
"""

import re
from fnmatch import fnmatchcase

from cases import CASES
from measures import Row
from run import ROOT

PAGE = ROOT / "docs" / "validation.md"
TABLE = re.compile(r"(<!-- compare\.py: (\S+): (.+?) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def write(results: dict[str, list[Row]]):
    """Replaces the tables of which all set-ups are in `results`, which has their rows by name."""

    def replaced(found: re.Match) -> str:
        begin, glob, metric, end = found.groups()
        names = [case.name for case in CASES if fnmatchcase(case.name, glob)]
        if not all(name in results for name in names):
            return found[0]
        found = {name: results[name] for name in names}
        text = pairs(found) if metric == "pairs" else table(glob, metric, found)
        return begin + text + end

    PAGE.write_text(TABLE.sub(replaced, PAGE.read_text()))


def pairs(results: dict[str, list[Row]]) -> str:
    """How many pairs of intervals overlap, and which do not."""
    compared = [
        (f"`{name}`: {row.metric}", row.overlap)
        for name, rows in results.items()
        for row in rows
        if row.overlap is not None
    ]
    apart = [name for name, overlap in compared if not overlap]
    counted = f"{len(compared) - len(apart)} of {len(compared)} pairs of intervals overlap"
    return counted + (f"; apart are {', '.join(apart)}.\n" if apart else ".\n")


def table(glob: str, metric: str, results: dict[str, list[Row]]) -> str:
    title = "" if metric == "all" else metric
    lines = [f"| {title} | ns-2.35 | Sluice | difference |", "|---|---|---|---|"]
    prefix = re.split(r"[*?\[]", glob)[0]
    for name, rows in results.items():
        for row in rows:
            direction, _, of = row.metric.rpartition(": ")
            if metric not in (of, "all"):
                continue
            label = row.metric if metric == "all" else f"`{name.removeprefix(prefix)}`"
            if direction and metric != "all":
                label += f", {direction}"
            difference = f"**{row.difference}**" if row.overlap is False else row.difference
            lines.append(f"| {label} | {row.ns2 or '-'} | {row.sluice or '-'} | {difference} |")
    return "\n".join(lines) + "\n"
