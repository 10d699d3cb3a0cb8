"""Which runs a figure shows. Unknown names are a ``ValueError`` that lists the known ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..arguments import listed
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
    wanted = [protocol] if isinstance(protocol, str) else listed("protocol", protocol) or []
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


def flow(chosen: tuple[str, int] | None) -> tuple[str, int] | None:
    """A flow by its group and index; ``None`` is all."""
    if chosen is None:
        return None
    pair = tuple(chosen) if isinstance(chosen, (tuple, list)) else ()
    if len(pair) != 2 or not isinstance(pair[0], str) or not hasattr(pair[1], "__index__"):
        raise TypeError(f"`flow`: expected (group, index), such as ('long', 0), not {chosen!r}")
    return pair[0], int(pair[1])


def link(chosen: str | Sequence[str] | None) -> str | None:
    """A link by its name; ``None`` is all."""
    if chosen is None or isinstance(chosen, str):
        return chosen
    ends = list(chosen) if isinstance(chosen, Sequence) else []
    if len(ends) != 2 or not all(isinstance(end, str) for end in ends):
        raise TypeError(
            f"`link`: expected its ends, such as ('left', 'right') or 'left>right', not {chosen!r}"
        )
    return ">".join(ends)


def sizes(chosen: tuple[float, float] | None) -> tuple[float, float] | None:
    """A range of flow sizes in bytes; ``None`` is all."""
    ends = pair("sizes", chosen)
    if ends is None:
        return None
    low, high = ends
    if low is None or high is None or not 0 <= low < high:
        raise ValueError(f"`sizes`: expected two sizes, the first below the second, not {chosen!r}")
    return low, high


#: Two numbers, of which either may be unknown.
Pair = tuple[float | None, float | None]


def pair(name: str, given: Sequence[float | None] | None) -> Pair | None:
    """Two numbers or ``None``; ``None`` is allowed in place of both."""
    if given is None:
        return None
    ends = list(given) if isinstance(given, (tuple, list)) else []
    if len(ends) != 2 or not all(end is None or hasattr(end, "__float__") for end in ends):
        raise TypeError(f"`{name}`: expected (from, to) in bytes, not {given!r}")
    low, high = (None if end is None else float(end) for end in ends)
    return low, high


def looks(results: Results) -> dict[str, style.Look]:
    """The look of each protocol and ideal of the results."""
    return style.looks(results.protocols + results.ideals)
