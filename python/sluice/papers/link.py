"""The link that a dumbbell's hosts share, and its packets."""

from __future__ import annotations

from ..frame import Frame
from ..results import Results

#: Bytes, as scenarios have it unless they say otherwise.
PACKET = 1000


def bottleneck(results: Results, protocol: str, seed: int | None = None) -> Frame:
    """What it carried: a row for each run."""
    return results.links(protocol, seed).where(**{"from": "left", "to": "right"})


def loss_by_seed(results: Results, protocol: str) -> dict[int, float]:
    """What part of all packets it lost, by seed."""
    link = bottleneck(results, protocol)
    drops, sent = link["drops"], link["sent_bytes"] / PACKET
    return dict(zip(link["seed"].tolist(), (drops / (drops + sent)).tolist(), strict=True))
