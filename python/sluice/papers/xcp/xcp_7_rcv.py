"""Receivers that lie (section 7.4): each adds to the feedback of every packet; the size of the lie
is the part of its window that a flow gains by it in a round trip. Left: throughput of one such flow
of twenty over its fair share, without a check and with 2 % of the packets checked. Right: of ten
such flows of twenty, the part that their senders have found by a number of packets, over all lies,
with 0.5, 2 and 10 % checked, and the prediction 1 - (1 - q/2)^n: half of the limits are below what
a liar returns, whatever its size. While a new flow's window grows, feedback falls from one round
trip to the next, and limits around that of the last one are too high. 20 Mb/s, 80 ms, 20 flows in
the other direction; hosts of today where acknowledgements are delayed or packets get lost. Means
over four seeds, on the right and without liars over sixteen; bars are 95 % intervals.
"""

from __future__ import annotations

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ...scenario import Scenario
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import by_seed, frame, kept
from ..scale import Scale
from . import cheats
from .axis import SEEDS
from .bottleneck import PACKET_BITS, Settings, seconds
from .cheats import FLOWS, PLACE

LIES, QUICK = (0.01, 0.03, 0.1, 0.3, 1.0), (0.03, 0.3)
#: Parts of the packets that are checked, and that of the left panel.
PARTS = (0.005, 0.02, 0.1)
CHECKED = PARTS[1]
#: Flows with such receivers in the right panel.
LIARS = FLOWS // 2
#: What a lie gains at least where it is as large as the shuffled traffic.
SHUFFLED, GAINED = 0.1, 1.5
#: How close the rate at which packets find liars is to the prediction.
CLOSE = 4 / 3
#: The part of honest receivers that may be accused: to show less takes more of them.
ACCUSED = 0.01
#: Packets in which a flow's window grows: some round trips.
START = 100
LOSSES: Settings = {"link": [{"from": "left", "to": "right", "error": 0.01}]}
#: Set-ups without a liar: the sender of 7.3, and settings of today's.
HONEST: dict[str, tuple[str, Settings]] = {
    "none": ("XCP", {}),
    "none, with losses": ("XCP-RACK", LOSSES),
    "none, with losses and delayed acknowledgements": (
        "XCP-RACK",
        LOSSES | {"xcp.delayed_ack": True},
    ),
}
#: By kind, lie and part checked.
Runs = dict[tuple[str, float, float], Results]


def run(scale: Scale) -> Runs:
    """One liar, ten, and none, with and without a check."""
    lies = scale.pick(QUICK, LIES)
    cases = [("one", lie, part) for lie in lies for part in (0.0, CHECKED)]
    cases += [("ten", lie, part) for lie in lies for part in PARTS]
    cases += [(kind, 0.0, part) for kind in HONEST for part in PARTS]
    return {
        (kind, lie, part): scale.run(
            _scenario(kind, lie, part),
            ["xcp"],
            name=f"xcp-7-rcv/{kind.replace(', ', '-').replace(' ', '-')}-{lie:g}-{part:g}",
            # A number of packets is geometric, which varies as much as its mean.
            seeds=scale.pick(1, SEEDS if kind == "one" else 4 * SEEDS),
        )
        for kind, lie, part in cases
    }


def _scenario(kind: str, lie: float, part: float) -> Scenario:
    system, settings = HONEST.get(kind, ("XCP", {}))
    added = {"added_feedback": f"{lie * PACKET_BITS / PLACE.rtt:.0f} bps"}
    scenario = cheats.scenario(system, [added] * {"one": 1, "ten": LIARS}.get(kind, 0))
    settings = settings | {"xcp.check_receiver": part}
    if part:
        settings["metrics"] = [
            {"flow": {"group": f"flow-{number}"}, "every": seconds(PLACE.rtt)}
            for number in range(FLOWS)
        ]
    if kind == "ten":
        settings["trace.flows"] = [f"flow-{number}" for number in range(LIARS)]
    return scenario.set(settings)


def table(runs: Runs) -> Frame:
    """A row for each run of one liar or none, and for each of ten liars."""
    rows: list[dict[str, object]] = []
    for (kind, lie, part), results in runs.items():
        for seed in results.seeds:
            row = {"kind": kind, "lie": lie, "part": part, "seed": seed}
            if kind == "ten":
                rows += [row | each for each in _liars(results, seed)]
            else:
                first = cheats.measures(results, "xcp", seed)["first"]
                found = _found(results, seed) if part else []
                rows.append(row | {"first": first, "accused": sum(found)})
    return frame(rows)


def _found(results: Results, seed: int) -> list[bool]:
    """For each flow, whether its sender holds that its receiver lies."""
    series = results.series("xcp", seed).where(quantity="lying_receiver")
    return [bool(series.where(group=f"flow-{flow}")["value"].max() > 0) for flow in range(FLOWS)]


