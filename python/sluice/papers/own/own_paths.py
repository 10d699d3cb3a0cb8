"""Several links, and capacity that steps down and up, under Ledger, RCP with both settings of
[own-places](#own-places), XCP and NCP.

Above are long flows on a parking lot of three links of 100, 60 and 80 Mb/s: ten cross all of them,
ten more the first, 20 the second and eight the third; and five flows on a link of 100 Mb/s beside
five that their own access links hold to 4 Mb/s. Drawn is the data that they get in 10 s after 5 s
over what max-min fairness gives. Below, ten long flows share 100 Mb/s, which fall to 30 Mb/s at 0 s
and return at 4 s, with a round trip of 50 ms and a buffer of two bandwidth-delay products (BDP) of
the 100 Mb/s: the queue, and the sum of what the router grants to ten flows over the capacity, with
the first seed. Ten seeds differ in when flows start; bars are 95 % intervals.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import style
from ...results import Results
from ...scenario import Scenario
from .. import places
from ..claim import Claim, everywhere
from ..closeness import ratio
from ..drawing import clusters
from ..figure import Figure
from ..interval import Interval
from ..link import link_metrics, samples
from ..rows import frame
from ..scale import Scale
from .systems import LEDGER, SYSTEMS, look, simulate

NAMES = (LEDGER, "RCP", "RCP 0.4", "XCP", "NCP")
#: Those that grant one rate to all flows.
GRANTING = (LEDGER, "RCP", "RCP 0.4", "NCP")
#: Capacities of the parking lot in Mb/s, and its flows: their number, and the links they cross.
CAPACITIES = (100, 60, 80)
LOT = {
    "all": (10, (0, 2)),
    "first": (10, (0, 0)),
    "second": (20, (1, 1)),
    "third": (8, (2, 2)),
}
#: Flows on one link: their number, and the capacity of their access links in Mb/s.
HELD = {"held": (5, 4), "beside": (5, 1000)}
#: All kinds of flows, by the first part of their groups' names.
KINDS = {
    "all": "over all three",
    "first": "over the first",
    "second": "over the second",
    "third": "over the third",
    "held": "held to 4 Mb/s",
    "beside": "beside them",
}
SINCE_S, UNTIL_S = 5, 15
#: The link whose capacity steps: both capacities, the round trip, its flows, when it falls and
#: when it returns, and the end.
HIGH_BPS, LOW_BPS, RTT_S, FLOWS = 100e6, 30e6, 0.05, 10
FALLS_S, RETURNS_S, END_S = 6, 10, 14
BDP = places.bdp_bytes(HIGH_BPS, RTT_S)
EVERY_MS = 20
#: Seconds drawn, from the fall on.
DRAWN_S = (-0.5, 5.5)
#: Bounds: shares of max-min's; how near a rate has to be; round trips until it is; and the queue in
#: bandwidth-delay products, of which 0.7 are what the rates of before bring in a round trip.
SHARES, SETTLED, SOON, QUEUE = (0.98, 1.02), 0.05, 10, 0.8

Key = tuple[str, str]


def run(scale: Scale) -> dict[Key, Results]:
    """By system and network."""
    networks = {"lot": _lot(), "held": _held(), "steps": _steps()}
    return {
        (name, network): simulate(scale, SYSTEMS[name], scenario, f"own-paths/{network}-{number}")
        for number, name in enumerate(NAMES)
        for network, scenario in networks.items()
    }


def _lot() -> Scenario:
    links = [
        {"from": f"n{at}", "to": f"n{at + 1}", "capacity": f"{each} Mbps", "delay": "10 ms"}
        for at, each in enumerate(CAPACITIES)
    ]
    groups = []
    for name, (count, (first, last)) in LOT.items():
        source, sink = f"from-{first}-{last}", f"to-{first}-{last}"
        links += [_access(source, f"n{first}"), _access(f"n{last + 1}", sink)]
        groups.append(_long(name, source, sink, count))
    return _network(links, groups)


def _held() -> Scenario:
    links = [{"from": "n0", "to": "n1", "capacity": f"{CAPACITIES[0]} Mbps", "delay": "10 ms"}]
    groups = []
    for place, (name, (count, mbps)) in enumerate(HELD.items()):
        for number in range(count):
            source, sink = f"from-{place}-{number}", f"to-{place}-{number}"
            links += [_access(source, "n0", mbps), _access("n1", sink)]
            groups.append(_long(f"{name}.{number}", source, sink, 1))
    return _network(links, groups)


def _access(begin: str, end: str, mbps: int = 10_000) -> dict[str, str]:
    return {"from": begin, "to": end, "capacity": f"{mbps} Mbps", "delay": "1 ms"}


def _long(name: str, source: str, sink: str, count: int) -> dict[str, Any]:
    return {"name": name, "from": source, "to": sink, "long": {"count": count, "within": "1 s"}}


def _network(links: list[dict[str, str]], groups: list[dict[str, Any]]) -> Scenario:
    return Scenario(
        name="own-paths",
        warm_up=f"{SINCE_S} s",
        stop=f"{UNTIL_S} s",
        limit=f"{UNTIL_S} s",
        ideals=["max_min"],
        topology={"link": links},
        group=groups,
    )


def _steps() -> Scenario:
    steps = [[f"{FALLS_S} s", f"{LOW_BPS:.0f} bps"], [f"{RETURNS_S} s", f"{HIGH_BPS:.0f} bps"]]
    return Scenario(
        name="own-paths-steps",
        warm_up=f"{SINCE_S} s",
        stop=f"{END_S} s",
        limit=f"{END_S} s",
        ideals=[],
        topology={
            "dumbbell": {
                "capacity": f"{HIGH_BPS:.0f} bps",
                "rtt": f"{1e3 * RTT_S:g} ms",
                "buffer": "2 bdp",
                "schedule": {"steps": steps},
            }
        },
        group=[_long("flows", "s0", "d0", FLOWS)],
        metrics=[link_metrics(f"{EVERY_MS} ms")],
    )


def table(runs: dict[Key, Results]) -> Frame:
    """Rows of three kinds: shares by kind of flow, what follows each step, and samples of the first
    seed."""
    rows: list[dict[str, Any]] = []
    for (name, network), results in runs.items():
        for seed in results.seeds:
            of = {"system": name, "seed": seed}
            if network != "steps":
                rows += _shares(results, of)
                continue
            seen = _seen(results, seed, granting=name in GRANTING)
            rows.append(of | {"kind": "steps"} | _after(*seen))
            if seed == results.seeds[0]:
                rows += [
                    of | {"kind": "sample", "seconds": at, "queue_bdp": queue, "granted": granted}
                    for at, queue, granted in zip(*(each.tolist() for each in seen), strict=True)
                    if DRAWN_S[0] < at < DRAWN_S[1]
                ]
    return frame(rows)


def _shares(results: Results, of: dict[str, Any]) -> list[dict[str, Any]]:
    """Data of each kind of flow that the network has, over that under max-min fairness."""
    own, fair = (results.flows(name, of["seed"]) for name in (results.protocols[0], "max_min"))
    rows = []
    for flows in KINDS:
        got, due = (
            sum(
                float(size)
                for group, size in zip(table["group"], table["delivered_bytes"], strict=True)
                if group.split(".")[0] == flows
            )
            for table in (own, fair)
        )
        if due:
            rows.append(of | {"kind": "share", "flows": flows, "ratio": got / due})
    return rows


def _seen(
    results: Results, seed: int, *, granting: bool
) -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Seconds since the capacity fell, the queue over the product of the high capacity, and what
    ten flows are granted over the capacity, NaN where none is."""
    (protocol,) = results.protocols
    queue = samples(results, protocol, "queue_bytes", seed)
    seconds = queue.seconds - FALLS_S
    granted = numpy.full(len(seconds), numpy.nan)
    if granting:
        low = (seconds > 0) & (seconds <= RETURNS_S - FALLS_S)
        rate = samples(results, protocol, "R", seed).values
        granted = FLOWS * rate / numpy.where(low, LOW_BPS, HIGH_BPS)
    return seconds, queue.values / BDP, granted


