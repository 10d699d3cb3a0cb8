"""An incast in the data centre of [explicit-centre](#explicit-centre): up to 256 flows of 32 kB
from 16 servers begin within a round trip, over a link of 10 Gb/s that was idle, with a buffer of
200 kB. On the left is the time until all have finished over that under max-min fairness, on the
right the mean number of retransmissions of a packet. Starts are drawn at random within 100 us; five
seeds; bars are 95 % intervals.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales
from ...results import Results
from ...scenario import Scenario
from .. import closeness
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from .explicit_centre import PATH, TIMERS
from .legend import above
from .systems import EXPLICIT, OTHERS, SYSTEMS, lines

SENDERS = (1, 4, 16, 64, 256)
HOSTS = 16
BYTES, PAYLOAD = 32_000, 1460
#: Flows start from this second on, so that laws know the link as idle, and within a round trip.
BEGINS_S, WITHIN_S = 0.1, 100e-6
LIMIT_S = 5

Key = tuple[str, int, int]


def run(scale: Scale) -> dict[Key, Results]:
    """By system, number of senders, and seed of the starts."""
    return {
        (name, senders, seed): scale.run(
            _scenario(senders, seed).set(PATH.settings(system)),
            [system.protocol],
            name=f"explicit-incast/{number}-{senders}-{seed}",
        )
        for number, (name, system) in enumerate(SYSTEMS.items())
        for senders in SENDERS
        for seed in range(1, scale.pick(1, 5) + 1)
    }


def _scenario(senders: int, seed: int) -> Scenario:
    starts = BEGINS_S + numpy.random.default_rng(seed).uniform(0, WITHIN_S, senders)
    groups = [
        {
            "name": f"answer-{number}",
            "from": f"s{number % HOSTS}",
            "to": f"d{number % HOSTS}",
            "incast": {
                "every": "1 h",
                "start": f"{1e9 * start:.0f} ns",
                "senders": 1,
                "sizes": {"fixed": f"{BYTES} B"},
            },
        }
        for number, start in enumerate(starts)
    ]
    fields: dict[str, Any] = {
        "warm_up": "0 s",
        "stop": f"{BEGINS_S + 2 * WITHIN_S} s",
        "limit": f"{LIMIT_S} s",
        "group": groups,
        "metrics": [],
    }
    return Scenario.load("data-center").set(fields | TIMERS)


def table(runs: dict[Key, Results]) -> Frame:
    """A row for each run."""
    rows = []
    for (name, senders, seed), results in runs.items():
        flows = results.flows(SYSTEMS[name].protocol)
        ends = flows["start_ns"] + numpy.nan_to_num(flows["completion_ns"], nan=1e9 * LIMIT_S)
        ideal = flows["start_ns"] + flows["ideal_ns"]
        begin = flows["start_ns"].min()
        packets = senders * numpy.ceil(BYTES / PAYLOAD)
        rows.append(
            {
                "system": name,
                "senders": senders,
                "seed": seed,
                "ratio": float((ends.max() - begin) / (ideal.max() - begin)),
                "repeats": float(flows["retransmissions"].sum() / packets),
            }
        )
    return frame(rows)


def check(table: Frame) -> list[Claim]:
    """Each explicit law against all others."""
    return [
        everywhere(
            f"an incast ends sooner under {own} than under each of the others: the time until all "
            "flows have finished over theirs",
            "not stated",
            {
                f"of {senders}, over {other}": Interval.of(
                    table.where(system=own, senders=senders)["ratio"]
                    / table.where(system=other, senders=senders)["ratio"]
                )
                for senders in SENDERS[1:]
                for other in OTHERS
            },
            high=1,
            why=_repeats(table, own),
        )
        for own in EXPLICIT
    ]


def _repeats(table: Frame, own: str) -> str:
    most = max(SENDERS)
    found = Interval.of(table.where(system=own, senders=most)["repeats"])
    return f"with {most} senders a packet is retransmitted {found:.2f} times on average"


def plot(table: Frame) -> matplotlib.figure.Figure:
    """Times and retransmissions against the number of senders."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7, 3.2))
    lines(left, table, "senders")
    lines(right, table, "senders", "repeats")
    for ax in (left, right):
        scales.logarithmic(ax, "x", "flows", "")
    closeness.ratios(left)
    left.set_ylabel("time of all / max-min's")
    right.set(ylabel="retransmissions of a packet", ylim=(0, None))
    above(figure, left)
    return figure


FIGURE = Figure(
    id="explicit-incast",
    title="An incast, under explicit rates and without",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
