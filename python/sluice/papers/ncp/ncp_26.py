"""The mean completion time of processor sharing by link pressure, (26) to (28), beside simulations:
1.5 RTT + d rho_T, in which neither the capacity nor the size of flows occurs. Flows arrive at
random (Poisson) on 100 Mb/s with a round trip of 0.1 s and a buffer of BDP, 1250 packets; they have
30 packets on average, all the same or Pareto (shape 1.4), or 1000, all the same or exponential. The
cross is the paper's 0.24 s. The link of RCP's paper, whose round trip and load the example takes,
is in the claims: 2.4 Gb/s, 25 packets on average, Pareto (shape 1.2).

Dotted is M/G/1-PS, equation (3) of RCP's paper. Grey is processor sharing of the same flows as a
fluid, and NCP is in packets, with its default alpha 0.95 and beta 0.6. N = f d counts the flows
that arrive in one control interval; the flows that share the fluid's link are f (T - 1.5 RTT), by
Little's law with their completion time T. Flows arrive for 25 s (30 packets), 100 s (1000 packets)
or 1 s (RCP's link) after a warm-up of 5 s, at the full scale for 60, 250 and 3 s. The paper gives
no capacity and no sizes. Seeds draw flows; bars are 95 % intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ... import theory
from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ...theory import link_pressure
from ..claim import Claim, everywhere
from ..completion import mean_s
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET, link_metrics, samples
from ..rows import frame
from ..scale import Scale
from ..traffic import fixed, flow_group, pareto
from ..verdict import Verdict

RTT_S, PRINTED_LOAD, PRINTED_S = 0.1, 0.9, 0.24
#: Loads, quick and full, and seeds.
LOADS = ((0.3, 0.9), (0.1, 0.3, 0.5, 0.7, 0.9))
SEEDS = (3, 5)
WARM_UP_S = 5.0
#: NCP's target utilization, its default.
ALPHA = 0.95
#: "Equal" and "close", as the paper gives no bounds.
EQUAL, CLOSE = 0.1, 1.25
FLUID, NCP = "max_min", "ncp"


@dataclass(frozen=True)
class Case:
    """A link and the sizes of its flows."""

    name: str
    capacity_bps: float
    packets: int
    sizes: Mapping[str, Any]
    #: How long flows arrive after the warm-up in seconds, quick and full.
    seconds: tuple[float, float]

    def scenario(self, load: float, seconds: float) -> Scenario:
        """The flows on a dumbbell, and time for all to finish."""
        stop = WARM_UP_S + seconds
        return Scenario(
            name="pressure",
            warm_up=f"{WARM_UP_S:g} s",
            stop=f"{stop:g} s",
            limit=f"{stop + 200:g} s",
            ideals=[FLUID],
            topology={
                "dumbbell": {
                    "capacity": f"{self.capacity_bps:.0f} bps",
                    "rtt": "100 ms",
                    "buffer": "1 bdp",
                }
            },
            group=[flow_group("flows", poisson={"load": load, "sizes": self.sizes})],
            metrics=[link_metrics("500 ms")],
            ncp={"alpha": ALPHA},
        )

    def arrivals_per_s(self, load: float) -> float:
        """(29): f = rho C/F."""
        return load * self.capacity_bps / (8 * PACKET * self.packets)

    def shared_s(self, load: float, part: float = 1.0) -> float:
        """M/G/1-PS of this part of the capacity."""
        sizes = theory.fixed(PACKET * self.packets)
        link = theory.Link(part * self.capacity_bps, load / part, sizes, RTT_S)
        return theory.mean_s(link, theory.ps)


SMALL, LARGE = 30, 1000
HERE = (
    Case("30 packets each", 100e6, SMALL, fixed(SMALL), (25, 60)),
    Case("30 packets, Pareto", 100e6, SMALL, pareto("30 packets", 1.4), (25, 60)),
    Case("1000 packets each", 100e6, LARGE, fixed(LARGE), (100, 250)),
    Case("1000 packets, exponential", 100e6, LARGE, {"exponential": "1000 packets"}, (100, 250)),
)
RCP_LINK = Case("RCP's paper", 2.4e9, 25, pareto("25 packets", 1.2), (1, 3))
CASES = {case.name: case for case in (*HERE, RCP_LINK)}
Runs = dict[tuple[str, float], Results]


def run(scale: Scale) -> Runs:
    """By case and load; the link of RCP's paper at the example's load alone."""
    points = [(case, load) for case in HERE for load in scale.pick(*LOADS)]
    points.append((RCP_LINK, PRINTED_LOAD))
    return {
        (case.name, load): scale.run(
            case.scenario(load, scale.pick(*case.seconds)),
            [NCP],
            name=f"ncp-26/{list(CASES).index(case.name)}-{load:g}",
            seeds=scale.pick(*SEEDS),
        )
        for case, load in points
    }


def table(runs: Runs) -> Frame:
    """A row for each case, load and seed, with mean times in seconds."""
    return frame(
        [
            _row(CASES[name], load, results, seed)
            for (name, load), results in runs.items()
            for seed in results.seeds
        ]
    )


def _row(case: Case, load: float, results: Results, seed: int) -> dict[str, Any]:
    # While flows arrive: after that the link empties.
    last = results.flows(NCP, seed)["start_ns"].max() / 1e9
    counted, interval = (
        found.values[(found.seconds > WARM_UP_S) & (found.seconds <= last)].mean()
        for found in (samples(results, NCP, name, seed) for name in ("N", "d0"))
    )
    arrive = case.arrivals_per_s(load)
    fluid_s = mean_s(results.flows(FLUID, seed))
    return {
        "sizes": case.name,
        "packets": case.packets,
        "load": load,
        "seed": seed,
        # (27) and (28) are the same with d = RTT.
        "pressure_s": link_pressure.completion_s(
            case.capacity_bps, arrive, PACKET * case.packets, RTT_S, RTT_S
        ),
        "shared_s": case.shared_s(load),
        "target_s": case.shared_s(load, ALPHA),
        "fluid_s": fluid_s,
        "ncp_s": mean_s(results.flows(NCP, seed)),
        "arriving": link_pressure.flows(arrive, RTT_S),
        # Little's law, with the time for which a flow shares the link.
        "sharing": arrive * (fluid_s - link_pressure.ROUND_TRIPS * RTT_S),
        "counted": float(counted) / link_pressure.flows(arrive, float(interval)),
    }


def check(table: Frame) -> list[Claim]:
    """The example, then the equations beside simulations."""
    printed = link_pressure.completion_by_pressure_s(PRINTED_LOAD, RTT_S)
    example = table.where(load=PRINTED_LOAD)
    return [
        Claim(
            "at RTT 0.1 s and rho_T 0.9 (28) gives an AFCT of 0.24 s",
            paper=f"{PRINTED_S} s",
            ours=f"{printed:.3f} s",
            verdict=Verdict.of(round(printed, 2) == PRINTED_S),
            taken="in the digits printed",
        ),
        everywhere(
            "that is the AFCT of processor sharing, whatever the sizes and the capacity: the "
            "fluid's in seconds",
            f"{PRINTED_S}",
            _points(example, lambda rows: rows["fluid_s"]),
            low=PRINTED_S * (1 - EQUAL),
            high=PRINTED_S * (1 + EQUAL),
            form=".3f",
        ),
        everywhere(
            "and the AFCT of NCP, whatever the sizes and the capacity: NCP's in seconds",
            f"{PRINTED_S}",
            _points(example, lambda rows: rows["ncp_s"]),
            low=PRINTED_S * (1 - EQUAL),
            high=PRINTED_S * (1 + EQUAL),
            form=".3f",
        ),
        everywhere(
            "(28) is an exact characterization of processor sharing: the fluid's AFCT over (28), "
            "at all loads",
            "1",
            _points(table, lambda rows: rows["fluid_s"] / rows["pressure_s"]),
            low=1 - EQUAL,
            high=1 + EQUAL,
            note=f"; the fluid's over M/G/1-PS: {_ends(table, _of_formula)}",
        ),
        everywhere(
            "N = f d flows share the link, by Little's law: f (T - 1.5 RTT), with the fluid's T, "
            "over f d",
            "1",
            _points(table, lambda rows: rows["sharing"] / rows["arriving"]),
            low=1 - EQUAL,
            high=1 + EQUAL,
            note="; the N of NCP's router, a sum of 1/w in which a flow with a window larger than "
            f"what it sends counts in part, over f d0: {_ends(table, _of_router)}",
        ),
        everywhere(
            "N is independent of the probability distribution, of sizes: f (T - 1.5 RTT) of sizes "
            "that differ over that of equal ones",
            "1",
            {
                f"with {packets} packets at {load:g}": _apart(table, packets, load)
                for packets in (SMALL, LARGE)
                for load in map(float, numpy.unique(table["load"]))
            },
            low=1 - EQUAL,
            high=1 + EQUAL,
        ),
        everywhere(
            "NCP achieves processor sharing: its AFCT over the fluid's of the same flows",
            "1",
            _points(table, lambda rows: rows["ncp_s"] / rows["fluid_s"]),
            high=CLOSE,
            why=_of_target(table),
        ),
    ]


def _points(table: Frame, of: Callable[[Frame], numpy.ndarray]) -> dict[str, Interval]:
    return {
        f"with {name} at {load:g}": Interval.of(of(own))
        for name in dict.fromkeys(table["sizes"])
        for load in map(float, numpy.unique(table["load"]))
        if len(own := table.where(sizes=name, load=load))
    }


def _ends(table: Frame, of: Callable[[Frame], numpy.ndarray]) -> str:
    """The least and the most of a quantity at these points."""
    means = [each.mean for each in _points(table, of).values()]
    return f"{min(means):.3g} to {max(means):.3g}"


def _of_formula(rows: Frame) -> numpy.ndarray:
    return rows["fluid_s"] / rows["shared_s"]


def _of_router(rows: Frame) -> numpy.ndarray:
    return rows["counted"]


def _of_target(table: Frame) -> str:
    """How near NCP is to M/G/1-PS of what it fills, where it is furthest from the fluid."""
    found = _points(table, lambda rows: rows["ncp_s"] / rows["fluid_s"])
    worst = max(found, key=lambda at: found[at].mean)
    if found[worst].mean <= CLOSE:
        return ""
    beside = _points(table, lambda rows: rows["ncp_s"] / rows["target_s"])[worst]
    return f"{worst} it is {beside:.2f} of M/G/1-PS of alpha C, {ALPHA:g} of the link"


def _apart(table: Frame, packets: int, load: float) -> Interval:
    """Different flows arrive under the same seed: seeds are not paired, but as many."""
    same, drawn = (
        table.where(sizes=case.name, load=load)["sharing"]
        for case in HERE
        if case.packets == packets
    )
    return Interval.of(drawn / same)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Completion time against load; a panel for each mean size."""
    figure, panels = pyplot.subplots(1, 2, figsize=(7, 2.8))
    for ax, packets in zip(panels, (SMALL, LARGE), strict=True):
        _panel(ax, [case for case in HERE if case.packets == packets], table)
        ax.set(xlabel="load", xlim=(0, 1), title=f"{packets} packets on average")
        scales.logarithmic(ax, "y", "mean completion time", "s")
    style.legend_above(figure, panels[0], columns=4)
    return figure


