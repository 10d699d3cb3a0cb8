"""Two flows start in every round trip, of 99 packets and of 1, on a link that carries 100 packets
in one. In each round, all active flows are granted an equal share, whether or not they have as much
to send: what the flow of 1 packet does not use of its share is lost, so that other flows pile up
until a share is one packet. The paper counts in rounds and calls this similar to XCP; so does the
model, as a fluid and in whole packets. Also shown are the same flows under XCP and RCP as packets,
on 8 Mb/s and 100 ms (ours; packets of 1000 bytes) with an unlimited buffer, and processor sharing
of them as a fluid.

The load of the example is exactly 1, at which flows that have piled up never clear. The right panel
has a load of 0.9, with flows of 89 packets and 1, which the paper does not show. RCP is also run
with the gains of its authors' ns-2 code, alpha and beta 0.4.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from .. import under_way
from ..claim import Claim
from ..figure import Figure
from ..link import PACKET, bottleneck, link_metrics, samples
from ..scale import Scale
from ..transport import NS2
from ..verdict import Verdict
from . import rounds

#: Packets per round trip.
CAPACITY = 100
RTT = 0.1
#: Flows of each round by load; the first is the paper's.
SIZES = {1.0: [99, 1], 0.9: [89, 1]}
#: alpha and beta: the papers', and those of the authors' ns-2 code.
GAINS = {"rcp": (0.1, 1.0), "rcp_quicker": (0.4, 0.4)}
#: Round trips in which RCP's flows pile up, but have more than a packet a round trip each.
SLOW = (500, 1000)
#: Rounds until the fluid model has settled, and rounds per point drawn.
ROUNDS, TOGETHER = 6000, 10
#: Labels of curves other than XCP, RCP and the ideal.
TITLES = {
    "fluid": "model: fluid",
    "whole": "model: whole packets",
    "rcp_quicker": "RCP, alpha and beta 0.4",
}


def run(scale: Scale) -> dict[float, tuple[Results, Results]]:
    """XCP, RCP, and RCP with the other gains at each load; the same at both scales."""
    end = f"{ROUNDS * RTT:.0f} s"
    runs = {}
    for load, sizes in SIZES.items():
        name = f"fct-4-load-{load}"
        scenario = Scenario(
            transport=NS2,
            name=name,
            stop=end,
            limit=end,
            ideals=["max_min"],
            topology={"dumbbell": {"capacity": "8 Mbps", "rtt": "100 ms", "buffer": "unlimited"}},
            group=rounds.groups(sizes, RTT),
            # Not a divisor of the round trip, which is the period of the traffic.
            metrics=[link_metrics("30 ms")],
        )
        alpha, beta = GAINS["rcp_quicker"]
        quicker = scenario.set({"rcp.alpha": alpha, "rcp.beta": beta, "ideals": []})
        runs[load] = (
            scale.run(scenario, ["rcp", "xcp"], name=name),
            scale.run(quicker, ["rcp"], name=f"{name}-quicker"),
        )
    return runs


def table(runs: dict[float, tuple[Results, Results]]) -> Frame:
    """For each load and way of sharing a row for every ten rounds: flows under way and packets in
    the queue, means over them, and the part of the capacity that packets took over the whole run.
    """
    edges = numpy.arange(0, ROUNDS + 1, TOGETHER)
    none = numpy.zeros(len(edges) - 1)
    parts = []
    for load, (own, quicker) in runs.items():
        found = {}
        for name in ("fluid", "whole"):
            model = rounds.shared(CAPACITY, SIZES[load], ROUNDS, whole=name == "whole")
            flows = model.flows.reshape(-1, TOGETHER).mean(axis=1)
            found[name] = (flows, model.sent.mean() / CAPACITY, none)
        for name, results in (("rcp", own), ("xcp", own), ("rcp_quicker", quicker)):
            protocol = results.protocols[0] if name == "rcp_quicker" else name
            flows = under_way.mean(results.flows(protocol), edges * RTT)
            link = bottleneck(results, protocol)
            found[name] = (flows, float(link["utilization"][0]), _queue(results, protocol, edges))
        ideal = under_way.mean(own.flows("max_min"), edges * RTT)
        found["max_min"] = (ideal, load, none)
        for name, (flows, used, queue) in found.items():
            columns = {
                "load": [load] * len(flows),
                "name": [name] * len(flows),
                "rounds": edges[1:],
                "flows": flows,
                "used": [used] * len(flows),
                "queue_packets": queue,
            }
            parts.append(pyarrow.table(columns))
    return Frame(pyarrow.concat_tables(parts))


def _queue(results: Results, protocol: str, edges: numpy.ndarray) -> numpy.ndarray:
    """The mean queue in packets, between edges in rounds."""
    seconds, queue = samples(results, protocol, "queue_bytes")
    place = numpy.digitize(seconds / RTT, edges) - 1
    inside = place < len(edges) - 1
    total = numpy.bincount(place[inside], queue[inside] / PACKET, len(edges) - 1)
    return total / numpy.bincount(place[inside], minlength=len(edges) - 1)


def check(table: Frame) -> list[Claim]:
    """Claims about the end of the runs, at the paper's load except for the last claim."""
    names = ["fluid", "whole", "xcp", "rcp", "rcp_quicker", "max_min"]
    runs = {(name, load): table.where(name=name, load=load) for name in names for load in SIZES}
    ends = {key: (float(rows["flows"][-1]), float(rows["used"][-1])) for key, rows in runs.items()}
    fluid, whole, xcp, rcp, quicker, ideal = (ends[name, 1.0] for name in names)
    lighter = {name: ends[name, 0.9] for name in ("rcp", "rcp_quicker", "max_min")}
    at = runs["rcp", 0.9]["rounds"]
    slow = (at > SLOW[0]) & (at <= SLOW[1])
    # Without the packet in transmission, of which half is not yet sent on average: it is no q.
    queue = {
        name: runs[name, 0.9]["queue_packets"][slow].mean() - lighter[name][1] / 2
        for name in ("rcp", "rcp_quicker")
    }
    # Of a packet that waits.
    idle = {name: beta / alpha / CAPACITY for name, (alpha, beta) in GAINS.items()}
    hundred = {name: _reached(runs[name, 1.0]) for name in ("fluid", "whole")}
    # By Little's law, over both sizes; processor sharing has each pair done in a round.
    longer = fluid[0] / len(SIZES[1.0])
    return [
        Claim(
            "flows grow to 100, each with one packet a round trip",
            paper="100",
            ours=f"{fluid[0]:.0f} fluid{hundred['fluid']}; {whole[0]:.0f} in whole packets"
            f"{hundred['whole']}",
            verdict=Verdict.of(fluid[0] == whole[0] == CAPACITY),
        ),
        Claim(
            "their mean completion time over processor sharing's",
            paper="50",
            ours=f"{longer:.0f}, round by round",
            verdict=Verdict.of(abs(longer / 50 - 1) < 0.02),
            taken="within 2 %",
        ),
        Claim(
            "while the link is full: the part of it that is used",
            paper="1",
            ours=f"{fluid[1]:.3f} fluid, {whole[1]:.3f} in whole packets, {xcp[1]:.3f} under XCP, "
            "over all of the time",
            verdict=Verdict.of(min(fluid[1], whole[1], xcp[1]) > 0.98),
            taken="above 0.98",
        ),
        Claim(
            "XCP does similarly: its flows at the end",
            paper="similar to 100 flows",
            ours=f"{xcp[0]:.0f} flows at the end, where processor sharing with the SYN exchange "
            f"has {ideal[0]:.0f}",
            verdict=Verdict.of(80 < xcp[0] < 120),
            taken="80 to 120",
        ),
        Claim(
            "RCP lets flows complete close to the minimum possible: its flows over processor "
            "sharing's",
            paper="close",
            ours=f"{rcp[0]:.0f} flows at the end and {rcp[1]:.0%} of the link used, at a load of "
            f"0.9 {lighter['rcp'][0]:.0f} and {lighter['rcp'][1]:.0%}; processor sharing has "
            f"{ideal[0]:.0f} and {lighter['max_min'][0]:.0f} flows",
            verdict=Verdict.of(
                rcp[0] < 2 * ideal[0] and lighter["rcp"][0] < 2 * lighter["max_min"][0]
            ),
            taken="at most twice as many at both loads",
            why=f"at a load of 0.9 the mean q in round trips {SLOW[0]} to {SLOW[1]} is "
            f"{queue['rcp']:.1f} packets, which by alpha (C - y) = beta q / d0 leaves "
            f"{1 - idle['rcp'] * queue['rcp']:.0%} of the link; at gains of 0.4 it is "
            f"{queue['rcp_quicker']:.1f} packets, for "
            f"{1 - idle['rcp_quicker'] * queue['rcp_quicker']:.0%}, and there are "
            f"{lighter['rcp_quicker'][0]:.0f} flows, at a load of 1 {quicker[0]:.0f}",
        ),
    ]


