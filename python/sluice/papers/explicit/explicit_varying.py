"""A link whose capacity varies, the ready scenario
[cellular-steps](../reference/ready-scenarios.md): 12 Mb/s that fall to 2 Mb/s after 10 s of every
20 and return, with an outage of a second, a round trip of 60 ms, a buffer of two bandwidth-delay
products; two long flows and web traffic of 1.2 Mb/s. Laws of routers know the mean capacity of each
of their intervals, as radios do not always. On the left is the utilization against the 99th
percentile of the queue, as time at 12 Mb/s; on the right the mean completion time of the web's
flows. Five seeds; bars are 95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import bars, means
from ..figure import Figure
from ..interval import Interval
from ..link import bottleneck
from ..rows import frame
from ..scale import Scale
from .legend import above
from .systems import EXPLICIT, OTHERS, SYSTEMS, Path, looks

CAPACITY, RTT = 12e6, 0.06
PATH = Path(congested=[("left", "right")], capacity=CAPACITY, rtt=RTT)
LIMIT_S = 120


def run(scale: Scale) -> dict[str, Results]:
    """By system, with the same web traffic."""
    stop = {"stop": f"{scale.pick(30, 110)} s", "limit": f"{LIMIT_S} s", "ideals": []}
    base = Scenario.load("cellular-steps").set(stop)
    return {
        name: scale.run(
            base.set(PATH.settings(system)),
            [system.protocol],
            name=f"explicit-varying/{number}",
            seeds=scale.pick(1, 5),
        )
        for number, (name, system) in enumerate(SYSTEMS.items())
    }


def table(runs: dict[str, Results]) -> Frame:
    """A row for each system and seed."""
    rows = []
    for name, results in runs.items():
        protocol = SYSTEMS[name].protocol
        for seed in results.seeds:
            flows = results.flows(protocol, seed)
            web = flows["measured"] & (flows["kind"] == "sized")
            left = 1e9 * LIMIT_S - flows["start_ns"][web]
            seconds = numpy.fmin(flows["completion_ns"][web], left) / 1e9
            link = bottleneck(results, protocol, seed)
            rows.append(
                {
                    "system": name,
                    "seed": seed,
                    "utilization": float(link["utilization"][0]),
                    "queue_s": float(link["p99_queue_bytes"][0]) * 8 / CAPACITY,
                    "mean_s": float(seconds.mean()),
                    "repeats": float(flows["resent_measured"].sum()),
                }
            )
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """Each explicit law against all others."""
    return [claim for own in EXPLICIT for claim in (_fuller(table, own), _sooner(table, own))]


def _fuller(table: Frame, own: str) -> Claim:
    return everywhere(
        f"more of the link is used under {own} than under each of the others: its utilization over "
        "theirs",
        "not stated",
        _over_others(table, own, "utilization"),
        low=1,
    )


def _sooner(table: Frame, own: str) -> Claim:
    return everywhere(
        f"web flows take less time under {own} than under each of the others: their mean "
        "completion time over theirs",
        "not stated",
        _over_others(table, own, "mean_s"),
        high=1,
    )


def _over_others(table: Frame, own: str, column: str) -> dict[str, Interval]:
    rows = table.where(system=own)
    return {
        f"over {other}": Interval.of(rows[column] / table.where(system=other)[column])
        for other in OTHERS
    }


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Utilization against queue, and times of web flows."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 3.2))
    for number, name in enumerate(SYSTEMS):
        rows = table.where(system=name)
        queue, used, took = (
            [Interval.of(rows[column])] for column in ("queue_s", "utilization", "mean_s")
        )
        look = looks(name)
        left.errorbar(1e3 * means(queue), means(used), bars(used), 1e3 * bars(queue), **look)
        right.errorbar([number], means(took), bars(took), **look)
    left.set(xlabel="99th percentile of the queue (ms at 12 Mb/s)", ylabel="utilization")
    right.set(ylabel="mean time of web flows (s)", ylim=(0, None))
    right.set_xticks(range(len(SYSTEMS)), list(SYSTEMS), rotation=45, ha="right")
    above(figure, left)
    return figure


FIGURE = Figure(
    id="explicit-varying",
    title="A link whose capacity varies",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
