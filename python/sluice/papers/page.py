"""Pages to lay beside the papers, of all figures in a folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from .claim import Claim
from .figure import PAPERS, Figure, figures
from .figure import paper as named
from .tally import Tally
from .verdict import Verdict

HEAD = """# The papers' figures

`sluice reproduce all` makes these pages. A claim **holds** if the whole 95 % confidence interval
over seeds lies within the bounds, **fails** if the whole of it lies outside, and is **not decided**
if the interval straddles a bound, or if one seed gives none. What is computed without seeds has no
interval, and holds or fails. What was asked for stands beside our figure where the paper gives no
bounds.

A claim of a paper is counted once. One about several points, such as every load or every size, has
one verdict, which the worst point decides: it fails if it fails at one of them. The points that
decided are listed beside the verdict. A claim that several figures check is counted with one of
them, and the others name that one. Reasons beside a verdict are computed from the run; [what may be
the cause](../explanation/why-claims-fail.md) and was not measured is not among them.

The last page asks questions of our own, of which the papers claim few.

"""
COLUMNS = """
| Figure | | Claims | Hold | Fail | Not decided |
|---|---|---|---|---|---|
"""


def write(folder: Path) -> Path:
    """Writes ``README.md``, a list of every figure that lies in the folder, and a page a paper."""
    lines, every = [], []
    for paper in PAPERS:
        found = {each: _found(each, folder) for each in figures() if each.paper == paper}
        there = {each: claims for each, claims in found.items() if claims is not None}
        if there:
            own = [claim for each in there.values() for claim in each.claims]
            every += own
            lines.append(_total(paper, own))
            lines += [_line(each, there[each].claims) for each in there]
            sections = [_section(each, there[each]) for each in there]
            called, appeared = named(paper)
            page = f"# {called}\n\n{appeared}\n{''.join(sections)}"
            (folder / f"{paper}.md").write_text(page, encoding="utf-8")
    index = folder / "README.md"
    index.write_text("".join([HEAD, f"{Tally.of(every)}.\n", COLUMNS, *lines]), encoding="utf-8")
    return index


@dataclass(frozen=True)
class Found:
    """What lies in the folder of a figure."""

    scale: str
    claims: list[Claim]


def _found(figure: Figure, folder: Path) -> Found | None:
    path = folder / f"{figure.id}.json"
    if not path.exists():
        return None
    found = json.loads(path.read_text(encoding="utf-8"))
    claims = [Claim(**claim | {"verdict": Verdict(claim["verdict"])}) for claim in found["claims"]]
    return Found(found["scale"], claims)


def _total(paper: str, claims: list[Claim]) -> str:
    cells = (f"[{paper}]({paper}.md)", named(paper)[0], *_counts(claims))
    return f"| {' | '.join(f'**{cell}**' for cell in cells)} |\n"


def _line(figure: Figure, claims: list[Claim]) -> str:
    # As pages name their headings.
    link = f"[{', '.join(figure.ids)}]({figure.paper}.md#{'-'.join(figure.ids)})"
    return f"| {' | '.join((link, figure.title, *_counts(claims)))} |\n"


def _counts(claims: list[Claim]) -> tuple[str, ...]:
    tally = Tally.of(claims)
    return tuple(f"{count}" for count in (tally.all, tally.holds, tally.fails, tally.undecided))


def _section(figure: Figure, found: Found) -> str:
    rows = "".join(_row(claim) for claim in found.claims)
    return f"""
## {", ".join(figure.ids)}

**{figure.title}.** {figure.about}

![{figure.title}]({figure.id}.svg)

| What the paper says | Paper | Ours ({found.scale}) | |
|---|---|---|---|
{rows}"""


def _row(claim: Claim) -> str:
    verdict = f"{claim.verdict}" if claim.holds else f"**{claim.verdict}**"
    if claim.counted:
        verdict += f" (counted with {claim.counted})"
    if claim.why and not claim.holds:
        verdict += f": {claim.why}"
    ours = f"{claim.ours} (asked for: {claim.taken})" if claim.taken else claim.ours
    cells = (claim.says, claim.paper, ours, verdict)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |\n"
