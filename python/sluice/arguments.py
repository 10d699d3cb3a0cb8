"""Checks of arguments that several functions take."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import TypeVar

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
