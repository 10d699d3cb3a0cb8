"""The two ends of Figure 9, from the same runs: Poisson arrivals of Pareto sizes (shape 1.2) at a
load of 0.8 on 2.4 Gb/s, with a round trip of 100 ms, and a mean size of 30 and of 30,000 packets.
With such a mean and shape no flow is smaller than 5, and 5000, packets. Sizes are bins of equal
width in the logarithm, the last one wider, and each needs ten flows in each run. Formula
(3), which the paper has for processor sharing, is that of the load asked for; "max-min" is
processor sharing of the very flows that came, as fluid.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from .. import completion
from ..claim import Claim
from ..completion import ratios
from ..interval import Interval
from ..scale import Scale
from . import apart, by_mean

TITLE = "Completion time against flow size, for small and for large mean sizes"

#: Sizes for each of the two means, in packets.
SIZES = {
    by_mean.MEANS[0]: numpy.append(completion.sizes(5, 20_000, 12), 1e6),
    by_mean.MEANS[-1]: numpy.append(completion.sizes(5000, 50_000, 6), 1e7),
}
#: What is taken for "close", and for "more than an order of magnitude".
CLOSE, ORDER = 1.5, 10


def run(scale: Scale) -> dict[int, tuple[Results, Results]]:
    """The runs of Figure 9 at its ends, and those of RCP with other gains."""
    return {mean: (by_mean.run(scale, mean), by_mean.quicker(scale, mean)) for mean in SIZES}


def table(runs: dict[int, tuple[Results, Results]]) -> Frame:
    """A row for each mean, protocol, seed and size; of the formula too."""
    parts = []
    for mean, (results, other) in runs.items():
        found = completion.by_size(results, SIZES[mean])
        rows = completion.with_formula(found, by_mean.link(mean)).arrow
        quicker = completion.by_size(other, SIZES[mean], ["rcp"]).arrow
        named = pyarrow.array([apart.QUICKER] * len(quicker))
        quicker = quicker.set_column(quicker.schema.get_field_index("protocol"), "protocol", named)
        rows = pyarrow.concat_tables([rows, quicker.select(rows.column_names)])
        parts.append(rows.add_column(0, "mean", pyarrow.array([mean] * len(rows))))
    return Frame(pyarrow.concat_tables(parts))


def check(table: Frame) -> list[Claim]:
    """At every size."""
    small, large = (table.where(mean=mean) for mean in SIZES)
    ideals = ("max_min", completion.FORMULA)
    rcp = [_close(own, "rcp", under) for own in (small, large) for under in ideals]
    tcp = ratios(large, "tcp", "max_min")
    xcp = ratios(small, "xcp", "tcp")
    return [
        *rcp,
        Claim(
            "at a mean of 30,000 TCP takes more than ten times as long as processor sharing",
            paper="more than 10",
            ours=f"{completion.least(tcp)} to {completion.largest(tcp)}",
            holds=all(each.times.above(ORDER) for each in tcp),
            taken=f"above {ORDER} at each size",
            why=f"the mean is above that at {sum(each.times.mean > ORDER for each in tcp)} of "
            f"{len(tcp)} sizes, but some intervals reach further down",
        ),
        *(_close(large, "xcp", under) for under in ideals),
        Claim(
            "at a mean of 30 XCP is worse than TCP",
            paper="worse",
            ours=f"{completion.least(xcp)} to {completion.largest(xcp)} times as long",
            holds=all(each.times.above(1) for each in xcp),
            taken="at each size",
            why="the cause was not looked for",
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each mean."""
    figure, axes = pyplot.subplots(1, 2, figsize=(7, 2.9))
    for ax, mean in zip(axes, SIZES, strict=True):
        own = table.where(mean=mean)
        drawn = pyarrow.array(own["protocol"] != apart.QUICKER)
        completion.panel(ax, Frame(own.arrow.filter(drawn)))
        ax.set_ylabel(f"completion time, mean size {mean:,}")
    style.legend(axes[0])
    return figure


def _close(own: Frame, name: str, under: str) -> Claim:
    mean = own["mean"][0]
    whose = "by formula (3)" if under == completion.FORMULA else "of these flows"
    times = ratios(own, name, under)
    beyond = [
        Interval.of(
            own.where(protocol=name, packets_from=each.packets_from)["mean_s"]
            - own.where(protocol=under, packets_from=each.packets_from)["mean_s"]
        ).mean
        / by_mean.RTT
        for each in times
    ]
    why = f"it takes {min(beyond):.1f} to {max(beyond):.1f} round trips more, by size"
    if name == "rcp":
        quicker = [each.times.mean for each in ratios(own, apart.QUICKER, under)]
        more = f"{min(quicker):.2f} to {max(quicker):.2f} times"
        why = f"{why}: {apart.why([each.times for each in times], CLOSE, more)}"
    else:
        why = f"{why}; the cause was not looked for"
    return Claim(
        f"at a mean of {mean:,} {name.upper()} is close to processor sharing {whose}",
        paper="close",
        ours=f"{completion.least(times)} to {completion.largest(times)}",
        holds=all(each.times.within(1 / CLOSE, CLOSE) for each in times),
        taken=f"within {CLOSE} times at each size",
        why=why,
    )
