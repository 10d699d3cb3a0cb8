"""Which alpha and beta are stable, and from which starts RCP converges. The region of the linear
loop is that of Bode and Nyquist, with the exact delay. That of the non-linear loop is found by
simulation, as in the paper: a queue that cannot be negative, from 20 starts (R0, q0) for each
setting of a grid, for 1000 round trips (600 at the quick scale). Settings so close to the edge that
they take longer count as outside. The model has a single round trip, which does not grow with the
queue.

The paper draws the two regions and gives no numbers. Ours are the phase portrait at its alpha 0.1
and beta 1, with a minimum load of 0.001, and packet simulations: long flows that start together
with an R(0) of 0.05 to 4 times their share, in an unlimited buffer, on three links that differ in
capacity, round trip and number of flows. T is a twentieth of the round trip there, since the rate
of the model is continuous.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ...sweeps import Sweep
from ...theory import fluid, linear, plots
from ..claim import Claim
from ..figure import Figure
from ..link import link_metrics, samples
from ..rows import frame
from ..scale import Scale
from ..traffic import flow_group
from ..transport import NS2
from ..verdict import Verdict

#: Settings by name: inside the linear region, outside it but inside the other, outside both.
SETTINGS = {
    "PS paper": (0.1, 1.0),
    "buffer paper": (0.4, 0.5),
    "XCP": (0.4, 0.226),
    "beyond": (1.2, 1.0),
}
OWN, BEYOND = "PS paper", "beyond"
#: Starts of the portrait: loads, and queues in bandwidth-delay products.
PORTRAIT = [(0.02, 0.0), (0.5, 1.0), (2.0, 0.0), (0.5, 3.0), (4.0, 0.5)]
#: Many more starts, to test convergence; R is kept above a thousandth of its share.
FAR = ((0.001, 0.05, 0.5, 0.9, 1.1, 2.0, 10.0, 100.0), (0.0, 0.01, 0.1, 1.0, 10.0, 30.0))
MIN_X = 1e-3
FAR_RTTS = 600
#: Links of packet simulations: capacity in bit/s, round trip in seconds, number of flows.
LINKS = [(100e6, 0.1, 10), (400e6, 0.02, 40), (20e6, 0.5, 4)]
#: Initial rate of all flows together over the capacity.
LOADS = (0.05, 0.5, 2.0, 4.0)
PACKET_RTTS = 500
#: Distance from a load of 1 and an empty queue at which packets are at rest; whole packets leave a
#: small queue.
AT_REST = 0.1


class Runs(NamedTuple):
    """Simulations of the model, and of packets."""

    #: The grid of settings: alphas, betas, and whether the model converges, by beta and alpha.
    alphas: numpy.ndarray
    betas: numpy.ndarray
    settled: numpy.ndarray
    #: From the starts of the portrait.
    paths: fluid.Path
    #: From twice the fair share, to compare with packets.
    beside: fluid.Path
    #: From all of ``FAR``, by setting.
    far: dict[str, fluid.Convergence]
    #: From all of ``LOADS``, by link and setting.
    packets: dict[tuple[int, str], Sweep]


def run(scale: Scale) -> Runs:
    """The grid of settings, the portrait's paths, and packets."""
    alphas = numpy.linspace(0.05, 1.75, scale.pick(18, 35))
    betas = numpy.linspace(0.05, 2.05, scale.pick(11, 21))
    load, queue = numpy.array(PORTRAIT).T
    limits = (MIN_X, numpy.inf)
    return Runs(
        alphas,
        betas,
        fluid.region("rcp", alphas, betas, rtts=scale.pick(600, 1000), steps=25),
        paths=fluid.path("rcp", *SETTINGS[OWN], load, queue, rtts=300, limits=limits),
        beside=fluid.path("rcp", *SETTINGS[OWN], 2.0, rtts=100),
        far={
            name: fluid.convergence("rcp", *gains, starts=FAR, rtts=FAR_RTTS, limits=limits)
            for name, gains in SETTINGS.items()
        },
        packets={
            (link, name): scale.sweep(
                _packets(*LINKS[link], *SETTINGS[name]),
                {"rcp.initial_rate": [load / LINKS[link][2] for load in LOADS]},
                ["rcp"],
                name=f"ps-4/{link}-{list(SETTINGS).index(name)}",
            )
            for link in range(len(LINKS))
            for name in SETTINGS
        },
    )


