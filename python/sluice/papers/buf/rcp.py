"""RCP's settings in the paper on buffers."""

from __future__ import annotations

from typing import Any

ALPHA, BETA = 0.4, 0.5
#: RCP's table in a scenario: senders retransmit in rounds.
RCP: dict[str, Any] = {"alpha": ALPHA, "beta": BETA, "recovery": "rounds"}
