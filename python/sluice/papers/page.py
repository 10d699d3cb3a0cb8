"""A page to lay beside the papers, of all figures in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .figure import PAPERS, Figure, figures, title


def write(folder: Path) -> Path:
    """Writes ``README.md``: every figure that lies in the folder, with its claims."""
    text = ["# The papers' figures\n\n`sluice reproduce all` makes this page.\n"]
    for paper in PAPERS:
        of_paper = [each for each in figures() if each.paper == paper]
        there = [each for each in of_paper if (folder / f"{each.id}.json").exists()]
        if there:
            text.append(f"\n## {title(paper)}\n")
            text += [_section(each, folder) for each in there]
    page = folder / "README.md"
    page.write_text("".join(text), encoding="utf-8")
    return page


def _section(figure: Figure, folder: Path) -> str:
    found = json.loads((folder / f"{figure.id}.json").read_text(encoding="utf-8"))
    rows = "".join(_row(claim) for claim in found["claims"])
    return f"""
### {figure.id}: {figure.title}

{figure.about}

![{figure.title}]({figure.id}.svg)

| What the paper says | Paper | Ours ({found["scale"]}) | |
|---|---|---|---|
{rows}"""


def _row(claim: dict[str, Any]) -> str:
    verdict = "holds" if claim["holds"] else "**does not hold**"
    told = verdict if claim["holds"] else f"{verdict}: {claim['why']}"
    ours = f"{claim['ours']} ({claim['taken']} asked for)" if claim["taken"] else claim["ours"]
    cells = (claim["says"], claim["paper"], ours, told)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |\n"
