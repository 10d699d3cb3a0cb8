"""Three flows of weights 5, 10 and 15 that transfer 10 MB each over 10 Mb/s, with a round trip of
80 ms: throughput of each under XCP, MulTCP over RED, and TCP over CSFQ and WFQ. TCP has SACK, and
over WFQ Reno's recovery as well, with which several losses in a window end in a time-out; no ECN.
Throughputs are those of 400 ms, five round trips (the thesis has "200 ms (5 RTTs)").

Parameters are those of section 6.3.1: RED w 0.002, p_max 0.1, thresholds of one and two thirds of
the buffer, gentle; CSFQ constants of twice the largest queueing delay, a threshold of 0.4 of the
buffer. The buffer is a bandwidth-delay product, for WFQ three. Hosts are as ns-2's of the time, but
with jitter, which is what differs between seeds. Drawn is the first of eight.

A flow's share is its throughput over that of all three; it is compared with its weight over the sum
of theirs, from 2 s to 10 s.
"""

from __future__ import annotations

from functools import partial

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import by_seed, frame
from ..scale import Scale
from . import over_time
from .bottleneck import Place, Settings, bytes_of, seconds
from .weighted import HOSTS, SYSTEMS, folder

PLACE = Place(10e6, 0.08)
WEIGHTS = (5, 10, 15)
SIZE_BITS = 80e6
BIN_S, LIMIT_S, DRAWN_S = 0.4, 60.0, 35.0
SEEDS = 8
#: Seconds in which shares are compared while all flows run.
TOGETHER = (2.0, 10.0)
#: Seconds after which TCP has recovered from its first losses.
SETTLED_S = 6.0
#: "Proportional" shares are this close, on average over intervals. The thesis has no number.
CLOSE = 0.1
#: "A few RTTs": a second is twelve.
FEW_S = 1.0
OTHERS = ("MulTCP", "CSFQ")


def run(scale: Scale) -> dict[str, Results]:
    """By system."""
    return {
        name: scale.run(
            _scenario(name),
            [system.protocol],
            name=f"xcp-6-1/{folder(name)}",
            seeds=scale.pick(1, SEEDS),
        )
        for name, system in SYSTEMS.items()
    }


def _scenario(name: str) -> Scenario:
    system = SYSTEMS[name]
    dumbbell = {
        "pairs": len(WEIGHTS),
        "capacity": f"{PLACE.capacity:.0f} bps",
        "rtt": seconds(PLACE.rtt),
        "buffer": system.buffer(PLACE, len(WEIGHTS)),
        "queue": system.discipline(PLACE),
    }
    # The next flow would start after the end.
    once = {"every": "1000 s", "sizes": {"fixed": bytes_of(SIZE_BITS / 8)}}
    settings: Settings = {"transport": HOSTS, system.protocol: system.parameters}
    return Scenario(
        name="weights",
        stop=seconds(LIMIT_S),
        limit=seconds(LIMIT_S),
        ideals=[],
        protocols=[system.protocol],
        topology={"dumbbell": dumbbell},
        group=[
            {
                "name": f"weight-{weight}",
                "from": f"s{pair}",
                "to": f"d{pair}",
                system.field: weight,
                "periodic": once,
            }
            for pair, weight in enumerate(WEIGHTS)
        ],
        metrics=[{"group": f"weight-{weight}", "every": seconds(BIN_S)} for weight in WEIGHTS],
        **settings,
    )


