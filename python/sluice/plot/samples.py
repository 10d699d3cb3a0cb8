"""Samples over time, as lines."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy

from ..arguments import text
from . import choose

if TYPE_CHECKING:
    from ..frame import Frame
    from ..results import Results

#: A link by its ends, or as results name it: ``"left>right"``.
Link = str | Sequence[str] | None
#: A flow by the name of its group and its index in the group, from 0.
Flow = tuple[str, int] | None
#: The link by its name, or the flow by its group and index.
Subject = str | tuple[str, int]
#: Metrics of flows; all others are of links.
OF_FLOWS = (
    "sequence_packets",
    "acked_packets",
    "in_flight_packets",
    "cwnd",
    "ssthresh",
    "rate",
    "feedback",
    "bw_bps",
    "min_rtt_s",
    "inflight_longterm_packets",
    "inflight_shortterm_packets",
    "state",
)


#: Stands for the index of a flow in the subject of samples of a whole group.
WHOLE_GROUP = -1


@dataclass(frozen=True)
class Line:
    """A quantity of one link or flow over time, in one run."""

    protocol: str
    subject: Subject
    #: Seconds.
    times: numpy.ndarray
    values: numpy.ndarray

    @property
    def name(self) -> str:
        """The link, flow or group, as a legend names it."""
        if isinstance(self.subject, str):
            return self.subject.replace(">", "→")
        if self.subject[1] == WHOLE_GROUP:
            return f"group {self.subject[0]}"
        return "{} {}".format(*self.subject)


def lines(
    results: Results,
    quantity: str,
    *,
    link: Link = None,
    flow: Flow = None,
    protocol: choose.Protocols = None,
    seed: int | None = None,
) -> list[Line]:
    """A line for each protocol and each link or flow with samples of this quantity.

    The lines are of one seed, by default the first. Raises ValueError if there is none, with the
    links, flows and quantities that were sampled.
    """
    seed = choose.seed(results, seed)
    names = choose.protocols(results, protocol)
    subject = choose.flow(flow) or choose.link(link)
    text("quantity", quantity)
    frames = {name: results.series(name, seed) for name in names}
    every = [line for name in names for line in _of_run(name, frames[name], quantity)]
    found = [line for line in every if subject in (None, line.subject)]
    if not found:
        raise ValueError(_missing(frames, quantity, every, subject, _lines(results, quantity)))
    return found


def _of_run(protocol: str, frame: Frame, quantity: str) -> Iterator[Line]:
    rows = frame.where(quantity=quantity)
    links, groups = rows["link"], rows["group"]
    index = numpy.nan_to_num(rows["index"].astype(float), nan=WHOLE_GROUP)
    # The samples of a link, a flow or a group are contiguous.
    other = [column[1:] != column[:-1] for column in (links, groups, index)]
    edges = [0, *(numpy.flatnonzero(numpy.any(other, axis=0)) + 1), len(rows)]
    for start, end in itertools.pairwise(edges):
        if start < end:
            subject = links[start] or (groups[start], int(index[start]))
            times, values = rows["time_ns"][start:end] / 1e9, rows["value"][start:end]
            yield Line(protocol, subject, times, values)


def traced(
    results: Results,
    column: str,
    *,
    flow: Flow = None,
    protocol: choose.Protocols = None,
    seed: int | None = None,
) -> list[Line]:
    """A line for each protocol and traced sender with values in this column of
    ``results.senders()``."""
    seed, flow = choose.seed(results, seed), choose.flow(flow)
    found = []
    for name in choose.protocols(results, protocol):
        try:
            rows = results.senders(name, seed)
        except ValueError:
            continue
        groups, index = rows["group"], rows["index"]
        for subject in (
            dict.fromkeys(zip(groups, index.tolist(), strict=True)) if flow is None else [flow]
        ):
            these = (groups == subject[0]) & (index == subject[1])
            times, values = rows["time_ns"][these] / 1e9, rows[column][these].astype(float)
            if not numpy.isnan(values).all():
                found.append(Line(name, subject, times, values))
    return found


def only(lines: list[Line], what: str) -> list[Line]:
    """The lines unchanged. Raises ValueError if they are of more than one link."""
    subjects = list(dict.fromkeys(line.subject for line in lines))
    if len(subjects) > 1:
        raise ValueError(f"{_listed(subjects)} were sampled: choose one with `{what}=`")
    return lines


def _missing(
    frames: dict[str, Frame], quantity: str, every: list[Line], asked: object, lines: str
) -> str:
    """The error if there is nothing to draw: the reason, and the lines to add."""
    if every:
        subjects = list(dict.fromkeys(line.subject for line in every))
        return f"no {quantity!r} of {asked!r} was sampled; there are samples of {_listed(subjects)}"
    sampled = {name: list(dict.fromkeys(frame["quantity"])) for name, frame in frames.items()}
    if not any(sampled.values()):
        return f"nothing was sampled: add metrics to the scenario, such as\n{lines}"
    known = "; ".join(f"{name} has {', '.join(found)}" for name, found in sampled.items())
    return f"no {quantity!r} was sampled; {known}. Add metrics such as\n{lines}"


def _listed(subjects: list[Subject]) -> str:
    return ", ".join(map(repr, subjects))


def _lines(results: Results, quantity: str) -> str:
    """Lines of a scenario that sample a quantity."""
    if quantity in OF_FLOWS:
        group = results.scenario["group"][0]
        name = group["name"] + (".0" if group["pairs"] else "")
        subject = f'flow = {{ group = "{name}", index = 0 }}'
    else:
        link = results.of(results.protocols[0])["bottleneck"]
        subject = f'link = ["{link["from"]}", "{link["to"]}"]'
    return f'[[metrics]]\n{subject}\nevery = "10 ms"'
