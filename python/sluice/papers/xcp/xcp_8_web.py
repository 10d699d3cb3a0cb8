"""Short flows across a cloud (section 8.1): flows of 20 kB that come by one ingress, 1 to 50 a
second, beside ten long flows of TCP by the other, or beside one stream of datagrams at the rate
that they leave of the link. Utilization; what the long flows or the stream receive; completion
times of short flows; and the weight that the macro-flow of short flows states beside the number of
these that are under way, dashed. Drop tail, CSFQ, and the cloud with three times for which a flow
counts after its last packet, `flow_timeout`: 5 s, its default, 1 s and 200 ms, three round trips.
The thesis weighs a macro-flow by "the number of micro-flows in it" and has no time after which one
is no longer in it; no router sees which flow has ended. The network is that of
[xcp-8-cloud](#xcp-8-cloud), and each macro-flow has room for a bandwidth-delay product, 150 kB.
Completion times are those of flows that start between 10 s and 30 s, up to 40 s where they last
longer. Means over seven seeds; bars are 95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..drawing import means, with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .bottleneck import Settings
from .clouds import (
    CAPACITY,
    CLOSE,
    CLOUD,
    FULL,
    MEASURED,
    ONE,
    OTHER,
    TAIL,
    TWO,
    core,
    flows,
    scenario,
    stated,
    stream,
    throughputs,
)

#: Of a short flow, and the bits of its packets of 1 kB, of which 40 bytes are headers.
SIZE_KB, WIRE_BITS = 20, 20e3 * 8 / 0.96
#: Short flows a second.
RATES, QUICK = (1.0, 5.0, 20.0, 50.0), (5.0, 50.0)
#: What is beside them, and its number of flows.
BESIDE = {"ten long flows": 10, "a stream": 1}
#: For which a flow counts after its last packet, in milliseconds; the first is the default.
TIMEOUTS = (5000.0, 1000.0, 200.0)
#: By name: the system, and that time.
SYSTEMS: dict[str, tuple[str, float | None]] = {
    TAIL: (TAIL, None),
    OTHER: (OTHER, None),
    **{f"{CLOUD}, {timeout / 1e3:g} s": (CLOUD, timeout) for timeout in TIMEOUTS},
}
CLOUDS = [name for name, (_, timeout) in SYSTEMS.items() if timeout]
#: Completion times are of flows that start until this time before the end, in seconds.
LEFT_S = 10.0
SEEDS = 7
PANELS = {
    "utilization": "utilization",
    "others": "other traffic (Mb/s)",
    "seconds": "completion time (s)",
    "stated": "stated weight",
}
#: By system, what is beside the short flows, and their rate.
Runs = dict[tuple[str, str, float], Results]


def run(scale: Scale) -> Runs:
    """Each system with each load."""
    return {
        (name, beside, rate): scale.run(
            scenario(system, [_short(rate), _others(beside, rate)], timeout_ms=timeout),
            ["tcp"],
            name=f"xcp-8-web/{name}-{beside}-{rate:g}".replace(", ", "-").replace(" ", "-"),
            seeds=scale.pick(1, SEEDS),
        )
        for name, (system, timeout) in SYSTEMS.items()
        for beside in BESIDE
        for rate in scale.pick(QUICK, RATES)
    }


def _short(rate: float) -> Settings:
    arrivals = {"rate": f"{rate:g} /s", "sizes": {"fixed": f"{SIZE_KB} kB"}}
    return {"name": "short", "from": ONE[0], "to": ONE[1], "poisson": arrivals}


def _others(beside: str, rate: float) -> Settings:
    count = BESIDE[beside]
    if count > 1:
        return flows("others", TWO, count)
    return stream("others", TWO, CAPACITY - rate * WIRE_BITS)


def table(runs: Runs) -> Frame:
    """A row for each system, load and seed."""
    rows = []
    for (name, beside, rate), results in runs.items():
        for seed in results.seeds:
            seconds, under_way = _short_flows(results, seed)
            others = float(throughputs(results, seed, "others").sum())
            part = BESIDE[beside] / (BESIDE[beside] + under_way)
            rows.append(
                {
                    "system": name,
                    "beside": beside,
                    "rate": rate,
                    "seed": seed,
                    "utilization": core(results, seed)["utilization"],
                    "others": 1e-6 * others,
                    "of_share": others / (part * CAPACITY),
                    "seconds": seconds,
                    "under_way": under_way,
                    "stated": stated(results, seed),
                }
            )
    return frame(rows)


def _short_flows(results: Results, seed: int) -> tuple[float, float]:
    """Their mean completion time in seconds, and the mean number under way while measured."""
    rows = results.flows("tcp", seed).where(group="short")
    begin, end = MEASURED
    starts = rows["start_ns"].astype(float) / 1e9
    ends = starts + rows["completion_ns"].astype(float) / 1e9
    ends = numpy.where(numpy.isnan(ends), end, numpy.minimum(ends, end))
    judged = (starts > begin) & (starts < end - LEFT_S)
    overlaps = (ends - numpy.maximum(starts, begin)).clip(min=0)
    return float((ends - starts)[judged].mean()), float(overlaps.sum() / (end - begin))


def check(table: Frame) -> list[Claim]:
    """That the core is used, that the others have their part, and that short flows are fast."""
    claims = [
        everywhere(
            f"the core link is used with flows that count for {_timeout(name)}: utilization",
            "an XCP core allows higher utilization",
            _each(table, name, "utilization"),
            low=FULL,
            form=".3f",
            why=_states(table, name),
        )
        for name in CLOUDS
    ]
    claims += [
        everywhere(
            "long flows and the stream have their part by the number of flows under way, with "
            f"flows that count for {_timeout(name)}: their throughput over that part of the link",
            "each XCP macro-flow to obtain a throughput proportional to the number of micro-flows "
            "in it",
            _each(table, name, "of_share"),
            low=1 - CLOSE,
            why=_part(table, name),
        )
        for name in CLOUDS
    ]
    claims += [
        everywhere(
            "short flows take less time than under CSFQ, with flows that count for "
            f"{_timeout(name)}: the mean completion time over CSFQ's",
            "lower delay",
            _over(table, name),
            high=1,
            why=_slower(table, name),
        )
        for name in CLOUDS
    ]
    return claims


def _timeout(name: str) -> str:
    return name.removeprefix(f"{CLOUD}, ")


def _loads(table: Frame) -> list[tuple[str, float]]:
    rates = [float(rate) for rate in numpy.unique(table["rate"])]
    return [(beside, rate) for beside in BESIDE for rate in rates]


def _at(load: tuple[str, float]) -> str:
    return f"at {load[1]:g} a second beside {load[0]}"


def _rows(table: Frame, name: str, load: tuple[str, float]) -> Frame:
    return table.where(system=name, beside=load[0], rate=load[1])


def _of(table: Frame, name: str, load: tuple[str, float], column: str) -> Interval:
    return Interval.of(_rows(table, name, load)[column])


def _each(table: Frame, name: str, column: str) -> dict[str, Interval]:
    return {_at(load): _of(table, name, load, column) for load in _loads(table)}


def _over(table: Frame, name: str) -> dict[str, Interval]:
    """Completion times over CSFQ's, with the same arrivals."""
    return {
        _at(load): Interval.of(
            _rows(table, name, load)["seconds"] / _rows(table, OTHER, load)["seconds"]
        )
        for load in _loads(table)
    }


