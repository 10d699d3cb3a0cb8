"""100 long flows whose round trips spread as on the Internet, on a link of 100 Mb/s with a buffer
of 200 ms, and 50 in the other direction: the distribution of round trips (Figure 5-11), and load
and queue each second (Figure 5-12), under XCP and under TCP Reno with ECN over RED.

The thesis takes round trips from a measurement at the San Diego Supercomputer Center that is
published as a drawing only. Ours are a stand-in: quantiles of a log-normal distribution with a
median of 80 ms and a tenth of the flows above 200 ms, since "most flows have an RTT < 200 ms".
They are 13 to 505 ms. Flows start at random in the first 20 s, hosts are as ns-2's of the time.
RED's thresholds are one and two thirds of the buffer (5.1). Load is what arrives, with what is
dropped. Drawn is the first of four seeds; claims are about 30 s to 100 s.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot
from scipy import stats

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET, bottleneck, link_metrics, samples
from ..rows import by_seed, frame
from ..scale import Scale
from . import over_time
from .axis import SEEDS
from .bottleneck import ACCESS, Place, bytes_of, seconds
from .claims import OPTIMAL
from .comparison import SYSTEMS, look

FLOWS, BACK = 100, 50
MEDIAN_S, TENTH_ABOVE_S = 0.08, 0.2
PLACE = Place(100e6, MEDIAN_S, buffer=0.2)
STARTS_S, WARM_UP_S, STOP_S, QUICK_STOP_S = 20.0, 30.0, 100.0, 40.0
COMPARED = ("XCP", "RED")
#: The part of packets dropped that is "virtually zero". The thesis has no number.
VIRTUALLY = 1e-4


def round_trips(count: int) -> numpy.ndarray:
    """Quantiles of the stand-in distribution, in seconds, in order.

    >>> round_trips(3).round(3)
    array([0.04, 0.08, 0.16])
    """
    sigma = numpy.log(TENTH_ABOVE_S / MEDIAN_S) / stats.norm.ppf(0.9)
    middles = (numpy.arange(count) + 0.5) / count
    return numpy.asarray(MEDIAN_S * numpy.exp(sigma * stats.norm.ppf(middles)))


def run(scale: Scale) -> dict[str, Results]:
    """By system."""
    stop = scale.pick(QUICK_STOP_S, STOP_S)
    return {
        name: scale.run(
            _scenario(name, stop),
            [SYSTEMS[name].protocol],
            name=f"xcp-5-12/{name}",
            seeds=scale.pick(1, SEEDS),
        )
        for name in COMPARED
    }


def _scenario(name: str, stop: float) -> Scenario:
    system = SYSTEMS[name]
    dumbbell = {
        "capacity": f"{PLACE.capacity:.0f} bps",
        "access": f"{ACCESS * PLACE.capacity:.0f} bps",
        "rtt": seconds(MEDIAN_S),
        "bottleneck_delay": "1 ms",
        "buffer": bytes_of(PLACE.buffer_bytes),
        "queue": system.queue(PLACE),
    }
    return Scenario(
        name="spread",
        warm_up=seconds(WARM_UP_S),
        stop=seconds(stop),
        limit=seconds(stop),
        ideals=[],
        topology={"dumbbell": dumbbell},
        group=[
            {
                "name": f"{direction}-{number}",
                "rtt": seconds(rtt),
                "direction": direction,
                "long": {"within": seconds(STARTS_S)},
            }
            for direction, count in (("forward", FLOWS), ("reverse", BACK))
            for number, rtt in enumerate(round_trips(count))
        ],
        metrics=[link_metrics("1 s")],
        **system.settings(PLACE),
    )


def table(runs: dict[str, Results]) -> Frame:
    """A row for each system, seed, quantity and time: samples of load and queue, and at the end
    what the link did in the measured time.
    """
    rows = []
    for name, results in runs.items():
        protocol = SYSTEMS[name].protocol
        for seed in results.seeds:
            link = bottleneck(results, protocol, seed)
            sent, drops = float(link["sent_bytes"][0]) / PACKET, float(link["drops"][0])
            measured = {
                "utilization": float(link["utilization"][0]),
                "mean_queue": float(link["mean_queue_bytes"][0]),
                "drop_rate": drops / (drops + sent),
            }
            found = [
                row
                for quantity in ("load", "queue_bytes")
                for sample in [samples(results, protocol, quantity, seed)]
                for row in over_time.rows(seed, quantity, sample.seconds * 1e9, sample.values)
            ]
            found += [{"seed": seed, "quantity": key, "value": measured[key]} for key in measured]
            rows += [{"system": name} | row for row in found]
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That XCP fills the link, drops nothing, and has the larger queue."""
    return [
        everywhere(
            "XCP's utilization is near the optimum: utilization",
            "close to optimal",
            {"under XCP": Interval.of(_each(table, "XCP", "utilization"))},
            low=OPTIMAL,
        ),
        everywhere(
            "XCP drops virtually nothing: the part of packets dropped",
            "virtually zero",
            {"under XCP": Interval.of(_each(table, "XCP", "drop_rate"))},
            high=VIRTUALLY,
            form=".1e",
        ),
        everywhere(
            "XCP has a larger queue than TCP over RED: its mean over TCP's",
            "a larger average queue",
            {
                "over RED": Interval.of(
                    _each(table, "XCP", "mean_queue") / _each(table, "RED", "mean_queue")
                )
            },
            low=1,
            why=_queues(table),
        ),
    ]


def _each(table: Frame, name: str, quantity: str) -> numpy.ndarray:
    return table.where(system=name, quantity=quantity)["value"]


def _queues(table: Frame) -> str:
    means = {name: _each(table, name, "mean_queue").mean() / PACKET for name in COMPARED}
    return f"mean queues of {means['XCP']:.0f} packets under XCP, {means['RED']:.0f} over RED"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The distribution of round trips, load and queue."""
    figure, panels = pyplot.subplots(3, 1, figsize=(4.6, 5.6))
    rtts = 1e3 * round_trips(FLOWS)
    panels[0].step(rtts, numpy.arange(1, FLOWS + 1) / FLOWS, color=style.GREY, where="post")
    panels[0].set(xlabel="round trip (ms)", ylabel="part of flows", xlim=(0, None), ylim=(0, 1))
    for quantity, ax, size in (("load", panels[1], 1), ("queue_bytes", panels[2], PACKET)):
        for name in COMPARED:
            rows = by_seed(table.where(system=name, quantity=quantity))[0]
            label = "XCP" if name == "XCP" else "TCP over RED, ECN"
            color = look(name)["color"]
            ax.plot(rows["time_s"], rows["value"] / size, color=color, label=label)
        ax.set_xlim(0, rows["time_s"].max())
        ax.set_ylim(bottom=0)
    panels[1].set_ylabel("load")
    panels[2].set(xlabel="time (s)", ylabel="queue (packets)")
    style.legend(panels[1])
    return figure


FIGURE = Figure(
    id="xcp-5-12",
    title="Round trips that spread as on the Internet",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
    also=("xcp-5-11",),
)
