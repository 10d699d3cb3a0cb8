"""The figures there are: every file in the folder of a paper."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import matplotlib.figure

from ..frame import Frame
from .claim import Claim
from .scale import Scale

#: The papers, by their folders here; the last is ours.
PAPERS = ("ps", "fct", "buf", "limits")


@dataclass(frozen=True)
class Figure:
    """A figure of a paper, in steps: see :mod:`sluice.papers`."""

    #: What it is called by, such as ``ps-7``.
    id: str
    #: Other figures of the paper that are drawn with it, by their ids.
    also: tuple[str, ...]
    #: The paper's folder.
    paper: str
    #: A line.
    title: str
    #: What it says of itself: the set-up, and what the paper does not print.
    about: str
    run: Callable[[Scale], Any]
    table: Callable[[Any], Frame]
    check: Callable[[Frame], list[Claim]]
    plot: Callable[[Frame], matplotlib.figure.Figure]

    @property
    def ids(self) -> tuple[str, ...]:
        """All that it may be asked for by."""
        return (self.id, *self.also)


@cache
def figures() -> tuple[Figure, ...]:
    """All figures, paper by paper, in the order of their numbers; then those with a name.

    >>> [figure.id for figure in find(["ps-5", "ps-2"])]
    ['ps-5', 'ps-2']
    """
    found = [_figure(paper, module) for paper in PAPERS for module in _modules(paper)]
    return tuple(sorted(found, key=lambda figure: (PAPERS.index(figure.paper), _order(figure.id))))


def find(asked: Iterable[str]) -> list[Figure]:
    """Figures by id, those of a paper by its name, or ``all``; each once.

    Raises LookupError for a name that is none, with the nearest one.
    """
    found: dict[str, Figure] = {}
    for name in asked:
        matching = [each for each in figures() if name.lower() in ("all", each.paper, *each.ids)]
        if not matching:
            raise LookupError(_unknown(name))
        found |= {each.id: each for each in matching}
    return list(found.values())


def paper(name: str) -> tuple[str, str]:
    """What a paper is called, and where it appeared, as its folder says."""
    called, _, appeared = (_package(name).__doc__ or "").partition("\n\n")
    return called, appeared.strip()


def _package(paper: str) -> ModuleType:
    return importlib.import_module(f".{paper}", __package__)


def _modules(paper: str) -> list[ModuleType]:
    """Those of figures; what figures of a paper share lies beside them and has no title."""
    names = [module.name for module in pkgutil.iter_modules(_package(paper).__path__)]
    modules = [importlib.import_module(f".{paper}.{name}", __package__) for name in names]
    return [module for module in modules if hasattr(module, "TITLE")]


def _figure(paper: str, module: ModuleType) -> Figure:
    name = module.__name__.rpartition(".")[2].replace("_", "-")
    steps = (module.run, module.table, module.check, module.plot)
    also: tuple[str, ...] = getattr(module, "ALSO", ())
    return Figure(name, also, paper, module.TITLE, (module.__doc__ or "").strip(), *steps)


def _order(name: str) -> tuple[int, str]:
    number = re.match(r"[a-z]+-(\d+)", name)
    return (int(number[1]) if number else 1000, name)


def _unknown(name: str) -> str:
    known = ["all", *PAPERS, *(name for each in figures() for name in each.ids)]
    near = difflib.get_close_matches(name, known, 1)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"no figure {name!r}: {meant}there are {', '.join(known)}"