def _states(table: Frame, name: str) -> str:
    """What the macro-flow of short flows states where least of the link is used, and CSFQ uses."""
    least = min(_loads(table), key=lambda load: _of(table, name, load, "utilization").mean)
    weight, under_way = (_of(table, name, least, of).mean for of in ("stated", "under_way"))
    used = _of(table, OTHER, least, "utilization").mean
    return (
        f"{_at(least)}, the macro-flow of short flows states {weight:.1f} micro-flows, of which "
        f"{under_way:.1f} are under way; CSFQ uses {used:.3f}"
    )


def _part(table: Frame, name: str) -> str:
    """The others' part by stated weights and by flows under way, where they have least of it."""
    least = min(_loads(table), key=lambda load: _of(table, name, load, "of_share").mean)
    others = BESIDE[least[0]]
    by_weight, by_flows = (
        others / (others + _of(table, name, least, column).mean)
        for column in ("stated", "under_way")
    )
    return (
        f"{_at(least)}, {by_weight:.1%} of the weights are theirs and {by_flows:.1%} of the flows "
        "under way"
    )


def _slower(table: Frame, name: str) -> str:
    """Completion times where they are longest beside CSFQ's."""
    worst = max(_loads(table), key=lambda load: _over(table, name)[_at(load)].mean)
    own, other = (_of(table, of, worst, "seconds").mean for of in (name, OTHER))
    return f"{_at(worst)}, short flows take {own:.3f} s, and {other:.3f} s under CSFQ"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The measures against the rate of short flows, in a row for each that is beside them."""
    figure, grid = pyplot.subplots(
        len(BESIDE), len(PANELS), figsize=(7.8, 4.0), sharex=True, sharey="col"
    )
    rates = [float(rate) for rate in numpy.unique(table["rate"])]
    for beside, row in zip(BESIDE, grid, strict=True):
        for (column, title), ax in zip(PANELS.items(), row, strict=True):
            shown = CLOUDS if column == "stated" else list(SYSTEMS)
            for name in shown:
                number = list(SYSTEMS).index(name)
                look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
                found = [_of(table, name, (beside, rate), column) for rate in rates]
                with_bars(ax, rates, found, label=name, elinewidth=0.7, **look)
            scales.logarithmic(ax, "x", "", "")
            ax.set_xticks(rates)
            ax.set_ylabel(title)
            if column == "stated":
                ax.set_yscale("log")
                ax.minorticks_off()
            else:
                ax.locator_params("y", nbins=4)
        # The first panel is that of the legend.
        dashed = {"color": style.GREY, "linestyle": style.DASHES[0], "zorder": 3}
        ways = [_of(table, CLOUDS[0], (beside, rate), "under_way") for rate in rates]
        row[-1].plot(rates, means(ways), **dashed)
        row[0].plot([], [], label="flows under way", **dashed)
        row[0].set_title(f"beside {beside}", loc="left")
    for ax in grid[-1]:
        ax.set_xlabel("short flows a second")
    style.legend_above(figure, grid[0][0], columns=len(SYSTEMS) + 1)
    return figure


FIGURE = Figure(
    id="xcp-8-web",
    title="Short flows across a cloud",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
