"""Puts results into the tables of docs/validation.md.

A table stands between `<!-- compare.py: GLOB: METRIC -->` and `<!-- end of table -->`: a row for
each set-up that GLOB matches, and for each direction where METRIC has two.
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
        return begin + table(glob, metric, {name: results[name] for name in names}) + end

    PAGE.write_text(TABLE.sub(replaced, PAGE.read_text()))


def table(glob: str, metric: str, results: dict[str, list[Row]]) -> str:
    lines = [f"| {metric} | ns-2.35 | Sluice | difference |", "|---|---|---|---|"]
    prefix = re.split(r"[*?\[]", glob)[0]
    for name, rows in results.items():
        for row in rows:
            direction, _, of = row.metric.rpartition(": ")
            if of != metric:
                continue
            label = f"`{name.removeprefix(prefix)}`" + (f", {direction}" if direction else "")
            difference = f"**{row.difference}**" if row.overlap is False else row.difference
            lines.append(f"| {label} | {row.ns2 or '-'} | {row.sluice or '-'} | {difference} |")
    return "\n".join(lines) + "\n"
