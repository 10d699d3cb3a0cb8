"""TCP flows that are alone on a link and never leave slow start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy

from ...results import Results
from ...scenario import Scenario, Value
from ...sweeps import Sweep
from ..claim import Claim, everywhere
from ..interval import Interval
from ..link import PACKET
from ..scale import Scale
from ..traffic import fixed, flow_group
from ..transport import NS2

#: Relative difference of simulation and formula that counts as equal. The paper prints times with
#: one digit (800 ms: 6 %). Rounding to whole round trips, as in the formula, does not justify more:
#: half a round trip is a third of the completion time of one packet.
EQUAL = 0.1
#: Seconds between flows, longer than any completion time.
APART = 10


def sweep(
    scale: Scale,
    link: Mapping[str, Value],
    sizes: Sequence[int],
    over: Mapping[str, Value],
    name: str,
) -> Sweep:
    """Runs one flow of each size, in packets, one after the other on a dumbbell."""
    groups = [
        flow_group(
            f"flow-{size}",
            incast={"every": "1 h", "start": f"{APART * place} s", "sizes": fixed(size)},
        )
        for place, size in enumerate(sizes)
    ]
    scenario = Scenario(
        transport=NS2,
        name=name,
        stop=f"{APART * len(sizes)} s",
        ideals=[],
        # Loss would end slow start.
        topology={"dumbbell": {"buffer": "unlimited", **link}},
        group=groups,
        tcp={"initial_window": 1},
    )
    return scale.sweep(scenario, over, ["tcp"], name=name)


def completion_s(results: Results, sizes: Sequence[int]) -> numpy.ndarray:
    """The completion times of these flows, in seconds."""
    flows = results.flows("tcp")
    order = {size: place for place, size in enumerate(flows["size_bytes"] / PACKET)}
    return flows["completion_ns"][[order[size] for size in sizes]] / 1e9


def as_by_formula(simulated: Mapping[str, tuple[float, float]], counted: str = "") -> Claim:
    """The claim that flows complete as by the formula.

    ``simulated`` has completion times in seconds, simulated and by formula, for each point.
    """
    return everywhere(
        "flows in slow start complete as the formula has it: the simulated completion time over "
        "the formula's, from a window of 1",
        "equal",
        {at: Interval.exactly(ours / formula) for at, (ours, formula) in simulated.items()},
        low=1 - EQUAL,
        high=1 + EQUAL,
        counted=counted,
    )
