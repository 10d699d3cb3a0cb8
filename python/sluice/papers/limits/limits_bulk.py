"""Five long flows and web traffic on a WAN: how much of their max-min share the long flows get. The
link has 100 Mb/s and a buffer of BDP, the path a round trip of 70 ms; packets have 1500 bytes. Web
sessions of five objects, 50 ms apart, are a load of 0.6 in Pareto sizes (mean 30 kB, shape 1.3).
Runs measure 30 s after a warm-up of 5 s, with each of five seeds.

Then one thing is changed at a time: no web traffic; ten and a hundred times its mean size at the
same load; RCP with the gains of its authors' ns-2 code, or a smaller beta; XCP without shuffling
(gamma 0), or with three times as much. XCP's thesis has gamma 0.1, RCP's paper alpha 0.1 and beta
1; XCP has an initial window of 1.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import pyarrow
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from .. import drawing
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale
from ..traffic import pareto
from ..transport import NS2

CAPACITY = 100e6
SINCE, UNTIL = 5, 35
NAMES = {"rcp": "RCP", "xcp": "XCP"}
ALONE, PAPERS = "no web traffic", "as the papers have it"
#: The fields of each change, and the protocols it applies to.
CHANGES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    PAPERS: (("rcp", "xcp"), {}),
    ALONE: (("rcp", "xcp"), {}),
    "web of 300 kB": (("rcp", "xcp"), {"group.web.web.sizes.pareto.mean": "300 kB"}),
    "web of 3 MB": (("rcp", "xcp"), {"group.web.web.sizes.pareto.mean": "3 MB"}),
    "alpha and beta 0.4": (("rcp",), {"rcp.alpha": 0.4, "rcp.beta": 0.4}),
    "alpha 0.4, beta 0.2": (("rcp",), {"rcp.alpha": 0.4, "rcp.beta": 0.2}),
    "gamma 0": (("xcp",), {"xcp.gamma": 0.0}),
    "gamma 0.3": (("xcp",), {"xcp.gamma": 0.3}),
}
#: Bound for long flows that get their max-min share.
SHARE = 0.9


def run(scale: Scale) -> dict[str, Results]:
    """By change, with the same flows unless they are what is changed."""
    seeds = scale.pick(2, 5)
    return {
        change: scale.run(
            _scenario(change).set(fields), names, name=f"limits-bulk/{index}", seeds=seeds
        )
        for index, (change, (names, fields)) in enumerate(CHANGES.items())
    }


def _scenario(change: str) -> Scenario:
    web = {
        "load": 0.6,
        "objects": 5,
        "gap": "50 ms",
        "sizes": pareto("30 kB", 1.3),
    }
    groups: dict[str, dict[str, Any]] = {"web": {"web": web}, "bulk": {"long": {"count": 5}}}
    if change == ALONE:
        del groups["web"]
    return Scenario(
        name="limits-bulk",
        packet="1500 B",
        header="40 B",
        warm_up=f"{SINCE} s",
        stop=f"{UNTIL} s",
        ideals=["max_min"],
        transport=NS2,
        xcp={"initial_window": 1},
        topology={
            "link": [
                {"from": "siteA", "to": "r", "capacity": "1 Gbps", "delay": "30 ms"},
                {"from": "r", "to": "siteB", "capacity": f"{CAPACITY:.0f} bps", "delay": "5 ms"},
            ]
        },
        group=[
            {"name": name, "from": "siteA", "to": "siteB"} | traffic
            for name, traffic in groups.items()
        ],
    )


def table(runs: dict[str, Results]) -> Frame:
    """A row for each change, protocol and seed: utilization, and the data delivered by the long
    flows relative to max-min."""
    rows = []
    for change, results in runs.items():
        for name in results.protocols:
            for seed in results.seeds:
                link = results.links(name, seed).where(**{"from": "r", "to": "siteB"})
                own, ideal = (
                    results.flows(each, seed).where(group="bulk")["delivered_bytes"].sum()
                    for each in (name, "max_min")
                )
                rows.append(
                    {
                        "change": change,
                        "protocol": name,
                        "seed": seed,
                        "used": float(link["utilization"][0]),
                        "share": float(own / ideal),
                        "drops": int(link["drops"][0]),
                    }
                )
    return Frame(pyarrow.Table.from_pylist(rows))


def check(table: Frame) -> list[Claim]:
    """Claims of our own about the unused capacity, and its reasons."""
    plain = {name: _of(table, "used", name, PAPERS) for name in NAMES}
    with_gains = ("alpha and beta 0.4", "alpha 0.4, beta 0.2")
    return [
        *(
            everywhere(
                "long flows beside web traffic get their max-min share: what they get under "
                f"{title} over that share",
                "not stated",
                {"of the max-min share": _of(table, "share", name, PAPERS)},
                low=SHARE,
                note=f"; {plain[name]:.2f} of the link is used",
                taken=f"above {SHARE}",
                why=f"without web traffic {_of(table, 'used', name, ALONE):.2f} of it is used",
            )
            for name, title in NAMES.items()
        ),
        everywhere(
            "RCP's gains are part of the reason: utilization with others over that with 0.1 and 1",
            "not stated",
            {f"with {change}": _over(table, "rcp", change) for change in with_gains},
            low=1,
        ),
        everywhere(
            "XCP's shuffling is part of the reason: utilization without it over that with gamma "
            "0.1",
            "not stated",
            {"with gamma 0": _over(table, "xcp", "gamma 0")},
            low=1,
            note=f"; {_of(table, 'used', 'xcp', 'gamma 0'):.2f} of the link is used without it, "
            f"{_of(table, 'used', 'xcp', 'gamma 0.3'):.2f} with gamma 0.3",
        ),
        everywhere(
            "XCP uses more of the link the longer the web's flows last: utilization with larger "
            "ones over that with 30 kB",
            "not stated",
            {
                f"with {change}": _over(table, "xcp", change)
                for change in ("web of 300 kB", "web of 3 MB")
            },
            low=1,
        ),
    ]


def _of(table: Frame, column: str, name: str, change: str) -> Interval:
    return Interval.of(table.where(protocol=name, change=change)[column])


def _over(table: Frame, name: str, change: str) -> Interval:
    """Utilization with a change relative to that without, seed by seed."""
    own, plain = (table.where(protocol=name, change=each)["used"] for each in (change, PAPERS))
    return Interval.of(own / plain)


def plot(table: Frame) -> matplotlib.figure.Figure:
    """A bar for each change of a protocol."""
    figure, axes = pyplot.subplots(1, len(NAMES), figsize=(7, 2.6), sharex=True)
    looks = style.looks(list(NAMES))
    for ax, (name, title) in zip(axes, NAMES.items(), strict=True):
        changes = [change for change, (of, _) in CHANGES.items() if name in of]
        found = [_of(table, "used", name, change) for change in changes]
        ax.barh(
            changes,
            drawing.means(found),
            xerr=drawing.bars(found),
            color=looks[name].colour,
            error_kw={"elinewidth": 0.8},
        )
        ax.set(xlabel=f"utilization, {title}", xlim=(0, 1.05))
        ax.invert_yaxis()
    return figure


FIGURE = Figure(
    id="limits-bulk",
    title="Long flows beside web traffic on a WAN, under RCP and XCP",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
