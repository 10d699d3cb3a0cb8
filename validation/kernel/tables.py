"""The tables: printed, and in docs/validation.md.

There they lie between `<!-- kernel: GLOB -->` and `<!-- end of table -->`.
"""

import re
from fnmatch import fnmatchcase

from measures import Row
from setups import LAWS, SET_UPS, SetUp

import docs

TABLE = re.compile(r"(<!-- kernel: (\S+) -->\n).*?( *<!-- end of table -->)", re.DOTALL)
#: A set-up's rows, or why there are none.
Found = list[Row] | str


def write(results: dict[str, Found], kernel: str) -> None:
    """Replaces the tables whose set-ups are all in `results`."""

    def replaced(found: re.Match[str]) -> str:
        begin, glob, end = found.groups()
        names = [name for name in SET_UPS if fnmatchcase(name, glob)]
        if not all(name in results for name in names):
            return found[0]
        return begin + markdown({name: results[name] for name in names}, kernel) + end

    docs.PAGE.write_text(TABLE.sub(replaced, docs.PAGE.read_text()))


def markdown(results: dict[str, Found], kernel: str) -> str:
    lines = [f"| | {kernel} | Sluice | difference |", "|---|---|---|---|"]
    for name, found in results.items():
        lines.append(f"| **{title(SET_UPS[name])}** | | | |")
        if isinstance(found, str):
            lines.append(f"| not measured: {found} | | | |")
        else:
            lines += [docs.line(row.metric, row) for row in found]
    return "\n".join(lines) + "\n"


def title(of: SetUp) -> str:
    flows = "1 flow" if of.flows == 1 else f"{of.flows} flows"
    return f"{LAWS[of.law][1]}, {flows}, {1000 * of.rtt_s:g} ms, buffer {of.buffer:g} BDP"
