"""Completion time with the arrivals of RCP's papers, NCP's Figure 1: f = load C / size, (29), at a
load of 0.9 and a round trip of 100 ms. The paper prints neither axis nor C, sizes, buffer and
duration. Ours is the mean completion time against flow size, as in RCP's papers, of two readings:
2.4 Gb/s and Pareto sizes (mean 25 packets, shape 1.2), those of Figure 7 of "Processor Sharing
Flows in the Internet", and 150 Mb/s, the link of its Figure 5 (mean 30 packets, shape 1.4).

RCP, XCP and NCP have their defaults; NCP's alpha 0.95 and beta 0.6 are this program's. TCP is Reno
with a first window of two packets. Hosts are those of RCP's papers in ns-2 for all, but for SACK: a
SYN, repeated after 0.5 s, time-outs of at least 200 ms and 10 ms above the smoothed RTT, and no
time for a packet. The buffer is a bandwidth-delay product. Measured are the flows that arrive
within 1 s (2.4 Gb/s) or 10 s (150 Mb/s; quick: half of these) after a warm-up of 1 s or 5 s.
Arrivals go on until all of these have finished, for twice that time at most; what has not finished
then counts with its age. Processor sharing is the same flows as a fluid (max-min), and equation (3)
of RCP's paper. Ten seeds (quick: two); bands are 95 % intervals. Claims are about all flows of a
reading; sizes are counted beside, as equal where they differ by 2 % at most.
"""

from __future__ import annotations

import matplotlib.figure

from ...frame import Frame
from .. import completion
from ..claim import Claim, everywhere
from ..closeness import CLOSE
from ..figure import Figure
from ..scale import Scale
from .arrivals import (
    FLUID,
    LOAD,
    NCP,
    RCP,
    READINGS,
    TCP,
    XCP,
    Runs,
    beside,
    open_ends,
    seconds,
    table,
    whole,
)
from .arrivals import plot as draw
from .arrivals import run as simulate
from .sides import MARGIN

PRINTED_S, EQUAL = 0.24, 0.1
OUTPERFORMS = '"RCP seems to outperform all but NCP"'


def run(scale: Scale) -> Runs:
    """Both readings."""
    return simulate(scale, LOAD, "ncp-1")


def check(table: Frame) -> list[Claim]:
    """The two sentences about the figure."""
    found = {
        f"{title} {at}": each
        for title, name in (("PS", FLUID), ("NCP", NCP))
        for at, each in seconds(table, name).items()
    }
    return [
        everywhere(
            "the mean completion time of PS and hence of NCP, in seconds",
            f"{PRINTED_S}",
            found,
            low=PRINTED_S * (1 - EQUAL),
            high=PRINTED_S * (1 + EQUAL),
            form=".3f",
            counted="ncp-26",
        ),
        *beside(table, RCP, XCP, "RCP outperforms XCP", OUTPERFORMS, high=1),
        *beside(table, RCP, TCP, "RCP outperforms TCP", OUTPERFORMS, high=1),
        *beside(table, NCP, RCP, "RCP does not outperform NCP", OUTPERFORMS, high=1 + MARGIN),
        everywhere(
            "NCP achieves processor sharing: NCP's mean completion time over the fluid's, all "
            "flows",
            '"NCP (which achieves PS as shown above)"',
            whole(table, NCP, FLUID),
            high=CLOSE,
            note=open_ends(table, [NCP]),
            counted="ncp-26",
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """With the formula of processor sharing."""

    def with_formula(rows: Frame, reading: str) -> Frame:
        return completion.with_formula(rows, READINGS[reading].link(LOAD))

    return draw(table, with_formula)


FIGURE = Figure(
    id="ncp-1",
    title="Completion time at a load of 0.9: NCP beside RCP, XCP, TCP and processor sharing",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
