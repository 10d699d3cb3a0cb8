"""TCP flows that each have a link to themselves and never leave slow start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy

from ...results import Results
from ...scenario import Scenario, Value
from ...sweeps import Sweep
from ..link import PACKET
from ..scale import Scale
from ..transport import NS2

#: Seconds from one flow to the next: more than any of them takes.
APART = 10


def sweep(
    scale: Scale,
    link: Mapping[str, Value],
    sizes: Sequence[int],
    over: Mapping[str, Value],
    name: str,
) -> Sweep:
    """A flow of each of these sizes, in packets, one after the other on a dumbbell."""
    groups = [
        {
            "name": f"flow-{size}",
            "from": "s0",
            "to": "d0",
            "incast": {
                "every": "1 h",
                "start": f"{APART * place} s",
                "sizes": {"fixed": f"{size} packets"},
            },
        }
        for place, size in enumerate(sizes)
    ]
    scenario = Scenario(
        transport=NS2,
        name=name,
        stop=f"{APART * len(sizes)} s",
        ideals=[],
        # Only loss would end slow start.
        topology={"dumbbell": {"buffer": "unlimited", **link}},
        group=groups,
        tcp={"initial_window": 1},
    )
    return scale.sweep(scenario, over, ["tcp"], name=name)


def completion_s(results: Results, sizes: Sequence[int]) -> numpy.ndarray:
    """The completion time of each of them, in seconds."""
    flows = results.flows("tcp")
    order = {size: place for place, size in enumerate(flows["size_bytes"] / PACKET)}
    return flows["completion_ns"][[order[size] for size in sizes]] / 1e9
