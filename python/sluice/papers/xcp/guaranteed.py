"""The guaranteed bandwidth service (section 6.4): flows that ask for a profile beside best-effort
flows, over the bottleneck of Figure 5-1.

Links give strict priority to guaranteed traffic, whose queue is the G-queue, and run a law over
each class: admission control, and XCP over what guaranteed traffic leaves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ..link import bottleneck, link_metrics, samples
from ..rows import frame
from ..scale import Scale
from . import over_time
from .bottleneck import ACCESS, Settings, bytes_of, seconds
from .comparison import SENDER
from .systems import NS2

CAPACITY, RTT = 10e6, 0.08
#: "Each guaranteed service flow asks for 15% of the capacity of the bottleneck."
PART = 0.15
PROFILE = PART * CAPACITY
#: G: "The maximum reserved bandwidth G is set to 80% of the link capacity."
LIMIT = 0.8
#: The most flows that it holds.
MOST = 5
BEST_EFFORT = 10
#: T_e, which the thesis leaves open: the default.
INTERVAL_S = 0.3
SEEDS = 10
#: Best-effort traffic is class 0, guaranteed traffic class 1.
QUEUE: Settings = {"priority": {}}
LAWS = ["xcp", "xcp_guaranteed"]
#: What a flow with a profile is, beside its name, ends and traffic.
GUARANTEED: Settings = {"protocol": "xcp_guaranteed", "class": 1}
#: Quantities at the bottleneck, and their names in samples.
SAMPLED = {
    "reserved": "class_1_R_g",
    "used": "class_1_R_u",
    "queue": "class_0_bytes",
    "g_queue": "class_1_bytes",
}
#: Intervals of throughput and utilization.
BIN_S = 0.2
#: Time between samples of the bottleneck: packets of a profile are 5.33 ms apart, and every 10 ms
#: each eighth sample would see the same phase of them.
SAMPLE_S = 0.00625
#: One of this many samples of a queue is drawn.
DRAWN = 6


@dataclass(frozen=True)
class Request:
    """A flow that asks for a profile soon after the first of these times, and stops at the
    second.
    """

    start: float
    stop: float


@dataclass(frozen=True)
class Service:
    """Requests beside best-effort flows over the bottleneck."""

    #: The name of runs.
    folder: str
    requests: Sequence[Request]
    stop: float
    #: Requests come within this time. Where they are far apart, an interval of estimates, so that
    #: seeds draw when in an interval they come.
    within: float = INTERVAL_S
    #: How the applications of guaranteed flows pause.
    pauses: Settings | None = None
    #: How they differ from the defaults.
    parameters: Settings = field(default_factory=dict)

    def run(self, scale: Scale) -> Results:
        """With samples of the bottleneck and of each guaranteed flow."""
        return scale.run(self.scenario(), ["xcp"], name=self.folder, seeds=scale.pick(1, SEEDS))

    def scenario(self) -> Scenario:
        """Its groups are ``best-effort`` and ``guaranteed-N``."""
        settings: Settings = {
            "transport": NS2,
            "xcp": SENDER,
            "xcp_guaranteed": self.parameters,
        }
        pauses = {"pauses": self.pauses} if self.pauses else {}
        groups = [
            {
                "name": f"guaranteed-{number}",
                "from": "s1",
                "to": "d1",
                "profile": f"{PROFILE:.0f} bps",
                "long": {
                    "start": seconds(each.start),
                    "within": seconds(self.within),
                    "stop": seconds(each.stop),
                }
                | pauses,
            }
            | GUARANTEED
            for number, each in enumerate(self.requests)
        ]
        names = ("best-effort", *(each["name"] for each in groups))
        return Scenario(
            name="guaranteed",
            stop=seconds(self.stop),
            limit=seconds(self.stop),
            ideals=[],
            topology={
                "dumbbell": {
                    "pairs": 2,
                    "capacity": f"{CAPACITY:.0f} bps",
                    "access": f"{ACCESS * CAPACITY:.0f} bps",
                    "rtt": seconds(RTT),
                    "buffer": bytes_of(CAPACITY * RTT / 8),
                    "queue": QUEUE,
                    "router": LAWS,
                }
            },
            group=[
                {
                    "name": "best-effort",
                    "from": "s0",
                    "to": "d0",
                    "long": {"count": BEST_EFFORT, "within": seconds(RTT)},
                },
                *groups,
            ],
            metrics=[
                link_metrics(seconds(SAMPLE_S)),
                *({"group": name, "every": seconds(BIN_S)} for name in names),
            ],
            **settings,
        )

    def table(self, results: Results) -> Frame:
        """Quantities over time: those of :data:`SAMPLED`, ``utilization``, the throughput of each
        group, ``drops`` of the bottleneck, and ``committed``: the sum of the profiles of the flows
        that were admitted and run, where those that were denied send nothing.
        """
        return frame(self.rows(results))

    def rows(self, results: Results) -> list[dict[str, Any]]:
        """The rows of :meth:`table`."""
        return [
            row
            for seed in results.seeds
            for row in (*self._link_rows(results, seed), *self._flow_rows(results, seed))
        ]

    def _link_rows(self, results: Results, seed: int) -> list[dict[str, Any]]:
        rows = [
            row
            for row in over_time.link_rows(results, "xcp", seed, CAPACITY, BIN_S)
            if row["quantity"] == "utilization"
        ]
        for quantity, name in SAMPLED.items():
            found = samples(results, "xcp", name, seed)
            rows += over_time.rows(seed, quantity, 1e9 * found.seconds, found.values)
        drops = bottleneck(results, "xcp", seed)["drops"].astype(float)
        return rows + over_time.rows(seed, "drops", numpy.zeros(1), drops)

    def _flow_rows(self, results: Results, seed: int) -> list[dict[str, Any]]:
        rows = []
        series = results.series("xcp", seed)
        flows = results.flows("xcp", seed)
        starts = dict(zip(flows["group"], flows["start_ns"] / 1e9, strict=False))
        admitted = []
        for number, request in enumerate(self.requests):
            group = f"guaranteed-{number}"
            found = series.where(group=group, quantity="throughput_bps")
            if found["value"].any():
                admitted.append(Request(starts[group], request.stop))
            rows += over_time.rows(seed, group, found["time_ns"], found["value"])
        found = series.where(group="best-effort", quantity="throughput_bps")
        rows += over_time.rows(seed, "best-effort", found["time_ns"], found["value"])
        if self.parameters.keys() & {"denied", "retry"}:
            # Then throughput does not show who was admitted.
            return rows
        times = samples(results, "xcp", SAMPLED["reserved"], seed).seconds
        running = [(each.start <= times) & (times < each.stop) for each in admitted]
        committed = PROFILE * numpy.sum(running, axis=0) if running else numpy.zeros(len(times))
        return rows + over_time.rows(seed, "committed", 1e9 * times, committed)


def run_each(services: Mapping[str, Service], scale: Scale) -> dict[str, Results]:
    """The runs of each service."""
    return {name: service.run(scale) for name, service in services.items()}


def table_of(services: Mapping[str, Service], runs: Mapping[str, Results]) -> Frame:
    """The rows of each service, with its name as ``system``."""
    return frame(
        [
            {"system": name} | row
            for name, results in runs.items()
            for row in services[name].rows(results)
        ]
    )


def of(rows: Frame, quantity: str, since: float = 0.0, until: float = numpy.inf) -> numpy.ndarray:
    """The values of a quantity of a run in a part of its time."""
    found = rows.where(quantity=quantity)
    return found["value"][(found["time_s"] >= since) & (found["time_s"] < until)]


def admitted(rows: Frame, count: int) -> list[bool]:
    """Which of the requests of a run, ``count`` in all, were admitted."""
    return [bool(of(rows, f"guaranteed-{number}").any()) for number in range(count)]


def settled(rows: Frame, *, after: float, since: float, until: float) -> numpy.ndarray:
    """R_g over what is committed, less 1, at the times of a run at which something is, and no
    reservation began or ended within the last ``after`` seconds.
    """
    times = rows.where(quantity="reserved")["time_s"]
    committed = of(rows, "committed")
    error = of(rows, "reserved") / numpy.where(committed > 0, committed, numpy.inf) - 1
    changes = times[1:][numpy.diff(committed) != 0]
    last = numpy.searchsorted(changes, times, side="right")
    ago = numpy.where(last > 0, times - numpy.append(changes, 0)[last - 1], numpy.inf)
    chosen = (ago >= after) & (times >= since) & (times < until) & (committed > 0)
    return error[chosen]


def throughputs(
    rows: Frame, requests: Sequence[Request], *, after: float, until: float
) -> Mapping[int, float]:
    """Mean throughput over the profile of each flow of a run that was admitted, from ``after``
    seconds after its request.
    """
    return {
        number: float(of(rows, f"guaranteed-{number}", each.start + after, until).mean()) / PROFILE
        for number, each in enumerate(requests)
        if of(rows, f"guaranteed-{number}").any()
    }


def lines(ax: Axes, rows: Frame, labels: Mapping[str, str]) -> None:
    """Quantities of a run over time; bandwidths as parts of the capacity."""
    for number, (quantity, label) in enumerate(labels.items()):
        found = rows.where(quantity=quantity)
        unit = 1.0 if quantity == "utilization" else CAPACITY
        color = style.COLOURS[number]
        ax.plot(found["time_s"], found["value"] / unit, color=color, linewidth=0.8, label=label)
    ax.set_ylabel("part of the capacity")
    ax.set_ylim(0, 1.1)
