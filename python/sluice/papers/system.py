"""A protocol with parameters, one of several that a figure compares."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..plot import style


@dataclass(frozen=True)
class System:
    """A protocol with parameters."""

    protocol: str
    parameters: dict[str, Any] = field(default_factory=dict)
    #: Which shade of the protocol's colour it is drawn in.
    shade: int = 0

    def line(self, label: str) -> dict[str, Any]:
        """Arguments of its line in a plot."""
        look = style.look(self.protocol)
        colour = look.shades(3)[self.shade]
        marker = style.MARKERS[-1] if self.shade else look.marker
        return {"color": colour, "marker": marker, "linestyle": look.dashes, "label": label}
