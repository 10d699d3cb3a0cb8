"""Traffic between the first two hosts of a dumbbell."""

from __future__ import annotations

from typing import Any

from ..scenario import Value


def flow_group(name: str, **traffic: Value) -> dict[str, Any]:
    """A group of flows from the first sender to the first receiver. ``traffic`` is its model.

    >>> flow_group("flows", long={"count": 2})
    {'name': 'flows', 'from': 's0', 'to': 'd0', 'long': {'count': 2}}
    """
    return {"name": name, "from": "s0", "to": "d0", **traffic}


def fixed(packets: int) -> dict[str, Any]:
    """Flows of one size, in packets."""
    return {"fixed": f"{packets} packets"}


def pareto(mean: str, shape: float) -> dict[str, Any]:
    """Pareto sizes with this mean, such as ``30 packets`` or ``30 kB``."""
    return {"pareto": {"mean": mean, "shape": shape}}
