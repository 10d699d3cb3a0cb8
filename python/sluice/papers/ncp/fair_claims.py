"""Ratios of completion times at each place, and claims about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import numpy

from ...frame import Frame
from ..claim import Claim, everywhere
from ..closeness import CLASSES
from ..interval import CONFIDENCE, Interval
from ..verdict import Verdict
from .fair_places import AUTHORS, DIMENSIONS, NCP, RCP, REFERENCE, Dimension, described
from .fair_runs import ALL
from .sides import MARGIN, SIDES, counts, side

#: No more drops, as a part of packets, and no longer queue, in BDP. Ours: the paper has no number.
DROPPED, QUEUED = 0.001, 0.05
OUTPERFORM = '"NCP can outperform existing congestion control protocols" (section 12)'
#: Fewest places for a claim about all of them.
PLACES = 3


def present(table: Frame) -> list[str]:
    """The names of the places in a table."""
    return list(dict.fromkeys(table["place"]))


def points(table: Frame) -> dict[str, str]:
    """Descriptions of all places, each once, with their names."""
    found = {"at the place of reference": REFERENCE.name}
    for dimension in DIMENSIONS.values():
        found |= others(dimension, table)
    return found


def others(dimension: Dimension, table: Frame) -> dict[str, str]:
    """Descriptions of the places of a dimension but that of reference, with their names."""
    own = described(dimension, present(table))
    return {words: name for words, name in own.items() if name != REFERENCE.name}


def times(
    table: Frame,
    own: str,
    other: str,
    at: Mapping[str, str],
    sizes: str = ALL,
    confidence: float = CONFIDENCE,
) -> dict[str, Interval]:
    """The mean completion time under one system over that under another, seed by seed, at those
    places that have flows of these sizes."""
    rows = table.where(sizes=sizes)
    pairs = {
        words: [rows.where(place=name, system=system)["mean_s"] for system in (own, other)]
        for words, name in at.items()
    }
    return {
        words: Interval.of(a / b, confidence=confidence)
        for words, (a, b) in pairs.items()
        if len(a)
    }


def apart(table: Frame, column: str) -> dict[str, Interval]:
    """A quantity of links under NCP less that under RCP, at each place."""
    rows = table.where(sizes=ALL)
    found = {}
    for words, name in points(table).items():
        own, other = (rows.where(place=name, system=each)[column] for each in (NCP, RCP))
        found[words] = Interval.of(own - other, minimum=-numpy.inf)
    return found


def no_longer(
    table: Frame,
    own: str,
    other: str,
    at: Mapping[str, str] | None = None,
    *,
    where: str = "at every place",
    sizes: str = ALL,
) -> Claim:
    """Flows take no more time under one system than under another, but for the margin, at all of
    these places. Ours: the paper says that NCP can outperform others, not that it always does."""
    found = times(table, own, other, points(table) if at is None else at, sizes)
    some = "" if sizes == ALL else f", flows of {sizes} packets"
    counted = f"; {counts(found.values())}" if len(found) > 1 else ""
    return everywhere(
        f"flows take no longer under {own} than under {other} {where}{some}: mean completion time "
        "over the other's",
        "not stated",
        found,
        high=1 + MARGIN,
        form=".3f",
        note=counted + missing(table, (own, other), sizes, at),
    )


def can(table: Frame, own: str, other: str) -> Claim:
    """Flows take less time under one system than under another somewhere. The lowest of several
    ratios is low by chance too, so each is tested at a level over their number (Bonferroni)."""
    at = points(table)
    level = (1 - CONFIDENCE) / len(at)
    found = times(table, own, other, at, confidence=1 - level)
    lowest = min(found, key=lambda words: found[words].high)
    verdicts = {each.below(1 - MARGIN) for each in found.values()}
    return Claim(
        f"{own} can outperform {other}: mean completion time over the other's where it is lowest",
        OUTPERFORM,
        f"{found[lowest]:.3f} {lowest}",
        next(
            each for each in (Verdict.HOLDS, Verdict.UNDECIDED, Verdict.FAILS) if each in verdicts
        ),
        f"below {1 - MARGIN:g} at some place, with intervals of a level of "
        f"{1 - CONFIDENCE:.2g}/{len(at)} each",
    )


def missing(
    table: Frame, systems: Iterable[str], sizes: str, at: Mapping[str, str] | None = None
) -> str:
    """A note on flows that did not finish, if there are any."""
    found = []
    names = present(table) if at is None else list(at.values())
    for system in systems:
        rows = table.where(sizes=sizes, system=system)
        here = numpy.isin(rows["place"].astype(str), names)
        count, of = (int(rows[column][here].sum()) for column in ("unfinished", "flows"))
        if count:
            found.append(f"{count:,} of {of:,} flows did not finish under {system}")
    return "".join(f"; {each}" for each in found)


def by_dimension(table: Frame) -> list[Claim]:
    """NCP beside RCP at the place of reference, and at the others of each dimension."""
    reference = {"at the place of reference": REFERENCE.name}
    return [
        no_longer(table, NCP, RCP, reference, where="at the place of reference"),
        *(
            no_longer(table, NCP, RCP, others(dimension, table), where=dimension.others)
            for dimension in DIMENSIONS.values()
        ),
    ]


def by_class(table: Frame) -> list[Claim]:
    """NCP beside RCP by classes of sizes, where enough places have flows of these."""
    return [
        no_longer(table, NCP, RCP, sizes=sizes)
        for sizes in CLASSES.values()
        if len(times(table, NCP, RCP, points(table), sizes)) >= PLACES
    ]


def answered(table: Frame) -> Claim:
    """NCP beside RCP at every place, with the answer for our result and details for reason."""
    whole = no_longer(table, NCP, RCP)
    late = missing(table, (NCP, RCP), ALL).removeprefix("; ")
    parts = [whole.why, *_details(table), late]
    return replace(whole, ours=answer(table), why="; ".join(part for part in parts if part))


def answer(table: Frame) -> str:
    """Does NCP beat RCP, and is this more than another gain of RCP? In 60 words."""
    found = times(table, NCP, RCP, points(table)).values()
    return (
        f"Mean completion time under {NCP} beside {RCP}: {counts(found)} ({_range(found)} times); "
        f"{_beside(table, NCP, AUTHORS)}; {_beside(table, AUTHORS, RCP)}."
    )


def _beside(table: Frame, own: str, other: str) -> str:
    """The counts alone, in the order of the sides."""
    found = times(table, own, other, points(table)).values()
    sides = [side(ratio) for ratio in found]
    numbers = ", ".join(str(sides.count(name)) for name in SIDES)
    return f"{own} beside {other}: {numbers} ({_range(found)})"


def _range(found: Collection[Interval]) -> str:
    means = [each.mean for each in found]
    return f"{min(means):.2f} to {max(means):.2f}"


def _details(table: Frame) -> list[str]:
    """Where it does, where not, and whether another gain of RCP does so too."""
    at = points(table)
    found, gains = (
        {at[words]: side(ratio) for words, ratio in times(table, own, RCP, at).items()}
        for own in (NCP, AUTHORS)
    )
    parts = []
    for wanted in SIDES:
        names = [name for name in found if found[name] == wanted]
        if names:
            same = sum(gains[name] == wanted for name in names)
            parts.append(
                f"{wanted}: {', '.join(_listed(found, wanted))} ({AUTHORS} beside {RCP} too at "
                f"{same} of {len(names)})"
            )
    return [
        *parts,
        f"NCP's queue is longer at {_more(table, 'queue_bdp')}, and it drops a larger part of "
        f"packets at {_more(table, 'dropped')}",
    ]


def _listed(found: Mapping[str, str], wanted: str) -> list[str]:
    """The places on one side, by dimension."""
    parts = ["the reference"] if found.get(REFERENCE.name) == wanted else []
    for dimension in DIMENSIONS.values():
        labels = [
            label
            for label, place in dimension.places.items()
            if place is not REFERENCE and found.get(place.name) == wanted
        ]
        if labels:
            parts.append(f"{dimension.title} {' and '.join(labels)}")
    return parts


def _more(table: Frame, column: str) -> str:
    found = apart(table, column).values()
    more = sum(each.above(0) is Verdict.HOLDS for each in found)
    less = sum(each.below(0) is Verdict.HOLDS for each in found)
    return f"{more} of {len(found)} places (smaller at {less})"
