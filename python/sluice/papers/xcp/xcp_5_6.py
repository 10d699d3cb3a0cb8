"""The same as [xcp-5-3](#xcp-5-3) on a link of 150 Mb/s with a round trip of 80 ms, with short
flows in addition to the long ones: they arrive at random (Poisson), between hosts of all pairs in
the forward direction, with sizes of a Pareto distribution (mean 30 packets, shape 1.35), against
their rate. Short flows use the protocol of the long ones.

The thesis calls 800 flows a second "more than 10 new flows every RTT"; they are 64. And 625 a
second offer what the link can carry on average, so that above it the number of flows grows without
bound, in any protocol. In runs of 24 s the heavy tail is not yet complete: their load is lower.

What XCP leaves of the link is shuffled to short flows that end before they use it: with a gamma of
0.02 in place of 0.1 it leaves less. ns-2.35's XCP leaves as much as Sluice's: with 400 arrivals,
the same ones in both, each uses 0.886 of the link ([validation](../validation.md)).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ...frame import Frame
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from . import comparison
from . import comparison_claims as common
from .axis import Axis
from .bottleneck import PACKET_BITS, Place, Settings
from .comparison import SENDER, SYSTEMS

CAPACITY = 150e6
MEAN_PACKETS = 30
#: Arrivals a second above which the thesis sees drops.
MANY = 800
#: Arrivals a second from which on XCP leaves a part of the link.
SOME = 50
#: Arrivals a second that are the whole capacity on average.
FULL = CAPACITY / (MEAN_PACKETS * PACKET_BITS)


SMALL = "XCP, gamma 0.02"
SMALLER: Settings = SENDER | {"gamma": 0.02}


def _web(rate: float) -> Settings:
    sizes = {"pareto": {"mean": f"{MEAN_PACKETS} kB", "shape": 1.35}}
    return {"name": "web", "pairs": "each", "poisson": {"rate": f"{rate:g} /s", "sizes": sizes}}


AXIS = Axis(
    folder="xcp-5-6",
    column="arrivals_per_s",
    label=("arrivals of short flows", "1/s"),
    values=(10, 50, 200, 400, 600, 800, 1000),
    quick=(10, 100),
    place=lambda rate: Place(CAPACITY, 0.08, also=(_web(rate),)),
    words=lambda rate: f"{rate:.0f} arrivals/s",
    systems=SYSTEMS | {SMALL: replace(SYSTEMS["XCP"], parameters=lambda place: SMALLER)},
    from_the_first=["XCP"],
)


def check(table: Frame) -> list[Claim]:
    """That XCP uses the link and drops nothing up to 800 arrivals a second."""
    values = common.values(AXIS, table)
    below = [rate for rate in values if rate <= MANY]
    claims = [
        common.full(AXIS, table, "continues to achieve high utilization"),
        *common.drops_nothing(
            AXIS, table, "zero drops even as the arrival rate becomes significantly high", at=below
        ),
        _small_queue(table, below),
        everywhere(
            "with a smaller gamma, 0.02, it uses more of the link beside short flows: its "
            "utilization over that with the thesis'",
            "not stated",
            {
                f"at {AXIS.words(rate)}": Interval.of(
                    AXIS.rows(table, SMALL, rate)["utilization"]
                    / AXIS.rows(table, "XCP", rate)["utilization"]
                )
                for rate in below
                if rate >= SOME
            },
            low=1,
        ),
    ]
    return claims + [_drops(table, rate) for rate in values if rate > MANY]


def _small_queue(table: Frame, below: list[float]) -> Claim:
    return everywhere(
        "XCP's queue is small: its mean over the buffer",
        "small queue size",
        {
            f"at {AXIS.words(rate)}": AXIS.mean(table, "XCP", rate, "queue_over_buffer")
            for rate in below
        },
        high=0.1,
        taken="below a tenth of the buffer at each rate up to 800/s",
        note=f"; the load passes 1 at {FULL:.0f} arrivals/s",
    )


def _drops(table: Frame, rate: float) -> Claim:
    return everywhere(
        f"XCP drops packets at {AXIS.words(rate)}, after the warm-up",
        "starts dropping packets above 800/s",
        {"under XCP": Interval.of(AXIS.rows(table, "XCP", rate)["drops"])},
        low=0.5,
        form=".0f",
        taken="above 0",
    )


FIGURE = Figure(
    id="xcp-5-6",
    title="XCP and TCP over queue disciplines against arrivals of short flows",
    doc=__doc__,
    run=AXIS.run,
    table=AXIS.table,
    check=check,
    plot=partial(comparison.plot, AXIS),
)
