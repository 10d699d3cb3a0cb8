"""Table 7.1 as data: what the thesis says of each misconduct, and the bounds that decide it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .claims import OPTIMAL
from .efficiency import ACCEPTABLE
from .xcp_7_5 import MODERATE


@dataclass(frozen=True)
class Row:
    """A row of the table: a misconduct in one direction."""

    label: str
    kind: str
    #: The gains that belong to it: those above the first and below the second.
    gains: tuple[float, float]

    def has(self, gain: float) -> bool:
        """Whether a gain belongs to the row."""
        return self.gains[0] < gain < self.gains[1]


#: The end of an open range that includes 1.
UP_TO_ONE = math.nextafter(1, 2)
T_UP = Row("T-liar, upward", "T-liar", (0, 1))
T_DOWN = Row("T-liar, downward", "T-liar", (1, math.inf))
D_UP = Row("D-liar, upward", "D-liar", (0, 1))
D_DOWN = Row("D-liar, downward", "D-liar", (1, math.inf))
INCREASE = Row("abuser, IG > 1", "increase", (1, math.inf))
DECREASE = Row("abuser, DG < 1", "decrease", (0, 1))
UP_TO_C = Row("unresponsive, r <= C", "unresponsive", (0, UP_TO_ONE))
ABOVE_C = Row("unresponsive, r > C", "unresponsive", (1, math.inf))
ROWS = (T_UP, T_DOWN, D_UP, D_DOWN, INCREASE, DECREASE, UP_TO_C, ABOVE_C)


@dataclass(frozen=True)
class Cell:
    """What the thesis says in a cell, and the bounds of a measure that decide it."""

    row: Row
    column: str
    paper: str
    #: A column of the table of runs; over that of compliant flows if ``over_honest``.
    measure: str
    low: float = -math.inf
    high: float = math.inf
    over_honest: bool = False
    #: It is asked at gains of the row above the first and below the second.
    gains: tuple[float, float] = (0, math.inf)

    def asks(self, gain: float) -> bool:
        """Whether it is asked at a gain of its row."""
        return self.gains[0] < gain < self.gains[1]


EFFICIENCY, FAIRNESS, INCENTIVE = "efficiency", "fairness", "incentive"
#: Degraded utilization, shares that are "no" and "no significant" impact, and a full queue, of the
#: buffer. The thesis has "within 20 %" for shares of D-liars, and no number for the others.
DEGRADED, SAME, ALIKE, FULL_QUEUE = 0.9, 0.05, 0.2, 0.9
#: A cheat has no incentive if it gets no more than this, over what it has when it complies.
WORTH = 1.05
#: It is "unfair" if a compliant flow has less than this of its share.
UNFAIR = 0.95
#: Gains of D-liars within the gain margin of the control loop, 2.43, and beyond.
WITHIN_MARGIN, FAR_BEYOND = (0, 2.43), (10, math.inf)
#: Rates of ten unresponsive abusers at which each sends more than a twentieth of the capacity.
ABOVE_FAIR = (0.5, UP_TO_ONE)


CELLS = (
    Cell(T_UP, EFFICIENCY, "no impact", "utilization", OPTIMAL),
    Cell(T_UP, FAIRNESS, "gets less than fair share", "share", high=1),
    Cell(T_UP, INCENTIVE, "no", "share", high=WORTH, over_honest=True),
    Cell(T_DOWN, EFFICIENCY, "no impact", "utilization", OPTIMAL),
    Cell(T_DOWN, FAIRNESS, "gets more than fair share", "share", 1),
    Cell(T_DOWN, INCENTIVE, "yes", "share", WORTH, over_honest=True),
    Cell(D_UP, EFFICIENCY, "slows down convergence", "fill_rtts", 1, over_honest=True),
    Cell(D_UP, FAIRNESS, "negligible impact", "share", 1 - ALIKE, 1 + ALIKE),
    Cell(D_UP, FAIRNESS, "slows down convergence", "share_rtts", 1, over_honest=True),
    Cell(D_UP, INCENTIVE, "no", "share", high=WORTH, over_honest=True),
    Cell(
        D_DOWN,
        EFFICIENCY,
        "makes system faster",
        "fill_rtts",
        high=1,
        over_honest=True,
        gains=WITHIN_MARGIN,
    ),
    Cell(
        D_DOWN,
        EFFICIENCY,
        "can cause instability",
        "utilization",
        high=DEGRADED,
        gains=FAR_BEYOND,
    ),
    Cell(D_DOWN, FAIRNESS, "no impact", "share", 1 - SAME, 1 + SAME),
    Cell(D_DOWN, INCENTIVE, "no", "share", high=WORTH, over_honest=True),
    Cell(INCREASE, EFFICIENCY, "fairly robust", "utilization", ACCEPTABLE),
    Cell(INCREASE, FAIRNESS, "limited unfairness", "share", high=MODERATE),
    Cell(INCREASE, INCENTIVE, "yes", "share", WORTH, over_honest=True),
    Cell(DECREASE, EFFICIENCY, "fairly robust", "utilization", ACCEPTABLE),
    Cell(DECREASE, FAIRNESS, "no significant impact", "share", 1 - ALIKE, 1 + ALIKE),
    Cell(DECREASE, INCENTIVE, "no", "share", high=WORTH, over_honest=True),
    Cell(UP_TO_C, EFFICIENCY, "almost no impact", "utilization", OPTIMAL),
    Cell(UP_TO_C, FAIRNESS, "unfair", "compliant", high=UNFAIR, gains=ABOVE_FAIR),
    Cell(UP_TO_C, INCENTIVE, "yes", "share", WORTH, gains=ABOVE_FAIR),
    Cell(ABOVE_C, EFFICIENCY, "degenerate to the [...] dropping policy", "queue", FULL_QUEUE),
    Cell(ABOVE_C, FAIRNESS, "unfair", "compliant", high=UNFAIR),
    Cell(ABOVE_C, INCENTIVE, "yes", "share", WORTH),
)
MEASURES = {
    "utilization": "utilization",
    "share": "a cheat's throughput over its fair share",
    "compliant": "a compliant flow's throughput over its fair share",
    "fill_rtts": "round trips until the link is full",
    "share_rtts": "round trips until a newcomer has its share",
    "queue": "mean queue over the buffer",
}
