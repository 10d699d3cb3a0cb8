"""Claims of chapter 5 about XCP and TCP as a property of the bottleneck varies."""

from __future__ import annotations

from collections.abc import Iterable

import numpy

from ...frame import Frame
from ..claim import Claim, everywhere
from ..interval import Interval
from .axis import Axis
from .claims import OPTIMAL
from .comparison import TCP

#: The rate of a run of TCP without drops, above which XCP's then is.
NO_DROPS = 1e-12
#: "Thousands of packets".
THOUSANDS = 1000


def values(axis: Axis, table: Frame) -> list[float]:
    """The values of a table, in order."""
    return [float(value) for value in numpy.unique(table[axis.column])]


def full(
    axis: Axis,
    table: Frame,
    paper: str,
    *,
    at: Iterable[float] | None = None,
    low: float = OPTIMAL,
    says: str = "XCP's utilization is near the optimum",
) -> Claim:
    """That XCP uses the link at these values, by default all."""
    where = values(axis, table) if at is None else list(at)
    found = {f"at {axis.words(each)}": axis.mean(table, "XCP", each) for each in where}
    return everywhere(f"{says}: utilization", paper, found, low=low)


def drops_nothing(
    axis: Axis, table: Frame, paper: str, *, at: Iterable[float] | None = None
) -> list[Claim]:
    """That XCP drops no packet in either direction: after the warm-up, and in it.

    Counts are exact: a single one decides.
    """
    where = values(axis, table) if at is None else list(at)
    return [
        _none(
            axis,
            table,
            where,
            "late_drops",
            "XCP drops no packet after the warm-up, in either direction: the most of any seed",
            paper,
        ),
        _none(
            axis,
            table,
            where,
            "early_drops",
            "nor in the warm-up, in which flows start: the most of any seed",
            paper,
        ),
    ]


def _none(
    axis: Axis, table: Frame, where: Iterable[float], column: str, says: str, paper: str
) -> Claim:
    found = {
        f"at {axis.words(each)}": Interval.exactly(
            float(axis.rows(table, "XCP", each)[column].max())
        )
        for each in where
    }
    return everywhere(says, paper, found, high=0.5, form=".0f", taken="none in any run")


def tcp_drops(axis: Axis, table: Frame, paper: str) -> list[Claim]:
    """That TCP loses thousands of packets, over each discipline but AVQ."""
    most = {f"over {name}": Interval.of(_most(axis, table, name)) for name in TCP}
    return [
        everywhere(
            "TCP drops thousands of packets over RED, CSFQ and REM, in spite of ECN: the most at "
            f"any {axis.label[0]}, after the warm-up",
            paper,
            {over: found for over, found in most.items() if "AVQ" not in over},
            low=THOUSANDS,
            form=".0f",
        ),
        everywhere(
            f"but not over AVQ: the most at any {axis.label[0]}, after the warm-up",
            paper,
            {"over AVQ": most["over AVQ"]},
            high=THOUSANDS,
            form=".0f",
        ),
    ]


def drop_rates(axis: Axis, table: Frame, paper: str) -> Claim:
    """That XCP's drop rate is far below TCP's."""
    return everywhere(
        "XCP's drop rate is three orders of magnitude below TCP's over each discipline: XCP's over "
        "TCP's, after the warm-up",
        paper,
        {
            f"over {name} at {axis.words(value)}": Interval.of(
                axis.rows(table, "XCP", value)["drop_rate"]
                / numpy.maximum(axis.rows(table, name, value)["drop_rate"], NO_DROPS)
            )
            for name in TCP
            for value in values(axis, table)
        },
        high=1e-3,
        form=".1e",
    )


def _most(axis: Axis, table: Frame, name: str) -> numpy.ndarray:
    """Of each seed, the most drops at any value."""
    each = [axis.rows(table, name, value)["drops"] for value in values(axis, table)]
    return numpy.max(each, axis=0)


def above_tcp(axis: Axis, table: Frame, paper: str, at: float) -> Claim:
    """That XCP uses more of the link than TCP at a value."""
    own = axis.rows(table, "XCP", at)["utilization"]
    found = {
        f"over {name}": Interval.of(own / axis.rows(table, name, at)["utilization"]) for name in TCP
    }
    return everywhere(
        f"XCP uses more of the link than TCP at {axis.words(at)}: its utilization over TCP's",
        paper,
        found,
        low=1,
    )