def _liars(results: Results, seed: int) -> list[dict[str, object]]:
    """For each liar, whether it was found, and the packets acknowledged until then or the end."""
    senders, found = results.senders("xcp", seed), _found(results, seed)
    rows: list[dict[str, object]] = []
    for number in range(LIARS):
        each = senders.where(group=f"flow-{number}")
        # Found, its window is one packet for good.
        open_ = numpy.flatnonzero(each["cwnd_packets"] > 1)
        last = min(open_[-1] + 1, len(each) - 1) if found[number] and len(open_) else -1
        packets = float(each["acked_packets"][last])
        rows.append({"found": int(found[number]), "packets": packets})
    return rows


def check(table: Frame) -> list[Claim]:
    """That lies pay, that the check finds them as often as predicted, and nobody else."""
    lies = _lies(table)
    return [
        everywhere(
            "without a check, a lying receiver increases its throughput: over the fair share, with "
            "lies of a tenth of the window",
            "cheat the sender into misbehaving",
            {f"at {lie:g}": _first(table, lie, 0.0) for lie in lies if lie >= SHUFFLED},
            low=GAINED,
        ),
        everywhere(
            "with the check, it does not pay: throughput over the fair share",
            "to disincentivize the receiver from cheating",
            {f"at {lie:g}": _first(table, lie, CHECKED) for lie in lies},
            high=1,
        ),
        everywhere(
            "the sender finds it with the predicted probability, whatever the lie: liars found per "
            "packet, over q / 2",
            "a positive probability",
            {
                f"with {100 * part:g} % at {lie:g}": _over_predicted(table, lie, part)
                for part in PARTS
                for lie in lies
            },
            low=1 / CLOSE,
            high=CLOSE,
            why=_at_first(table),
        ),
        everywhere(
            "and accuses no honest one: the part of the flows without a liar",
            "",
            {f"with {100 * part:g} %": _accused(table, part) for part in PARTS},
            high=ACCUSED,
            form=".4f",
        ),
    ]


def _lies(table: Frame) -> list[float]:
    return [float(lie) for lie in numpy.unique(table.where(kind="one")["lie"])]


def _first(table: Frame, lie: float, part: float) -> Interval:
    return Interval.of(table.where(kind="one", lie=lie, part=part)["first"])


def _over_predicted(table: Frame, lie: float, part: float) -> Interval:
    rows = table.where(kind="ten", lie=lie, part=part)
    rates = [each["found"].sum() / each["packets"].sum() for each in by_seed(rows)]
    return Interval.of(rate / (part / 2) for rate in rates)


def _at_first(table: Frame) -> str:
    """The rate among a flow's first packets, and among later ones, over the prediction."""
    rows = table.where(kind="ten")
    early = ((rows["found"] > 0) & (rows["packets"] <= START)).sum()
    expected = rows["part"] / 2 * numpy.minimum(rows["packets"], START)
    rest = rows["part"] / 2 * numpy.maximum(rows["packets"] - START, 0)
    late = ((rows["found"] > 0) & (rows["packets"] > START)).sum()
    return (
        f"over the prediction, {early / expected.sum():.2f} as many are found by the first {START} "
        f"packets of a flow, and {late / rest.sum():.2f} by later ones"
    )


def _accused(table: Frame, part: float) -> Interval:
    rows = kept(table, numpy.isin(table["kind"], list(HONEST))).where(part=part)
    return Interval.counted(int(rows["accused"].sum()), FLOWS * len(rows))


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Throughput against the lie, and the part found against the number of packets."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 2.9))
    lies = _lies(table)
    for number, (part, label) in enumerate(
        {0.0: "no check", CHECKED: f"{100 * CHECKED:g} % checked"}.items()
    ):
        look = {"color": style.COLOURS[number], "marker": style.MARKERS[number]}
        found = [_first(table, lie, part) for lie in lies]
        with_bars(left, lies, found, label=label, elinewidth=0.7, **look)
    scales.logarithmic(left, "x", "lie (part of the window in an RTT)", "")
    left.set_ylabel("throughput over fair share")
    left.set_ylim(bottom=0)
    style.legend(left)
    packets = numpy.geomspace(1, 1000)
    for number, part in enumerate(PARTS):
        colour = style.COLOURS[number + 2]
        rows = table.where(kind="ten", part=part)
        found_after = numpy.sort(rows.where(found=1)["packets"])
        reached = numpy.arange(1, len(found_after) + 1) / len(rows)
        right.step(found_after, reached, where="post", color=colour, label=f"{100 * part:g} %")
        right.plot(packets, 1 - (1 - part / 2) ** packets, color=colour, linestyle=":")
    scales.logarithmic(right, "x", "packets", "")
    right.set_ylabel("part found (dotted: predicted)")
    right.set_ylim(0, 1)
    style.legend(right)
    return figure


FIGURE = Figure(
    id="xcp-7-rcv",
    title="Receivers that lie about feedback",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
