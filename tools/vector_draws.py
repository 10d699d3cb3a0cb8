"""What the vectors of all laws have in common: their parts, and draws of words and trains."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

U32, U64 = 2**32 - 1, 2**64 - 1
TEN_SECONDS = 10 << 28

# Values around which some law's arithmetic changes, for every field of a header.
EDGES = [
    0, 1, 2, 5, 255, 256, 257, 2**16, 2**19 - 1, 2**20, 2**28 - 1, 2**28, 2**28 + 1,
    TEN_SECONDS - 1, TEN_SECONDS + 1, 2**31 - 1, 2**31, 2**32 - 2, U32,
]  # fmt: skip

Words = list[int]
#: Grant, budget, header, and the bytes and packets of a train.
Case = tuple[Words, Words, Words, Words]
#: Header and budget afterwards, and the growth of the sums.
Result = tuple[Words, Words, Words]
#: From grant, budget, header, and the bytes and packets of a train.
Law = Callable[[Words, Words, Words, int, int], Result]


class Legend(NamedTuple):
    """The words of a law's columns."""

    header: str
    grant: str = "rate"
    budget: str = "-"
    sums: str = "packets, RTTs, bytes, RTTs x bytes"


def word(draw: Random) -> int:
    """32 bits, small values as often as large ones."""
    return draw.choice([draw.choice(EDGES), draw.randrange(2 ** draw.randrange(1, 33))])


def train(draw: Random) -> Words:
    """Bytes and packets."""
    packets = draw.choice([1, 1, 1, 2, 3, 44, 65_535])
    return [packets * draw.randrange(40, 9001) + draw.randrange(packets), packets]
