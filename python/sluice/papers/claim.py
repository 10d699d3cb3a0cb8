"""A paper's claim beside what was found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .interval import Interval
from .verdict import Verdict

#: Points that decide a verdict are listed up to this number.
LISTED = 4


@dataclass(frozen=True)
class Claim:
    """A claim of a paper beside what was found.

    >>> claim = Claim("C/R over N", "1", "1.01", Verdict.of(abs(1.01 - 1) < 0.02), "within 2 %")
    >>> print(claim.verdict)
    holds
    """

    #: What the paper says, with what is compared named: "XCP's mean completion time over RCP's".
    says: str
    #: The paper's figure.
    paper: str
    #: Ours, with its interval where there is one.
    ours: str
    #: By the whole of the interval.
    verdict: Verdict
    #: What was asked for, where the paper gives no bounds.
    taken: str = ""
    #: Why it does not hold, from the figures of the run; empty where they show none.
    why: str = ""
    #: The figure that counts this claim, where this one repeats its check.
    counted: str = ""

    @property
    def holds(self) -> bool:
        """Whether it does."""
        return self.verdict is Verdict.HOLDS


def everywhere(
    says: str,
    paper: str,
    found: Mapping[str, Interval],
    *,
    low: float = -math.inf,
    high: float = math.inf,
    form: str = ".2f",
    taken: str = "",
    note: str = "",
    why: str = "",
    also: Verdict = Verdict.HOLDS,
    counted: str = "",
) -> Claim:
    """A claim about several points, such as every size or load: one claim with one verdict, which
    the worst point decides.

    ``found`` has each point by where it is ("at a load of 0.9"), and all are held to the same
    bounds. The points that are not within them are named as the reason, ``why`` after them;
    ``note`` stands beside our figures; ``also`` is the verdict on a second condition, which
    ``taken`` has to name.

    >>> points = {f"at {n} packets": Interval.exactly(1 + n / 100) for n in (1, 10, 100)}
    >>> claim = everywhere("RCP's time over PS's", "close", points, high=1.5)
    >>> claim.ours, str(claim.verdict)
    ('1.01 at 1 packets, up to 2.00 at 100 packets', 'fails')
    >>> claim.taken, claim.why
    ('below 1.5 at each of 3 points', 'outside at 100 packets (2.00)')
    """
    each_point = f" at each of {len(found)} points" if len(found) > 1 else ""
    asked = taken or f"{_bounds(low, high)}{each_point}"
    if not found:
        nothing = Verdict.all([Verdict.UNDECIDED, also])
        return Claim(says, paper, f"no point is left{note}", nothing, asked, why, counted)
    verdicts = {at: each.within(low, high) for at, each in found.items()}
    ends = [pick(found, key=lambda at: found[at].mean) for pick in (min, max)]
    ours = ", up to ".join(dict.fromkeys(f"{found[at]:{form}} {at}" for at in ends))
    reasons = [
        _named(
            how,
            [f"{at} ({found[at]:{form}})" for at in verdicts if verdicts[at] is verdict],
            len(found),
        )
        for verdict, how in ((Verdict.FAILS, "outside"), (Verdict.UNDECIDED, "not decided"))
        if verdict in verdicts.values()
    ]
    return Claim(
        says,
        paper,
        ours + note,
        Verdict.all([*verdicts.values(), also]),
        asked,
        "; ".join([*reasons, why] if why else reasons),
        counted,
    )


def _bounds(low: float, high: float) -> str:
    if high == math.inf:
        return f"above {low:.3g}"
    return f"below {high:.3g}" if low == -math.inf else f"{low:.3g} to {high:.3g}"


def _named(how: str, points: list[str], of: int) -> str:
    if len(points) > LISTED:
        return f"{how} at {len(points)} of {of} points"
    return f"{how} {', '.join(points)}"
