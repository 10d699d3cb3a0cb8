"""All, three quarters or half of twenty flows lie about their RTT: utilization and mean queue against
the mean gain. Each draws its gain from a normal distribution with that mean and a standard
deviation as large, without negative values. 20 Mb/s, 80 ms, 20 flows in the other direction. Runs
have 300 round trips, of which the first 100 do not count, so that the slow start of small gains is
left out. Means over four draws; bars are 95 % intervals.
"""

from __future__ import annotations

from functools import partial

from ...frame import Frame
from ..claim import Claim, everywhere
from ..figure import Figure
from . import cheats_plot
from .cheats import FLOWS, Cheats, gains_of

HALF, MOST = FLOWS // 2, 3 * FLOWS // 4
CHEATS = Cheats("xcp-7-4", "rtt_gain", numbers=(HALF, MOST, FLOWS), normal=True)
#: An "acceptable level of efficiency", and a "substantial" lie. The thesis has no numbers but that
#: the degradation "is negligible when the declared RTT is within one order of magnitude" (7.5).
ACCEPTABLE, SUBSTANTIAL = 0.9, 10.0


def check(table: Frame) -> list[Claim]:
    """That few or small lies do little, and many large ones much."""
    gains = gains_of(table)
    return [
        everywhere(
            "the degradation is negligible when the declared RTT is within an order of magnitude of "
            "the true one, or at most half of the flows lie: utilization",
            "negligible",
            {
                _at(number, gain): CHEATS.mean(table, gain, "utilization", number=number)
                for number in CHEATS.numbers
                for gain in gains
                if number == HALF or 1 / SUBSTANTIAL <= gain <= SUBSTANTIAL
            },
            low=ACCEPTABLE,
        ),
        everywhere(
            "it is substantial where most flows declare an RTT much below the true one: utilization",
            "a substantial degradation",
            {
                _at(number, gain): CHEATS.mean(table, gain, "utilization", number=number)
                for number in (MOST, FLOWS)
                for gain in gains
                if gain > SUBSTANTIAL
            },
            high=ACCEPTABLE,
        ),
    ]


def _at(number: int, gain: float) -> str:
    return f"with {number} liars at {gain:g}"


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
        lines={"50 %": ("XCP", HALF), "75 %": ("XCP", MOST), "all": ("XCP", FLOWS)},
    ),
)
