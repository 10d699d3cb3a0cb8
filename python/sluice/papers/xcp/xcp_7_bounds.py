"""Tighter bounds on the control interval against senders that lie about their RTT (section 7.3.2):
all of twenty flows lie, each with a gain from a normal distribution with this mean and a standard
deviation as large, without negative values. Left, lies that a round trip is shorter: utilization
against the mean gain under a minimum control interval of 5 ms, as in the thesis' simulations, of
30 ms, its example of a transatlantic link, and of the round trip without queues. Right, lies that
it is longer: under a maximum of 16 s, the longest that a header states, of 1 s, as in the thesis'
simulations, and of 200 ms, its example of an access link. 20 Mb/s, 80 ms, 20 flows in the other
direction. Means over sixteen draws; bars are 95 % intervals.
"""

from __future__ import annotations

from dataclasses import dataclass

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
from . import cheats
from .bottleneck import seconds
from .cheats import FLOWS, PLACE, SEEDS, gains_of


@dataclass(frozen=True)
class Bound:
    """A bound, by what it is against."""

    #: The parameter.
    parameter: str
    #: Its values in seconds, the loosest first.
    values: tuple[float, ...]
    gains: tuple[float, ...]
    quick: tuple[float, ...]
    #: The gains of the claims: "the degradation is negligible when the declared RTT is within one
    #: order of magnitude of the true RTT" (section 7.5).
    large: tuple[float, ...]
    #: What it is called, and the lies.
    says: str
    lies: str


BOUNDS = {
    "downward": Bound(
        "min_interval",
        (0.005, 0.03, PLACE.rtt),
        (1.0, 3.0, 10.0, 30.0, 100.0),
        (1.0, 30.0),
        (30.0, 100.0),
        "a larger minimum interval",
        "an RTT shorter than the true one",
    ),
    "upward": Bound(
        "max_interval",
        (16.0, 1.0, 0.2),
        (1.0, 0.3, 0.1, 0.03, 0.01),
        (1.0, 0.03),
        (0.03, 0.01),
        "a smaller maximum interval",
        "an RTT longer than the true one",
    ),
}
#: The part of the degradation that is left under the tightest bound.
LEFT = 0.5
#: By kind of lie, bound, gain and seed.
Runs = dict[tuple[str, float, float, int], Results]


def run(scale: Scale) -> Runs:
    """Each bound and gain."""
    return {
        (kind, value, gain, seed): scale.run(
            cheats.scenario(
                "XCP", [{"rtt_gain": each} for each in cheats.normal(gain, FLOWS, seed)]
            ).set({f"xcp.{bound.parameter}": seconds(value)}),
            ["xcp"],
            name=f"xcp-7-bounds/{bound.parameter}-{1000 * value:g}-{gain:g}-{seed}",
            first=seed,
        )
        for kind, bound in BOUNDS.items()
        for value in bound.values
        for gain in scale.pick(bound.quick, bound.gains)
        for seed in range(1, scale.pick(1, SEEDS) + 1)
    }


def table(runs: Runs) -> Frame:
    """A row for each run."""
    return frame(
        [
            {"kind": kind, "bound_s": value, "gain": gain, "seed": seed}
            | cheats.measures(results, "xcp", seed)
            for (kind, value, gain, seed), results in runs.items()
        ]
    )


def check(table: Frame) -> list[Claim]:
    """That the bounds help against large lies."""
    return [claim for kind in BOUNDS for claim in _claims(table, kind)]


def _claims(table: Frame, kind: str) -> list[Claim]:
    bound = BOUNDS[kind]
    loose, *tight = bound.values
    large = [gain for gain in gains_of(table.where(kind=kind)) if gain in bound.large]
    return [
        everywhere(
            f"{bound.says} increases the robustness against {kind} lies: utilization over that "
            f"with {_time(loose)}",
            "more robust",
            {
                f"with {_time(value)} at {gain:g}": Interval.of(
                    _used(table, kind, value, gain) / _used(table, kind, loose, gain)
                )
                for value in tight
                for gain in large
            },
            low=1,
            form=".3f",
        ),
        everywhere(
            f"with {_time(tight[-1])}, less than half of the degradation by {kind} lies is left: "
            f"what is not used of the link, over that with {_time(loose)}",
            "more robust",
            {
                f"at {gain:g}": Interval.of(
                    (1 - _used(table, kind, tight[-1], gain))
                    / (1 - _used(table, kind, loose, gain))
                )
                for gain in large
            },
            high=LEFT,
        ),
    ]


def _time(value: float) -> str:
    return f"{value:g} s" if value >= 1 else f"{1000 * value:g} ms"


def _used(table: Frame, kind: str, value: float, gain: float) -> numpy.ndarray:
    return table.where(kind=kind, bound_s=value, gain=gain)["utilization"]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Utilization against the gain."""
    figure, panels = pyplot.subplots(1, 2, figsize=(7, 2.9), sharey=True)
    for (kind, bound), ax in zip(BOUNDS.items(), panels, strict=True):
        gains = gains_of(table.where(kind=kind))
        for number, value in enumerate(bound.values):
            found = [Interval.of(_used(table, kind, value, gain)) for gain in gains]
            look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
            with_bars(ax, gains, found, label=_time(value), elinewidth=0.7, **look)
        scales.logarithmic(ax, "x", f"gain: {bound.lies}", "")
        style.legend(ax)
    panels[0].set_ylabel("utilization")
    panels[0].set_ylim(bottom=0)
    return figure


FIGURE = Figure(
    id="xcp-7-bounds",
    title="Bounds on the control interval where all flows lie about their RTT",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
