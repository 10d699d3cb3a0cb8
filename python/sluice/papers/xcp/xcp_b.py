"""The stability of XCP (Appendix B), in theory and in packets.

*Above*, the open loop (alpha s + beta) e^-s / s^2, with time in round trips: its Bode plot (Figure
B-1) and its Nyquist plot (Figure B-2), with the thesis' gains, with those at its bound, and with
gains beyond it. Figure B-2 has a very small delay; ours has the round trip. beta = alpha^2 sqrt(2)
puts the zero at the crossover, and the phase margin pi / 4 - beta / alpha is positive for alpha
below pi / (4 sqrt(2)) = 0.555. The text of 7.3 prints a gain margin of "around 2.2" for alpha 0.4.

*Below*, packets: long flows of one round trip over one link with an endless buffer, as the model
has them, and beta by the rule. The load is the router's input rate y over the capacity; shown is
its standard deviation in the last 100 of 300 round trips. A loop "settles" if that is below 0.1:
the thesis has no number. The link has 100 Mb/s and 80 ms for ten flows, and one of these is changed
at a time. Windows are at least ten packets, since the load of smaller ones varies by single
packets, which have 1000 bytes. Five seeds (ten with flows in both directions) draw when flows
start, within the first round trip; bars are 95 % intervals.

The dashed line is the model as a fluid whose queue cannot be negative (`sluice.theory.fluid`). The
thesis neglects this edge, at which the loop rests: an empty queue ends the swing that would grow,
so that packets settle beyond the bound of the linear loop. On the right as many flows send in the
other direction, which the model leaves out and chapter 5 has: acknowledgements arrive in clusters,
the queue is seldom empty, and the bound is that of packets, too.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ...theory import linear, plots
from ..claim import Claim
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from . import loop, loop_claims

#: The thesis' gains, those at its bound, and some beyond it.
THESIS = (loop_claims.THESIS, 0.226)
LOOPS = (THESIS, *((alpha, float(linear.xcp_beta(alpha))) for alpha in (linear.XCP_ALPHA, 0.8)))
#: Alphas below the bound, as parts of it, at which margins are computed.
PARTS = numpy.linspace(0.02, 0.98, 25)
#: Alphas of the fluid.
FLUID = numpy.linspace(0.6, 1.1, 51)


def table(runs: loop.Runs) -> Frame:
    """Margins of loops, loads of the fluid, and a row for each site, alpha and seed."""
    below = [(alpha, float(linear.xcp_beta(alpha))) for alpha in PARTS * linear.XCP_ALPHA]
    return frame(
        [{"kind": "loop", **_margins(*gains)} for gains in LOOPS]
        + [{"kind": "below", **_margins(*gains)} for gains in below]
        + [
            {"kind": "fluid", "alpha": float(alpha), "load_sd": float(found)}
            for alpha, found in zip(FLUID, loop.fluid(FLUID), strict=True)
        ]
        + [
            {"kind": "packets", "site": words, "both_ways": both_ways, "alpha": alpha}
            | loop.SITES[words].row(results, seed)
            for (words, both_ways, alpha), results in runs.items()
            for seed in results.seeds
        ]
    )


def _margins(alpha: float, beta: float) -> dict[str, float]:
    found = linear.margins(alpha, beta)
    return {
        "alpha": alpha,
        "beta": beta,
        "gain": found.gain,
        "phase": found.phase,
        "crossover": found.crossover,
        "growth": linear.rightmost_root(alpha, beta).real,
    }


def check(table: Frame) -> list[Claim]:
    """The appendix' margins, then its theorem in packets."""
    return loop_claims.of_theory(table) + loop_claims.of_packets(table)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Bode and Nyquist plot above the loads of packets."""
    figure = pyplot.figure(figsize=(7, 6.6))
    panels = figure.subplot_mosaic(
        [["gain", "nyquist"], ["phase", "nyquist"], ["one", "both"]], height_ratios=[1, 1, 2]
    )
    loops = table.where(kind="loop")
    gains = [(round(a, 3), round(b, 3)) for a, b in zip(loops["alpha"], loops["beta"], strict=True)]
    plots.bode(gains, axes=(panels["gain"], panels["phase"]))
    if legend := panels["gain"].get_legend():
        legend.remove()
    panels["gain"].tick_params(labelbottom=False)
    plots.nyquist(gains, ax=panels["nyquist"]).set(xlim=(-2.5, 0.5), ylim=(-1, 1))
    for name, both_ways in (("one", False), ("both", True)):
        _loads(panels[name], table, both_ways)
    panels["one"].set(title="flows in one direction", ylabel="standard deviation of the load")
    panels["both"].set(title="flows in both directions")
    for ax in panels.values():
        ax.minorticks_off()
    panels["both"].sharex(panels["one"])
    panels["both"].sharey(panels["one"])
    panels["both"].tick_params(labelleft=False)
    handles, names = panels["one"].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=5)
    return figure


def _loads(ax: Axes, table: Frame, both_ways: bool) -> None:
    packets = table.where(kind="packets", both_ways=both_ways)
    for number, words in enumerate(dict.fromkeys(packets["site"])):
        rows = packets.where(site=words)
        alphas = numpy.unique(rows["alpha"])
        found = [Interval.of(rows.where(alpha=alpha)["load_sd"]) for alpha in alphas]
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        with_bars(ax, alphas, found, label=words, elinewidth=0.7, linewidth=0.8, **look)
    fluid = table.where(kind="fluid")
    ax.plot(fluid["alpha"], fluid["load_sd"], color="black", ls="dashed", label="fluid")
    ax.axvline(linear.XCP_ALPHA, color=style.ALARM, lw=0.8, label=r"$\pi / (4 \sqrt{2})$")
    ax.axhline(loop_claims.SETTLED, color=style.GREY, lw=0.6, label="settles below")
    ax.set(xlabel=r"$\alpha$", yscale="log", xlim=(0.15, 1.1), ylim=(3e-4, 3))


FIGURE = Figure(
    id="xcp-b",
    title="Stability: the open loop, and packets on both sides of the bound",
    doc=__doc__,
    run=loop.run,
    table=table,
    check=check,
    plot=plot,
)
