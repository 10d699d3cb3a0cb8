"""Figures of "HPCC: High Precision Congestion Control"."""

from __future__ import annotations

from ..paper import Paper
from . import hpcc_11, hpcc_11c

PAPER = Paper(
    name="hpcc",
    title="HPCC: High Precision Congestion Control",
    source="Li et al., SIGCOMM 2019, and the results that its authors published beside it.",
    figures=(hpcc_11.FIGURE, hpcc_11c.FIGURE),
)
