"""Flows that are bottlenecked elsewhere (section 6): ten free long flows on a link of 100 Mb/s,
beside 3 to 30 that another link holds to 10 Mb/s together. That link is behind the shared one, or
before it. NCP counts flows by the inverse rates that packets state, (8), or by a counter, and then
corrects N for the flows with R_j below R, (12): with the current rate of the flow as R_j, or with
what the preceding routers have granted, as section 6 defines it. Besides RCP and XCP as their
papers have them: both fill the link, so (12) is compared with them at an alpha of 1, and elsewhere
at 0.95. The paper prints no alpha. The round trip is 80 ms for all, buffers are a bandwidth-delay
product. Runs measure 20 s after a warm-up of 20 s; bars are 95 % intervals over seeds.

The link that holds flows *before* the shared one is in the rate that headers have been granted
so far, and one *behind* it is not: there, (12) as section 6 defines R_j does not correct, and gives
what counting alone does, (13). The sender's current rate shows both. Sketches of 4 KiB count flows
with an error of 1.6 % (HyperLogLog) and 0.4 % (linear counting), which is that of N, and more of
the flows that are left when those held elsewhere are taken off.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
import pyarrow
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..scale import Scale

CAPACITY, NARROW, WIDE = 100e6, 10e6, 1e9
FREE, HELD = 10, (3, 10, 30)
WARM_UP_S, STOP_S = 20, 40
#: NCP's target utilization, its default.
ALPHA = 0.95
PLACES = ("behind", "before")
EXACT, PRINTED = "(12), current rates", "(12), granted rates"
FULL = "(12), alpha 1"
BITMAP, HYPERLOGLOG = "(12), bitmap", "(12), HyperLogLog"
COUNTED = {"counted": "eq12"}
#: The protocol of each system, and its parameters.
SYSTEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "NCP (8)": ("ncp", {}),
    EXACT: ("ncp", COUNTED),
    PRINTED: ("ncp", COUNTED | {"elsewhere": "granted"}),
    BITMAP: ("ncp", COUNTED | {"counter": "bitmap"}),
    HYPERLOGLOG: ("ncp", COUNTED | {"counter": "hyperloglog"}),
    "RCP": ("rcp", {}),
    "XCP": ("xcp", {}),
    FULL: ("ncp", COUNTED | {"alpha": 1.0}),
}
#: One throughput is better than another, or an advantage, by more than this. Ours: the paper has no
#: number.
CLOSE = 0.05
#: Bound for a router that divides what is left: a twentieth less is lost to interval and rounding.
MOST = 0.95
#: By system, place and number of flows held elsewhere.
Runs = dict[tuple[str, str, int], Results]


def run(scale: Scale) -> Runs:
    """Each combination."""
    return {
        (system, place, held): scale.run(
            _scenario(place, held, {protocol: fields}),
            [protocol],
            name=f"ncp-elsewhere/{number}-{place}-{held}",
            seeds=scale.pick(2, 5),
        )
        for number, (system, (protocol, fields)) in enumerate(SYSTEMS.items())
        for place in PLACES
        for held in scale.pick(HELD[1:2], HELD)
    }


def _scenario(place: str, held: int, fields: dict[str, Any]) -> Scenario:
    """Free flows from ``s`` to ``t``, others between ``narrow`` and the far end of the link."""

    def link(start: str, end: str, capacity: float) -> dict[str, Any]:
        capacities = {"capacity": f"{capacity:.0f} bps", "delay": "20 ms"}
        buffer = {} if capacity == WIDE else {"buffer": "1 bdp"}
        return {"from": start, "to": end} | capacities | buffer

    sides = [("b", "narrow", NARROW), ("b", "wide", WIDE)]
    if place == "before":
        sides = [("narrow", "a", NARROW), ("wide", "a", WIDE)]

    def between(side: str) -> dict[str, Any]:
        return {"from": side, "to": "b"} if place == "before" else {"from": "a", "to": side}

    counts = (("free", "wide", FREE), ("held", "narrow", held))
    groups = [
        {"name": name, "long": {"count": count, "within": "2 s"}} | between(side)
        for name, side, count in counts
    ]
    return Scenario(
        name="elsewhere",
        warm_up=f"{WARM_UP_S} s",
        stop=f"{STOP_S} s",
        limit=f"{STOP_S} s",
        ideals=[],
        topology={"link": [link("a", "b", CAPACITY), *(link(*side) for side in sides)]},
        group=groups,
        **fields,
    )


def table(runs: Runs) -> Frame:
    """A row for each combination and seed: utilization of the shared link, its mean queue in
    seconds, and the throughput of a free flow over its max-min fair share."""
    rows = []
    for (system, place, held), results in runs.items():
        protocol, _ = SYSTEMS[system]
        for seed in results.seeds:
            links, flows = results.links(protocol, seed), results.flows(protocol, seed)
            shared = links.where(**{"from": "a", "to": "b"})
            delivered = 8 * flows.where(group="free")["delivered_bytes"].sum()
            rows.append(
                {
                    "system": system,
                    "place": place,
                    "held": held,
                    "seed": seed,
                    "utilization": float(shared["utilization"][0]),
                    "share": float(delivered / (STOP_S - WARM_UP_S) / FREE / fair(held)),
                    "queue_s": float(shared["mean_queue_bytes"][0]) * 8 / CAPACITY,
                    "drops": int(shared["drops"][0]),
                }
            )
    return Frame(pyarrow.Table.from_pylist(rows))


def fair(held: int) -> float:
    """The max-min fair share of a free flow, in bit/s.

    >>> fair(10), fair(30), fair(1)
    (9000000.0, 9000000.0, 9090909.090909092)
    """
    return max((CAPACITY - NARROW) / FREE, CAPACITY / (FREE + held))


def processor_sharing(held: int) -> float:
    """C / N over the max-min fair share: what (10) gives a free flow at most.

    >>> round(processor_sharing(10), 3)
    0.556
    """
    return CAPACITY / (FREE + held) / fair(held)


def check(table: Frame) -> list[Claim]:
    """Section 6's claims, and what its two readings come to."""
    held = [int(each) for each in numpy.unique(table["held"])]
    points = [(place, each) for place in PLACES for each in held]

    def share(system: str, place: str, number: int) -> numpy.ndarray:
        return table.where(system=system, place=place, held=number)["share"]

    def over(system: str, other: str) -> dict[str, Interval]:
        return {_words(*at): Interval.of(share(system, *at) / share(other, *at)) for at in points}

    def of_target(system: str) -> dict[str, Interval]:
        found = [table.where(system=system, place=place, held=each) for place, each in points]
        return {
            _words(*at): Interval.of(rows["utilization"] / ALPHA)
            for at, rows in zip(points, found, strict=True)
        }

    def used(other: str) -> str:
        """Reason for a ratio of throughputs: what is used of the link."""
        by_12, by_other = (
            [
                float(table.where(system=system, place=place, held=each)["utilization"].mean())
                for place, each in points
            ]
            for system in (FULL, other)
        )
        return (
            f"(12), whose target is all of the link, uses {min(by_12):.3f} to {max(by_12):.3f} "
            f"of it, {other} {min(by_other):.3f} to {max(by_other):.3f}"
        )

    def by_count() -> str:
        """What (8) and counting give, over the max-min share, beside alpha C / N."""
        found = [
            f"(8) {share('NCP (8)', *at).mean():.3f}, counted {share(PRINTED, *at).mean():.3f}, "
            f"alpha C / N {ALPHA * processor_sharing(at[1]):.3f} at {_words(*at)}"
            for at in behind
        ]
        return f"of max-min: {'; '.join(found)}"

    behind = [(place, each) for place, each in points if place == "behind"]
    lost = min(float(Interval.of(share(PRINTED, *at)).mean) for at in behind)
    ps = {_words(*at): Interval.of(share(EXACT, *at) / processor_sharing(at[1])) for at in points}
    return [
        everywhere(
            "counting flows alone gives free flows less than the correction does: throughput of a "
            "free flow with N counted, (13), over that with (12)",
            '"may cause a router to give more share to the flows bottlenecked elsewhere at the '
            'expense of the other flows"',
            {_words(*at): Interval.of(share(PRINTED, *at) / share(EXACT, *at)) for at in behind},
            high=1,
            note="; the counted run is (12) with granted rates, which finds no flow held behind",
        ),
        everywhere(
            "NCP estimates the share better than counting alone: throughput of a free flow with "
            "(8) over that with N counted, (13)",
            '"such schemes may not be as good as the NCP scheme in estimating the fair share"',
            {
                _words(*at): Interval.of(share("NCP (8)", *at) / share(PRINTED, *at))
                for at in behind
            },
            low=1 + CLOSE,
            form=".4f",
            why=by_count(),
        ),
        everywhere(
            "(12) gives an advantage over NCP (8): throughput of a free flow over that with (8)",
            '"this additional refinement gives NCP an additional advantage"',
            over(EXACT, "NCP (8)"),
            low=1 + CLOSE,
        ),
        everywhere(
            "(12) with an alpha of 1 gives an advantage over RCP: throughput of a free flow over "
            "that under RCP",
            '"an additional advantage over RCP"',
            over(FULL, "RCP"),
            low=1 + CLOSE,
            why=used("RCP"),
        ),
        everywhere(
            "(12) with an alpha of 1 gives an advantage over XCP: throughput of a free flow over "
            "that under XCP",
            '"an additional advantage over RCP, XCP"',
            over(FULL, "XCP"),
            low=1 + CLOSE,
            why=used("XCP"),
        ),
        everywhere(
            "(12) gives an advantage over PS: throughput of a free flow over C / N",
            '"and even processor sharing (PS)"',
            ps,
            low=1 + CLOSE,
        ),
        everywhere(
            "(12) with current rates fills what it may: utilization of the shared link over alpha",
            "alpha (the fixed point of (12))",
            of_target(EXACT),
            low=MOST,
            high=1 / MOST,
            form=".3f",
        ),
        everywhere(
            "(12) with granted rates, as section 6 defines R_j, does so too: utilization of the "
            "shared link over alpha",
            "alpha (the fixed point of (12))",
            of_target(PRINTED),
            low=MOST,
            high=1 / MOST,
            form=".3f",
            why=f"behind the link, free flows get {lost:.2f} of their max-min share at least",
        ),
        everywhere(
            "sketches of 4 KiB do as well as a table of all flows: throughput of a free flow with "
            "one over that with an exact counter",
            "not stated",
            {
                f"{name}, {at}": found
                for name, system in (("bitmap", BITMAP), ("HyperLogLog", HYPERLOGLOG))
                for at, found in over(system, EXACT).items()
            },
            low=MOST,
            high=1 / MOST,
            form=".3f",
        ),
    ]


