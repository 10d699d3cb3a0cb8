"""Ten long flows on a link of 100 Mb/s with a round trip of 40 ms, to which 100 more come at 4 s,
and leave at 8 s: utilization in intervals of a round trip and queue, under XCP and under TCP Reno
with ECN over RED. The ten start at random in the first 400 ms, the hundred within 10 ms, one
between each pair of hosts. (The thesis' text has the hundred stop at 8 s, and in another sentence
at 10 s.) Hosts are as ns-2's of the time, the buffer is a bandwidth-delay product. Drawn is the
first of eight seeds.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import by_seed, frame
from ..scale import Scale
from . import over_time
from .bottleneck import ACCESS, Place, Settings, bytes_of, seconds
from .comparison import SYSTEMS, look

PLACE = Place(100e6, 0.04)
FEW, MANY = 10, 100
JOIN_S, LEAVE_S, STOP_S = 4.0, 8.0, 14.0
SEEDS = 8
COMPARED = ("XCP", "RED")
#: The link has "recovered" once utilization stays above this for half a second, and "a few" round
#: trips are up to ten. The thesis has no numbers.
RECOVERED, FOR_S, A_FEW = 0.9, 0.5, 10


def run(scale: Scale) -> dict[str, Results]:
    """By system."""
    return {name: _one(scale, name) for name in COMPARED}


def _one(scale: Scale, name: str) -> Results:
    system = SYSTEMS[name]
    dumbbell = {
        "pairs": FEW + MANY,
        "capacity": f"{PLACE.capacity:.0f} bps",
        "access": f"{ACCESS * PLACE.capacity:.0f} bps",
        "rtt": seconds(PLACE.rtt),
        "buffer": bytes_of(PLACE.buffer_bytes),
        "queue": system.queue(PLACE),
    }
    return over_time.run(
        scale,
        f"xcp-5-10/{name}",
        dumbbell=dumbbell,
        stop=STOP_S,
        groups=[_flow(pair) for pair in range(FEW + MANY)],
        settings=system.settings(PLACE),
        protocol=system.protocol,
        seeds=scale.pick(1, SEEDS),
    )


def _flow(pair: int) -> Settings:
    stays = {"within": "400 ms"}
    comes = {"start": seconds(JOIN_S), "within": "10 ms", "stop": seconds(LEAVE_S)}
    ends = {"name": f"flow-{pair}", "from": f"s{pair}", "to": f"d{pair}"}
    return ends | {"long": stays if pair < FEW else comes}


def table(runs: dict[str, Results]) -> Frame:
    """A row for each system, seed, quantity and time: utilization, queue in bytes; and the drops
    of the whole run at its end.
    """
    rows = []
    for name, results in runs.items():
        protocol = SYSTEMS[name].protocol
        for seed in results.seeds:
            drops = results.links(protocol, seed).where(**{"from": "left", "to": "right"})["drops"]
            found = [
                *over_time.link_rows(results, protocol, seed, PLACE.capacity, PLACE.rtt),
                *over_time.rows(seed, "drops", numpy.array([1e9 * STOP_S]), drops),
            ]
            rows += [{"system": name} | row for row in found]
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """That XCP drops nothing and recovers sooner than TCP."""
    return [
        everywhere(
            "XCP absorbs the new flows without a drop: packets dropped in the whole run, the most "
            "of any seed",
            "without dropping any packets",
            {"under XCP": Interval.exactly(max(over_time.each(table, "XCP", _drops)))},
            high=0.5,
            form=".0f",
            taken="none in any run",
        ),
        everywhere(
            "XCP takes the bandwidth of the flows that leave in a few round trips: time until the "
            f"link is used to {RECOVERED:.0%} for good, in round trips",
            "quickly reallocates the spare bandwidth",
            {"under XCP": Interval.of(over_time.each(table, "XCP", _after_leaving))},
            high=A_FEW,
            form=".1f",
        ),
        everywhere(
            "TCP over RED takes longer for it: its time over XCP's",
            "takes long time to acquire the spare bandwidth",
            {
                "over RED": Interval.of(
                    over_time.each(table, "RED", _after_leaving)
                    / over_time.each(table, "XCP", _after_leaving)
                )
            },
            low=1,
            form=".1f",
        ),
        everywhere(
            "XCP keeps utilization high while flows join: the least in a round trip, 4 s to 8 s",
            "while maintaining high utilization",
            {"under XCP": Interval.of(over_time.each(table, "XCP", _least_while_many))},
            low=RECOVERED,
        ),
        everywhere(
            "TCP over RED is more disturbed by it: its least utilization in a round trip from 4 s "
            "to 8 s over XCP's",
            "highly disturbed by the sudden increase",
            {
                "over RED": Interval.of(
                    over_time.each(table, "RED", _least_while_many)
                    / over_time.each(table, "XCP", _least_while_many)
                )
            },
            high=1,
        ),
    ]


def _drops(rows: Frame) -> float:
    return float(rows.where(quantity="drops")["value"].max())


def _after_leaving(rows: Frame) -> float:
    """Round trips until utilization has recovered for the time that counts."""
    found = rows.where(quantity="utilization")
    taken = over_time.until(
        found["time_s"],
        found["value"] >= RECOVERED,
        since=LEAVE_S,
        latest=STOP_S,
        span=round(FOR_S / PLACE.rtt),
    )
    return taken / PLACE.rtt


def _least_while_many(rows: Frame) -> float:
    found = rows.where(quantity="utilization")
    there = (found["time_s"] > JOIN_S) & (found["time_s"] <= LEAVE_S)
    return float(found["value"][there].min())


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Utilization and queue over time, a column for each system."""
    figure, panels = pyplot.subplots(2, 2, figsize=(7, 3.8), sharex=True, sharey="row")
    for column, name in enumerate(COMPARED):
        first = by_seed(table.where(system=name))[0]
        for row, quantity in enumerate(("utilization", "queue")):
            rows, ax = first.where(quantity=quantity), panels[row, column]
            color = look(name)["color"]
            ax.plot(rows["time_s"], rows["value"], color=color, linewidth=0.8)
            for time in (JOIN_S, LEAVE_S):
                ax.axvline(time, color=style.GREY, linestyle=style.DOTS, linewidth=0.8)
        panels[0, column].set_title("XCP" if name == "XCP" else "TCP over RED, ECN")
        panels[1, column].set_xlabel("time (s)")
    for ax in panels[:, 0]:
        ax.set_ylim(bottom=0)
    panels[0, 0].set_xlim(0, STOP_S)
    panels[0, 0].set_ylabel("utilization")
    scales.linear(panels[1, 0], "y", "queue", "B")
    return figure


FIGURE = Figure(
    id="xcp-5-10",
    title="A hundred flows join ten, and leave",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
