"""Figures of our own: explicit rates beside the congestion control of today."""

from __future__ import annotations

from ..paper import Paper
from . import (
    explicit_access,
    explicit_centre,
    explicit_conditions,
    explicit_hidden,
    explicit_incast,
    explicit_mixed,
    explicit_satellite,
    explicit_short,
    explicit_varying,
    explicit_wan,
)

PAPER = Paper(
    name="explicit",
    title="Explicit rates beside the congestion control of today",
    source="These figures are our own.",
    figures=(
        explicit_access.FIGURE,
        explicit_wan.FIGURE,
        explicit_satellite.FIGURE,
        explicit_centre.FIGURE,
        explicit_short.FIGURE,
        explicit_incast.FIGURE,
        explicit_hidden.FIGURE,
        explicit_varying.FIGURE,
        explicit_mixed.FIGURE,
        explicit_conditions.FIGURE,
    ),
)
