"""Which runs a figure shows. Unknown names are a ``ValueError`` that lists the known ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import style

if TYPE_CHECKING:
    from ..results import Results

#: The name of a protocol, several names, or ``None`` for all.
Protocols = str | Sequence[str] | None


def _check(results: object) -> None:
    if not hasattr(results, "protocols"):
        kind = type(results).__name__
        help = "; choose a point such as swept[0], or use plot.sweep" if kind == "Sweep" else ""
        raise TypeError(f"`results`: expected sluice.Results, not a {kind}{help}")


def systems(results: Results, protocol: Protocols) -> list[str]:
    """Protocols and ideals by name, in the order of the results; ``None`` is all."""
    _check(results)
    known = results.protocols + results.ideals
    if protocol is None:
        return known
    wanted = [protocol] if isinstance(protocol, str) else list(protocol)
    if not wanted:
        raise ValueError(f"`protocol` is empty; there are {', '.join(known)}")
    for name in wanted:
        if name not in known:
            raise ValueError(f"no run of {name!r}; there are {', '.join(known)}")
    return [name for name in known if name in wanted]


def protocols(results: Results, protocol: Protocols) -> list[str]:
    """As :func:`systems`, but ``None`` excludes ideals, which have neither packets nor laws."""
    _check(results)
    return results.protocols if protocol is None else systems(results, protocol)


def one(results: Results, protocol: str | None) -> str:
    """A single protocol; ``None`` is allowed if there is only one."""
    _check(results)
    if protocol is None and len(results.protocols) > 1:
        several = ", ".join(results.protocols)
        raise ValueError(f"results of {several}: choose one with `protocol=`")
    return protocols(results, protocol)[0]


def seed(results: Results, seed: int | None) -> int:
    """A single seed; ``None`` is the first."""
    _check(results)
    if seed is None:
        return results.seeds[0]
    if seed not in results.seeds:
        raise ValueError(f"no run with seed {seed}; there are {results.seeds}")
    return seed


def looks(results: Results) -> dict[str, style.Look]:
    """The look of each protocol and ideal of the results."""
    return style.looks(results.protocols + results.ideals)
