"""The bottleneck as one of its properties varies: runs and table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ...frame import Frame
from ...results import Results
from ..interval import Interval
from ..link import PACKET, bottleneck
from ..rows import frame
from ..scale import Scale
from .bottleneck import Place
from .systems import System

#: By system and value.
Runs = dict[tuple[str, float], Results]
#: Even, since seeds run side by side.
SEEDS = 4


@dataclass(frozen=True)
class Axis:
    """The quantity that varies."""

    #: The figure's id, or the name of runs that several figures share.
    folder: str
    #: Its column in the table.
    column: str
    #: Title and unit of the axis.
    label: tuple[str, str]
    #: Full scale, in order.
    values: Sequence[float]
    #: Quick scale.
    quick: Sequence[float]
    place: Callable[[float], Place]
    #: A value in words, "20 Mb/s".
    words: Callable[[float], str]
    #: What is compared, by name.
    systems: Mapping[str, System]

    def run(self, scale: Scale) -> Runs:
        """Each system at each value; the seed draws when flows start."""
        return {
            (name, value): scale.run(
                system.scenario(self.place(value)),
                [system.protocol],
                name=f"{self.folder}/{name}-{value:g}",
                seeds=scale.pick(1, SEEDS),
            )
            for name, system in self.systems.items()
            for value in scale.pick(self.quick, self.values)
        }

    def table(self, runs: Runs) -> Frame:
        """A row for each system, value and seed."""
        return frame(
            [
                self._row(name, value, results, seed)
                for (name, value), results in runs.items()
                for seed in results.seeds
            ]
        )

    def _row(self, name: str, value: float, results: Results, seed: int) -> dict[str, object]:
        protocol, place = self.systems[name].protocol, self.place(value)
        link, flows = bottleneck(results, protocol, seed), results.flows(protocol, seed)
        resent = flows["retransmissions"]
        queue, drops = float(link["mean_queue_bytes"][0]), int(link["drops"][0])
        return {
            "system": name,
            self.column: value,
            "seed": seed,
            "utilization": float(link["utilization"][0]),
            "queue_packets": queue / PACKET,
            "queue_s": 8 * queue / place.capacity,
            "queue_over_buffer": queue / place.buffer_bytes,
            "drops": drops,
            "drop_rate": drops / (drops + float(link["sent_bytes"][0]) / PACKET),
            # Those of both directions, and of the warm-up, too; and the last start of their flows.
            "resent": int(resent.sum()),
            "resent_start_s": float((flows["start_ns"] * (resent > 0)).max()) / 1e9,
        }

    def ends(self, table: Frame) -> tuple[float, float]:
        """The smallest and the largest value of a table."""
        return float(table[self.column].min()), float(table[self.column].max())

    def rows(self, table: Frame, name: str, value: float) -> Frame:
        """The rows of a system at a value."""
        return table.where(**{"system": name, self.column: value})

    def mean(self, table: Frame, name: str, value: float, column: str = "utilization") -> Interval:
        """A column of a system at a value, over seeds."""
        return Interval.of(self.rows(table, name, value)[column])
