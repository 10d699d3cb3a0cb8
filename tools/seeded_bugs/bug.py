"""What a seeded bug is."""

from typing import NamedTuple


class Bug(NamedTuple):
    name: str
    #: What a person would notice.
    wrong: str
    file: str
    before: str
    after: str
    test: str
