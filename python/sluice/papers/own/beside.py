"""Claims about Ledger beside max-min fairness and beside RCP, and about its link.

Tables have the columns of :func:`closeness.by_size` and ``system``. Points are the columns of
their rows by description.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy

from ...frame import Frame
from ...results import Results
from ..claim import Claim, everywhere
from ..closeness import ratio, unfinished
from ..interval import CONFIDENCE, Interval
from ..link import PACKET, bottleneck
from ..verdict import Verdict
from .systems import LEDGER, SETTINGS

Points = Mapping[str, Mapping[str, Any]]
#: Bound on the mean completion time over max-min's.
NEAR = 1.15
#: How much longer than under RCP has to be excluded for a claim that it is not longer.
LONGER = 1.05


def near(
    says: str, table: Frame, points: Points, bound: float = NEAR, *, counted: str = ""
) -> Claim:
    """Mean completion times are below ``bound`` times max-min's at all points that have flows."""
    found = {at: ratio(table, **of) for at, of in points.items() if len(table.where(**of))}
    return everywhere(
        f"{says}: mean completion time over max-min's",
        "not stated",
        found,
        high=bound,
        note=unfinished(table),
        counted=counted,
    )


def no_longer(says: str, table: Frame, points: Points) -> Claim:
    """Flows take no longer than under RCP at the setting that is better at the point.

    The better setting is chosen by the same runs, which favours RCP slightly. The confidence is
    that of all intervals together (Bonferroni).
    """
    rows = {at: table.where(**of) for at, of in points.items()}
    rows = {at: own for at, own in rows.items() if len(own)}
    confidence = 1 - (1 - CONFIDENCE) / max(len(rows), 1)
    found = {}
    for at, own in rows.items():
        setting = min(SETTINGS, key=lambda name: own.where(system=name)["mean_s"].mean())
        over = own.where(system=LEDGER)["mean_s"] / own.where(system=setting)["mean_s"]
        found[at] = Interval.of(over, confidence=confidence)
    missing = [unfinished_under(name, *rows.values()) for name in (LEDGER, *SETTINGS)]
    longer = [at for at, each in found.items() if each.low > 1]
    return everywhere(
        f"{says}: mean completion time over RCP's at the better of its two settings",
        "not stated",
        found,
        high=LONGER,
        also=Verdict.of(not longer),
        taken=f"at each of {len(found)} points no interval above 1, and all below {LONGER}, with "
        "intervals that all hold together at 95 %",
        note="".join(missing),
        why=f"above 1 {', '.join(longer)}" if longer else "",
    )


def unfinished_under(system: str, *tables: Frame) -> str:
    """A note on its unfinished flows in these rows, which make its times a lower bound."""
    own = [table.where(system=system) for table in tables]
    missing, flows = (
        sum(int(rows[name].sum()) for rows in own) for name in ("unfinished", "flows")
    )
    return f"; {missing} of {flows} flows under {system} did not finish" if missing else ""


def undropped(says: str, links: Mapping[str, Frame], *, note: str = "") -> Claim:
    """No run drops a packet: the rows of a link, by description."""
    some = {at: found["dropped"] for at, found in links.items() if found["dropped"].any()}
    listed = ", ".join(
        f"{at} in {numpy.count_nonzero(parts)} of {len(parts)} runs, {parts.max():.2%} of all "
        "packets at most"
        for at, parts in some.items()
    )
    return Claim(
        f"{says}: drops in the time measured",
        "not stated",
        f"none in any run at {len(links) - len(some)} of {len(links)} points{note}",
        Verdict.of(not some),
        why=listed,
    )


def link_rows(results: Results, bdp_bytes: float, **of: Any) -> Iterator[dict[str, Any]]:
    """A row for each seed about the bottleneck, with the columns ``of`` before: the 99th percentile
    of its queue in bandwidth-delay products, and the part of packets dropped."""
    (protocol,) = results.protocols
    link = bottleneck(results, protocol)
    for seed, queue, drops, sent in zip(
        *(link[name] for name in ("seed", "p99_queue_bytes", "drops", "sent_bytes")), strict=True
    ):
        yield of | {
            "seed": int(seed),
            "queue_bdp": float(queue) / bdp_bytes,
            "dropped": float(drops / (drops + sent / PACKET)),
        }
