"""Utilization, mean queue and drops against the longest round trip: 100 long flows have round trips
evenly from 5 ms to it, and 50 of the other direction as well. XCP, and TCP Reno with ECN over RED,
on a link of 100 Mb/s with a buffer of 200 ms; otherwise as [xcp-5-3](#xcp-5-3), with 300 mean round
trips. Means over four seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from ...frame import Frame
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from . import comparison
from . import comparison_claims as common
from .axis import Axis
from .bottleneck import Place
from .comparison import SYSTEMS

SHORTEST_S = 0.005


def _place(longest: float) -> Place:
    return Place(
        100e6,
        (SHORTEST_S + longest) / 2,
        flows=100,
        spread=(SHORTEST_S, longest),
        buffer=0.2,
    )


AXIS = Axis(
    folder="xcp-5-13",
    column="longest_s",
    label=("longest round trip", "s"),
    values=(0.05, 0.1, 0.2, 0.5, 1.0, 2.0),
    quick=(0.05, 0.1),
    place=_place,
    words=lambda longest: f"{1000 * longest:.0f} ms",
    systems={name: SYSTEMS[name] for name in ("XCP", "RED")},
)
#: Up to it, in seconds, XCP is nearly optimal; up to the next one it "stays acceptable".
OPTIMAL_S, ACCEPTABLE_S = 0.2, 1.0
#: "Acceptable" utilization, and the largest step of one from one value to the next that is
#: "smooth". The thesis has no numbers.
ACCEPTABLE, STEP = 0.8, 0.1


def check(table: Frame) -> list[Claim]:
    """That XCP is near the optimum up to 200 ms, and degrades smoothly above it."""
    values = common.values(AXIS, table)
    return [
        common.full(
            AXIS,
            table,
            "nearly optimal below 200 ms",
            at=[each for each in values if each < OPTIMAL_S],
        ),
        common.full(
            AXIS,
            table,
            "stays acceptable from 5 ms to 1 s",
            at=[each for each in values if each <= ACCEPTABLE_S],
            low=ACCEPTABLE,
            says="XCP's utilization is acceptable",
        ),
        everywhere(
            "it degrades smoothly: utilization at a value over that at the one before",
            "degrades smoothly",
            {
                f"at {AXIS.words(after)}": Interval.of(
                    AXIS.rows(table, "XCP", after)["utilization"]
                    / AXIS.rows(table, "XCP", before)["utilization"]
                )
                for before, after in pairwise(values)
            },
            low=1 - STEP,
        ),
        everywhere(
            "TCP over RED suffers from it as well: its utilization at the longest round trips over "
            "that at the shortest",
            "seems to suffer from increased RTT variance",
            {
                "over RED": Interval.of(
                    AXIS.rows(table, "RED", values[-1])["utilization"]
                    / AXIS.rows(table, "RED", values[0])["utilization"]
                )
            },
            high=1,
        ),
    ]


FIGURE = Figure(
    id="xcp-5-13",
    title="XCP and TCP as round trips spread",
    doc=__doc__,
    run=AXIS.run,
    table=AXIS.table,
    check=check,
    plot=partial(comparison.plot, AXIS),
)
