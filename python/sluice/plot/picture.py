"""The small picture that a result has in a notebook."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.figure import Figure

from . import by_size, style

if TYPE_CHECKING:
    from ..results import Results

#: Text is drawn, so that it looks the same everywhere; the same result gives the same bytes.
SVG: dict[Any, Any] = {"svg.fonttype": "path", "svg.hashsalt": "sluice"}


def inline(results: Results) -> str:
    """Mean completion time and slowdown by size as HTML, an ``<img>`` that needs no other file.

    Empty if no measured flow finished.

    >>> inline(results)[:37]
    '<img alt="Mean completion time and sl'
    """
    if not any(results.of(name)["by_size"] for name in results.protocols + results.ideals):
        return ""
    with style.context(), matplotlib.rc_context(SVG):
        figure = Figure(figsize=(7, 2.8))
        left, right = figure.subplots(1, 2)
        by_size.completion(results, ax=left)
        by_size.slowdown(results, ax=right)
        # One legend serves both panels.
        right.get_legend().remove()
        picture = io.BytesIO()
        figure.savefig(picture, format="svg", metadata={"Date": None})
    data = base64.b64encode(picture.getvalue()).decode()
    return (
        '<img alt="Mean completion time and slowdown against flow size" '
        f'style="max-width: 100%" src="data:image/svg+xml;base64,{data}">'
    )
