"""Claims of chapter 3 about utilization as the bandwidth-delay product of a flow grows."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy

from ...frame import Frame
from ..claim import Claim, everywhere
from ..interval import Interval
from ..rows import by_seed
from ..verdict import Verdict
from .axis import Axis
from .systems import END_TO_END, EXPLICIT, OF_THE_THESIS, OTHERS, SYSTEMS

#: Utilization "falls" if its slope per decade is below this, a hundredth of the link. The thesis
#: has no number.
FALLS = -0.01
#: Below this utilization, TCP "performs poorly" and "wastes the bandwidth": a tenth of it. Ours,
#: too.
POOR = 0.9
#: From this one on, utilization is "near optimal", and a sender meets its own target.
OPTIMAL = 0.95


def check(table: Frame, axis: Axis, *, optimal: str) -> list[Claim]:
    """The thesis' claims, and ours about disciplines and senders that it does not have.

    ``optimal`` is what it says of XCP.
    """
    trend = "a clear trend of degraded performance, regardless of the queuing discipline"
    title = axis.label[0]
    return [
        falls(
            table,
            axis,
            OF_THE_THESIS,
            f"TCP's utilization falls as the {title} grows, over each discipline of the thesis: "
            "its slope per decade",
            trend,
        ),
        _poor(table, axis),
        falls(
            table,
            axis,
            OTHERS,
            f"it falls over disciplines that the thesis does not have: its slope per decade "
            f"of the {title}",
            "the same (any active queue management is unlikely to be stable)",
        ),
        everywhere(
            f"XCP is near the optimum at each {title}: its utilization",
            optimal,
            _at_each(table, axis, ["XCP"]),
            low=OPTIMAL,
        ),
        _above_tcp(table, axis),
        _stays(table, axis),
        everywhere(
            "senders with feedback from routers reach their own target (1 for RCP and XCP, 0.95 "
            f"for HPCC and NCP, 0.9 for alpha-fair RCP) at each {title}: utilization over it",
            "not stated",
            _at_each(table, axis, EXPLICIT),
            low=OPTIMAL,
        ),
    ]


def falls(table: Frame, axis: Axis, names: Iterable[str], says: str, paper: str) -> Claim:
    found = {f"over {name}": _slope(table, axis, name) for name in names}
    kept = [name for name in names if found[f"over {name}"].below(FALLS) is not Verdict.HOLDS]
    return everywhere(
        says,
        paper,
        found,
        high=FALLS,
        form="+.3f",
        why="; ".join(_course(table, axis, name) for name in kept),
    )


def _slope(table: Frame, axis: Axis, name: str) -> Interval:
    """Least squares over the logarithm, of each seed."""
    slopes = [
        numpy.polyfit(numpy.log10(rows[axis.column]), rows["utilization"], 1)[0]
        for rows in by_seed(table.where(system=name))
    ]
    return Interval.of(slopes, minimum=-math.inf)


def _course(table: Frame, axis: Axis, name: str) -> str:
    """Utilization and queue from the smallest value to the largest."""
    used, queues = (
        [axis.mean(table, name, end, column).mean for end in axis.ends(table)]
        for column in ("utilization", "queue_over_buffer")
    )
    return (
        f"{name} {used[0]:.2f} to {used[1]:.2f} with a mean queue of {queues[0]:.2f} to "
        f"{queues[1]:.2f} BDP"
    )


def _poor(table: Frame, axis: Axis) -> Claim:
    largest = axis.ends(table)[1]
    found = {name: axis.mean(table, name, largest) for name in OF_THE_THESIS}
    full = [name for name in found if found[name].below(POOR) is not Verdict.HOLDS]
    return everywhere(
        f"TCP performs poorly at {axis.words(largest)}, over each discipline of the thesis: its "
        "utilization",
        "wastes the bandwidth of the bottleneck",
        {f"over {name}": each for name, each in found.items()},
        high=POOR,
        why="; ".join(_course(table, axis, name) for name in full),
    )


def _above_tcp(table: Frame, axis: Axis) -> Claim:
    largest = axis.ends(table)[1]

    def used(name: str) -> numpy.ndarray:
        return table.where(**{"system": name, axis.column: largest})["utilization"]

    return everywhere(
        f"XCP outperforms TCP over each discipline of the thesis at {axis.words(largest)}: its "
        "utilization over TCP's",
        "significantly",
        {f"over {name}": Interval.of(used("XCP") / used(name)) for name in OF_THE_THESIS},
        low=1,
    )


def _stays(table: Frame, axis: Axis) -> Claim:
    largest = axis.ends(table)[1]
    return everywhere(
        f"other end-to-end senders use the link at {axis.words(largest)}: utilization",
        "not stated",
        {f"under {name}": axis.mean(table, name, largest) for name in END_TO_END},
        low=POOR,
    )


def _at_each(table: Frame, axis: Axis, names: Iterable[str]) -> dict[str, Interval]:
    """Utilization over the system's target at each value."""
    return {
        f"under {name} at {axis.words(value)}": Interval.of(
            table.where(**{"system": name, axis.column: value})["utilization"]
            / SYSTEMS[name].target
        )
        for name in names
        for value in map(float, numpy.unique(table[axis.column]))
    }