def _panel(ax: Axes, cases: list[Case], table: Frame) -> None:
    loads = numpy.linspace(0.02, 0.94, 40)
    pressed = [link_pressure.completion_by_pressure_s(load, RTT_S) for load in loads]
    ax.plot(loads, pressed, color="black", label="(28)")
    ax.plot(loads, [cases[0].shared_s(load) for load in loads], **style.THEORY.line())
    ax.plot([], [], label="M/G/1-PS", **style.THEORY.line())
    ax.plot([PRINTED_LOAD], [PRINTED_S], "x", color=style.ALARM, ms=7, mew=1.5, label="printed")
    looks = style.looks([NCP, FLUID])
    for case, marker, apart in zip(cases, ("o", "s"), (-0.01, 0.01), strict=True):
        own = table.where(sizes=case.name)
        at = numpy.unique(own["load"])
        kind = "equal sizes" if case is cases[0] else "different sizes"
        for column, name in (("fluid_s", FLUID), ("ncp_s", NCP)):
            found = [Interval.of(own.where(load=load)[column]) for load in at]
            look = {"color": looks[name].colour, "marker": marker, "linestyle": ""}
            title = "PS" if name == FLUID else "NCP"
            with_bars(ax, at + apart, found, label=f"{title}, {kind}", elinewidth=0.7, **look)


FIGURE = Figure(
    id="ncp-26",
    title="Completion time by link pressure, beside processor sharing and NCP",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
