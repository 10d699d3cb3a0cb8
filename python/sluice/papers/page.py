"""Pages with the figures in a folder and their claims."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .claim import Claim
from .figure import Figure
from .paper import Paper
from .registry import PAPERS
from .tally import Tally
from .verdict import Verdict

HEAD = """# The papers' figures

`sluice reproduce all` writes these pages. A claim **holds** if the whole 95 % confidence interval
over seeds is within the bounds, **fails** if the whole of it is outside, and is **not decided** if
it includes a bound, or if a single seed gives no interval. Results that do not depend on seeds have
no interval, and hold or fail. Where the paper gives no bounds, ours are stated as the criterion.

Each claim of a paper is counted once. A claim about several points, such as all loads or all sizes,
has one verdict, that of the worst point: it fails if it fails at any of them. The points that
decided are listed beside the verdict. A claim that several figures check is counted with one of
them, which the others name. Reasons beside a verdict are computed from the run; possible causes
that no run measured are [hypotheses](../explanation/why-claims-fail.md).

The last three pages ask questions of our own; few of their claims are the papers'.

"""
COLUMNS = """
| Figure | | Claims | Hold | Fail | Not decided |
|---|---|---|---|---|---|
"""


def write(folder: Path) -> Path:
    """Writes a page for each paper, and ``README.md``, which lists their figures.

    Both have the figures whose claims are in the folder. Returns the path of ``README.md``.
    """
    lines, all_claims = [], []
    for paper in PAPERS:
        read = {figure: _read(figure, folder) for figure in paper.figures}
        checked = {figure: claims for figure, claims in read.items() if claims is not None}
        if checked:
            claims = [claim for each in checked.values() for claim in each.claims]
            all_claims += claims
            lines.append(_total(paper, claims))
            lines += [_line(paper, figure, each.claims) for figure, each in checked.items()]
            sections = [_section(figure, each) for figure, each in checked.items()]
            page = f"# {paper.title}\n\n{paper.source}\n{''.join(sections)}"
            (folder / f"{paper.name}.md").write_text(page, encoding="utf-8")
    index = folder / "README.md"
    text = "".join([HEAD, f"{Tally.of(all_claims)}.\n", COLUMNS, *lines])
    index.write_text(text, encoding="utf-8")
    return index


@dataclass(frozen=True)
class Checked:
    """The claims of a figure as its JSON file has them."""

    #: ``full`` or ``quick``.
    scale: str
    claims: list[Claim]


def _read(figure: Figure[Any], folder: Path) -> Checked | None:
    path = folder / f"{figure.id}.json"
    if not path.exists():
        return None
    written = json.loads(path.read_text(encoding="utf-8"))
    claims = [
        Claim(**claim | {"verdict": Verdict(claim["verdict"])}) for claim in written["claims"]
    ]
    return Checked(written["scale"], claims)


def _total(paper: Paper, claims: list[Claim]) -> str:
    cells = (f"[{paper.name}]({paper.name}.md)", paper.title, *_counts(claims))
    return f"| {' | '.join(f'**{cell}**' for cell in cells)} |\n"


def _line(paper: Paper, figure: Figure[Any], claims: list[Claim]) -> str:
    # The anchor that the headings of pages get.
    link = f"[{', '.join(figure.ids)}]({paper.name}.md#{'-'.join(figure.ids)})"
    return f"| {' | '.join((link, figure.title, *_counts(claims)))} |\n"


def _counts(claims: list[Claim]) -> tuple[str, ...]:
    tally = Tally.of(claims)
    return tuple(f"{count}" for count in (tally.all, tally.holds, tally.fails, tally.undecided))


def _section(figure: Figure[Any], checked: Checked) -> str:
    rows = "".join(_row(claim) for claim in checked.claims)
    return f"""
## {", ".join(figure.ids)}

**{figure.title}.** {figure.about}

![{figure.title}]({figure.id}.svg)

| What the paper says | Paper | Ours ({checked.scale}) | |
|---|---|---|---|
{rows}"""


def _row(claim: Claim) -> str:
    verdict = f"{claim.verdict}" if claim.holds else f"**{claim.verdict}**"
    if claim.counted:
        verdict += f" (counted with {claim.counted})"
    if claim.why and not claim.holds:
        verdict += f": {claim.why}"
    ours = f"{claim.ours} (criterion: {claim.taken})" if claim.taken else claim.ours
    cells = (claim.says, claim.paper, ours, verdict)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |\n"
