"""Figures of "Buffer Sizing Results for RCP Congestion Control under Connection Arrivals and
Departures".
"""

from __future__ import annotations

from ..paper import Paper
from . import buf_1, buf_2, buf_4, buf_5, buf_6, buf_9, buf_12, buf_n

PAPER = Paper(
    name="buf",
    title="Buffer Sizing Results for RCP Congestion Control under Connection Arrivals and "
    "Departures",
    source="A. Lakshmikantha, R. Srikant, N. Dukkipati, N. McKeown, C. Beck, ACM CCR 39(1), 2009.",
    figures=(
        buf_1.FIGURE,
        buf_2.FIGURE,
        buf_4.FIGURE,
        buf_5.FIGURE,
        buf_6.FIGURE,
        buf_9.FIGURE,
        buf_12.FIGURE,
        buf_n.FIGURE,
    ),
)
