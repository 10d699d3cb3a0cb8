"""Whether a completion time is shorter or longer than another, over many places or sizes."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from ..interval import Interval
from ..verdict import Verdict

#: Times that differ by no more than this part count as equal. Ours: the paper has no number.
MARGIN = 0.02
SHORTER, LONGER, OPEN = "shorter", "longer", "not decided"
EQUAL = f"equal (within {100 * MARGIN:g} %)"
SIDES = (SHORTER, LONGER, EQUAL, OPEN)


def side(ratio: Interval) -> str:
    """The side on which the whole interval of a ratio is: below, above or within the margin.

    >>> [side(Interval(1, *ends)) for ends in ((0.99, 1.01), (0.9, 0.97), (0.99, 1.03))]
    ['equal (within 2 %)', 'shorter', 'not decided']
    """
    bounds = {SHORTER: (0, 1 - MARGIN), EQUAL: (1 - MARGIN, 1 + MARGIN), LONGER: (1 + MARGIN, inf)}
    held = (name for name, ends in bounds.items() if ratio.within(*ends) is Verdict.HOLDS)
    return next(held, OPEN)


def counts(found: Iterable[Interval], of: str = "places") -> str:
    """How many ratios are on each side."""
    sides = [side(ratio) for ratio in found]
    return ", ".join(f"{name} at {sides.count(name)}" for name in SIDES) + f" of {len(sides)} {of}"
