"""Claims of chapter 5 about XCP and TCP as a property of the bottleneck varies."""

from __future__ import annotations

from collections.abc import Iterable

import numpy

from ...frame import Frame
from ..claim import Claim, everywhere
from ..interval import Interval
from .axis import Axis
from .comparison import TCP

#: From this utilization on, a link is used "near optimally". The thesis has no number.
OPTIMAL = 0.95
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
    """That XCP drops no packet: after the warm-up, and in it.

    Counts are exact: a single one decides.
    """
    where = values(axis, table) if at is None else list(at)
    return [
        everywhere(
            "XCP drops no packet of the forward direction after the warm-up: the most of any seed",
            paper,
            _most_of_xcp(axis, table, where, "drops"),
            high=0.5,
            form=".0f",
            taken="none in any run",
        ),
        everywhere(
            "nor does it while flows start: packets sent again by all flows of a run, in both "
            "directions, from their first one on, the most of any seed",
            paper,
            _most_of_xcp(axis, table, where, "resent"),
            high=0.5,
            form=".0f",
            taken="none in any run",
            why=_in_warm_up(axis, table, where),
        ),
    ]


def _most_of_xcp(axis: Axis, table: Frame, where: list[float], column: str) -> dict[str, Interval]:
    return {
        f"at {axis.words(each)}": Interval.exactly(
            float(axis.rows(table, "XCP", each)[column].max())
        )
        for each in where
    }


def _in_warm_up(axis: Axis, table: Frame, where: list[float]) -> str:
    """When the flows that sent packets again had started."""
    rows = [axis.rows(table, "XCP", each) for each in where]
    last = max((float(row["resent_start_s"].max()) for row in rows), default=0.0)
    return f"all of them are of flows that start in the first {last:.1f} s" if last else ""


def tcp_drops(axis: Axis, table: Frame, paper: str) -> Claim:
    """That TCP loses thousands of packets, over each discipline but AVQ."""
    found = {f"over {name}": Interval.of(_most(axis, table, name)) for name in TCP if name != "AVQ"}
    return everywhere(
        "TCP drops thousands of packets over RED, CSFQ and REM, in spite of ECN: the most at any "
        f"{axis.label[0]}, after the warm-up",
        paper,
        found,
        low=THOUSANDS,
        form=".0f",
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
