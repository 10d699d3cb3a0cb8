"""Flows that another link limits: utilization of a link of 100 Mb/s that one or ten long flows
could fill, beside up to 30 flows which a later link limits to 10 Mb/s together. XCP with the
thesis' gamma of 0.1 and with 0.02; lines are the equilibrium that Low, Andrew and Wydrowski derive
from the law (INFOCOM 2005). The round trip is 80 ms for all, buffers are a bandwidth-delay product.
Means over four seeds; bars are 95 % intervals.

Each round trip the fairness controller moves a tenth of the traffic from flows with more to flows
with less. Limited flows do not take what is given to them, so that a part of it is lost, up to a
fifth of the link: "at least 80 %". A smaller gamma loses less; [xcp-newcomer](#xcp-newcomer) shows
its price. A free flow gets there slowly: limited flows get as much of the spare bandwidth as it
does, so that it approaches the equilibrium with a time constant of (F + L) / alpha round trips, 6 s
beside 30 flows. The measurement is from 40 s to 60 s.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .axis import SEEDS
from .bottleneck import Settings
from .equilibrium import ALPHA, utilization

CAPACITY, NARROW = 100e6, 10e6
LIMITED, QUICK = (1, 3, 10, 30), (3, 30)
FREE = (1, 10)
GAMMAS = (0.1, 0.02)
WARM_UP_S, STOP_S = 40, 60
#: By number of free flows, of limited ones, and gamma.
Runs = dict[tuple[int, int, float], Results]


def run(scale: Scale) -> Runs:
    """Each combination."""
    return {
        (free, limited, gamma): scale.run(
            _scenario(free, limited, gamma),
            ["xcp"],
            name=f"xcp-elsewhere/{free}-{limited}-{gamma:g}",
            seeds=scale.pick(1, SEEDS),
        )
        for gamma in GAMMAS
        for free in FREE
        for limited in scale.pick(QUICK, LIMITED)
    }


def _scenario(free: int, limited: int, gamma: float) -> Scenario:
    def link(start: str, end: str, capacity: float) -> Settings:
        return {"from": start, "to": end, "capacity": f"{capacity:.0f} bps", "delay": "20 ms"}

    return Scenario(
        name="elsewhere",
        protocols=["xcp"],
        warm_up=f"{WARM_UP_S} s",
        stop=f"{STOP_S} s",
        limit=f"{STOP_S} s",
        ideals=[],
        topology={
            "link": [
                link("a", "b", CAPACITY),
                link("b", "c", NARROW),
                link("b", "d", 10 * CAPACITY),
            ]
        },
        xcp={"gamma": gamma},
        group=[
            {"name": name, "from": "a", "to": to, "long": {"count": count, "within": "2 s"}}
            for name, to, count in (("free", "d", free), ("limited", "c", limited))
        ],
    )


def table(runs: Runs) -> Frame:
    """A row for each combination and seed: utilization of the shared link, by packets and by the
    equilibrium, and the throughput of a free flow over its max-min fair share.
    """
    rows = []
    for (free, limited, gamma), results in runs.items():
        for seed in results.seeds:
            links, flows = results.links("xcp", seed), results.flows("xcp", seed)
            shared, narrow = (
                float(links.where(**{"from": start, "to": end})["utilization"][0])
                for start, end in (("a", "b"), ("b", "c"))
            )
            rate = narrow * NARROW / CAPACITY / limited
            delivered = 8 * flows.where(group="free")["delivered_bytes"].sum()
            fair = max((1 - NARROW / CAPACITY) / free, 1 / (free + limited))
            rows.append(
                {
                    "free": free,
                    "limited": limited,
                    "gamma": gamma,
                    "seed": seed,
                    "utilization": shared,
                    "equilibrium": utilization(free, limited, rate, gamma=gamma),
                    "share": delivered / (STOP_S - WARM_UP_S) / CAPACITY / free / fair,
                }
            )
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That packets follow the equilibrium, which is not max-min fair."""
    thesis, small = GAMMAS
    return [
        everywhere(
            "packets follow the equilibrium: utilization over that of the equilibrium",
            "not stated (Low, Andrew and Wydrowski, 2005)",
            {
                f"{_words(free, limited)}, gamma {gamma:g}": Interval.of(
                    rows["utilization"] / rows["equilibrium"]
                )
                for gamma in GAMMAS
                for free, limited, rows in _points(table, gamma)
            },
            low=0.98,
            high=1.02,
            form=".3f",
        ),
        everywhere(
            "XCP uses at least 80 % of the link: utilization",
            "at least 80 % (Low, Andrew and Wydrowski, 2005)",
            {
                _words(free, limited): Interval.of(rows["utilization"])
                for free, limited, rows in _points(table, thesis)
            },
            low=0.8,
        ),
        everywhere(
            "XCP is max-min fair: throughput of a free flow over its max-min fair share",
            "converge to optimal efficiency and max-min fairness (chapter 4)",
            {
                _words(free, limited): Interval.of(rows["share"])
                for free, limited, rows in _points(table, thesis)
            },
            low=0.95,
        ),
        everywhere(
            f"with a gamma of {small} it is nearly so: throughput of a free flow over its max-min "
            "fair share",
            "not stated",
            {
                _words(free, limited): Interval.of(rows["share"])
                for free, limited, rows in _points(table, small)
            },
            low=(ALPHA / (ALPHA + small) - NARROW / CAPACITY) / (1 - NARROW / CAPACITY) - 0.01,
            taken="above what the least utilization of the equilibrium leaves, less 0.01",
        ),
    ]


def _points(table: Frame, gamma: float) -> list[tuple[int, int, Frame]]:
    return [
        (free, int(limited), table.where(free=free, limited=int(limited), gamma=gamma))
        for free in FREE
        for limited in numpy.unique(table["limited"])
    ]


def _words(free: int, limited: int) -> str:
    return f"with {free} free and {limited} limited"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Utilization against the number of limited flows; a panel for each number of free ones."""
    figure, panels = pyplot.subplots(1, len(FREE), figsize=(7, 2.8), sharey=True)
    for free, ax in zip(FREE, panels, strict=True):
        _panel(ax, table, free)
        ax.set_title("one free flow" if free == 1 else f"{free} free flows")
        scales.logarithmic(ax, "x", "limited flows", "")
    panels[0].set_ylabel("utilization")
    style.legend_above(figure, panels[0], columns=2)
    return figure


def _panel(ax: Axes, table: Frame, free: int) -> None:
    limited = numpy.unique(table["limited"])
    for number, gamma in enumerate(GAMMAS):
        rows = [table.where(free=free, limited=int(each), gamma=gamma) for each in limited]
        found = [Interval.of(each["utilization"]) for each in rows]
        color, marker = style.COLOURS[number], style.MARKERS[number]
        label = f"gamma {gamma:g}"
        with_bars(ax, limited, found, label=label, color=color, marker=marker, linestyle="none")
        line = [each["equilibrium"].mean() for each in rows]
        ax.plot(limited, line, color=color, linewidth=0.9, label=f"{label}, equilibrium")


FIGURE = Figure(
    id="xcp-elsewhere",
    title="Flows that another link limits",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
