"""Figures of Katabi's thesis on XCP."""

from __future__ import annotations

from ..paper import Paper
from . import (
    xcp_3_2,
    xcp_3_3,
    xcp_5_3,
    xcp_5_4,
    xcp_5_5,
    xcp_5_6,
    xcp_5_7,
    xcp_5_8,
    xcp_5_9,
    xcp_5_10,
    xcp_5_12,
    xcp_5_13,
    xcp_5_14,
    xcp_5_16,
    xcp_6_1,
    xcp_6_2,
    xcp_7_5,
    xcp_elsewhere,
    xcp_newcomer,
    xcp_outlier,
    xcp_windows,
)

PAPER = Paper(
    name="xcp",
    title="Decoupling Congestion Control and Bandwidth Allocation Policy",
    source="D. Katabi, doctoral thesis, MIT, 2003.",
    figures=(
        xcp_3_2.FIGURE,
        xcp_3_3.FIGURE,
        xcp_5_3.FIGURE,
        xcp_5_4.FIGURE,
        xcp_5_5.FIGURE,
        xcp_5_6.FIGURE,
        xcp_5_7.FIGURE,
        xcp_5_8.FIGURE,
        xcp_5_9.FIGURE,
        xcp_5_10.FIGURE,
        xcp_5_12.FIGURE,
        xcp_5_13.FIGURE,
        xcp_5_14.FIGURE,
        xcp_5_16.FIGURE,
        xcp_6_1.FIGURE,
        xcp_6_2.FIGURE,
        xcp_7_5.FIGURE,
        xcp_elsewhere.FIGURE,
        xcp_newcomer.FIGURE,
        xcp_windows.FIGURE,
        xcp_outlier.FIGURE,
    ),
)
