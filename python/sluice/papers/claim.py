"""Claims of papers, compared with results."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .interval import Interval
from .verdict import Verdict

#: Up to this number, the points that decide a verdict are listed.
LISTED = 4


@dataclass(frozen=True)
class Claim:
    """A claim of a paper, compared with our result.

    >>> claim = Claim("C/R over N", "1", "1.01", Verdict.of(abs(1.01 - 1) < 0.02), "within 2 %")
    >>> print(claim.verdict)
    holds
    """

    #: The claim, with the quantities compared: "XCP's mean completion time over RCP's".
    says: str
    #: The paper's value.
    paper: str
    #: Our value, with its interval if there is one.
    ours: str
    #: The verdict, decided by the whole interval.
    verdict: Verdict
    #: The criterion, where the paper gives no bounds.
    taken: str = ""
    #: The reason if it does not hold, computed from the runs; empty if they show none.
    why: str = ""
    #: The figure that counts this claim, if this one repeats its check.
    counted: str = ""

    @property
    def holds(self) -> bool:
        """Whether the verdict is that the claim holds."""
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
    """A claim about several points, such as all sizes or loads, with a single verdict.

    The worst point decides: the claim fails if it fails at any point.

    Args:
        says: the claim.
        paper: the paper's value.
        found: the result at each point, by a description such as ``at a load of 0.9``.
        low: lower bound, for all points.
        high: upper bound, for all points.
        form: format specification of results.
        taken: the criterion; by default the bounds.
        note: appended to our results.
        why: appended to the reason, which lists the points that are not within the bounds.
        also: the verdict on a second condition, which ``taken`` has to state.
        counted: the figure that counts this claim, if it is another one.

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