def _reached(rows: Frame) -> str:
    """The round trip from which on there are as many flows as packets in a round trip."""
    there = rows["rounds"][rows["flows"] >= CAPACITY]
    return f", from round trip {int(there[0])} on" if len(there) else ""


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each load."""
    figure, panels = pyplot.subplots(1, 2, figsize=(7, 2.8), sharey=True)
    looks = style.looks(["rcp", "xcp", "max_min"])
    lines: dict[str, dict[str, Any]] = {
        "fluid": {"color": "black"},
        "whole": {"color": "black", "linestyle": style.DOTS},
        "xcp": looks["xcp"].line(),
        "rcp": looks["rcp"].line(),
        "rcp_quicker": {"color": style.shades(looks["rcp"].colour, 2)[1]},
        "max_min": looks["max_min"].line(),
    }
    for ax, load in zip(panels, SIZES, strict=True):
        for name, line in lines.items():
            rows = table.where(load=load, name=name)
            label = TITLES.get(name) or looks[name].title
            ax.plot(rows["rounds"], rows["flows"], label=label, **line)
        scales.logarithmic(ax, "x", "time (round trips)", "")
        scales.logarithmic(ax, "y", "active flows", "")
        ax.yaxis.set_major_formatter("{x:,.0f}")
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.label_outer()
        ax.annotate(f"load {load}", (0.03, 0.93), xycoords="axes fraction")
    style.legend_above(figure, panels[0], columns=3)
    return figure


FIGURE = Figure(
    id="fct-4",
    title="Shares that are not used make flows pile up, on a link that is full",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
