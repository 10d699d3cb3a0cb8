"""The ratio of the throughputs of two flows against the ratio of their weights, from 1 to 1000,
under XCP, MulTCP over RED, and TCP over CSFQ and WFQ. TCP has SACK, and over WFQ Reno's recovery as
well. The lighter flow has a weight of 1, and the capacity is such that its share is 100 kb/s;
packets have 100 bytes, so that its window is ten packets with the round trip of 80 ms. Parameters
are those of [xcp-6-1](#xcp-6-1), with a buffer of two bandwidth-delay products for WFQ. Flows start
at random in the first 4 s and are measured from 20 s to 60 s. Means over ten seeds; bars are 95 %
intervals.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

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
from .bottleneck import Place, Settings, seconds
from .weighted import HOSTS, SYSTEMS, folder

SHARE_BPS, RTT_S = 100e3, 0.08
RATIOS = (1, 2, 4, 10, 25, 100, 300, 1000)
QUICK = (1, 10, 100)
SEEDS = 10
WARM_UP_S, STOP_S = 20.0, 60.0
#: "Accurate" is within a fifth of the ratio of weights. The thesis has no number.
ACCURATE = 0.2
#: The ratio of weights up to which the thesis has each system accurate, in its words.
ACCURATE_TO = {
    "MulTCP": (10, "fails when the ratio of the weights is larger than 10"),
    "CSFQ": (4, "becomes inaccurate for weight ratio larger than 4"),
    "WFQ, Reno": (25, "an accurate bandwidth differentiation for weight ratios below 25"),
}
#: By system and ratio.
Runs = dict[tuple[str, int], Results]


def run(scale: Scale) -> Runs:
    """Each system at each ratio of weights."""
    return {
        (name, ratio): scale.run(
            _scenario(name, ratio),
            [system.protocol],
            name=f"xcp-6-2/{folder(name)}-{ratio}",
            seeds=scale.pick(1, SEEDS),
        )
        for name, system in SYSTEMS.items()
        for ratio in scale.pick(QUICK, RATIOS)
    }


def _scenario(name: str, ratio: int) -> Scenario:
    system = SYSTEMS[name]
    place = Place((1 + ratio) * SHARE_BPS, RTT_S)
    dumbbell = {
        "pairs": 2,
        "capacity": f"{place.capacity:.0f} bps",
        "rtt": seconds(RTT_S),
        "buffer": system.buffer(place, 2),
        "queue": system.discipline(place),
    }
    settings: Settings = {"transport": HOSTS, system.protocol: system.parameters}
    return Scenario(
        name="two-weights",
        packet="100 B",
        warm_up=seconds(WARM_UP_S),
        stop=seconds(STOP_S),
        limit=seconds(STOP_S),
        ideals=[],
        protocols=[system.protocol],
        topology={"dumbbell": dumbbell},
        group=[
            {
                "name": group,
                "from": f"s{pair}",
                "to": f"d{pair}",
                system.field: weight,
                "long": {"within": "4 s"},
            }
            for pair, (group, weight) in enumerate({"light": 1, "heavy": ratio}.items())
        ],
        **settings,
    )


def table(runs: Runs) -> Frame:
    """A row for each system, ratio of weights and seed."""
    rows = []
    for (name, ratio), results in runs.items():
        protocol = SYSTEMS[name].protocol
        for seed in results.seeds:
            flows = results.flows(protocol, seed)
            light, heavy = (
                float(flows.where(group=group)["delivered_bytes"][0])
                for group in ("light", "heavy")
            )
            rows.append({"system": name, "weights": ratio, "seed": seed, "ratio": heavy / light})
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That XCP follows weights over three decades, and others do not."""
    ratios = [int(ratio) for ratio in numpy.unique(table["weights"])]
    claims = [
        everywhere(
            "XCP is accurate over three decades of weights: the ratio of throughputs over that "
            "of weights",
            "accurate for a range that spans three orders of magnitude",
            {f"at {ratio}": _over(table, "XCP", ratio) for ratio in ratios},
            low=1 - ACCURATE,
            high=1 + ACCURATE,
        )
    ]
    for name, (last, paper) in ACCURATE_TO.items():
        claims += [
            everywhere(
                f"{name} is accurate up to a ratio of {last}: the ratio of throughputs over that "
                "of weights",
                paper,
                {f"at {ratio}": _over(table, name, ratio) for ratio in ratios if ratio <= last},
                low=1 - ACCURATE,
                high=1 + ACCURATE,
            ),
            _fails_above(table, name, [ratio for ratio in ratios if ratio > last]),
        ]
    return [*claims, _wfq(table, ratios)]


def _wfq(table: Frame, ratios: list[int]) -> Claim:
    return everywhere(
        "WFQ's failure is that of TCP's recovery, and with SACK it is accurate at each ratio: the "
        "ratio of throughputs over that of weights",
        "cannot ramp up quickly after a drop [...] when there are multiple drops from the same "
        "window",
        {f"at {ratio}": _over(table, "WFQ", ratio) for ratio in ratios},
        low=1 - ACCURATE,
        high=1 + ACCURATE,
    )


def _fails_above(table: Frame, name: str, ratios: list[int]) -> Claim:
    return everywhere(
        f"{name} is not accurate above it: the relative error of the ratio of throughputs",
        ACCURATE_TO[name][1],
        {
            f"at {ratio}": Interval.of(numpy.abs(_ratios(table, name, ratio) - 1))
            for ratio in ratios
        },
        low=ACCURATE,
    )


def _ratios(table: Frame, name: str, ratio: int) -> numpy.ndarray:
    return table.where(system=name, weights=ratio)["ratio"] / ratio


def _over(table: Frame, name: str, ratio: int) -> Interval:
    return Interval.of(_ratios(table, name, ratio))


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The ratio of throughputs against the ratio of weights."""
    figure, ax = pyplot.subplots(figsize=(4.6, 3.6))
    ratios = numpy.unique(table["weights"])
    ax.plot(ratios, ratios, color=style.GREY, linestyle=style.DASHES[0], label="by weight")
    for number, name in enumerate(SYSTEMS):
        found = [Interval.of(table.where(system=name, weights=int(r))["ratio"]) for r in ratios]
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        with_bars(ax, ratios, found, label=name, elinewidth=0.7, **look)
    scales.logarithmic(ax, "x", "ratio of weights", "")
    scales.logarithmic(ax, "y", "ratio of throughputs", "")
    style.legend(ax)
    return figure


FIGURE = Figure(
    id="xcp-6-2",
    title="Throughputs of two flows against the ratio of their weights",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