def _packets(capacity: float, rtt: float, flows: int, alpha: float, beta: float) -> Scenario:
    stop = f"{PACKET_RTTS * rtt:g} s"
    return Scenario(
        transport=NS2,
        name="ps-4",
        stop=stop,
        limit=stop,
        ideals=[],
        topology={
            "dumbbell": {
                "capacity": f"{capacity:.0f} bps",
                "rtt": f"{1000 * rtt:g} ms",
                "buffer": "unlimited",
            }
        },
        rcp={
            "alpha": alpha,
            "beta": beta,
            "initial_rtt": f"{1000 * rtt:g} ms",
            "interval": f"{1000 * rtt / 20:g} ms",
        },
        group=[flow_group("flows", long={"count": flows})],
        metrics=[link_metrics(f"{1000 * rtt / 2:g} ms")],
    )


def table(runs: Runs) -> Frame:
    """Rows for settings of the grid, paths of the model, starts of the model, and packets."""
    rows: list[dict[str, Any]] = [
        {
            "kind": "setting",
            "alpha": alpha,
            "beta": beta,
            "linear": linear.stable(alpha, beta),
            "settles": bool(runs.settled[i, j]),
        }
        for i, beta in enumerate(runs.betas)
        for j, alpha in enumerate(runs.alphas)
    ]
    paths = runs.paths
    for start in range(len(PORTRAIT)):
        rows += _path(
            "portrait", paths.time_rtts, paths.load[:, start], paths.queue[:, start], start
        )
    rows += _path("beside", *runs.beside)
    for name, found in runs.far.items():
        late = found.late < fluid.SETTLED
        rows.append({"kind": "far", "name": name, "starts": len(late), "settle": int(late.sum())})
    for (link, name), sweep in runs.packets.items():
        for load, results in zip(LOADS, sweep, strict=True):
            rows += _link(results, link, name, load)
    return frame(rows)


def _path(
    kind: str,
    rtts: numpy.ndarray,
    load: numpy.ndarray,
    queue: numpy.ndarray,
    start: int = 0,
    *,
    every: int = 5,
) -> list[dict[str, Any]]:
    """Rows for one in ``every`` samples, by default ten per round trip of the model."""
    thin = slice(None, None, every)
    columns = zip(rtts[thin], load[thin], queue[thin], strict=True)
    return [{"kind": kind, "start": start, "rtts": t, "load": y, "queue": q} for t, y, q in columns]


def _link(results: Results, link: int, name: str, load: float) -> list[dict[str, Any]]:
    """The distance of packets from rest, and one start with the paper's setting over time."""
    capacity, rtt, flows = LINKS[link]
    rate, queue = (samples(results, "rcp", quantity) for quantity in ("R", "queue_bytes"))
    rtts = rate.seconds / rtt
    loads, queues = rate.values * flows / capacity, queue.values * 8 / capacity / rtt
    late = rtts > 0.9 * PACKET_RTTS
    far = numpy.maximum(abs(loads[late] - 1), queues[late]).max()
    row = {"kind": "packets", "link": link, "name": name, "from": load, "far": float(far)}
    over_time = name == OWN and load == 2.0
    path = _path("over time", rtts, loads, queues, link, every=1) if over_time else []
    return [row, *path]


