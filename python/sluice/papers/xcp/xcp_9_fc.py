"""Another fairness controller behind XCP's efficiency controller (section 9.1.4): proportional
fairness on chains of links. Of two and of five equal links, 50 Mb/s each, one flow crosses all, and
each link has another flow. Unequal links have 100, 60 and 80 Mb/s and nine flows over one, two or
three of them. Links have a delay of 10 ms.

XCP's header cannot carry proportional shares: a packet keeps the least feedback of its path, and
the first router of a flow sees the same whether further ones limit it or not ([decision
23](../decisions/023-xcp-controllers.md)). So the fairness controller is that of alpha-fair RCP,
whose header adds up prices along the path, and phi of (4.3) moves each link's R
(`alpha_fair.efficiency = "xcp"`). With alpha 6 it is nearly max-min fair.

Shown is the throughput of each flow; lines are the proportional (dashed) and the max-min (dotted)
rates, computed from the links alone (`fair_shares.py`). Measured from 30 s to 60 s; four seeds draw
starts in the first second, and bars are 95 % intervals.
"""

from __future__ import annotations

from typing import Literal

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import style
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import by_seed, frame
from .claims import OPTIMAL
from .parking import LOTS, NEARLY, PROPORTIONAL, SYSTEMS, XCP, Runs, rows_of, run

#: A flow "has" its fair rate if it is this close.
CLOSE = 0.05


def table(runs: Runs) -> Frame:
    """A row for each flow, and each link, of each run."""
    return frame([row for of, results in runs.items() for row in rows_of(*of, *results)])


def check(table: Frame) -> list[Claim]:
    """That shares are what each controller is for, and links as full behind all of them."""
    flows, links = table.where(kind="flow"), table.where(kind="link")
    begin = table.where(kind="begin")
    fair = {
        PROPORTIONAL: "flows have their proportionally fair rates behind XCP's efficiency "
        "controller: throughput over them",
        XCP: "flows have their max-min fair rates with XCP's own: throughput over them",
    }
    paper = {
        PROPORTIONAL: "protocols might change the control law of the fairness controller (9.1.4)",
        XCP: "converge to optimal efficiency and max-min fairness (4.7)",
    }
    return [
        *(
            everywhere(
                says,
                paper[system],
                _of_flows(flows, system),
                low=1 - CLOSE,
                high=1 + CLOSE,
                form=".3f",
                why=_lost(links, system),
            )
            for system, says in fair.items()
        ),
        everywhere(
            "the efficiency controller is the same: utilization of each link behind the other "
            "fairness controllers",
            "modifying one of the controllers without redesigning the other (4.1)",
            {
                f"{at}, {system}": Interval.of(rows["utilization"])
                for system in (PROPORTIONAL, NEARLY)
                for at, rows in _each(links, system, "link")
            },
            low=OPTIMAL,
            form=".3f",
        ),
        everywhere(
            "and drops nothing in a steady state: packets dropped, the most of any run and link",
            "almost never drops packets (5)",
            {
                system: Interval.exactly(float(links.where(system=system)["drops"].max()))
                for system in SYSTEMS
            },
            high=0.5,
            form=".0f",
            taken="none in any run",
        ),
        everywhere(
            "nor as flows begin: packets dropped in the first 30 s",
            "almost never drops packets (5)",
            {
                f"{lot}, {system}": Interval.of(begin.where(lot=lot, system=system)["drops"])
                for lot in _lots(table)
                for system in SYSTEMS
            },
            high=0.5,
            form=".0f",
            why=_begins(begin),
        ),
        everywhere(
            "proportional fairness is what differs: sum over flows of the logarithms of rates, "
            "less that of XCP",
            "not stated",
            {lot: _utility(flows.where(lot=lot)) for lot in _lots(table)},
            low=0,
            form="+.2f",
        ),
    ]


def _lots(table: Frame) -> list[str]:
    """The networks that were run."""
    return [lot for lot in LOTS if lot in set(table["lot"])]


def _each(rows: Frame, system: str, what: str) -> list[tuple[str, Frame]]:
    own = rows.where(system=system)
    return [
        (f"{what} {int(number) + 1} of {lot}", own.where(lot=lot, number=int(number)))
        for lot in _lots(rows)
        for number in numpy.unique(own.where(lot=lot)["number"])
    ]


def _of_flows(flows: Frame, system: str) -> dict[str, Interval]:
    return {at: Interval.of(rows["over"]) for at, rows in _each(flows, system, "flow")}


def _begins(begin: Frame) -> str:
    """How many packets each system drops as flows begin."""
    means = {name: begin.where(system=name)["drops"].mean() for name in SYSTEMS}
    if not any(means.values()):
        return ""
    shown = ", ".join(f"{mean:.0f} ({name})" for name, mean in means.items())
    return f"packets in a run: {shown}"


def _lost(links: Frame, system: str) -> str:
    """What a system leaves of links, if it does."""
    used = {at: float(rows["utilization"].mean()) for at, rows in _each(links, system, "link")}
    least = min(used, key=lambda at: used[at])
    return f"it uses {used[least]:.2f} of {least}" if used[least] < OPTIMAL else ""


def _utility(flows: Frame) -> Interval:
    """The sum of logarithms, of each seed."""
    sums = {
        system: numpy.array(
            [numpy.log(rows["rate"]).sum() for rows in by_seed(flows.where(system=system))]
        )
        for system in (PROPORTIONAL, XCP)
    }
    return Interval.of(sums[PROPORTIONAL] - sums[XCP], minimum=-numpy.inf)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughputs of flows; a panel for each network."""
    lots = _lots(table)
    figure, panels = pyplot.subplots(
        1, len(lots), figsize=(7, 2.9), width_ratios=[len(LOTS[lot].flows) + 1 for lot in lots]
    )
    flows = table.where(kind="flow")
    for lot, ax in zip(lots, panels, strict=True):
        _panel(ax, flows.where(lot=lot), lot)
    panels[0].set_ylabel("throughput (Mb/s)")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=len(names))
    return figure


def _panel(ax: Axes, flows: Frame, lot: str) -> None:
    count = len(LOTS[lot].flows)
    places = numpy.arange(count)
    for number, name in enumerate(SYSTEMS):
        own = flows.where(system=name)
        found = [Interval.of(own.where(number=flow)["rate"]) for flow in range(count)]
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number], "ls": "none"}
        with_bars(ax, places + 0.2 * (number - 1), found, label=name, **look)
    lines: tuple[tuple[str, Literal["dashed", "dotted"], str], ...] = (
        (PROPORTIONAL, "dashed", "proportional rates"),
        (XCP, "dotted", "max-min rates"),
    )
    for name, line, label in lines:
        rates = LOTS[lot].fair(name)
        ax.hlines(rates, places - 0.4, places + 0.4, "black", line, lw=0.9, label=label)
    ax.set_xticks(places, [_route(*flow) for flow in LOTS[lot].flows], fontsize=6)
    ax.set(title=lot, ylim=(0, None), xlabel="links")


def _route(first: int, last: int) -> str:
    return f"{first + 1}" if first == last else f"{first + 1}-{last + 1}"


FIGURE = Figure(
    id="xcp-9-fc",
    title="Proportional fairness behind XCP's efficiency controller",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
