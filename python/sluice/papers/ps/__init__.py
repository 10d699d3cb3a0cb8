"""Figures of "Processor Sharing Flows in the Internet", and of options that it describes."""

from __future__ import annotations

from ..paper import Paper
from . import (
    ps_1a,
    ps_2,
    ps_3,
    ps_4,
    ps_5,
    ps_6,
    ps_7,
    ps_8,
    ps_9,
    ps_10,
    ps_11,
    ps_d0,
    ps_loss,
    ps_mm,
    ps_ne,
)

PAPER = Paper(
    name="ps",
    title="Processor Sharing Flows in the Internet",
    source="N. Dukkipati, M. Kobayashi, R. Zhang-Shen, N. McKeown, IWQoS 2005.",
    figures=(
        ps_1a.FIGURE,
        ps_2.FIGURE,
        ps_3.FIGURE,
        ps_4.FIGURE,
        ps_5.FIGURE,
        ps_6.FIGURE,
        ps_7.FIGURE,
        ps_8.FIGURE,
        ps_9.FIGURE,
        ps_10.FIGURE,
        ps_11.FIGURE,
        ps_d0.FIGURE,
        ps_loss.FIGURE,
        ps_mm.FIGURE,
        ps_ne.FIGURE,
    ),
)
