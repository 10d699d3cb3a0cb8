"""The same as [hpcc-11](#hpcc-11) at a load of 50 % without incasts, the paper's Figure 11 (c)."""

from __future__ import annotations

from ...frame import Frame
from ..claim import Claim
from ..figure import Figure
from . import slowdown
from .slowdown import Case, Kind

KIND = Kind("hpcc-11c", {"50 %": Case(0.5)})


def check(table: Frame) -> list[Claim]:
    """Claims about the published values, and DCTCP."""
    return [*slowdown.same(table, "50 %"), slowdown.shorter(table, KIND.cases, "2.0")]


FIGURE = Figure(
    id="hpcc-11c",
    title="Slowdown by flow size in a data centre at a load of 50 %: HPCC and DCTCP",
    doc=__doc__,
    run=KIND.run,
    table=KIND.table,
    check=check,
    plot=KIND.plot,
)
