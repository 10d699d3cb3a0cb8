"""A flow of 230 packets and one of 3,600 in the traffic of figure 7: packets sent over time. The
paper picks two flows of its run without identifying them. Ours are added to that traffic (1.3 % of
load), five of each size, one second apart from 5 s on, in five runs (two at the quick scale). The
first of each size in the first run is drawn, sampled every 10 ms; claims cover all. TCP has an
initial window of 2 packets. The paper's long TCP flow had a loss and was slow to catch up; ours had
no loss and never left slow start.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot

from ... import theory
from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..completion import mean_s
from ..figure import Figure
from ..interval import Interval
from ..link import PACKET
from ..scale import Scale
from ..traffic import fixed, flow_group, pareto
from ..transport import NS2
from .by_size import LINK

#: Groups with the packets of their flows, and with the first start in seconds.
FLOWS = {"short": 230, "long": 3600}
STARTS = {"short": 5.0, "long": 5.5}
PROTOCOLS = ("rcp", "xcp", "tcp")
#: Bound for "close" and "follows", as a factor.
CLOSE = 1.5


def run(scale: Scale) -> Results:
    """The traffic of figure 7 with these flows."""
    own = [
        flow_group(
            name,
            periodic={"every": "1 s", "start": f"{STARTS[name]} s", "sizes": fixed(packets)},
        )
        for name, packets in FLOWS.items()
    ]
    arrivals = {"load": 0.9, "sizes": pareto("25 packets", 1.2)}
    scenario = Scenario(
        transport=NS2,
        name="ps-8",
        warm_up="5 s",
        stop="10 s",
        limit="25 s",
        ideals=[],
        tcp={"recovery": "reno"},
        topology={"dumbbell": {"capacity": "2.4 Gbps", "rtt": "100 ms", "buffer": "1 bdp"}},
        group=[flow_group("flows", poisson=arrivals), *own],
        metrics=[{"flow": {"group": name, "index": 0}, "every": "10 ms"} for name in FLOWS],
    )
    return scale.run(scenario, PROTOCOLS, name="ps-8", seeds=scale.pick(2, 5))


def table(results: Results) -> Frame:
    """Rows by protocol, flow and seed with the mean completion time, and rows with the progress of
    the first flows in the first run."""
    means = [
        {"protocol": name, "flow": flow, "seed": seed, **_mean(results, name, flow, seed)}
        for name in results.protocols
        for flow in FLOWS
        for seed in results.seeds
    ]
    parts = [pyarrow.Table.from_pylist(means)]
    for name in results.protocols:
        series = results.series(name, 1).where(quantity="sequence_packets")
        for flow, start in STARTS.items():
            rows = series.where(group=flow)
            columns = {
                "protocol": [name] * len(rows),
                "flow": [flow] * len(rows),
                "seconds": rows["time_ns"] / 1e9 - start,
                "sent": rows["value"],
            }
            parts.append(pyarrow.table(columns))
    return Frame(pyarrow.concat_tables(parts, promote_options="permissive"))


def _mean(results: Results, name: str, flow: str, seed: int) -> dict[str, float]:
    flows = results.flows(name, seed).where(group=flow, measured=True)
    return {
        "mean_s": mean_s(flows),
        "resent": int(flows["retransmissions"].sum()),
    }


def check(table: Frame) -> list[Claim]:
    """Claims about both sizes."""
    near, follows, sooner, slower = (
        {f"of {packets:,} packets": pick(table, flow, packets) for flow, packets in FLOWS.items()}
        for pick in (_over_ps, _over_slow_start, _tcp_over_rcp, _xcp_over_tcp)
    )
    sizes = {f"of {packets:,} packets": flow for flow, packets in FLOWS.items()}
    return [
        everywhere(
            "RCP jumps to its rate: the flow's completion time over processor sharing's by "
            "equation (3)",
            "close to PS",
            near,
            high=CLOSE,
            why=_resent(table, "rcp", sizes),
        ),
        everywhere(
            "TCP climbs as slow start does: the flow's completion time over the paper's formula, "
            "which starts from one packet",
            "follows the curve of slow start",
            follows,
            low=1 / CLOSE,
            high=CLOSE,
            why=_resent(table, "tcp", sizes),
        ),
        everywhere(
            "the flow finishes sooner with RCP than with TCP: TCP's completion time over RCP's",
            "sooner",
            sooner,
            low=1,
            why=_resent(table, "tcp", sizes),
        ),
        everywhere(
            "XCP stretches the flow: XCP's completion time over TCP's",
            "slower",
            slower,
            low=1,
        ),
    ]


def _over_ps(table: Frame, flow: str, packets: int) -> Interval:
    return Interval.of(_seeds(table, "rcp", flow) / float(theory.ps(LINK, packets * PACKET)))


def _over_slow_start(table: Frame, flow: str, packets: int) -> Interval:
    formula = theory.slow_start.completion_s(packets, LINK.capacity_bps, LINK.rtt_s)
    return Interval.of(_seeds(table, "tcp", flow) / float(formula))


def _tcp_over_rcp(table: Frame, flow: str, _: int) -> Interval:
    return Interval.of(_seeds(table, "tcp", flow) / _seeds(table, "rcp", flow))


def _xcp_over_tcp(table: Frame, flow: str, _: int) -> Interval:
    return Interval.of(_seeds(table, "xcp", flow) / _seeds(table, "tcp", flow))


def _resent(table: Frame, name: str, sizes: dict[str, str]) -> str:
    """The retransmissions of each flow, over all seeds."""
    resent = {at: int(_seeds(table, name, flow, "resent").sum()) for at, flow in sizes.items()}
    return f"{name.upper()} retransmitted " + ", ".join(f"{n} {at}" for at, n in resent.items())


def _seeds(table: Frame, name: str, flow: str, column: str = "mean_s") -> numpy.ndarray:
    values = table.where(protocol=name, flow=flow)[column]
    return values[~numpy.isnan(values)]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Packets sent since the SYN; time is logarithmic, since XCP takes much longer."""
    figure, axes = pyplot.subplots(1, 2, figsize=(7, 2.8))
    looks = style.looks(PROTOCOLS)
    for ax, (flow, packets) in zip(axes, FLOWS.items(), strict=True):
        for name, look in looks.items():
            rows = table.where(protocol=name, flow=flow)
            ax.plot(rows["seconds"], rows["sent"], label=look.title, **look.line())
        # Nothing is sent before the SYN is answered.
        ax.set_xlim(left=0.8 * LINK.rtt_s)
        scales.logarithmic(ax, "x", "time since the SYN", "s")
        ax.set_ylabel(f"packets sent (flow of {packets:,})")
    style.legend(axes[0])
    return figure


FIGURE = Figure(
    id="ps-8",
    title="Progress of two flows: RCP jumps to its rate, TCP climbs, XCP stretches",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
