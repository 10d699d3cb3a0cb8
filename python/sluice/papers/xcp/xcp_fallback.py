"""Flows of XCP over paths that may not support it (section 8.2): "To start an XCP connection, the
sender must check whether the receiver and the routers along the path are XCP-enabled. If they are
not, the sender reverts to TCP." The thesis has no figure of it.

With `fallback = true`, a SYN asks, each link that runs XCP's law counts itself in it, and the
receiver returns the count, which is the number of links if all of them do. Flows of Pareto sizes
(mean 30 packets, shape 1.35) load a bottleneck of 45 Mb/s with a round trip of 40 ms to 0.6, behind
and before faster links that run XCP's law, too, but for one in some cases. Shown is the mean
completion time of the flows under XCP, which checks the path, in each case, beside those of TCP and
of XCP without a check where all links run its law. Ten seeds draw the flows; bars are 95 %
intervals.
"""

from __future__ import annotations

from dataclasses import dataclass

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import bars, means
from ..figure import Figure
from ..interval import Interval
from ..link import FROM, TO
from ..rows import frame
from ..scale import Scale
from .bottleneck import Settings
from .friendly import CAPACITY, RTT_S

LOAD, WARM_UP_S, STOP_S = 0.6, 2.0, 22.0
#: Of the flows, as in Figure 5-6.
SIZES = {"mean": "30 packets", "shape": 1.35}
SEEDS = 10


@dataclass(frozen=True)
class Path:
    """A path of three links, and its receivers."""

    #: Router laws of the links, in order.
    laws: tuple[str | bool, str | bool, str | bool] = ("xcp", "xcp", "xcp")
    conduct: Settings | None = None

    def scenario(self, *, fallback: bool) -> Scenario:
        """The same flows over this path."""
        first, middle, last = self.laws
        group: Settings = {
            "name": "web",
            "from": "s0",
            "to": "d0",
            "poisson": {"load": LOAD, "sizes": {"pareto": SIZES}},
        }
        return Scenario(
            name="fallback",
            warm_up=f"{WARM_UP_S:g} s",
            stop=f"{STOP_S:g} s",
            ideals=[],
            topology={
                "dumbbell": {
                    "capacity": f"{CAPACITY:.0f} bps",
                    "rtt": f"{1e3 * RTT_S:g} ms",
                    "router": middle,
                }
            },
            link=[
                {"from": "s0", "to": FROM, "router": first},
                {"from": TO, "to": "d0", "router": last},
            ],
            group=[group | ({"conduct": self.conduct} if self.conduct else {})],
            xcp={"fallback": fallback},
        )


ALL = "all links run XCP"
PATHS = {
    ALL: Path(),
    "the bottleneck runs no law": Path(("xcp", False, "xcp")),
    "a faster link runs no law": Path(("xcp", "xcp", False)),
    "a link runs RCP": Path(("rcp", "xcp", "xcp")),
    "the receiver does not know XCP": Path(conduct={"conventional_receiver": True}),
}
#: By path and what runs.
Runs = dict[tuple[str, str], Results]
CHECKS, XCP, TCP = "XCP, checking", "XCP", "TCP"


def run(scale: Scale) -> Runs:
    """XCP that checks each path; XCP that does not, and TCP, where all links run XCP."""
    seeds = scale.pick(1, SEEDS)

    def runs(path: str, protocol: str, *, fallback: bool, name: str) -> Results:
        scenario = PATHS[path].scenario(fallback=fallback)
        return scale.run(scenario, [protocol], name=f"xcp-fallback/{name}", seeds=seeds)

    found = {
        (path, CHECKS): runs(path, "xcp", fallback=True, name=f"checks-{number}")
        for number, path in enumerate(PATHS)
    }
    found[ALL, XCP] = runs(ALL, "xcp", fallback=False, name="xcp")
    found[ALL, TCP] = runs(ALL, "tcp", fallback=False, name="tcp")
    return found


def table(runs: Runs) -> Frame:
    """A row for each run: its mean completion time, and the part of flows that end when they do
    under TCP, and under XCP without a check."""
    rows = []
    for (path, what), results in runs.items():
        protocol = "tcp" if what == TCP else "xcp"
        for seed in results.seeds:
            took = _times(results, protocol, seed)
            rows.append(
                {
                    "path": path,
                    "what": what,
                    "seed": seed,
                    "mean_s": float(numpy.mean(took) / 1e9),
                    "as_tcp": float((took == _times(runs[ALL, TCP], "tcp", seed)).mean()),
                    "as_xcp": float((took == _times(runs[ALL, XCP], "xcp", seed)).mean()),
                }
            )
    return frame(rows)


def _times(results: Results, protocol: str, seed: int) -> numpy.ndarray:
    """Completion times of the measured flows in order of their starts, in nanoseconds."""
    flows = results.flows(protocol, seed)
    measured = flows["measured"]
    return flows["completion_ns"][measured][numpy.argsort(flows["index"][measured])]


def check(table: Frame) -> list[Claim]:
    """That flows are TCP's on such paths, and XCP's on others."""
    checks = table.where(what=CHECKS)
    return [
        everywhere(
            "where a link or the receiver does not support XCP, flows are TCP's: the part of them "
            "that complete when they do under TCP, to the nanosecond",
            "If they are not, the sender reverts to TCP",
            {
                f"where {path}": Interval.of(checks.where(path=path)["as_tcp"])
                for path in PATHS
                if path != ALL
            },
            low=0.9999,
            taken="at least 0.9999",
            form=".4f",
        ),
        everywhere(
            "where all do, they are XCP's: the part that complete when they do without the check",
            "The sender runs XCP only if it detects that the whole path and the receiver are XCP "
            "enabled",
            {f"where {ALL}": Interval.of(checks.where(path=ALL)["as_xcp"])},
            low=0.9999,
            taken="at least 0.9999",
            form=".4f",
        ),
        everywhere(
            "both differ: the part of flows that complete under XCP when they do under TCP",
            "not stated",
            {f"where {ALL}": Interval.of(table.where(path=ALL, what=XCP)["as_tcp"])},
            high=0.5,
        ),
    ]


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Mean completion times on each path."""
    figure, ax = pyplot.subplots(figsize=(5.5, 2.4))
    found = [Interval.of(table.where(path=path, what=CHECKS)["mean_s"]) for path in PATHS]
    places = numpy.arange(len(PATHS))
    ax.barh(places, 1e3 * means(found), 0.6, color=style.COLOURS[0], label="XCP, checking the path")
    ax.errorbar(1e3 * means(found), places, xerr=1e3 * bars(found), fmt="none", color=style.GREY)
    for number, what in enumerate((TCP, XCP)):
        mean = Interval.of(table.where(path=ALL, what=what)["mean_s"]).mean
        colour, dashes = style.COLOURS[2 + number], style.DASHES[number]
        ax.axvline(1e3 * mean, label=what, color=colour, linestyle=dashes)
    ax.set_yticks(places, list(PATHS))
    ax.invert_yaxis()
    ax.set(xlabel="mean completion time (ms)")
    style.legend_above(figure, ax, columns=3)
    return figure


FIGURE = Figure(
    id="xcp-fallback",
    title="XCP over paths that may not support it",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
