"""Slowdown by flow size in the data centre under HPCC and DCTCP, beside the published values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .data_centre import alone_ns, data_centre, hadoop, incasts
from .published import CLASSES, SLOWDOWN

PERCENTILES = (50, 95, 99)
NAMES = ("hpcc", "dctcp")
#: The classes as claims name them.
TITLES = ("up to 70 %", *(f"{low} to {low + 5} %" for low in CLASSES[1:-1]))
#: Bounds for "the same", of our slowdown over the published one. The authors give none.
ALIKE = (0.87, 1.15)
#: Seconds: warm-up and end of the time measured. The largest flows take 4 ms at a load of 30 %.
FULL_S = (1.5e-3, 2.5e-3)
QUICK_S = (0.1e-3, 0.2e-3)

Runs = dict[tuple[str, str], Results]


@dataclass(frozen=True)
class Case:
    """Traffic of a panel."""

    load: float
    incasts: bool = False


@dataclass(frozen=True)
class Kind:
    """A figure with a panel for each case."""

    #: The figure's id.
    name: str
    cases: Mapping[str, Case]

    def run(self, scale: Scale) -> Runs:
        """By case and protocol. Incasts are the same with each seed."""
        warm_up, stop = scale.pick(QUICK_S, FULL_S)
        times = {
            "warm_up": f"{warm_up} s",
            "stop": f"{stop} s",
            "limit": scale.pick("0.5 ms", "20 ms"),
        }
        return {
            (case, protocol): scale.run(
                data_centre(
                    protocol,
                    [hadoop(of.load), *(incasts(3 * stop) if of.incasts else [])],
                    **times,
                ),
                [protocol],
                name=f"{self.name}/{number}-{protocol}",
                seeds=scale.pick(1, 3),
            )
            for number, (case, of) in enumerate(self.cases.items())
            for protocol in NAMES
        }

    def table(self, runs: Runs) -> Frame:
        """A row for each case, protocol, seed, class of sizes and percentile."""
        rows: list[dict[str, Any]] = []
        for (case, protocol), results in runs.items():
            of = self.cases[case]
            for seed in results.seeds:
                found = by_rank(*_slowdowns(results.flows(protocol, seed)))
                for (percentile, place), value in found.items():
                    known = None if of.incasts else SLOWDOWN[protocol, of.load, percentile][place]
                    rows.append(
                        {
                            "case": case,
                            "protocol": protocol,
                            "seed": seed,
                            "place": place,
                            "percentile": percentile,
                            "slowdown": value,
                            "published": known,
                        }
                    )
        return frame(rows)

    def plot(self, table: Frame) -> matplotlib.figure.Figure:
        """A panel for each case."""
        size = (3.5 * len(self.cases), 2.8)
        figure, panels = pyplot.subplots(
            1, len(self.cases), figsize=size, sharey=True, squeeze=False
        )
        axes = panels[0]
        looks = style.looks(NAMES)
        for case, ax in zip(self.cases, axes, strict=True):
            for protocol in NAMES:
                look = looks[protocol]
                for percentile, width in ((50, 0.7), (95, 1.4)):
                    rows = table.where(case=case, protocol=protocol, percentile=percentile)
                    places = numpy.unique(rows["place"])
                    of_class = [rows.where(place=at)["slowdown"] for at in places]
                    found = [Interval.of(values, minimum=1) for values in of_class]
                    name = look.title if percentile == 95 else ""
                    with_bars(ax, places, found, color=look.colour, linewidth=width, label=name)
                    known = rows.where(seed=rows["seed"].min())
                    ax.plot(known["place"], known["published"], "o", mfc="none", color=look.colour)
            scales.logarithmic(ax, "y", "slowdown" if ax is axes[0] else "", "")
            ax.set_xlabel(f"flows by size (%), at a load of {case}")
            ax.set_xticks(range(len(TITLES)), [f"{top}" for top in CLASSES[1:]])
        style.legend(axes[0])
        return figure


def _slowdowns(flows: Frame) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Sizes and slowdowns of the measured flows of Hadoop; infinite for one that did not finish."""
    hadoop = numpy.char.startswith(flows["group"].astype(str), "hadoop")
    chosen = flows["measured"] & hadoop
    sizes = flows["size_bytes"][chosen]
    links = numpy.char.count(flows["path"][chosen].astype(str), ">")
    took = numpy.nan_to_num(flows["acknowledged_ns"][chosen], nan=numpy.inf)
    return sizes, numpy.maximum(took / alone_ns(sizes, links), 1)


def by_rank(sizes: numpy.ndarray, slowdown: numpy.ndarray) -> dict[tuple[int, int], float]:
    """By percentile and class: the mean over the class of that percentile among each hundredth of
    the flows in order of size.
    """
    in_order = slowdown[numpy.lexsort((slowdown, sizes))]
    hundredths = numpy.array_split(in_order, 100)
    return {
        (percentile, place): float(
            numpy.mean(
                [
                    numpy.percentile(part, percentile, method="higher")
                    for part in hundredths[low:high]
                ]
            )
        )
        for percentile in PERCENTILES
        for place, (low, high) in enumerate(pairwise(CLASSES))
    }


def same(table: Frame, case: str) -> list[Claim]:
    """Claims that each protocol has the published slowdowns."""
    return [
        everywhere(
            f"{style.look(protocol).title} at a load of {case}: median and 95th percentile of the "
            "slowdown over the published ones",
            "1",
            _beside_published(table.where(protocol=protocol, case=case)),
            low=ALIKE[0],
            high=ALIKE[1],
        )
        for protocol in NAMES
    ]


def shorter(table: Frame, cases: Mapping[str, Case], published: str) -> Claim:
    """The claim that small flows take longer under DCTCP."""
    own, other = (tail_of_small(table, protocol) for protocol in NAMES)
    return everywhere(
        "flows of up to 7 kB take longer under DCTCP: 95th percentile of its slowdown over HPCC's",
        published,
        {f"at {case}": ratio(other.where(case=case), own.where(case=case)) for case in cases},
        low=1,
    )


def tail_of_small(table: Frame, protocol: str) -> Frame:
    """The 95th percentiles of flows of up to 7 kB."""
    return table.where(protocol=protocol, percentile=95, place=0)


def _beside_published(table: Frame) -> dict[str, Interval]:
    return {
        f"in the {percentile}th percentile, flows {title}": Interval.of(
            rows["slowdown"] / rows["published"]
        )
        for percentile in PERCENTILES[:2]
        for place, title in enumerate(TITLES)
        for rows in [table.where(percentile=percentile, place=place)]
        # A short run ends before the largest flows.
        if numpy.isfinite(rows["slowdown"]).all()
    }


def ratio(own: Frame, other: Frame) -> Interval:
    return Interval.of(own["slowdown"] / other["slowdown"])