def check(table: Frame) -> list[Claim]:
    """Claims about the regions, and about the influence of starts and links."""
    grid = table.where(kind="setting")
    stable, settles = grid["linear"].astype(bool), grid["settles"].astype(bool)
    missing = stable & ~settles
    outside = int(missing.sum())
    left = [
        linear.margins(*gains).phase
        for gains in zip(grid["alpha"][missing], grid["beta"][missing], strict=True)
    ]
    far = table.where(kind="far")
    at = {name: far.where(name=name) for name in SETTINGS}
    counts = {name: (int(rows["settle"][0]), int(rows["starts"][0])) for name, rows in at.items()}
    inside = [name for name in SETTINGS if name != BEYOND]
    margins = linear.margins(*SETTINGS[OWN])
    verdicts = _verdicts(table)
    return [
        Claim(
            "settings that are stable in the linear loop converge in the non-linear one",
            paper="two regions, drawn apart",
            ours=f"{int(stable.sum()) - outside} of {int(stable.sum())} settings; "
            f"{int((settles & ~stable).sum())} unstable ones converge as well",
            verdict=Verdict.of(outside == 0),
            taken="all settings of the grid",
            why=f"{outside} did not converge within these round trips, with a phase margin of at "
            f"most {max(left, default=0):.3f}",
        ),
        Claim(
            "RCP's alpha 0.1 and beta 1 are in the stable region",
            paper="in the region of the non-linear loop",
            ours=f"phase margin {margins.phase:.2f}: outside the linear region; "
            f"{counts[OWN][0]} of {counts[OWN][1]} starts converge",
            verdict=Verdict.of(counts[OWN][0] == counts[OWN][1]),
            taken="every start",
        ),
        Claim(
            "irrespective of the start (R0, q0) it converges, at settings in the region",
            paper="always",
            ours="; ".join(f"{name}: {counts[name][0]} of {counts[name][1]}" for name in SETTINGS),
            verdict=Verdict.of(all(counts[name][0] == counts[name][1] for name in inside)),
            taken=f"every start, of all but the last, in {FAR_RTTS} round trips",
        ),
        Claim(
            "stability does not depend on capacity, round trip and number of flows",
            paper="independent",
            ours="; ".join(
                f"{name}: {', '.join(f'{n} of {len(LOADS)}' for n in found)}"
                for name, found in verdicts.items()
            )
            + " starts converge on the three links",
            verdict=Verdict.of(all(len(set(found)) == 1 for found in verdicts.values())),
            taken="the same number of starts on every link, in packets",
        ),
        Claim(
            "packets converge at the settings at which the model does",
            paper="simulations agree",
            ours=f"from {sum(sum(verdicts[name]) for name in inside)} of "
            f"{len(inside) * len(LINKS) * len(LOADS)} starts in the region, from "
            f"{sum(verdicts[BEYOND])} of {len(LINKS) * len(LOADS)} beyond it",
            verdict=Verdict.of(
                all(min(verdicts[name]) == len(LOADS) for name in inside)
                and max(verdicts[BEYOND]) == 0
            ),
            taken="all within the region, none beyond",
        ),
    ]


def _verdicts(table: Frame) -> dict[str, list[int]]:
    """The number of starts from which packets converge, by setting and link."""
    packets = table.where(kind="packets")
    return {
        name: [
            int((packets.where(name=name, link=link)["far"] < AT_REST).sum())
            for link in range(len(LINKS))
        ]
        for name in SETTINGS
    }


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The regions, Nyquist's curves, the portrait, and packets on three links."""
    figure, ((region, nyquist), (portrait, packets)) = pyplot.subplots(2, 2, figsize=(7, 5.6))
    _region(region, table.where(kind="setting"))
    plots.nyquist(list(SETTINGS.values()), ax=nyquist)
    paths = [table.where(kind="portrait", start=start) for start in range(len(PORTRAIT))]
    plots.portrait(
        [fluid.Path(path["rtts"], path["load"], path["queue"]) for path in paths], ax=portrait
    )
    _over_time(packets, table)
    return figure


def _region(ax: Axes, grid: Frame) -> None:
    alphas, betas = numpy.unique(grid["alpha"]), numpy.unique(grid["beta"])
    settles = grid["settles"].astype(float).reshape(len(betas), len(alphas))
    ax.contourf(alphas, betas, settles, levels=[0.5, 1.5], colors=[plots.SHADE])
    ax.plot(*linear.boundary(), color="black", label="linear")
    ax.fill([], [], color=plots.SHADE, label="non-linear")
    for (name, gains), colour, marker in zip(
        SETTINGS.items(), style.COLOURS, style.MARKERS, strict=False
    ):
        ax.plot(*gains, marker, color=colour, linestyle="", label=name)
    ax.set(xlabel=r"$\alpha$", ylabel=r"$\beta$")
    style.legend(ax)


def _over_time(ax: Axes, table: Frame) -> None:
    """Draws R over its share, from twice the share, with the paper's setting."""
    for link, (capacity, rtt, flows) in enumerate(LINKS):
        rows = table.where(kind="over time", start=link)
        label = f"{capacity / 1e6:.0f} Mb/s, {1000 * rtt:.0f} ms, {flows} flows"
        ax.plot(rows["rtts"], rows["load"], color=style.COLOURS[link], label=label)
    model = table.where(kind="beside")
    ax.plot(model["rtts"], model["load"], color="black", linestyle=style.DOTS, label="model")
    ax.set(xlabel="round trips", ylabel="R over the fair share", xlim=(0, 100), ylim=(0, 2.1))
    style.legend(ax)


FIGURE = Figure(
    id="ps-4",
    title="The stability region, linear and non-linear, and where RCP converges",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
