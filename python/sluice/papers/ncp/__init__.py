"""Figures of "A Network Congestion control Protocol (NCP)"."""

from __future__ import annotations

from ..paper import Paper
from . import (
    ncp_1,
    ncp_2,
    ncp_2_1,
    ncp_2_2,
    ncp_3,
    ncp_10_csfq,
    ncp_10_priority,
    ncp_16,
    ncp_20,
    ncp_21,
    ncp_22,
    ncp_26,
    ncp_compensated,
    ncp_elsewhere,
    ncp_eq,
    ncp_estimate,
    ncp_fair,
    ncp_fair_laws,
)

PAPER = Paper(
    name="ncp",
    title="A Network Congestion control Protocol (NCP)",
    source="D. Fesehaye, K. Nahrstedt, M. Caesar, technical report, UIUC.",
    figures=(
        ncp_2_1.FIGURE,
        ncp_2_2.FIGURE,
        ncp_eq.FIGURE,
        ncp_elsewhere.FIGURE,
        ncp_compensated.FIGURE,
        ncp_16.FIGURE,
        ncp_20.FIGURE,
        ncp_21.FIGURE,
        ncp_22.FIGURE,
        ncp_10_csfq.FIGURE,
        ncp_10_priority.FIGURE,
        ncp_26.FIGURE,
        ncp_1.FIGURE,
        ncp_2.FIGURE,
        ncp_3.FIGURE,
        ncp_estimate.FIGURE,
        ncp_fair.FIGURE,
        ncp_fair_laws.FIGURE,
    ),
)
