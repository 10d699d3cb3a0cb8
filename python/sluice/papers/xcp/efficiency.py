"""Efficiency of the link where all flows abuse it: what figures 7-6 and 7-7 share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...frame import Frame
from ..claim import Claim, everywhere
from ..figure import Figure
from . import cheats_plot
from .cheats import FLOWS, SYSTEMS, Cheats, Runs, gains_of

#: "Acceptable" utilization. The thesis has no number.
ACCEPTABLE = 0.8


def all_abuse(folder: str, field: str, gains: Sequence[float], quick: Sequence[float]) -> Cheats:
    """Runs in which all flows have the gain."""
    systems = tuple(SYSTEMS)
    return Cheats(folder, field, numbers=(FLOWS,), gains=gains, quick=quick, systems=systems)


def figure(cheats: Cheats, title: str, doc: str | None, paper: str) -> Figure[Runs]:
    """The figure of such runs; ``paper`` is what the thesis says of their efficiency."""
    return Figure(
        id=cheats.folder,
        title=title,
        doc=doc,
        run=cheats.run,
        table=cheats.table,
        check=partial(check, cheats, paper=paper),
        plot=partial(cheats_plot.plot, cheats, lines={name: (name, FLOWS) for name in SYSTEMS}),
    )


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
