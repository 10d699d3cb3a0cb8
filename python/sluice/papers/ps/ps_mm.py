"""Three links in a row, of 100, 60 and 80 Mb/s: ten flows cross all of them, ten more the first, 20
the second and eight the third. At 60 s the 20 leave. Drawn is the rate of a flow of each kind, with
its exact max-min share as a dashed line: the ten flows across all links get 2 Mb/s each, limited by
the second link, and then 4.44 Mb/s, limited by the third.

The paper says that RCP is max-min fair and shows no such network. This one is ours, with a delay of
10 ms for each link, 1 ms access links and buffers of BDP. It is run with the papers' gains, alpha
0.1 and beta 1, and with those of the authors' ns-2 code, 0.4 and 0.4.
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
from ..claim import Claim
from ..figure import Figure
from ..link import PACKET, samples
from ..scale import Scale
from ..transport import NS2
from ..verdict import Verdict

#: Capacity of each link in Mb/s.
CAPACITIES = [100, 60, 80]
#: Number of flows of each kind, and the links that they cross.
FLOWS = {
    "all": (10, [0, 1, 2]),
    "first": (10, [0]),
    "second": (20, [1]),
    "third": (8, [2]),
}
LEAVING = "second"
#: Start and end of each phase in seconds.
PHASES = ((0, 60), (60, 120))
GAINS = {"0.1 and 1": (0.1, 1.0), "0.4 and 0.4": (0.4, 0.4)}


def run(scale: Scale) -> dict[str, Results]:
    """Both gains; the same at both scales: it takes seconds."""
    scenario = _scenario()
    return {
        name: scale.run(
            scenario.set({"rcp.alpha": alpha, "rcp.beta": beta}), ["rcp"], name=f"ps-mm-{alpha}"
        )
        for name, (alpha, beta) in GAINS.items()
    }


def _scenario() -> Scenario:
    end = f"{PHASES[-1][1]} s"
    links: list[dict[str, Any]] = [
        {
            "from": f"n{place}",
            "to": f"n{place + 1}",
            "capacity": f"{capacity} Mbps",
            "delay": "10 ms",
        }
        for place, capacity in enumerate(CAPACITIES)
    ]
    groups: list[dict[str, Any]] = []
    wide = {"capacity": "10 Gbps", "delay": "1 ms", "buffer": "unlimited"}
    for name, (count, path) in FLOWS.items():
        source, sink = f"from-{path[0]}-{path[-1]}", f"to-{path[0]}-{path[-1]}"
        links += [
            {"from": source, "to": f"n{path[0]}"} | wide,
            {"from": f"n{path[-1] + 1}", "to": sink} | wide,
        ]
        until = {"stop": f"{PHASES[0][1]} s"} if name == LEAVING else {}
        long = {"count": count} | until
        groups.append({"name": name, "from": source, "to": sink, "long": long})
    return Scenario(
        transport=NS2,
        name="ps-mm",
        stop=end,
        limit=end,
        ideals=["max_min"],
        topology={"link": links},
        group=groups,
        metrics=[
            *({"flow": {"group": name, "index": 0}, "every": "200 ms"} for name in FLOWS),
            *(
                {"link": [f"n{place}", f"n{place + 1}"], "every": "200 ms"}
                for place in range(len(CAPACITIES))
            ),
        ],
    )


def shares(present: list[str]) -> dict[str, float]:
    """The max-min share of a flow of each kind present, in Mb/s.

    Repeatedly, the link with the least capacity per flow fixes the shares of its flows.
    """
    found: dict[str, float] = {}
    while len(found) < len(present):
        offers = []
        for place, capacity in enumerate(CAPACITIES):
            here = [name for name in present if place in FLOWS[name][1]]
            left = capacity - sum(found[name] * FLOWS[name][0] for name in here if name in found)
            waiting = [name for name in here if name not in found]
            if waiting:
                offers.append((left / sum(FLOWS[name][0] for name in waiting), waiting))
        lowest, settled = min(offers)
        found |= dict.fromkeys(settled, lowest)
    return found


def table(runs: dict[str, Results]) -> Frame:
    """For both gains and each kind: the rate of a flow, its share, the data delivered by the kind
    relative to the max-min fair fluid, and the idle fraction of the narrowest of its links."""
    parts = []
    begins = shares(list(FLOWS))
    ends = shares([name for name in FLOWS if name != LEAVING])
    for gains, results in runs.items():
        series = results.series("rcp").where(quantity="rate")
        for name in FLOWS:
            rows = series.where(group=name)
            seconds = rows["time_ns"] / 1e9
            before = seconds <= PHASES[0][1]
            idle, asked = _idle(results, min(FLOWS[name][1], key=CAPACITIES.__getitem__))
            fair = _delivered(results, "max_min", name)
            columns = {
                "gains": [gains] * len(rows),
                "kind": [name] * len(rows),
                "seconds": seconds,
                "rate_mbps": rows["value"] / 1e6,
                "share_mbps": numpy.where(before, begins[name], ends.get(name, 0.0)),
                "delivered": [_delivered(results, "rcp", name) / fair] * len(rows),
                "idle": [idle] * len(rows),
                "idle_by_queue": [asked] * len(rows),
            }
            parts.append(pyarrow.table(columns))
    return Frame(pyarrow.concat_tables(parts))


def _delivered(results: Results, name: str, kind: str) -> float:
    return float(results.flows(name).where(group=kind)["delivered_bytes"].sum())


def _idle(results: Results, place: int) -> tuple[float, float]:
    """The part of a link that is idle in the last third of the first phase, and the part for which
    its mean queue stands: from R at rest, alpha (C - y) = beta q / d0. The packet in transmission,
    half of it not yet sent on average, is no q."""
    begin, end = PHASES[0]
    link = f"n{place}>n{place + 1}"
    late = {}
    for quantity in ("load", "queue_bytes", "d0"):
        seconds, values = samples(results, "rcp", quantity, link=link)
        late[quantity] = values[_settled(seconds, begin, end)].mean()
    gains = results.scenario["rcp"]
    waiting = late["queue_bytes"] - late["load"] * PACKET / 2
    queue = 8 * waiting / (late["d0"] * CAPACITIES[place] * 1e6)
    return float(1 - late["load"]), float(gains["beta"] / gains["alpha"] * queue)


def _settled(seconds: numpy.ndarray, begin: float, end: float) -> numpy.ndarray:
    """Whether each time is in the last third of a phase."""
    return (seconds > end - (end - begin) / 3) & (seconds < end)


def check(table: Frame) -> list[Claim]:
    """A claim for each gains about the last third of each phase."""
    claims = []
    for gains in GAINS:
        rows = table.where(gains=gains)
        of = rows["rate_mbps"] / rows["share_mbps"]
        late = numpy.zeros(len(rows), bool)
        for begin, end in PHASES:
            late |= _settled(rows["seconds"], begin, end)
        listed = []
        for name in FLOWS:
            these = late & (rows["kind"] == name)
            listed.append(f"{name}: {of[these].min():.3f} to {of[these].max():.3f}")
        delivered = [rows.where(kind=name)["delivered"][0] for name in FLOWS]
        claims.append(
            Claim(
                f"RCP is max-min fair over several bottlenecks: its rates over the max-min shares "
                f"(alpha and beta {gains})",
                paper="max-min fair",
                ours=f"{'; '.join(listed)}; delivered in all "
                f"{min(delivered):.3f} to {max(delivered):.3f} of max-min fair fluid's",
                verdict=Verdict.of(numpy.abs(of[late] - 1).max() < 0.05),
                taken="within 5 % in the last third of each phase",
                why=f"by alpha (C - y) = beta q / d0 {_percent(rows, 'idle_by_queue')} of the "
                f"links would be idle at the end of the first phase, and {_percent(rows, 'idle')} "
                "are",
            )
        )
    return claims


def _percent(rows: Frame, column: str) -> str:
    """A column of each link in order, from the kinds that cross a single link."""
    single = [name for name, (_, path) in FLOWS.items() if len(path) == 1]
    return ", ".join(f"{rows.where(kind=name)[column][0]:.1%}" for name in single)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A panel for each gains."""
    figure, panels = pyplot.subplots(1, 2, figsize=(7, 2.6), sharey=True)
    for ax, gains in zip(panels, GAINS, strict=True):
        for (name, (count, path)), colour in zip(FLOWS.items(), style.COLOURS, strict=False):
            rows = table.where(gains=gains, kind=name)
            # Flows across all links have the rate of another kind, whose line the wide one frames.
            line = {"lw": 4, "alpha": 0.4} if len(path) > 1 else {}
            label = f"through {name} ({count} flows)"
            ax.plot(rows["seconds"], rows["rate_mbps"], color=colour, label=label, **line)
            ax.plot(rows["seconds"], rows["share_mbps"], color=colour, ls="dashed", lw=0.8)
        scales.linear(ax, "x", "time", "s")
        ax.annotate(f"alpha and beta {gains}", (0.97, 0.95), xycoords="axes fraction", ha="right")
        ax.set(ylim=(0, 12))
    panels[0].set(ylabel="rate of a flow (Mb/s)")
    style.legend_above(figure, panels[0], columns=4)
    return figure


FIGURE = Figure(
    id="ps-mm",
    title="Several bottlenecks in a row: RCP's rates beside max-min shares",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
