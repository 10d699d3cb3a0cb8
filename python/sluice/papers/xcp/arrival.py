"""How fast twenty flows that all cheat fill a link, and how fast a newcomer gets its share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from ...frame import Frame
from ...results import Results
from ..rows import frame
from ..scale import Scale
from . import over_time
from .bottleneck import Settings, bytes_of, seconds
from .cheats import FLOWS, PLACE, SYSTEMS

#: When the last flow starts, and the end, in round trips. A control interval has ten with a gain
#: of 0.1.
JOIN, STOP = 600, 1200
#: The link is full, and the newcomer has its share, from these on, over some round trips in a row.
FULL, SHARE, LASTING = 0.9, 0.8, 5
SEEDS = 20
Runs = dict[float, Results]


@dataclass(frozen=True)
class Arrival:
    """Runs by gain."""

    #: The name of runs.
    folder: str
    #: The field of every flow's conduct that has the gain.
    field: str
    gains: Sequence[float]

    def run(self, scale: Scale) -> Runs:
        """Nineteen flows start within a round trip, and the last one much later."""
        return {gain: self._one(scale, gain) for gain in self.gains}

    def _one(self, scale: Scale, gain: float) -> Results:
        rtt = seconds(PLACE.rtt)
        cheats: Settings = {"from": "s0", "to": "d0", "conduct": {self.field: gain}}
        comes = {"start": seconds(JOIN * PLACE.rtt), "within": rtt}
        return over_time.run(
            scale,
            f"{self.folder}/{gain:g}",
            dumbbell={
                "capacity": f"{PLACE.capacity:.0f} bps",
                "rtt": rtt,
                "buffer": bytes_of(PLACE.buffer_bytes),
            },
            stop=STOP * PLACE.rtt,
            groups=[
                cheats | {"name": "present", "long": {"count": FLOWS - 1, "within": rtt}},
                cheats | {"name": "newcomer", "long": comes},
            ],
            settings=SYSTEMS["XCP"].settings(PLACE),
            protocol="xcp",
            seeds=scale.pick(1, SEEDS),
            sampled=[{"group": "newcomer", "every": rtt}],
        )

    def table(self, runs: Runs) -> Frame:
        """A row for each run: round trips until the link is full, and to the newcomer's share."""
        rows = [
            {"gain": gain, "seed": seed} | _times(results, seed)
            for gain, results in runs.items()
            for seed in results.seeds
        ]
        return frame(rows)


def _times(results: Results, seed: int) -> dict[str, float]:
    samples = frame(over_time.link_rows(results, "xcp", seed, PLACE.capacity, PLACE.rtt))
    used = samples.where(quantity="utilization")
    series = results.series("xcp", seed).where(quantity="throughput_bps")
    shares = numpy.convolve(
        series["value"] * FLOWS / PLACE.capacity, numpy.ones(LASTING) / LASTING, "valid"
    )
    starts = results.flows("xcp", seed).where(group="newcomer")["start_ns"]
    fills = over_time.until(
        used["time_s"], used["value"] >= FULL, since=0, latest=JOIN * PLACE.rtt, span=LASTING
    )
    joins = over_time.until(
        series["time_ns"][LASTING - 1 :] / 1e9,
        shares >= SHARE,
        since=float(starts[0]) / 1e9,
        latest=STOP * PLACE.rtt,
    )
    return {"fill_rtts": fills / PLACE.rtt, "share_rtts": joins / PLACE.rtt}
