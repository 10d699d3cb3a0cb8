"""What Ledger gives up for fairness: mean completion time over that of the same flows served by
shortest remaining processing time first (SRPT), which is the least possible on one link, by class
of sizes. Beside it are max-min fairness, which Ledger aims at, and RCP with both settings of
[own-places](#own-places). SRPT and max-min fairness are fluid: they know the flows at once, and
have no packets or queues.

From left to right: Pareto sizes (mean 30 packets, shape 1.2) over 150 Mb/s with a round trip of 100
ms, at loads of 0.7 and 0.95; and sizes of a web search cluster (a mean of 1.7 MB) over 1 Gb/s with
20 ms, at a load of 0.7. Buffers are a bandwidth-delay product. Ten seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from .. import places
from ..claim import Claim, everywhere
from ..closeness import CLASSES, CLOSE, EDGES, ratios, seconds_or_age
from ..drawing import clusters
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET
from ..rows import frame
from ..scale import Scale
from ..traffic import flow_group
from .beside import NEAR
from .systems import LEDGER, SETTINGS, SYSTEMS, look, simulate

FAIR = "max-min"
NAMES = (LEDGER, *SETTINGS)
#: Expected flows of a run at the quick and the full scale.
FLOWS = (1_500, 6_000)
#: The web search: capacity, round trip, the mean size of the workload, and flows of a run.
WEB_BPS, WEB_RTT_S, WEB_BYTES, WEB_FLOWS = 1e9, 0.02, 1.71e6, (150, 400)


@dataclass(frozen=True)
class Case:
    """A link with its flows."""

    title: str
    load: float
    web: bool = False

    def scenario(self, scale: Scale) -> Scenario:
        """With both ideals."""
        ideals: dict[str, Any] = {"ideals": ["srpt", "max_min"], "transport": {}}
        if not self.web:
            return places.place(scale.pick(*FLOWS), load=self.load, **ideals)
        group = flow_group("web", poisson={"load": self.load, "sizes": {"workload": "websearch"}})
        return places.place(
            scale.pick(*WEB_FLOWS),
            capacity=WEB_BPS,
            rtt=WEB_RTT_S,
            load=self.load,
            mean_packets=WEB_BYTES / PACKET,
            group=[group],
            **ideals,
        )


CASES = {
    "at a load of 0.7": Case("load 0.7", 0.7),
    "at a load of 0.95": Case("load 0.95", 0.95),
    "of web search": Case("web search", 0.7, web=True),
}

Key = tuple[str, str]


def run(scale: Scale) -> dict[Key, Results]:
    """By case and system, with the same flows of a case."""
    return {
        (at, name): simulate(
            scale, SYSTEMS[name], case.scenario(scale), f"own-srpt/{number}-{place}"
        )
        for place, (at, case) in enumerate(CASES.items())
        for number, name in enumerate(NAMES)
    }


def table(runs: dict[Key, Results]) -> Frame:
    """A row for each case, system or max-min fairness, seed and class, and of all sizes, which is
    the class 0."""
    rows: list[dict[str, Any]] = []
    for (at, name), results in runs.items():
        for seed in results.seeds:
            rows += _rows(results, results.protocols[0], seed, case=at, system=name)
            if name == LEDGER:
                rows += _rows(results, "max_min", seed, case=at, system=FAIR)
    return frame(rows)


def _rows(results: Results, name: str, seed: int, **of: Any) -> Iterator[dict[str, Any]]:
    (index, sizes, took), (same, _, least) = (
        _measured(results.flows(each, seed)) for each in (name, "srpt")
    )
    if not numpy.array_equal(index, same):
        raise ValueError(f"{name} and srpt have other flows")
    place = numpy.digitize(sizes, EDGES) - 1
    classes = {size: place == number for number, size in enumerate(CLASSES)}
    for size, these in ({0: place >= 0} | classes).items():
        if these.any():
            ratio = float(took[these].mean() / least[these].mean())
            yield of | {"seed": seed, "size_from": size, "ratio": ratio}


def _measured(flows: Frame) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """The number of each measured flow in its group, in order, its packets and its seconds."""
    order = numpy.argsort(flows["index"])
    order = order[flows["measured"][order]]
    packets = flows["size_bytes"] / PACKET
    return flows["index"][order], packets[order], seconds_or_age(flows)[order]


def check(table: Frame) -> list[Claim]:
    """Claims about Ledger beside SRPT, and beside max-min fairness."""
    own, fair = (table.where(system=name) for name in (LEDGER, FAIR))
    points = {
        f"{at}, {title} packets": {"case": at, "size_from": size}
        for at in CASES
        for size, title in CLASSES.items()
        if len(own.where(case=at, size_from=size))
    }
    whole = {at: {"case": at, "size_from": 0} for at in CASES}
    says = "mean completion time over that under SRPT"
    return [
        everywhere(
            f"Ledger's flows on average take little longer than under SRPT: {says}",
            "not stated",
            {at: Interval.of(own.where(**of)["ratio"]) for at, of in whole.items()},
            high=NEAR,
        ),
        everywhere(
            f"so do flows of every size: {says}",
            "not stated",
            {at: Interval.of(own.where(**of)["ratio"]) for at, of in points.items()},
            high=CLOSE,
        ),
        everywhere(
            "beside max-min fairness they take little longer: mean completion time over max-min's",
            "not stated",
            {
                at: Interval.of(own.where(**of)["ratio"] / fair.where(**of)["ratio"])
                for at, of in points.items()
            },
            high=NEAR,
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each case, a cluster for each class."""
    figure, axes = pyplot.subplots(1, len(CASES), figsize=(7, 3), sharey=True)
    looks: dict[str, dict[str, Any]] = {name: look(name) for name in NAMES}
    looks[FAIR] = {"color": style.GREY, "marker": "D", "label": FAIR}
    for ax, (at, case) in zip(axes, CASES.items(), strict=True):
        rows = table.where(case=at)
        sizes = [size for size in CLASSES if size in rows["size_from"]]
        found = {
            name: [Interval.of(rows.where(system=name, size_from=size)["ratio"]) for size in sizes]
            for name in (FAIR, *NAMES)
        }
        # Two lines for the names of classes, which are long.
        clusters(ax, [CLASSES[size].replace(" to ", "\nto ") for size in sizes], found, looks)
        ax.set(title=case.title, xlabel="packets")
    for ax in axes:
        ratios(ax)
    axes[0].set_ylabel("time / SRPT's")
    style.legend_above(figure, axes[0], columns=4)
    return figure


FIGURE = Figure(
    id="own-srpt",
    title="What Ledger gives up for fairness, beside shortest remaining first",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
