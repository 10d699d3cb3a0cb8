"""Updates the tables of docs/validation.md.

A table lies between `<!-- compare.py: GLOB: METRIC -->` and `<!-- end of table -->`. It has a row
for each set-up that GLOB matches, and for each direction if METRIC has two. With `all` for METRIC,
it has a row for each metric of one set-up; with `pairs`, it is a sentence that counts overlapping
intervals, also after repetition with more seeds.
"""

import re
import textwrap
from fnmatch import fnmatchcase

from cases import CASES
from measures import Row
from run import ROOT

PAGE = ROOT / "docs" / "validation.md"
TABLE = re.compile(r"(<!-- compare\.py: (\S+): (.+?) -->\n).*?( *<!-- end of table -->)", re.DOTALL)


def write(results: dict[str, list[Row]], again: dict[str, list[Row]]):
    """Replaces the tables whose set-ups are all in `results`.

    `results` holds rows by the name of the set-up, `again` those of repetitions with more seeds.
    """

    def replaced(found: re.Match) -> str:
        begin, glob, metric, end = found.groups()
        names = [case.name for case in CASES if fnmatchcase(case.name, glob)]
        if not all(name in results for name in names):
            return found[0]
        found = {name: results[name] for name in names}
        text = pairs(found, again) if metric == "pairs" else table(glob, metric, found)
        return begin + text + end

    PAGE.write_text(TABLE.sub(replaced, PAGE.read_text()))


def pairs(results: dict[str, list[Row]], again: dict[str, list[Row]]) -> str:
    """The number of pairs that overlap, and of those that do not by set-up; an item of a list."""
    total = sum(row.overlap is not None for rows in results.values() for row in rows)
    first = apart(results)
    text = f"**{total - sum(first.values())} of {total} pairs of intervals overlap**"
    if first:
        text += f"; apart are {named(first)}"
    if looked := {name: rows for name, rows in again.items() if name in first}:
        still = apart(looked)
        text += "; with three times as many seeds " + (
            f"{named(still)} are" if still else "none is"
        )
    indented = {"initial_indent": "  ", "subsequent_indent": "  "}
    return textwrap.fill(text + ".", 100, break_on_hyphens=False, **indented) + "\n"


def apart(results: dict[str, list[Row]]) -> dict[str, int]:
    """The number of pairs that are apart, for each set-up with any."""
    counts = {name: [row.overlap for row in rows].count(False) for name, rows in results.items()}
    return {name: count for name, count in counts.items() if count}


def named(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} of `{name}`" for name, count in counts.items())


def table(glob: str, metric: str, results: dict[str, list[Row]]) -> str:
    title = "" if metric == "all" else metric
    lines = [f"| {title} | ns-2.35 | Sluice | difference |", "|---|---|---|---|"]
    prefix = re.split(r"[*?\[]", glob)[0]
    for name, rows in results.items():
        for row in rows:
            direction, _, of = row.metric.rpartition(": ")
            if metric not in (of, "all"):
                continue
            if metric == "all":
                label = row.metric
            else:
                # A glob may be the name itself.
                case = f"`{name.removeprefix(prefix)}`" if name != prefix else ""
                label = ", ".join(part for part in (case, direction) if part)
            lines.append(line(label, row))
    return "\n".join(lines) + "\n"


def line(label: str, row: Row) -> str:
    """A line of a table; differences beyond the intervals are bold."""
    difference = f"**{row.difference}**" if row.overlap is False else row.difference
    return f"| {label} | {row.reference or '-'} | {row.sluice or '-'} | {difference} |"
