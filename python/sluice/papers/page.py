"""Pages to lay beside the papers, of all figures in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .figure import PAPERS, Figure, figures
from .figure import paper as named

HEAD = """# The papers' figures

`sluice reproduce all` makes these pages. "Holds" is judged by the whole 95 % interval over seeds,
where there is one; what is asked for stands beside our figure where the paper gives no bounds. So a
claim whose mean lies within the bounds, and whose interval reaches beyond, counts as not holding.
The last page asks questions of our own, of which the papers claim few.

| Figure | | Claims | Do not hold |
|---|---|---|---|
"""


def write(folder: Path) -> Path:
    """Writes ``README.md``, a list of every figure that lies in the folder, and a page a paper."""
    text = [HEAD]
    for paper in PAPERS:
        found = {each: _found(each, folder) for each in figures() if each.paper == paper}
        there = {each: claims for each, claims in found.items() if claims is not None}
        if there:
            text.append(_total(paper, there))
            text += [_line(each, there[each]) for each in there]
            sections = [_section(each, there[each]) for each in there]
            called, appeared = named(paper)
            page = f"# {called}\n\n{appeared}\n{''.join(sections)}"
            (folder / f"{paper}.md").write_text(page, encoding="utf-8")
    index = folder / "README.md"
    index.write_text("".join(text), encoding="utf-8")
    return index


def _found(figure: Figure, folder: Path) -> dict[str, Any] | None:
    path = folder / f"{figure.id}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _total(paper: str, there: dict[Figure, dict[str, Any]]) -> str:
    claims = [claim for found in there.values() for claim in found["claims"]]
    cells = (f"[{paper}]({paper}.md)", named(paper)[0], f"{len(claims)}", f"{_failed(claims)}")
    return f"| {' | '.join(f'**{cell}**' for cell in cells)} |\n"


def _line(figure: Figure, found: dict[str, Any]) -> str:
    claims = found["claims"]
    # As pages name their headings.
    link = f"[{', '.join(figure.ids)}]({figure.paper}.md#{'-'.join(figure.ids)})"
    return f"| {link} | {figure.title} | {len(claims)} | {_failed(claims) or ''} |\n"


def _failed(claims: list[dict[str, Any]]) -> int:
    return sum(not claim["holds"] for claim in claims)


def _section(figure: Figure, found: dict[str, Any]) -> str:
    rows = "".join(_row(claim) for claim in found["claims"])
    return f"""
## {", ".join(figure.ids)}

**{figure.title}.** {figure.about}

![{figure.title}]({figure.id}.svg)

| What the paper says | Paper | Ours ({found["scale"]}) | |
|---|---|---|---|
{rows}"""


def _row(claim: dict[str, Any]) -> str:
    verdict = "holds" if claim["holds"] else "**does not hold**"
    told = verdict if claim["holds"] else f"{verdict}: {claim['why']}"
    ours = f"{claim['ours']} (asked for: {claim['taken']})" if claim["taken"] else claim["ours"]
    cells = (claim["says"], claim["paper"], ours, told)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |\n"