def _after(
    seconds: numpy.ndarray, queue: numpy.ndarray, granted: numpy.ndarray
) -> dict[str, float]:
    """The longest queue, and round trips from each step until what is granted is settled for as
    long as the capacity lasts."""
    back = RETURNS_S - FALLS_S
    found = {"queue": float(queue[(seconds > 0) & (seconds <= back)].max())}
    for name, begin, end in (("fall", 0, back), ("return", back, END_S - FALLS_S)):
        during = (seconds > begin) & (seconds <= end)
        off = during & ~(numpy.abs(granted - 1) < SETTLED)
        last = seconds[off].max() if off.any() else begin
        found[name] = float((last - begin) / RTT_S)
    return found


def check(table: Frame) -> list[Claim]:
    """Claims about Ledger's shares, and about what it does after steps."""
    shares, steps = (table.where(kind=kind, system=LEDGER) for kind in ("share", "steps"))
    others = {name: table.where(kind="steps", system=name) for name in GRANTING[1:]}
    times = {"after the fall": "fall", "after the return": "return"}
    return [
        everywhere(
            "flows get their max-min shares over several links, and beside flows that are held "
            "elsewhere: what they get over that",
            "not stated",
            {f"of those {title}": ratio(shares, flows=kind) for kind, title in KINDS.items()},
            low=SHARES[0],
            high=SHARES[1],
            form=".3f",
        ),
        everywhere(
            "as the capacity falls the queue grows by little more than what the rates of before "
            "bring in a round trip, 0.7 bandwidth-delay products: the longest queue in these",
            "not stated",
            {"after the fall": Interval.of(steps["queue"])},
            high=QUEUE,
        ),
        everywhere(
            f"what is granted is soon within {SETTLED:.0%} of the new capacity: round trips from a "
            "step until it stays so",
            "not stated",
            {at: Interval.of(steps[column]) for at, column in times.items()},
            high=SOON,
            form=".1f",
            note="".join(
                f"; {_round_trips(rows['fall'])} and {_round_trips(rows['return'])} under {name}"
                for name, rows in others.items()
            ),
        ),
    ]