def _words(place: str, held: int) -> str:
    return f"{held} held {place}"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Share of a free flow against the number of flows held elsewhere, by place."""
    figure, panels = pyplot.subplots(1, len(PLACES), figsize=(7, 3.0), sharey=True)
    for place, ax in zip(PLACES, panels, strict=True):
        _panel(ax, table, place)
        ax.set_title(f"held {place} the shared link")
        scales.logarithmic(ax, "x", "flows held elsewhere", "")
    panels[0].set_ylabel("free flow over max-min")
    panels[0].set_ylim(0, 1.1)
    style.legend_above(figure, panels[0], columns=4)
    return figure


def _panel(ax: Axes, table: Frame, place: str) -> None:
    held = numpy.unique(table["held"])
    for number, system in enumerate(SYSTEMS):
        rows = [table.where(system=system, place=place, held=int(each)) for each in held]
        found = [Interval.of(each["share"]) for each in rows]
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        with_bars(ax, held, found, label=system, linewidth=0.9, **look)
    ps = [processor_sharing(int(each)) for each in held]
    ax.plot(held, ps, color=style.GREY, linestyle=style.DASHES[0], label="C / N")


FIGURE = Figure(
    id="ncp-elsewhere",
    title="NCP with counted flows, where flows are bottlenecked elsewhere",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
