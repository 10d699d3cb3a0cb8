"""All, three quarters, half or a quarter of twenty flows lie about their RTT: utilization and mean
queue against the mean gain. Each draws its gain from a normal distribution with that mean and a
standard deviation as large, without negative values. An RTT declared g times too short makes the
control interval as much shorter, and so the gain of the control loop as much larger: beyond its
gain margin of 2.43 (figure B-1) the traffic oscillates. 20 Mb/s, 80 ms, 20 flows in the other
direction. Runs have 300 round trips, of which the first 100 do not count; how long small gains take
to fill the link is in table 7.1. Means over sixteen draws; bars are 95 % intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...frame import Frame
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from . import cheats_plot
from .cheats import FLOWS, Cheats, gains_of

#: "The number of liars is small (i.e., less than 50% of the flows)" (7.5).
FEW, HALF, MOST = FLOWS // 4, FLOWS // 2, 3 * FLOWS // 4
CHEATS = Cheats("xcp-7-4", "rtt_gain", numbers=(FEW, HALF, MOST, FLOWS), normal=True)
#: Utilization of which a degradation is "negligible". The thesis has no number.
NEGLIGIBLE = 0.9
#: Mean gains at which most lies are "within one order of magnitude of the true RTT" (7.5), and
#: those at which most are beyond it.
WITHIN, BEYOND = (0.3, 1.0, 3.0), 10.0


def check(table: Frame) -> list[Claim]:
    """That few or small lies do little, and many large ones much."""
    gains = gains_of(table)
    return [
        everywhere(
            "the degradation is negligible when the declared RTT is within an order of magnitude "
            "of the true one: utilization",
            "negligible",
            _points(table, CHEATS.numbers, [gain for gain in gains if gain in WITHIN]),
            low=NEGLIGIBLE,
        ),
        everywhere(
            "it is negligible when less than half of the flows lie: utilization",
            "negligible",
            _points(table, (FEW,), gains),
            low=NEGLIGIBLE,
        ),
        everywhere(
            "it is substantial where most flows declare an RTT much below the true one: "
            "utilization",
            "a substantial degradation",
            _points(table, (MOST, FLOWS), [gain for gain in gains if gain > BEYOND]),
            high=NEGLIGIBLE,
        ),
    ]


def _points(table: Frame, numbers: Sequence[int], gains: Sequence[float]) -> dict[str, Interval]:
    return {
        f"with {number} liars at {gain:g}": CHEATS.mean(table, gain, "utilization", number=number)
        for number in numbers
        for gain in gains
    }


FIGURE = Figure(
    id="xcp-7-4",
    title="Efficiency where flows lie about their RTT",
    doc=__doc__,
    run=CHEATS.run,
    table=CHEATS.table,
    check=check,
    plot=partial(
        cheats_plot.plot,
        CHEATS,
        lines={
            "25 %": ("XCP", FEW),
            "50 %": ("XCP", HALF),
            "75 %": ("XCP", MOST),
            "all": ("XCP", FLOWS),
        },
    ),
)
