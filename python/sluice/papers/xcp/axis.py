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
from .bottleneck import Place, seconds
from .systems import System

#: By system and value: the run, and for some its warm-up alone.
Runs = dict[tuple[str, float], list[Results]]
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
    #: Systems whose drops are counted in the warm-up, too.
    from_the_first: Sequence[str] = ()

    def run(self, scale: Scale) -> Runs:
        """Each system at each value; the seed draws when flows start.

        Where drops are counted from the first flow on, the warm-up is a run of its own.
        """
        runs = {}
        for name, system in self.systems.items():
            for value in scale.pick(self.quick, self.values):
                folder = f"{self.folder}/{name.replace(', ', '-')}-{value:g}"
                seeds = scale.pick(1, SEEDS)
                place = self.place(value)
                scenario = system.scenario(place)
                parts = {"": scenario}
                if name in self.from_the_first:
                    end = seconds(place.warm_up)
                    parts["-early"] = scenario.set({"warm_up": "0 s", "stop": end, "limit": end})
                runs[name, value] = [
                    scale.run(part, [system.protocol], name=f"{folder}{suffix}", seeds=seeds)
                    for suffix, part in parts.items()
                ]
        return runs

    def table(self, runs: Runs) -> Frame:
        """A row for each system, value and seed."""
        return frame(
            [
                self._row(name, value, parts, seed)
                for (name, value), parts in runs.items()
                for seed in parts[0].seeds
            ]
        )

    def _row(
        self, name: str, value: float, parts: Sequence[Results], seed: int
    ) -> dict[str, object]:
        protocol, place = self.systems[name].protocol, self.place(value)
        link = bottleneck(parts[0], protocol, seed)
        queue, drops = float(link["mean_queue_bytes"][0]), int(link["drops"][0])
        row = {
            "system": name,
            self.column: value,
            "seed": seed,
            "utilization": float(link["utilization"][0]),
            "queue_packets": queue / PACKET,
            "queue_s": 8 * queue / place.capacity,
            "queue_over_buffer": queue / place.buffer_bytes,
            "drops": drops,
            "drop_rate": drops / (drops + float(link["sent_bytes"][0]) / PACKET),
        }
        # Of all links: those to and from hosts have unlimited queues.
        if name in self.from_the_first:
            late, early = (int(part.links(protocol, seed)["drops"].sum()) for part in parts)
            row |= {"late_drops": late, "early_drops": early}
        return row

    def ends(self, table: Frame) -> tuple[float, float]:
        """The smallest and the largest value of a table."""
        return float(table[self.column].min()), float(table[self.column].max())

    def rows(self, table: Frame, name: str, value: float) -> Frame:
        """The rows of a system at a value."""
        return table.where(**{"system": name, self.column: value})

    def mean(self, table: Frame, name: str, value: float, column: str = "utilization") -> Interval:
        """A column of a system at a value, over seeds."""
        return Interval.of(self.rows(table, name, value)[column])
