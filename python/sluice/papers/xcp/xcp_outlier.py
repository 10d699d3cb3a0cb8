"""Round trips far above the mean: 45 long flows with a round trip of 10 ms and 5 with a longer one,
up to 3 s, on a link of 150 Mb/s. The control interval is the mean round trip, so that routers
decide several times before they see what the longer flows do. Utilization, 99th percentile of the
queue, and the throughput of the longer flows over that of the others, against the longer round
trip. The buffer is the bandwidth-delay product of the mean round trip. Starts are in the first ten
longer round trips; runs are measured for 60 of them after a warm-up of 40, each at least 20 s.
Means over four seeds; bars are 95 % intervals.
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
from ..link import bottleneck
from ..rows import frame
from ..scale import Scale
from .axis import SEEDS
from .bottleneck import bytes_of, seconds
from .claims import OPTIMAL

CAPACITY = 150e6
MANY, FEW, SHORT_S = 45, 5, 0.01
LONG_S, QUICK = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0), (0.01, 0.1)
LEAST_S = 20.0
#: "Fair": the longer flows have this part of what the others have.
FAIR = 0.9
PANELS = {
    "utilization": "utilization",
    "p99_s": "99th percentile of queue (s)",
    "share": "longer over others",
}


def mean_rtt(rtt: float) -> float:
    """The mean round trip over flows, in seconds, if the longer one is ``rtt``.

    >>> mean_rtt(1.0)
    0.109
    """
    return (MANY * SHORT_S + FEW * rtt) / (MANY + FEW)


def run(scale: Scale) -> dict[float, Results]:
    """By the longer round trip."""
    return {
        rtt: scale.run(
            _scenario(rtt), ["xcp"], name=f"xcp-outlier/{rtt:g}", seeds=scale.pick(1, SEEDS)
        )
        for rtt in scale.pick(QUICK, LONG_S)
    }


def _scenario(rtt: float) -> Scenario:
    warm_up = max(40 * rtt, LEAST_S)
    stop = warm_up + max(60 * rtt, LEAST_S)
    dumbbell = {
        "capacity": f"{CAPACITY:.0f} bps",
        "rtt": seconds(SHORT_S),
        "bottleneck_delay": "1 ms",
        "buffer": bytes_of(CAPACITY * mean_rtt(rtt) / 8),
    }
    return Scenario(
        name="outlier",
        warm_up=seconds(warm_up),
        stop=seconds(stop),
        limit=seconds(stop),
        ideals=[],
        topology={"dumbbell": dumbbell},
        group=[
            {
                "name": name,
                "rtt": seconds(of),
                "long": {"count": count, "within": seconds(10 * rtt)},
            }
            for name, of, count in (("short", SHORT_S, MANY), ("long", rtt, FEW))
        ],
    )


def table(runs: dict[float, Results]) -> Frame:
    """A row for each round trip and seed."""
    rows = []
    for rtt, results in runs.items():
        for seed in results.seeds:
            link, flows = bottleneck(results, "xcp", seed), results.flows("xcp", seed)
            short, long = (
                flows.where(group=group)["delivered_bytes"].mean() for group in ("short", "long")
            )
            rows.append(
                {
                    "rtt_s": rtt,
                    "seed": seed,
                    "utilization": float(link["utilization"][0]),
                    "p99_s": 8 * float(link["p99_queue_bytes"][0]) / CAPACITY,
                    "share": float(long / short),
                    "drops": int(link["drops"][0]),
                }
            )
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That XCP stands such round trips."""
    return [
        everywhere(
            "XCP uses the link: utilization",
            "operates correctly where different flows have substantially different RTTs (5.2.5)",
            _points(table, "utilization"),
            low=OPTIMAL,
            why=_over_mean(table),
        ),
        everywhere(
            "the longer flows have the throughput of the others: theirs over the others'",
            "no bias against long RTT flows (5.2.5)",
            _points(table, "share"),
            low=FAIR,
            high=1 / FAIR,
        ),
        everywhere(
            "nothing is dropped: packets dropped, the most of any seed",
            "not stated",
            {at: Interval.exactly(float(rows["drops"].max())) for at, rows in _rows(table).items()},
            high=0.5,
            form=".0f",
            taken="none in any run",
        ),
    ]


def _over_mean(table: Frame) -> str:
    """How far above the mean the longer round trips are."""
    over = [
        f"{rtt / mean_rtt(rtt):.1f} times at {1e3 * rtt:.0f} ms"
        for rtt in map(float, numpy.unique(table["rtt_s"]))
    ]
    return f"longer round trips are above the mean: {', '.join(over)}"


def _rows(table: Frame) -> dict[str, Frame]:
    return {
        f"at {1e3 * float(rtt):.0f} ms": table.where(rtt_s=float(rtt))
        for rtt in numpy.unique(table["rtt_s"])
    }


def _points(table: Frame, column: str) -> dict[str, Interval]:
    return {at: Interval.of(rows[column]) for at, rows in _rows(table).items()}


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The three measures against the longer round trip."""
    figure, panels = pyplot.subplots(1, 3, figsize=(7, 2.6))
    rtts = numpy.unique(table["rtt_s"])
    for (column, title), ax in zip(PANELS.items(), panels, strict=True):
        found = list(_points(table, column).values())
        with_bars(ax, rtts, found, color=style.COLOURS[0], marker=style.MARKERS[0])
        ax.set_ylabel(title)
        ax.set_ylim(bottom=0)
        scales.logarithmic(ax, "x", "longer round trip", "s")
    return figure


FIGURE = Figure(
    id="xcp-outlier",
    title="Round trips far above the mean",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
