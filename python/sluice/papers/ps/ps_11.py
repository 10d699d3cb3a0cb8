"""Ten groups of flows share a bottleneck of 640 Mb/s, with round trips of 20, 40, ... 200 ms, of
which the bottleneck contributes 10 ms. Each group has a tenth of a load of 0.9, as Poisson arrivals
of Pareto sizes (mean 25 packets, shape 1.2). The buffer is the BDP of the longest round trip. TCP
is Reno with an initial window of 2. The paper does not give the duration: ours is 60 s after a
warm-up of 10 s (20 s after 5 s at the quick scale), in which each group has some 50 flows of more
than 500 packets; runs wait for the last flow. Formula (3), which the paper uses for processor
sharing, is at the nominal load; "max-min" is processor sharing of the same flows, computed as a
fluid.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow

from ... import theory
from ...frame import Frame
from ...results import Results
from ...scenario import Scenario
from .. import completion
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET
from ..scale import Scale
from ..traffic import pareto
from ..transport import NS2
from . import apart

#: The paper separates flows of up to 500 packets from longer ones.
LONG = 501
CAPACITY, LOAD, MEAN, SHAPE = 640e6, 0.9, 25, 1.2
#: In milliseconds.
ROUND_TRIPS = range(20, 201, 20)
#: Bound for no bias, as a factor.
EVEN = 1.25


def run(scale: Scale) -> dict[str, Results]:
    """All protocols and processor sharing with the same flows, also RCP with other gains."""
    bdp = CAPACITY / 8 * max(ROUND_TRIPS) / 1000
    sizes = pareto(f"{MEAN} packets", SHAPE)
    scenario = Scenario(
        transport=NS2,
        name="ps-11",
        warm_up=scale.pick("5 s", "10 s"),
        stop=scale.pick("25 s", "70 s"),
        limit="1000 s",
        ideals=["max_min"],
        topology={
            "dumbbell": {
                "capacity": f"{CAPACITY:.0f} bps",
                # For a pair of hosts without traffic; each group sets its own.
                "rtt": f"{max(ROUND_TRIPS)} ms",
                "bottleneck_delay": "5 ms",
                "buffer": f"{bdp:.0f} B",
            }
        },
        group=[
            {
                "name": f"rtt-{rtt}",
                "rtt": f"{rtt} ms",
                "poisson": {"load": LOAD / len(ROUND_TRIPS), "sizes": sizes},
            }
            for rtt in ROUND_TRIPS
        ],
        tcp={"recovery": "reno"},
    )
    seeds = scale.pick(1, 5)
    runs = dict.fromkeys(
        apart.NAMES, scale.run(scenario, ["rcp", "xcp", "tcp"], name="ps-11", seeds=seeds)
    )
    quicker = scenario.set({f"rcp.{gain}": value for gain, value in apart.GAINS.items()})
    runs[apart.QUICKER] = scale.run(quicker, ["rcp"], name="ps-11-quicker", seeds=seeds)
    return runs


def table(runs: dict[str, Results]) -> Frame:
    """A row for each round trip, protocol or formula, seed and bin."""
    parts = []
    sizes = theory.pareto(MEAN * PACKET, SHAPE)
    for rtt in ROUND_TRIPS:
        rows = [
            {"rtt_ms": rtt, "protocol": name, "seed": seed, **found}
            for name, results in runs.items()
            for seed in results.seeds
            for found in completion.bins(
                results.flows(apart.protocol(name), seed).where(group=f"rtt-{rtt}"),
                apart.edges(LONG),
            )
        ]
        link = theory.Link(CAPACITY, load=LOAD, sizes=sizes, rtt_s=rtt / 1000)
        own = Frame(pyarrow.Table.from_pylist(rows))
        parts.append(completion.with_formula(own, link).arrow)
    return Frame(pyarrow.concat_tables(parts))


def check(table: Frame) -> list[Claim]:
    """Claims about ratios within a run, at each round trip."""
    sides = {f"up to {LONG - 1}": 1, f"of more than {LONG - 1}": LONG}
    bias = {
        f"flows {what} packets": Interval.of(
            _times(table, max(ROUND_TRIPS), side, "rcp", "max_min")
            / _times(table, min(ROUND_TRIPS), side, "rcp", "max_min")
        )
        for what, side in sides.items()
    }
    return [
        apart.close(
            "RCP is close to processor sharing for each round trip: RCP's mean completion time "
            "over processor sharing's",
            {f"at {rtt} ms": table.where(rtt_ms=rtt) for rtt in ROUND_TRIPS},
            sides,
        ),
        everywhere(
            "RCP is not biased in favor of short round trips: its mean completion time over "
            f"processor sharing's of the same flows at {max(ROUND_TRIPS)} ms over that at "
            f"{min(ROUND_TRIPS)} ms",
            "1",
            bias,
            low=1 / EVEN,
            high=EVEN,
            taken=f"{1 / EVEN:g} to {EVEN:g}, below and above {LONG - 1} packets",
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Mean completion time against the round trip, for short and long flows."""
    return apart.panels(table, LONG, "rtt_ms", "round trip without queues (ms)", logarithmic=False)


def _times(table: Frame, rtt: int, side: int, over: str, under: str) -> numpy.ndarray:
    return apart.times(table.where(rtt_ms=rtt, packets_from=side), over, under)


FIGURE = Figure(
    id="ps-11",
    title="Completion time of flows with different round trips behind one bottleneck",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
