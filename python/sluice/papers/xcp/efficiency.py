"""Efficiency of the link where all flows abuse it (figures 7-6 and 7-7)."""

from __future__ import annotations

from ...frame import Frame
from ..claim import Claim, everywhere
from .cheats import Cheats, gains_of

#: "Acceptable" utilization. The thesis has no number.
ACCEPTABLE = 0.8


def check(cheats: Cheats, table: Frame, paper: str) -> list[Claim]:
    """That each system stays efficient."""
    return [
        everywhere(
            f"the efficiency of {name} stays acceptable: utilization",
            paper,
            {
                f"at {gain:g}": cheats.mean(table, gain, "utilization", system=name)
                for gain in gains_of(table)
            },
            low=ACCEPTABLE,
            why=_drops(cheats, table, name),
        )
        for name in cheats.systems
    ]


def _drops(cheats: Cheats, table: Frame, name: str) -> str:
    """Utilization is lost as senders repair what the link drops."""
    drops, gain = max(
        (cheats.mean(table, gain, "drops", system=name).mean, gain) for gain in gains_of(table)
    )
    return f"up to {drops:.0f} packets are dropped, at {gain:g}"
