"""Figures of our own: where RCP approximates processor sharing, and where it does not."""

from __future__ import annotations

from ..paper import Paper
from . import (
    limits_bulk,
    limits_capacity,
    limits_cause,
    limits_crowd,
    limits_load,
    limits_many,
    limits_rtt,
    limits_settings,
    limits_short,
    limits_size,
)

PAPER = Paper(
    name="limits",
    title="Where RCP is close to processor sharing, and where not",
    source="These figures are our own.",
    figures=(
        limits_bulk.FIGURE,
        limits_capacity.FIGURE,
        limits_cause.FIGURE,
        limits_crowd.FIGURE,
        limits_load.FIGURE,
        limits_many.FIGURE,
        limits_rtt.FIGURE,
        limits_settings.FIGURE,
        limits_short.FIGURE,
        limits_size.FIGURE,
    ),
)
