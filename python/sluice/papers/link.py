"""The bottleneck of a dumbbell: its metrics, and what it carried and dropped."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

from ..frame import Frame
from ..results import Results

#: Size of a packet in bytes, unless a scenario sets another.
PACKET = 1000
FROM, TO = "left", "right"


class Samples(NamedTuple):
    """A sampled quantity, in order of time."""

    seconds: numpy.ndarray
    values: numpy.ndarray


def link_metrics(every: str) -> dict[str, Any]:
    """Metrics of the bottleneck, sampled at this interval."""
    return {"link": [FROM, TO], "every": every}


def samples(
    results: Results,
    protocol: str,
    quantity: str,
    seed: int | None = None,
    *,
    link: str = f"{FROM}>{TO}",
) -> Samples:
    """The samples of a quantity at a link, the bottleneck unless another is named."""
    rows = results.series(protocol, seed).where(quantity=quantity, link=link)
    return Samples(rows["time_ns"] / 1e9, rows["value"])


def bottleneck(results: Results, protocol: str, seed: int | None = None) -> Frame:
    """What it carried and dropped: a row for each run."""
    return results.links(protocol, seed).where(**{"from": FROM, "to": TO})


def loss_by_seed(results: Results, protocol: str) -> dict[int, float]:
    """The fraction of packets that it dropped, by seed."""
    link = bottleneck(results, protocol)
    drops, sent = link["drops"], link["sent_bytes"] / PACKET
    return dict(zip(link["seed"].tolist(), (drops / (drops + sent)).tolist(), strict=True))
