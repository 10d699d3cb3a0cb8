"""Figures of our own: Ledger beside other systems and ideals."""

from __future__ import annotations

from ..paper import Paper
from . import (
    own_corners,
    own_crowd,
    own_deploy,
    own_knows,
    own_lies,
    own_paths,
    own_places,
    own_rtts,
    own_srpt,
    own_stability,
)

PAPER = Paper(
    name="own",
    title="Ledger, a law of our own",
    source="These figures are our own.",
    figures=(
        own_places.FIGURE,
        own_knows.FIGURE,
        own_crowd.FIGURE,
        own_rtts.FIGURE,
        own_corners.FIGURE,
        own_stability.FIGURE,
        own_lies.FIGURE,
        own_srpt.FIGURE,
        own_paths.FIGURE,
        own_deploy.FIGURE,
    ),
)
