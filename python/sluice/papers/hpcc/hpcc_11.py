"""Slowdown by flow size in a data centre of 320 hosts at 100 Gb/s under HPCC and DCTCP, with
Hadoop's flow sizes: at a load of 30 % with 60-to-1 incasts of 500 kB at 2 % of the capacity (the
paper's (a)), without them, and at a load of 50 % (its (c)). Classes are the 70 % of flows of up to
7 kB, then each 5 % more. Lines are 95th percentiles and, thinner, medians; bars are 95 % intervals
over seeds. Circles are the values that the authors published for the same set-up. For (a) they
published none but the figure in the paper.

Slowdown is theirs: the time until the sender has the last acknowledgement, over that of the flow
alone without telemetry in its packets. As in their simulations connections are open when flows
begin, hosts send packets of their flows in turn, the window is scaled with each acknowledgement
(`max_stage` 0), and DCTCP begins at the rate of the host, is paced, and adds a packet per round
trip without a mark; marks are above 300 kB, and 1.2 MB at 400 Gb/s. Their switches pause senders
(PFC) at full buffers, where ours have 32 MB for each link and drop nothing here. Their HPCC adjusts
a rate of at least 1 Gb/s. DCQCN and TIMELY are not simulated.
"""

from __future__ import annotations

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
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .data_centre import alone_ns, data_centre, hadoop, incasts
from .published import CLASSES, SLOWDOWN

PERCENTILES = (50, 95, 99)
#: Cases: name, load, and whether there are incasts.
CASES: dict[str, tuple[float, bool]] = {
    "30 % and incasts": (0.3, True),
    "30 %": (0.3, False),
    "50 %": (0.5, False),
}
NAMES = ("hpcc", "dctcp")
#: The classes as claims name them.
TITLES = ("up to 70 %", *(f"{low} to {low + 5} %" for low in CLASSES[1:-1]))
#: Bounds for "the same", of our slowdown over the published one, and for "little congestion", of
#: that with incasts over that without. The authors give none.
ALIKE = (0.87, 1.15)
LITTLE = 1.5
#: Seconds: warm-up and end of the time measured. The largest flows take 4 ms.
FULL_S = (1.5e-3, 2.5e-3)
QUICK_S = (0.1e-3, 0.2e-3)


def run(scale: Scale) -> dict[tuple[str, str], Results]:
    """By case and protocol. Incasts are the same with each seed."""
    warm_up, stop = scale.pick(QUICK_S, FULL_S)
    times = {"warm_up": f"{warm_up} s", "stop": f"{stop} s", "limit": scale.pick("0.5 ms", "20 ms")}
    return {
        (case, protocol): scale.run(
            data_centre(
                protocol,
                [hadoop(load), *(incasts(3 * stop) if crowded else [])],
                **times,
            ),
            [protocol],
            name=f"hpcc-11/{number}-{protocol}",
            seeds=scale.pick(1, 3),
        )
        for number, (case, (load, crowded)) in enumerate(CASES.items())
        for protocol in NAMES
    }


def table(runs: dict[tuple[str, str], Results]) -> Frame:
    """A row for each case, protocol, seed, class of sizes and percentile."""
    rows: list[dict[str, Any]] = []
    for (case, protocol), results in runs.items():
        load, crowded = CASES[case]
        for seed in results.seeds:
            found = by_rank(*_slowdowns(results.flows(protocol, seed)))
            for (percentile, place), value in found.items():
                known = None if crowded else SLOWDOWN[protocol, load, percentile][place]
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


def check(table: Frame) -> list[Claim]:
    """Claims about each load beside the published values, DCTCP, and incasts."""
    same = [
        everywhere(
            f"{style.look(protocol).title} at a load of {case}: median and 95th percentile of the "
            "slowdown over the published ones",
            "1",
            _beside_published(table.where(protocol=protocol, case=case)),
            low=ALIKE[0],
            high=ALIKE[1],
        )
        for protocol in NAMES
        for case, (_, crowded) in CASES.items()
        if not crowded
    ]
    tail = table.where(percentile=95, place=0)
    own, other = (tail.where(protocol=protocol) for protocol in NAMES)
    return [
        *same,
        everywhere(
            "flows of up to 7 kB take longer under DCTCP: 95th percentile of its slowdown over "
            "HPCC's",
            "1.7 at 30 %, 2.0 at 50 %",
            {f"at {case}": _ratio(other.where(case=case), own.where(case=case)) for case in CASES},
            low=1,
        ),
        everywhere(
            "incasts cause little congestion under HPCC: 95th percentile of the slowdown of flows "
            "of up to 7 kB over that without incasts",
            "little congestion even under large-scale incasts",
            {"at 30 %": _ratio(own.where(case="30 % and incasts"), own.where(case="30 %"))},
            high=LITTLE,
        ),
    ]


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


def _ratio(own: Frame, other: Frame) -> Interval:
    return Interval.of(own["slowdown"] / other["slowdown"])


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each case."""
    figure, axes = pyplot.subplots(1, len(CASES), figsize=(7, 2.8), sharey=True)
    looks = style.looks(NAMES)
    for (case, _), ax in zip(CASES.items(), axes, strict=True):
        for protocol in NAMES:
            look = looks[protocol]
            for percentile, width in ((50, 0.7), (95, 1.4)):
                rows = table.where(case=case, protocol=protocol, percentile=percentile)
                places = numpy.unique(rows["place"])
                found = [Interval.of(rows.where(place=at)["slowdown"]) for at in places]
                name = look.title if percentile == 95 else ""
                with_bars(ax, places, found, color=look.colour, linewidth=width, label=name)
                known = rows.where(seed=rows["seed"].min())
                ax.plot(known["place"], known["published"], "o", mfc="none", color=look.colour)
        scales.logarithmic(ax, "y", "slowdown" if ax is axes[0] else "", "")
        ax.set_title(f"load of {case}")
        ax.set_xlabel("flows by size (%)")
        ax.set_xticks(range(len(TITLES)), [f"{top}" for top in CLASSES[1:]])
    style.legend(axes[0])
    return figure


FIGURE = Figure(
    id="hpcc-11",
    title="Slowdown by flow size in a data centre, with and without incasts: HPCC and DCTCP",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
