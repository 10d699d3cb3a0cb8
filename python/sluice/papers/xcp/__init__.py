"""Figures of Katabi's thesis on XCP."""

from __future__ import annotations

from ..paper import Paper
from . import xcp_2_1, xcp_3_2, xcp_3_3, xcp_4_1, xcp_4_5, xcp_9_1, xcp_b, xcp_eq3_1, xcp_t6_1

PAPER = Paper(
    name="xcp",
    title="Decoupling Congestion Control and Bandwidth Allocation Policy",
    source="D. Katabi, doctoral thesis, MIT, 2003.",
    figures=(
        xcp_2_1.FIGURE,
        xcp_eq3_1.FIGURE,
        xcp_3_2.FIGURE,
        xcp_3_3.FIGURE,
        xcp_4_1.FIGURE,
        xcp_4_5.FIGURE,
        xcp_t6_1.FIGURE,
        xcp_9_1.FIGURE,
        xcp_b.FIGURE,
    ),
)
