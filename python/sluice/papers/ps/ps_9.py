"""Poisson arrivals of Pareto sizes (shape 1.2) at a load of 0.8 on 2.4 Gb/s, with a round trip of
100 ms and a buffer of BDP, which is 30,000 packets. The mean size ranges from 30 to 30,000 packets;
the paper gives neither the points between, nor the duration. Ours measures 40 s after a warm-up of
10 s (20 s after 5 s at the quick scale) and waits for the last flow: each run has some 60 flows of
7000 packets or more at a mean of 30, and some 220 at 30,000. TCP is Reno with an initial window of
2. Processor sharing is computed as a fluid, for the same flows. Formula (3) is drawn as well, at
the nominal load, which runs with such a heavy tail do not reach.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow

from ...frame import Frame
from ...results import Results
from .. import completion
from ..claim import Claim
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale
from . import apart, by_mean

#: The paper separates flows of fewer packets from others.
LONG = 7000


def run(scale: Scale) -> dict[int, dict[str, Results]]:
    """All protocols at each mean, also RCP with other gains to show their effect."""
    return {
        mean: dict.fromkeys(apart.NAMES, by_mean.run(scale, mean))
        | {apart.QUICKER: by_mean.quicker(scale, mean)}
        for mean in by_mean.means(scale)
    }


def table(runs: dict[int, dict[str, Results]]) -> Frame:
    """A row for each mean, protocol or formula, seed and bin."""
    parts = []
    for mean, by_name in runs.items():
        rows = [
            {"mean": mean, "protocol": name, "seed": seed, **found}
            for name, results in by_name.items()
            for seed in results.seeds
            for found in completion.bins(
                results.flows(apart.protocol(name), seed), apart.edges(LONG)
            )
        ]
        own = Frame(pyarrow.Table.from_pylist(rows))
        parts.append(completion.with_formula(own, by_mean.link(mean)).arrow)
    return Frame(pyarrow.concat_tables(parts))


def check(table: Frame) -> list[Claim]:
    """Claims about ratios within a run, at each mean."""
    means = [int(mean) for mean in numpy.unique(table["mean"])]
    smallest, largest = means[0], means[-1]
    small, large = (
        Interval.of(_times(table, mean, LONG, "xcp", "tcp")) for mean in (smallest, largest)
    )
    xcp, tcp = (
        [_times(table, mean, LONG, name, "max_min") for mean in (smallest, largest)]
        for name in ("xcp", "tcp")
    )
    nearer, further = Interval.of(xcp[1] / xcp[0]), Interval.of(tcp[1] / tcp[0])
    return [
        apart.close(
            "RCP is close to processor sharing whatever the mean: RCP's mean completion time over "
            "processor sharing's",
            {f"at a mean of {mean:,}": table.where(mean=mean) for mean in means},
            {f"below {LONG}": 1, f"of {LONG} or more": LONG},
        ),
        Claim(
            f"at a mean of {smallest} XCP is far worse than TCP: XCP's mean completion time over "
            f"TCP's, flows of {LONG} packets or more",
            paper="far worse",
            ours=f"{small:.1f}",
            verdict=small.above(2),
            taken="above 2",
        ),
        Claim(
            f"XCP and TCP change places: at a mean of {largest:,} XCP's mean completion time over "
            f"TCP's, flows of {LONG} packets or more",
            paper="below 1",
            ours=f"{large:.2f}",
            verdict=large.below(1),
        ),
        Claim(
            "XCP comes nearer to processor sharing as the mean grows: XCP's mean completion time "
            f"over processor sharing's at {largest:,} over that at {smallest}, flows of {LONG} or "
            "more",
            paper="below 1",
            ours=f"from {Interval.of(xcp[0]):.1f} to {Interval.of(xcp[1]):.1f}: {nearer:.2f} times",
            verdict=nearer.below(1),
        ),
        Claim(
            "TCP departs further from processor sharing: TCP's mean completion time over "
            f"processor sharing's at {largest:,} over that at {smallest}, flows of {LONG} or more",
            paper="above 1",
            ours=f"from {Interval.of(tcp[0]):.1f} to {Interval.of(tcp[1]):.1f}: {further:.2f} "
            "times",
            verdict=further.above(1),
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Mean completion time against the mean flow size, for short and long flows."""
    return apart.panels(table, LONG, "mean", "mean flow size (packets)", logarithmic=True)


def _times(table: Frame, mean: int, side: int, over: str, under: str) -> numpy.ndarray:
    return apart.times(table.where(mean=mean, packets_from=side), over, under)


FIGURE = Figure(
    id="ps-9",
    title="Mean completion time as the mean flow size grows",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
