"""What a paper says, and what was found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """A claim of a paper beside what was found.

    >>> claim = Claim("C/R converges to N", "20", ours="20.1", holds=True, taken="within 2 %")
    >>> claim.verdict
    'holds'
    """

    #: What the paper says, in its words or nearly.
    says: str
    #: The paper's figure.
    paper: str
    #: Ours, with its interval where there is one.
    ours: str
    #: Whether ours bears the claim out.
    holds: bool
    #: What is taken for bearing it out, where the paper gives no bounds.
    taken: str = ""
    #: Why it does not hold, as far as that was found out.
    why: str = ""

    def __post_init__(self) -> None:
        if not self.holds and not self.why:
            raise ValueError(f"a claim that does not hold says why: {self.says!r}")

    @property
    def verdict(self) -> str:
        """In words."""
        return "holds" if self.holds else "does not hold"
