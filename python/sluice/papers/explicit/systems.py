"""The systems compared, and their settings on a path.

RCP, XCP and NCP have the parameters of their papers, and RCP also the gains of its authors' ns-2
code. The others have their sources' defaults, but for what depends on the path: DCTCP's threshold
and Swift's target.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from ...frame import Frame
from ..closeness import line
from ..system import System

#: Bytes of TCP and IP headers.
BASE_HEADER = 40
#: Bytes that a law adds to each packet: its TCP option (docs/wire.md), and HPCC's telemetry of five
#: links (section 4.1 of its paper).
EXTRA_HEADER = {"rcp": 16, "xcp": 20, "ncp": 20, "hpcc": 42}


AUTHORS = "RCP 0.4"
SYSTEMS = {
    "RCP": System("rcp"),
    AUTHORS: System("rcp", {"rcp.alpha": 0.4, "rcp.beta": 0.4}, shade=1),
    "XCP": System("xcp"),
    "NCP": System("ncp"),
    "CUBIC": System("cubic"),
    "BBR v3": System("bbr3"),
    "DCTCP": System("dctcp"),
    "Swift": System("swift"),
    "HPCC": System("hpcc"),
}
#: Those in which links state rates.
EXPLICIT = ("RCP", AUTHORS, "XCP", "NCP")
OTHERS = tuple(name for name in SYSTEMS if name not in EXPLICIT)


@dataclass(frozen=True)
class Path:
    """What settings depend on."""

    #: Links that can be congested, as pairs of nodes, in the direction of data.
    congested: Sequence[tuple[str, str]]
    #: Capacity of the slowest of them in bit/s.
    capacity: float
    #: The longest round trip in seconds.
    rtt: float
    #: DCTCP's threshold in bytes; by default a seventh of a bandwidth-delay product.
    mark_above: float | None = None

    def settings(self, system: System) -> dict[str, Any]:
        """Fields of a scenario for a system."""
        header = f"{BASE_HEADER + EXTRA_HEADER.get(system.protocol, 0)} B"
        return {"header": header, "control": header} | system.parameters | self._of(system.protocol)

    def _of(self, protocol: str) -> dict[str, Any]:
        if protocol == "swift":
            # No delay can be below the round trip; half of one more is for flow scaling.
            return {
                "swift.base_target": f"{1.1e9 * self.rtt:.0f} ns",
                "swift.fs_range": f"{0.5e9 * self.rtt:.0f} ns",
            }
        if protocol != "dctcp":
            return {}
        # K > C RTT / 7 (equation 13 of DCTCP's paper).
        mark_above = self.mark_above or self.capacity * self.rtt / 8 / 7
        queue = {"threshold": {"mark_above": f"{mark_above:.0f} B"}}
        ends = self.congested
        return {"link": [{"from": begin, "to": end, "queue": queue} for begin, end in ends]}


def looks(name: str) -> dict[str, Any]:
    """Arguments of the line of a system."""
    return SYSTEMS[name].line(name)


def lines(ax: Axes, table: Frame, x: str, column: str = "ratio") -> None:
    """Draws a column of each system in a table against another."""
    for name in dict.fromkeys(table["system"]):
        line(ax, table.where(system=name), x, column, **looks(name))
