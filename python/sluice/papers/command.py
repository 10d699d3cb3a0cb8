"""``sluice reproduce``."""

from __future__ import annotations

from pathlib import Path

from .._output import say
from .page import write
from .registry import figures, find
from .reproduce import Reproduced
from .reproduce import reproduce as one
from .scale import Scale
from .tally import Tally


def reproduce(asked: list[str], *, listed: bool, scale: str, out: Path, quiet: bool) -> None:
    """Lists all figures, or draws the named ones and prints their claims.

    Raises LookupError for an unknown figure, or if none is named.
    """
    if listed:
        _list()
        return
    if not asked:
        raise LookupError("name figures, a paper, or `all`; `sluice reproduce --list` names them")
    at = Scale(full=scale == "full", folder=out / "runs" / scale, progress=not quiet)
    done = []
    for figure in find(asked):
        done.append(one(figure, at, out))
        _print(done[-1], quiet=quiet)
    page = write(out)
    if not quiet:
        say(f"\n{Tally.of(claim for each in done for claim in each.claims)}: {page}")


def _list() -> None:
    width = max(len(name) for each in figures() for name in each.ids)
    for each in figures():
        for name in each.ids:
            shared = "" if name == each.id else f" (drawn with {each.id})"
            say(f"{name:<{width}}  {each.title}{shared}")


def _print(done: Reproduced, *, quiet: bool) -> None:
    if not quiet:
        say(f"{done.figure.id}: {done.figure.title} ({done.took:.0f} s): {done.picture}")
    for claim in done.claims:
        if quiet and claim.holds:
            continue
        say(f"  {claim.verdict:<14}{claim.says}")
        taken = f" (criterion: {claim.taken})" if claim.taken else ""
        say(f"  {'':<14}paper: {claim.paper}; ours: {claim.ours}{taken}")
        if claim.why and not claim.holds:
            say(f"  {'':<14}{claim.why}")
        if claim.counted:
            say(f"  {'':<14}counted with {claim.counted}")
