"""TCP and XCP at one bottleneck: mixtures of their flows, the routers that divide it, and rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...results import Results
from ...scenario import Scenario
from ..link import PACKET, Samples, link_metrics, samples
from ..scale import Scale
from .bottleneck import ACCESS, Place, Settings, bytes_of, seconds
from .disciplines import queue
from .systems import ns2_hosts

CAPACITY, RTT_S = 45e6, 0.04
PLACE = Place(CAPACITY, RTT_S)
WITHIN_S, WARM_UP_S, STOP_S = 4.0, 30.0, 90.0
SEEDS = 7
#: TCP's senders whose windows are sampled.
SAMPLED = 3
#: The router law runs over everything, or over the class of XCP.
EVERYTHING, CLASSES = "xcp", [False, "xcp"]


@dataclass(frozen=True)
class Mixture:
    """Numbers of long flows."""

    tcp: int
    other: int

    @property
    def fair(self) -> float:
        """The fair share of a flow, in bit/s."""
        return CAPACITY / (self.tcp + self.other)

    def __str__(self) -> str:
        return f"{self.tcp} TCP and {self.other} XCP"


MIXTURES = (Mixture(3, 30), Mixture(15, 30), Mixture(30, 30), Mixture(30, 15), Mixture(30, 3))
QUICK = (MIXTURES[0], MIXTURES[2], MIXTURES[4])


@dataclass(frozen=True)
class Router:
    """How the bottleneck is divided between TCP and another protocol."""

    folder: str
    #: The router's queues.
    queues: str = "tcp_friendly"
    laws: Any = EVERYTHING
    other: str = "xcp"
    #: What the weights make equal, and the equation for TCP's window.
    balance: str = "windows"
    tcp_window: str = "printed"
    #: RED's thresholds, in packets; by default the thesis', a third and two thirds of the buffer.
    thresholds: tuple[int, int] | None = None

    def scenario(self, mixture: Mixture) -> Scenario:
        """The topology of Figure 5-1 with these flows, which start in the first 100 round trips."""
        numbers = {"tcp": mixture.tcp, self.other: mixture.other}
        return Scenario(
            name="tcp-and-xcp",
            warm_up=seconds(WARM_UP_S),
            stop=seconds(STOP_S),
            limit=seconds(STOP_S),
            ideals=[],
            topology={
                "dumbbell": {
                    "capacity": f"{CAPACITY:.0f} bps",
                    "access": f"{ACCESS * CAPACITY:.0f} bps",
                    "rtt": seconds(RTT_S),
                    "buffer": bytes_of(PLACE.buffer_bytes),
                    "queue": self._queue(),
                    "router": self.laws,
                }
            },
            transport=ns2_hosts(RTT_S),
            tcp={"recovery": "reno"},
            xcp={"balance": self.balance, "tcp_window": self.tcp_window},
            group=[
                {
                    "name": name,
                    "protocol": name,
                    "class": int(name == "xcp" and self.laws == CLASSES),
                    "from": "s0",
                    "to": "d0",
                    "long": {"count": count, "within": seconds(WITHIN_S)},
                }
                for name, count in numbers.items()
            ],
            metrics=[
                link_metrics("100 ms"),
                *(
                    {"flow": {"group": "tcp", "index": index}, "every": "100 ms"}
                    for index in range(min(SAMPLED, mixture.tcp))
                ),
            ],
        )

    def _queue(self) -> Settings:
        """The RED queue of the thesis, for all packets or for those of TCP."""
        red = queue("red", PLACE)
        if self.thresholds:
            least, most = self.thresholds
            thresholds = {"min_th": f"{least} packets", "max_th": f"{most} packets"}
            red = {"red": red["red"] | thresholds}
        return {self.queues: red} if self.queues == "tcp_friendly" else red


ONE_QUEUE = "one queue"
EQUAL_WINDOWS, SHORT_QUEUE = "equal windows", "short queue"
RFC_WINDOWS, EQUAL_THROUGHPUTS = "RFC 5348", "equal throughputs"
TFRC = "TFRC, one queue"
ROUTERS = {
    EQUAL_WINDOWS: Router("windows", laws=CLASSES),
    RFC_WINDOWS: Router("rfc5348", laws=CLASSES, tcp_window="rfc5348"),
    SHORT_QUEUE: Router("short", laws=CLASSES, thresholds=(5, 15)),
    EQUAL_THROUGHPUTS: Router(
        "throughputs", laws=CLASSES, balance="throughputs", tcp_window="rfc5348"
    ),
    ONE_QUEUE: Router("one-queue", "red"),
    TFRC: Router("tfrc", "red", other="tfrc"),
}
Runs = dict[tuple[str, Mixture], Results]


def run(scale: Scale) -> Runs:
    """Each router with each mixture."""
    return {
        (name, mixture): scale.run(
            router.scenario(mixture),
            ["xcp"],
            name=f"xcp-8-1/{router.folder}-{mixture.tcp}-{mixture.other}",
            seeds=scale.pick(1, SEEDS),
        )
        for name, router in ROUTERS.items()
        for mixture in scale.pick(QUICK, MIXTURES)
    }


def rows(name: str, mixture: Mixture, results: Results) -> Iterator[dict[str, Any]]:
    """Of each seed, the throughputs over the fair share, and what the router saw."""
    for seed in results.seeds:
        flows = results.flows("xcp", seed)
        shares = {
            column: flows.where(group=group)["delivered_bytes"]
            * (8 / (STOP_S - WARM_UP_S) / mixture.fair)
            for column, group in (("tcp", "tcp"), ("other", ROUTERS[name].other))
        }
        yield {
            "system": name,
            "tcp_flows": mixture.tcp,
            "other_flows": mixture.other,
            "seed": seed,
            "tcp": float(shares["tcp"].mean()),
            "other": float(shares["other"].mean()),
            "used": float(
                sum(each.sum() for each in shares.values()) / (mixture.tcp + mixture.other)
            ),
        } | (
            _seen(results, seed, mixture.fair / 8 * float(shares["tcp"].sum()))
            if ROUTERS[name].laws == CLASSES
            else {}
        )


def _seen(results: Results, seed: int, tcp: float) -> dict[str, float]:
    """Means of what a router with two queues has, and of TCP's windows, in bytes and seconds; TCP's
    flows have this throughput, in bytes a second."""

    def mean(of: Samples) -> float:
        return float(of.values[of.seconds > WARM_UP_S].mean())

    def at_link(quantity: str) -> float:
        return mean(samples(results, "xcp", quantity, seed))

    windows = results.series("xcp", seed).where(quantity="cwnd")
    after = windows["time_ns"] / 1e9 > WARM_UP_S
    return {
        "weight": at_link("class_1_w_X"),
        "xcp_window": at_link("class_1_cwnd_X"),
        "tcp_window": at_link("class_1_cwnd_T"),
        "measured_window": float(windows["value"][after].mean()) * PACKET,
        # Little's law.
        "waits": at_link("class_0_bytes") / tcp,
        "xcp_rtt": at_link("class_1_d"),
    }
