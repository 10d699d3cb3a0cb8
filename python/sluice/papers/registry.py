"""All papers and figures, and how they are found by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from .buf import PAPER as BUF
from .explicit import PAPER as EXPLICIT
from .fct import PAPER as FCT
from .figure import Figure
from .hpcc import PAPER as HPCC
from .limits import PAPER as LIMITS
from .ncp import PAPER as NCP
from .own import PAPER as OWN
from .ps import PAPER as PS
from .xcp import PAPER as XCP

#: In the order in which they are listed and printed.
PAPERS = (PS, FCT, BUF, XCP, NCP, HPCC, LIMITS, EXPLICIT, OWN)


def figures() -> list[Figure[Any]]:
    """All figures, in the order of ``PAPERS``."""
    return [figure for paper in PAPERS for figure in paper.figures]


def find(names: Iterable[str]) -> list[Figure[Any]]:
    """Figures by name: the id of a figure, the name of a paper, or ``all``.

    Case is ignored, and a dot is as good as a dash. Figures keep the order of ``names``; one that
    is named twice is returned once.

    >>> [figure.id for figure in find(["ps-5", "ps-2", "XCP-5.3"])]
    ['ps-5', 'ps-2', 'xcp-5-3']

    Raises LookupError for an unknown name, with the closest match.
    """
    found: dict[str, Figure[Any]] = {}
    for name in names:
        matching = _matching(name.lower().replace(".", "-"))
        if not matching:
            raise LookupError(_unknown(name))
        found |= {figure.id: figure for figure in matching}
    return list(found.values())


def _matching(name: str) -> list[Figure[Any]]:
    return [
        figure
        for paper in PAPERS
        for figure in paper.figures
        if name in ("all", paper.name, *figure.ids)
    ]


def _unknown(name: str) -> str:
    known = ["all", *(paper.name for paper in PAPERS)]
    known += [each for figure in figures() for each in figure.ids]
    near = difflib.get_close_matches(name, known, 1)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"no figure {name!r}: {meant}there are {', '.join(known)}"
