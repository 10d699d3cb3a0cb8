"""Checks of arguments that several functions take."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import SupportsFloat, TypeVar

from ._core import MAX_SEED

T = TypeVar("T")
K = TypeVar("K")


def listed(name: str, given: Iterable[T] | None) -> list[T] | None:
    """The items as a list, or None. Raises TypeError for a single text, whose items are letters.

    >>> listed("seeds", 3)
    Traceback (most recent call last):
    ...
    TypeError: `seeds`: expected a list, not 3; write [3]
    """
    if given is None:
        return None
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"`{name}`: expected a list, not {given!r}; write [{given!r}]")
    return list(given)


def mapped(name: str, given: Mapping[K, T] | None) -> Mapping[K, T]:
    """The mapping; an empty one for None. Raises TypeError for anything else.

    >>> mapped("fields", "seed=3")
    Traceback (most recent call last):
    ...
    TypeError: `fields`: expected a mapping (a dict), not 'seed=3'
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"`{name}`: expected a mapping (a dict), not {given!r}")
    return given


def protocol_list(protocols: Iterable[str] | None) -> list[str] | None:
    """The protocols as a list, or None. Raises TypeError for what is not a text."""
    given = listed("protocols", protocols)
    for name in given or []:
        if not isinstance(name, str):
            raise TypeError(f"`protocols`: expected names, not {name!r}")
    return given


def seed_list(seeds: Iterable[int] | None) -> list[int] | None:
    """The seeds as a list, or None. Raises ValueError for one that is out of range."""
    given = listed("seeds", seeds)
    return None if given is None else [whole("seeds", seed, MAX_SEED) for seed in given]


def whole(name: str, value: int, most: int, *, least: int = 0) -> int:
    """A whole number from ``least`` to ``most``.

    >>> whole("points", 0, 100, least=1)
    Traceback (most recent call last):
    ...
    ValueError: `points` must be 1 to 100, not 0
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"`{name}`: expected a whole number, not {value!r}") from None
    if not least <= number <= most:
        raise ValueError(f"`{name}` must be {least} to {most}, not {number}")
    return number


def number(name: str, value: object) -> float:
    """A finite number above 0.

    >>> number("window", -1)
    Traceback (most recent call last):
    ...
    ValueError: `window` must be finite and above 0, not -1
    """
    try:
        given = float(value) if isinstance(value, SupportsFloat) else None
    except (TypeError, OverflowError):
        given = None
    if given is None:
        raise TypeError(f"`{name}`: expected a number, not {value!r}")
    if not (math.isfinite(given) and given > 0):
        raise ValueError(f"`{name}` must be finite and above 0, not {value!r}")
    return given


def text(name: str, value: str) -> str:
    """A text. Raises TypeError for anything else, and ValueError for what is not Unicode."""
    if not isinstance(value, str):
        raise TypeError(f"`{name}`: expected a text, not {value!r}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"`{name}`: {value!r} has characters that are not Unicode") from None
    return value


def flag(name: str, value: bool) -> bool:
    """True or False.

    >>> flag("again", "no")
    Traceback (most recent call last):
    ...
    TypeError: `again`: expected True or False, not 'no'
    """
    plain = value.tolist() if hasattr(value, "tolist") else value  # A scalar of numpy.
    if not isinstance(plain, bool):
        raise TypeError(f"`{name}`: expected True or False, not {value!r}")
    return plain


def path_of(name: str, value: str | PathLike[str]) -> Path:
    """A path. Raises TypeError for what is none.

    >>> path_of("out", 3)
    Traceback (most recent call last):
    ...
    TypeError: `out`: expected a path, not 3
    """
    try:
        path = Path(value)
    except TypeError:
        raise TypeError(f"`{name}`: expected a path, not {value!r}") from None
    if "\0" in text(name, str(path)):
        raise ValueError(f"`{name}`: no path has the character NUL: {value!r}")
    return path


def one_of(name: str, value: str, known: Iterable[str]) -> str:
    """One of these words.

    >>> one_of("unit", "bits", ["bytes", "packets"])
    Traceback (most recent call last):
    ...
    ValueError: `unit`: 'bits' is not one of bytes, packets
    """
    words = list(known)
    if not (isinstance(value, str) and value in words):
        raise ValueError(f"`{name}`: {value!r} is not one of {', '.join(words)}")
    return value