def table(runs: dict[str, Results]) -> Frame:
    """A row for each system, seed, weight and interval, and one for each completion."""
    rows = []
    for name, results in runs.items():
        protocol = SYSTEMS[name].protocol
        for seed in results.seeds:
            series, flows = results.series(protocol, seed), results.flows(protocol, seed)
            found = []
            for weight in WEIGHTS:
                group = f"weight-{weight}"
                rates = series.where(group=group, quantity="throughput_bps")
                took = flows.where(group=group)["completion_ns"]
                found += over_time.rows(seed, group, rates["time_ns"], rates["value"])
                found += over_time.rows(seed, f"{group}-done", took, took / 1e9)
            rows += [{"system": name} | row for row in found]
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That XCP follows weights, more closely than MulTCP and CSFQ, and finishes sooner."""
    errors = {name: over_time.each(table, name, _error) for name in SYSTEMS}
    ends = {name: over_time.each(table, name, _end) for name in SYSTEMS}
    return [
        everywhere(
            "XCP's throughputs are proportional to the weights: the mean distance of shares, "
            "over the share by weight",
            "proportional to their corresponding weights",
            {"under XCP": Interval.of(errors["XCP"])},
            high=CLOSE,
            form=".3f",
        ),
        everywhere(
            "MulTCP and CSFQ are less accurate: their mean distance over XCP's",
            "less accurate than XCP",
            {f"under {name}": Interval.of(errors[name] / errors["XCP"]) for name in OTHERS},
            low=1,
            form=".1f",
        ),
        everywhere(
            "WFQ is more accurate than XCP: its mean distance over XCP's",
            "more accurate than XCP",
            {
                f"under {name}": Interval.of(errors[name] / errors["XCP"])
                for name in ("WFQ", "WFQ, Reno")
            },
            high=1,
            why=_settled(table),
        ),
        everywhere(
            "transfers take longer under MulTCP and CSFQ: the end of the last one over XCP's",
            "their transfers take longer",
            {f"under {name}": Interval.of(ends[name] / ends["XCP"]) for name in OTHERS},
            low=1,
            form=".3f",
            note=f"; XCP's ends at {ends['XCP'].mean():.1f} s",
        ),
        everywhere(
            "XCP finishes one second earlier than WFQ: the difference of their ends, in s",
            "one second earlier",
            {
                f"under {name}": Interval.of(ends[name] - ends["XCP"], minimum=-numpy.inf)
                for name in ("WFQ", "WFQ, Reno")
            },
            low=0.5,
            high=1.5,
            form="+.2f",
        ),
        everywhere(
            "after the first flow has finished, the others have its bandwidth in a few round "
            "trips: time until the link is used to 0.95, in s",
            "adapt in a few RTTs",
            {"under XCP": Interval.of(over_time.each(table, "XCP", _adapts))},
            high=FEW_S,
        ),
    ]


def _rates(rows: Frame) -> tuple[numpy.ndarray, numpy.ndarray]:
    """The ends of intervals, and throughputs by weight and interval."""
    found = [rows.where(quantity=f"weight-{weight}") for weight in WEIGHTS]
    return found[0]["time_s"], numpy.array([each["value"] for each in found])


def _done(rows: Frame) -> numpy.ndarray:
    """Completion times by weight; those of unfinished flows are the end of the run."""
    found = [rows.where(quantity=f"weight-{weight}-done")["value"] for weight in WEIGHTS]
    return numpy.nan_to_num(
        [float(each[0]) if len(each) else numpy.nan for each in found], nan=LIMIT_S
    )


def _settled(table: Frame) -> str:
    """How far shares are from the weights once time-outs of the start are over."""
    late = partial(_error, since=SETTLED_S)
    parts = [
        f"{over_time.each(table, name, late).mean():.3f} under {name}"
        for name in ("XCP", "WFQ", "WFQ, Reno")
    ]
    return f"from {SETTLED_S:.0f} s on the distance is {', '.join(parts)}"


def _error(rows: Frame, since: float = TOGETHER[0]) -> float:
    """The mean over flows, and over intervals in which any data arrive, of
    |share / share by weight - 1|.
    """
    times, rates = _rates(rows)
    together = rates[:, (times > since) & (times <= TOGETHER[1]) & (rates.sum(axis=0) > 0)]
    weights = numpy.array(WEIGHTS)[:, None] / sum(WEIGHTS)
    return float(numpy.abs(together / together.sum(axis=0) / weights - 1).mean())


def _end(rows: Frame) -> float:
    return float(_done(rows).max())


def _adapts(rows: Frame) -> float:
    """Seconds from the first completion until the others use the link."""
    times, rates = _rates(rows)
    full = rates.sum(axis=0) > 0.95 * PLACE.capacity
    return over_time.until(times - BIN_S, full, since=_done(rows).min(), latest=LIMIT_S)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughputs over time; a panel for each system."""
    figure, panels = pyplot.subplots(2, 3, figsize=(7, 4.2), sharex=True, sharey=True)
    for name, ax in zip(SYSTEMS, panels.flat, strict=False):
        _panel(ax, by_seed(table.where(system=name))[0])
        ax.set_title(name)
    panels[-1, -1].set_axis_off()
    for ax in (*panels[1, :2], panels[0, 2]):
        ax.set_xlabel("time (s)")
        ax.tick_params(labelbottom=True)
    panels[0, 0].set(xlim=(0, DRAWN_S), ylim=(0, None))
    for ax in panels[:, 0]:
        scales.linear(ax, "y", "throughput", "b/s")
    style.legend_above(figure, panels[0, 0], columns=len(WEIGHTS))
    return figure


def _panel(ax: Axes, rows: Frame) -> None:
    times, rates = _rates(rows)
    for number, weight in enumerate(WEIGHTS):
        color = style.COLOURS[number]
        ax.plot(times, rates[number], color=color, linewidth=0.9, label=f"weight {weight}")


FIGURE = Figure(
    id="xcp-6-1",
    title="Three transfers with weights",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
