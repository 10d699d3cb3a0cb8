"""Settings of senders that depend on the path: DCTCP's threshold and Swift's target."""

from __future__ import annotations

from typing import Any


def marking_above(mark_above: float) -> dict[str, Any]:
    """The queue discipline of a switch for DCTCP, with its threshold in bytes."""
    return {"threshold": {"mark_above": f"{mark_above:.0f} B"}}


def marking(capacity: float, rtt: float) -> dict[str, Any]:
    """The same with a seventh of a bandwidth-delay product: K > C RTT / 7 (equation 13 of DCTCP's
    paper).

    >>> marking(100e6, 0.07)
    {'threshold': {'mark_above': '125000 B'}}
    """
    return marking_above(capacity * rtt / 8 / 7)


def swift(rtt: float) -> dict[str, Any]:
    """A target a tenth above the round trip of the empty path, which no delay can be below, and
    half a round trip for flow scaling.

    >>> swift(0.1)
    {'swift.base_target': '110000000 ns', 'swift.fs_range': '50000000 ns'}
    """
    return {
        "swift.base_target": f"{1.1e9 * rtt:.0f} ns",
        "swift.fs_range": f"{0.5e9 * rtt:.0f} ns",
    }
