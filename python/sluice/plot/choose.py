"""Which runs a figure shows; a wrong name is told with the right ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import style

if TYPE_CHECKING:
    from ..results import Results

#: A protocol's name, several, or ``None`` for all.
Protocols = str | Sequence[str] | None


def systems(results: Results, protocol: Protocols) -> list[str]:
    """Protocols and ideals by name, in the result's order; all of them for ``None``."""
    known = results.protocols + results.ideals
    if protocol is None:
        return known
    wanted = [protocol] if isinstance(protocol, str) else list(protocol)
    for name in wanted:
        if name not in known:
            raise ValueError(f"no run of {name!r}; there are {', '.join(known)}")
    return [name for name in known if name in wanted]


def protocols(results: Results, protocol: Protocols) -> list[str]:
    """As :func:`systems`, but without ideals for ``None``: they have no packets and no laws."""
    return results.protocols if protocol is None else systems(results, protocol)


def one(results: Results, protocol: str | None) -> str:
    """One protocol: the only one for ``None``."""
    if protocol is None and len(results.protocols) > 1:
        several = ", ".join(results.protocols)
        raise ValueError(f"runs of {several}: say which to draw with `protocol=`")
    return protocols(results, protocol)[0]


def seed(results: Results, seed: int | None) -> int:
    """One seed: the first for ``None``."""
    if seed is None:
        return results.seeds[0]
    if seed not in results.seeds:
        raise ValueError(f"no run with seed {seed}; there are {results.seeds}")
    return seed


def looks(results: Results) -> dict[str, style.Look]:
    """What each protocol and ideal of a result looks like."""
    return style.looks(results.protocols + results.ideals)