def _round_trips(until: numpy.ndarray) -> str:
    """Their mean, or that no run settled."""
    last = (RETURNS_S - FALLS_S) / RTT_S
    return f"{until.mean():.0f}" if until.min() < last - 1 else f"not within {last:.0f}"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Shares above; the queue and what is granted over time below."""
    figure = pyplot.figure(figsize=(7, 5))
    grid = figure.add_gridspec(2, 2)
    above = figure.add_subplot(grid[0, :])
    queue, granted = (figure.add_subplot(grid[1, place]) for place in (0, 1))
    shares = table.where(kind="share")
    found = {name: [ratio(shares, system=name, flows=kind) for kind in KINDS] for name in NAMES}
    clusters(above, list(KINDS.values()), found, {name: SYSTEMS[name].line(name) for name in NAMES})
    above.axhline(1, color="black", linewidth=0.7)
    above.set_ylabel("data / max-min's")
    for name in NAMES:
        rows = table.where(kind="sample", system=name)
        thin = {"marker": None, "linewidth": 1.5 if name == LEDGER else 0.9}
        queue.plot(rows["seconds"], rows["queue_bdp"], **(look(name) | thin))
        if name in GRANTING:
            granted.plot(rows["seconds"], rows["granted"], **(look(name) | thin))
    queue.set(ylabel="queue (BDP of 100 Mb/s)", ylim=(0, None))
    granted.set(ylabel="10 R / capacity", ylim=(0, 3.5))
    for ax in (queue, granted):
        ax.set_xlabel("time since the capacity fell (s)")
    style.legend_above(figure, above, columns=len(NAMES))
    return figure


FIGURE = Figure(
    id="own-paths",
    title="Ledger over several links, and where capacity steps",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
