"""Flows beside others that do not obey. Nine long flows of each system share 100 Mb/s, with a round
trip of 60 ms and a buffer of a quarter to four bandwidth-delay products, with nine of CUBIC (on the
left), or with a stream of datagrams that is sent at 25 to 125 Mb/s whatever is lost (on the right,
at a buffer of one): to a router, senders that ignore the rate that it states. What the system's
flows get is divided by half of the link on the left; on the right by what the stream leaves, or by
nine tenths of the link, their share of ten, if that is less. Flows start at random within a second;
runs measure from 10 s to 40 s. Five seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales
from ...results import Results
from ...scenario import Scenario
from .. import closeness
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import frame, kept
from ..scale import Scale
from .legend import above
from .systems import EXPLICIT, SYSTEMS, Path, lines

CAPACITY, RTT = 100e6, 0.06
PATH = Path(congested=[("left", "right")], capacity=CAPACITY, rtt=RTT)
FLOWS = 9
WARM_UP_S, STOP_S = 10, 40
#: The cases: buffers in bandwidth-delay products beside CUBIC, rates of a stream over the capacity.
BUFFERS, STREAMS = (0.25, 1.0, 4.0), (0.25, 0.5, 0.75, 1.25)
#: Bounds for a share that is kept.
KEPT = (0.8, 1.25)

Key = tuple[str, str, float]


def run(scale: Scale) -> dict[Key, Results]:
    """By system, what is beside it (``cubic`` or ``udp``), and buffer or rate."""
    cases = [
        *(("cubic", buffer) for buffer in scale.pick(BUFFERS[1:2], BUFFERS)),
        *(("udp", rate) for rate in scale.pick(STREAMS[1:2], STREAMS)),
    ]
    return {
        (name, beside, value): scale.run(
            _scenario(beside, value).set(PATH.settings(system)),
            [system.protocol],
            name=f"explicit-mixed/{number}-{beside}-{value}",
            seeds=scale.pick(1, 5),
        )
        for number, (name, system) in enumerate(SYSTEMS.items())
        for beside, value in cases
    }


def _scenario(beside: str, value: float) -> Scenario:
    flows = {"long": {"count": FLOWS, "within": "1 s"}}
    stream = {"udp": {"rate": f"{value * CAPACITY:.0f} bps", "size": "1460 B"}}
    others = flows | {"protocol": "cubic"} if beside == "cubic" else stream
    groups = [
        {"name": "own", "from": "s0", "to": "d0", **flows},
        {"name": "others", "from": "s1", "to": "d1", **others},
    ]
    fields: dict[str, Any] = {
        "name": "explicit-mixed",
        "warm_up": f"{WARM_UP_S} s",
        "stop": f"{STOP_S} s",
        "limit": f"{STOP_S} s",
        "ideals": [],
        "packet": "1500 B",
        "topology": {
            "dumbbell": {
                "pairs": 2,
                "capacity": f"{CAPACITY:.0f} bps",
                "access": "1 Gbps",
                "rtt": f"{1000 * RTT:g} ms",
                "buffer": f"{value if beside == 'cubic' else 1} bdp",
            }
        },
        "group": groups,
    }
    return Scenario(**fields)


def table(runs: dict[Key, Results]) -> Frame:
    """A row for each run."""
    return frame(
        [
            {
                "system": name,
                "beside": beside,
                "value": value,
                "seed": seed,
                "ratio": _own(results.flows(SYSTEMS[name].protocol, seed)) / _fair(beside, value),
            }
            for (name, beside, value), results in runs.items()
            for seed in results.seeds
        ]
    )


def _own(flows: Frame) -> float:
    """The bit rate of the system's own flows."""
    own = flows.where(group="own")["delivered_bytes"]
    return float(own.sum()) * 8 / (STOP_S - WARM_UP_S)


def _fair(beside: str, value: float) -> float:
    if beside == "cubic":
        return CAPACITY / 2
    of_ten = CAPACITY * FLOWS / (FLOWS + 1)
    # A stream above the capacity leaves nothing to divide by.
    return min(CAPACITY * (1 - value), of_ten) if value < 1 else of_ten


def check(table: Frame) -> list[Claim]:
    """Whether the explicit laws keep their share, and leave CUBIC its own."""
    cubic, udp = (table.where(beside=beside) for beside in ("cubic", "udp"))
    return [
        claim
        for own in EXPLICIT
        for claim in (
            everywhere(
                f"flows of {own} and CUBIC share a link: what those of {own} get over half of it",
                "not stated",
                _points(cubic, own, "with {:g} BDP"),
                low=KEPT[0],
                high=KEPT[1],
            ),
            everywhere(
                f"flows of {own} get what a stream below the capacity leaves: their rate over it",
                "not stated",
                _points(kept(udp, udp["value"] < 1), own, "beside {:.0%} of the link"),
                low=KEPT[0],
            ),
        )
    ]


def _points(table: Frame, own: str, where: str) -> dict[str, Interval]:
    rows = table.where(system=own)
    return {
        where.format(value): closeness.ratio(rows, value=value)
        for value in numpy.unique(rows["value"])
    }


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Shares beside CUBIC and beside a stream."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 3.2), sharey=True)
    lines(left, table.where(beside="cubic"), "value")
    lines(right, table.where(beside="udp"), "value")
    scales.logarithmic(left, "x", "buffer (bandwidth-delay products)", "")
    left.set(ylabel="own flows / their share", ylim=(0, None))
    right.set(xlabel="rate of the stream / capacity")
    for ax in (left, right):
        ax.axhline(1, color="black", linewidth=0.7)
    above(figure, left)
    return figure


FIGURE = Figure(
    id="explicit-mixed",
    title="Flows beside CUBIC, and beside a stream that nothing slows down",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
