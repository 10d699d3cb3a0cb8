"""Figures of "Why Flow-Completion Time is the Right Metric for Congestion Control"."""

from __future__ import annotations

from ..paper import Paper
from . import fct_1, fct_2, fct_3, fct_4, fct_5, fct_6, fct_fn3, fct_new, fct_ss

PAPER = Paper(
    name="fct",
    title="Why Flow-Completion Time is the Right Metric for Congestion Control",
    source="N. Dukkipati, N. McKeown, ACM CCR 36(1), 2006.",
    figures=(
        fct_1.FIGURE,
        fct_2.FIGURE,
        fct_3.FIGURE,
        fct_4.FIGURE,
        fct_5.FIGURE,
        fct_6.FIGURE,
        fct_fn3.FIGURE,
        fct_new.FIGURE,
        fct_ss.FIGURE,
    ),
)
