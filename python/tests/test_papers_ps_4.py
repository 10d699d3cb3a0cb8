"""PS-4: what its claims make of starts that do not come to rest."""

from __future__ import annotations

import sluice
from sluice.papers.ps import ps_4
from sluice.papers.rows import frame


def table(
    *, settles: bool = True, far_link: int | None = None, beyond: float = 1.0
) -> sluice.Frame:
    """Every start at rest, and none beyond; or one setting, link or start that is not as it should
    be."""
    rows = [
        {"kind": "setting", "alpha": 1.5, "beta": 0.15, "linear": True, "settles": settles},
        *({"kind": "far", "name": name, "starts": 48, "settle": 48} for name in ps_4.SETTINGS),
        *(
            {
                "kind": "packets",
                "link": link,
                "name": name,
                "far": beyond if name == ps_4.BEYOND else 0.5 if link == far_link else 0.01,
            }
            for link in range(len(ps_4.LINKS))
            for name in ps_4.SETTINGS
            for _ in ps_4.LOADS
        ),
    ]
    return frame(rows)


def verdicts(of: sluice.Frame) -> list[bool]:
    return [claim.holds for claim in ps_4.check(of)]


def test_a_setting_a_link_or_a_start_that_is_not_at_rest_fails_its_claim() -> None:
    assert verdicts(table()) == [True] * 5
    assert verdicts(table(settles=False)) == [False, True, True, True, True]
    assert verdicts(table(far_link=1)) == [True, True, True, False, False]
    assert verdicts(table(beyond=0.01)) == [True, True, True, True, False]
