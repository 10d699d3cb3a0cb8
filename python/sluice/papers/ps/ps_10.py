"""The two ends of Figure 9, from the same runs: Poisson arrivals of Pareto sizes (shape 1.2) at a
load of 0.8 on 2.4 Gb/s, with a round trip of 100 ms, and a mean size of 30 and of 30,000 packets.
With these means and this shape, no flow is smaller than 5 or 5000 packets. Sizes are bins of equal
width in the logarithm, except the last, which is wider; each needs ten flows in each run. Formula
(3), which the paper uses for processor sharing, is at the nominal load; "max-min" is processor
sharing of the same flows, computed as a fluid.
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
from ..claim import Claim, everywhere
from ..completion import ratios
from ..figure import Figure
from ..interval import Interval
from ..rows import kept
from ..scale import Scale
from . import apart, by_mean

#: Sizes for each of the two means, in packets.
SIZES = {
    by_mean.MEANS[0]: numpy.append(completion.sizes(5, 20_000, 12), 1e6),
    by_mean.MEANS[-1]: numpy.append(completion.sizes(5000, 50_000, 6), 1e7),
}
#: Bound for "more than an order of magnitude".
ORDER = 10


def run(scale: Scale) -> dict[int, tuple[Results, Results]]:
    """The runs of Figure 9 at its ends, also of RCP with other gains."""
    return {mean: (by_mean.run(scale, mean), by_mean.quicker(scale, mean)) for mean in SIZES}


def table(runs: dict[int, tuple[Results, Results]]) -> Frame:
    """A row for each mean, protocol or formula, seed and size."""
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
    """Claims about all sizes."""
    small, large = (table.where(mean=mean) for mean in SIZES)
    xcp = ratios(small, "xcp", "tcp")
    return [
        _close({mean: table.where(mean=mean) for mean in SIZES}, "rcp"),
        everywhere(
            "at a mean of 30,000 TCP is more than an order of magnitude from processor sharing: "
            "TCP's mean completion time over processor sharing's of the same flows, at each size",
            "more than 10",
            completion.points(ratios(large, "tcp", "max_min")),
            low=ORDER,
        ),
        _close({large["mean"][0]: large}, "xcp"),
        everywhere(
            "at a mean of 30 XCP is worse than TCP: XCP's mean completion time over TCP's, at each "
            "size",
            "above 1",
            completion.points(xcp),
            low=1,
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each mean."""
    figure, axes = pyplot.subplots(1, 2, figsize=(7, 2.9))
    for ax, mean in zip(axes, SIZES, strict=True):
        own = table.where(mean=mean)
        completion.panel(ax, kept(own, own["protocol"] != apart.QUICKER))
        ax.set_ylabel(f"completion time, mean size {mean:,}")
    style.legend(axes[0])
    return figure


def _close(of_means: dict[int, Frame], name: str) -> Claim:
    """A protocol is close to both kinds of processor sharing, at all sizes of these means."""
    found: dict[str, Interval] = {}
    quicker: dict[str, Interval] = {}
    beyond = []
    for mean, own in of_means.items():
        for under, which in apart.SHARING.items():
            at = f", mean {mean:,}, {which}"
            times = ratios(own, name, under)
            found |= completion.points(times, at)
            beyond += [_beyond_rtts(own, name, under, each.packets_from) for each in times]
            if name == "rcp":
                quicker |= completion.points(ratios(own, apart.QUICKER, under), at)
    why = f"by size {min(beyond):.1f} to {max(beyond):.1f} round trips more"
    means = " and ".join(f"{mean:,}" for mean in of_means)
    return everywhere(
        f"at a mean of {means} {name.upper()} is close to processor sharing: {name.upper()}'s mean "
        "completion time over processor sharing's, at each size",
        "close",
        found,
        low=1 / apart.CLOSE,
        high=apart.CLOSE,
        why=f"{why}; {apart.with_gains(quicker)}" if quicker else why,
    )


def _beyond_rtts(own: Frame, name: str, under: str, packets_from: int) -> float:
    """The difference of mean completion times at a size, in round trips."""
    upper, lower = (own.where(protocol=each, packets_from=packets_from) for each in (name, under))
    return float((upper["mean_s"] - lower["mean_s"]).mean() / by_mean.RTT)


FIGURE = Figure(
    id="ps-10",
    title="Completion time against flow size, for small and for large mean sizes",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
