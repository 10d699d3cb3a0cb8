"""Mean completion time against load, with the same flows and buffers of a bandwidth-delay product,
a tenth and a twentieth of it.

Completion times end with the last acknowledgement, as in the paper, which is half a round trip
after the arrival of the last byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes
from scipy import stats

from ...frame import Frame
from ...plot import scales, style
from ...scenario import Scenario
from ...sweeps import Sweep
from ...theory import buffers
from ..claim import Claim, everywhere
from ..completion import mean_s
from ..drawing import with_bars
from ..interval import Interval
from ..link import PACKET, loss_by_seed
from ..rows import frame
from ..scale import Scale
from ..traffic import flow_group
from ..transport import NS2
from .rcp import RCP

#: Buffers in bandwidth-delay products, and the bounds on the increase of completion times with the
#: small ones, which section 4 gives for a mix.
BUFFERS = [1.0, 0.1, 0.05]
COST = {0.1: 0.15, 0.05: 0.25}
#: Seconds.
RTT = 0.04
FLUID = "max_min"
#: Bound for "strong agreement" of theory and packets.
NEAR = 0.15
#: Number of equally likely sizes that represent the distribution.
SIZES = 200


def simulate(
    scale: Scale,
    name: str,
    capacity_bps: float,
    arrivals: Callable[[float], dict[str, dict[str, Any]]],
    *,
    until_s: float,
    loads: Iterable[float],
    seeds: int,
    protocols: Iterable[str] = ("rcp",),
    ideals: Iterable[str] = (),
) -> dict[float, Sweep]:
    """Runs a sweep over buffers for each load.

    ``arrivals`` gives the Poisson traffic of each group at a load. The first fifth of the time is
    warm-up.
    """
    runs = {}
    for load in loads:
        scenario = Scenario(
            transport=NS2,
            name=name,
            warm_up=f"{until_s / 5} s",
            stop=f"{until_s} s",
            # Where more comes than the link can carry, not all flows finish.
            limit=f"{3 * until_s} s",
            ideals=list(ideals),
            rcp=RCP,
            topology={"dumbbell": {"capacity": f"{capacity_bps / 1e6} Mbps", "rtt": f"{RTT} s"}},
            group=[flow_group(name, poisson=poisson) for name, poisson in arrivals(load).items()],
        )
        over = {"topology.dumbbell.buffer": [f"{buffer} bdp" for buffer in BUFFERS]}
        of_load = f"{name}-load{load}"
        runs[load] = scale.sweep(scenario, over, protocols, name=of_load, seeds=seeds)
    return runs


def rows(runs: dict[float, Sweep]) -> list[dict[str, Any]]:
    """Rows with mean times by load, buffer, protocol, group (or ``all``) and seed, and the fraction
    of packets lost."""
    found = []
    for load, sweep in runs.items():
        for buffer, results in zip(BUFFERS, sweep, strict=True):
            for protocol in [*results.protocols, *results.ideals]:
                losses = {} if protocol in results.ideals else loss_by_seed(results, protocol)
                for seed in results.seeds:
                    flows = results.flows(protocol, seed).where(measured=True)
                    groups = dict.fromkeys(["all", *flows["group"]])
                    key = {"load": load, "buffer": buffer, "protocol": protocol, "seed": seed}
                    key["lost"] = losses.get(seed)
                    for group in groups:
                        these = flows if group == "all" else flows.where(group=group)
                        mean = {"mean_s": mean_s(these) + RTT / 2}
                        found.append(key | {"group": group} | mean)
    return found


def cost(table: Frame, load: float, buffer: float) -> Interval:
    """The relative increase of completion times over the largest buffer, seed by seed."""
    means = [table.where(load=load, buffer=each)["mean_s"] for each in (buffer, BUFFERS[0])]
    return Interval.of(means[0] / means[1] - 1, minimum=-1)


def costs(own: Mapping[str, Frame], buffer: float, said: str) -> Claim:
    """The claim that a small buffer changes completion times little at all loads.

    ``own`` has the rows of each kind of flows by name.
    """
    return everywhere(
        f"a buffer of {buffer:.0%} of BDP makes little difference: relative increase of the mean "
        "completion time over that with BDP",
        said,
        {
            f"of {what} at a load of {load}": cost(rows, load, buffer)
            for what, rows in own.items()
            for load in numpy.unique(rows["load"]).tolist()
        },
        low=-COST[buffer],
        high=COST[buffer],
        form="+.0%",
        taken=f"within {COST[buffer]:.0%} at every load",
    )


def size(buffer: float) -> str:
    """The name of a buffer."""
    return "BDP" if buffer == 1 else f"{buffer:.0%} of BDP"


def panel(ax: Axes, table: Frame, shown: Iterable[float] = tuple(BUFFERS)) -> None:
    """Draws mean times against the load, a line for each protocol and buffer shown."""
    shown = list(shown)
    for name, dashes in (("rcp", "-"), ("tcp", "--")):
        look = style.looks([name])[name]
        shades = style.shades(look.colour, len(BUFFERS))
        own = table.where(protocol=name)
        if not len(own):
            continue
        for buffer, shade, marker in zip(BUFFERS, shades, style.MARKERS, strict=False):
            if buffer not in shown:
                continue
            loads = numpy.unique(own["load"]).tolist()
            found = [Interval.of(own.where(load=x, buffer=buffer)["mean_s"]) for x in loads]
            with_bars(
                ax,
                loads,
                found,
                fmt=marker,
                ls=dashes,
                color=shade,
                elinewidth=0.8,
                label=f"{look.title}, {size(buffer)}",
            )
    lines = table.where(protocol="theory", buffer=shown[0])
    if len(lines) and len(shown) == 1:
        ax.plot(lines["load"], lines["mean_s"], color="black", ls=style.DOTS, label="theory")
    ax.set(xlabel="load", xlim=(0, 1))


def from_zero(ax: Axes) -> None:
    """Scales the axis of times from 0, once everything is drawn."""
    ax.set_ylim(bottom=0)
    scales.linear(ax, "y", "mean completion time", "s")


@dataclass(frozen=True)
class Kind:
    """Flows of exponential sizes, for which the paper has a theory."""

    name: str
    what: str
    capacity_bps: float
    #: Mean size in bytes.
    mean: int
    #: The paper's probability of loss by load and by buffer in bandwidth-delay products.
    loss: Callable[[float, float], float]
    #: Simulated time in seconds, at the quick and at the full scale.
    until_s: tuple[float, float]

    def run(self, scale: Scale) -> dict[float, Sweep]:
        """Runs several loads, with processor sharing of the same flows."""

        def arrivals(load: float) -> dict[str, dict[str, Any]]:
            return {"flows": {"load": load, "sizes": {"exponential": f"{self.mean} B"}}}

        return simulate(
            scale,
            self.name,
            self.capacity_bps,
            arrivals,
            until_s=scale.pick(*self.until_s),
            loads=scale.pick([0.5, 0.8], [0.3, 0.5, 0.7, 0.8, 0.9]),
            seeds=scale.pick(2, 8),
            ideals=[FLUID],
        )

    def table(self, runs: dict[float, Sweep]) -> Frame:
        """Simulated means, and ``theory``, by load and buffer.

        A mean is divided by that of the same flows as a fluid and multiplied by the expectation
        under processor sharing, which removes most of the variation of sizes and arrivals.
        """
        simulated = frame(rows(runs)).where(group="all")
        found = []
        for row in simulated.where(protocol="rcp").arrow.drop_columns("group").to_pylist():
            key = {name: row[name] for name in ("load", "buffer", "seed")}
            fluid = simulated.where(protocol=FLUID, **key)["mean_s"][0]
            found.append(row | {"mean_s": row["mean_s"] / fluid * self._sharing_s(row["load"], 0)})
        for load in numpy.linspace(0.2, 0.9, 29).tolist():
            for buffer in BUFFERS:
                key = {"load": load, "buffer": buffer, "protocol": "theory"}
                found.append(key | {"mean_s": self.theory_s(load, buffer)})
        return frame(found)

    def theory_s(self, load: float, buffer: float) -> float:
        """Theorem 1, averaged over sizes, with the loss of Theorem 2 or 3."""
        lost = self.loss(load, buffer)
        sizes = self.mean / PACKET * stats.expon.ppf((numpy.arange(SIZES) + 0.5) / SIZES)
        waits = [buffers.rounds(int(packets), lost) - 1 for packets in numpy.ceil(sizes)]
        return self._sharing_s(load, lost) + 2 * RTT * float(numpy.mean(waits))

    def _sharing_s(self, load: float, lost: float) -> float:
        packets = self.mean / PACKET / (1 - lost)
        return float(buffers.lossless_s(packets, self.capacity_bps / 8 / PACKET, load, RTT))

    def check(self, table: Frame) -> list[Claim]:
        """The effect of small buffers, and the agreement with theory, at all loads."""
        own = table.where(protocol="rcp")
        kinds = {self.what: own}
        return [
            *(costs(kinds, buffer, "not significantly affected") for buffer in BUFFERS[1:]),
            self._agreement(own),
        ]

    def _agreement(self, own: Frame) -> Claim:
        loads = numpy.unique(own["load"]).tolist()
        found, lost = {}, {}
        for buffer in BUFFERS[:2]:
            for load in loads:
                at = f"at a load of {load}, buffer {size(buffer)}"
                rows = own.where(load=load, buffer=buffer)
                found[at] = Interval.of(rows["mean_s"] / self.theory_s(load, buffer))
                lost[at] = (rows["lost"].mean(), self.loss(load, buffer))
        worst = max(found, key=lambda at: abs(found[at].mean - 1))
        return everywhere(
            "theory and simulation agree: the mean completion time in packets over the theory's, "
            f"{self.what}",
            "strong agreement",
            found,
            low=1 - NEAR,
            high=1 + NEAR,
            why=f"{worst} {lost[worst][0]:.1%} of packets are lost, by the theory "
            f"{lost[worst][1]:.1%}",
        )

    def plot(self, table: Frame) -> matplotlib.figure.Figure:
        """Simulations alone, as in the paper's first figure, then with the theory."""
        figure, axes = pyplot.subplots(1, 3, figsize=(7, 2.6), sharey=True)
        panels = {"simulated": BUFFERS, "10% of BDP, beside theory": [0.1]}
        panels["BDP, beside theory"] = [1.0]
        for ax, (title, shown) in zip(axes, panels.items(), strict=True):
            panel(ax, table, shown)
            ax.set_title(title)
        for ax in axes:
            from_zero(ax)
            ax.label_outer()
        first, last = (axes[at].get_legend_handles_labels() for at in (0, -1))
        # Of the last panel only the theory is new.
        both = [[*kept, added[0]] for kept, added in zip(first, last, strict=True)]
        figure.legend(*both, loc="outside upper center", ncols=4)
        return figure
