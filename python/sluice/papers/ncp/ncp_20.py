"""XCP derived from NCP, (19) to (21), in rounds of d0 without packets: each of N flows adds
d0 S/(sum of 1/R_j), its part of the spare bandwidth, where NCP sets its rate to (C d0 - q)/(sum of
1/R_j). Drawn are four flows that begin with 65 % of the link; the dashed line is the equal share.

The paper then multiplies "Equation 21 with R_j/R if it is needed to keep the flow sending rate
proportional to its current rate or with R/R_j [...] to adjust the sending rates to the equal
share". (21) is the new rate, but the first purpose needs the increment to be multiplied: both are
run. R is not defined: claims are on R(t), NCP's rate, and on the mean rate, which is drawn. RCP is
(1), once each d0, with N known and with the N = C/R of (2).

Claims are judged over 100 random starts of 2 to 10 flows, with loads from 0.2 to 1.5, and as many
of equal rates; alpha and beta are 1, as in the equations, and rates at least 10^-6 and at most C.
There are no seeds: the starts are always the same.
"""

from __future__ import annotations

from typing import Any

import matplotlib.figure
import numpy
from matplotlib import pyplot

from ...frame import Frame
from ...plot import scales, style
from ...theory import increments
from ...theory.increments import Law, Rounds
from ..claim import Claim, everywhere
from ..figure import Figure
from ..interval import Interval
from ..rows import frame, kept
from ..scale import Scale

EXAMPLE = (0.05, 0.3, 0.1, 0.2)
NCP, XCP, KNOWN, RCP = "NCP", "XCP-like, (21)", "RCP, N known", "RCP, N = C/R"
KEEP, KEEP_STEP = "(21) times R_j/R", "increment times R_j/R"
LEVEL, LEVEL_STEP = "(21) times R/R_j", "increment times R/R_j"
VARIANTS = {
    KEEP: increments.proportional,
    KEEP_STEP: increments.proportional_increments,
    LEVEL: increments.equalising,
    LEVEL_STEP: increments.equalising_increments,
}
#: What R may be in the variants, with what follows their names.
READINGS = {"the mean rate": ("", increments.mean), "NCP's R(t)": (", R(t)", increments.share)}
LAWS: dict[str, Law] = {
    NCP: increments.ncp,
    XCP: increments.xcp_like,
    KNOWN: increments.rcp_of_known_number,
    RCP: increments.rcp(),
    **{
        name + after: variant(reference)
        for name, variant in VARIANTS.items()
        for after, reference in READINGS.values()
    },
}
#: Laws that are drawn, with R the mean rate.
SHOWN = (NCP, XCP, KEEP, KEEP_STEP, LEVEL, LEVEL_STEP)
STARTS, ROUNDS, DRAWN = 100, 100, 10
#: Equal, as a part of the capacity or of a rate. Ours.
EQUAL = 0.01


def run(scale: Scale) -> dict[str, list[Rounds]]:
    """The example, then all starts, under each law. The same at both scales: it takes seconds."""
    draws = numpy.random.default_rng(1)
    starts = [numpy.array(EXAMPLE)]
    for _ in range(STARTS):
        rates = draws.uniform(0.05, 1.0, draws.integers(2, 11))
        load = draws.uniform(0.2, 1.5)
        # Different rates of this load, and the same load in equal rates.
        starts += [rates * load / rates.sum(), numpy.full(len(rates), load / len(rates))]
    return {
        name: [increments.rounds(law, start, ROUNDS) for start in starts]
        for name, law in LAWS.items()
    }


def table(runs: dict[str, list[Rounds]]) -> Frame:
    """A row for each law and start, then the rates of the example in each round."""
    rows = [
        _row(name, found, beside)
        for name, all_rounds in runs.items()
        for found, beside in zip(all_rounds[1:], runs[NCP][1:], strict=True)
    ]
    rows += [
        {"kind": "example", "law": name, "round": place, "flow": flow, "rate": rate}
        for name, all_rounds in runs.items()
        for place, rates in enumerate(all_rounds[0].rates[: DRAWN + 1].tolist())
        for flow, rate in enumerate(rates)
    ]
    return frame(rows)


def _row(law: str, found: Rounds, beside: Rounds) -> dict[str, Any]:
    # Rates over the mean, which stay as they are if rates are kept proportional.
    parts = found.rates / found.rates.mean(axis=1, keepdims=True)
    return {
        "kind": "start",
        "law": law,
        "flows": found.rates.shape[1],
        "load": float(found.load[0]),
        "equal": bool(found.unfairness[0] < 1e-9),
        "bounded": found.bounded,
        "from_ncp": float(abs(found.rates - beside.rates).max()),
        "from_ncp_end": float(abs(found.rates[-1] - beside.rates[-1]).max()),
        "unfair_start": float(found.unfairness[0]),
        "unfair_end": float(found.unfairness[-1]),
        # All rates at C are equal too, and no share.
        "from_share_end": float(abs(found.rates[-1] * found.rates.shape[1] - 1).max()),
        "apart": float(abs(parts[-1] - parts[0]).max()),
    }


def check(table: Frame) -> list[Claim]:
    """Where the laws coincide, and what the variants do."""
    starts = table.where(kind="start")
    same = kept(starts, starts["equal"])
    others = kept(starts, ~starts["equal"])
    return [
        everywhere(
            "XCP behaves like NCP if the rates R_j are the same, by (21): the largest difference "
            "of a rate in any round, over C",
            "0",
            _worst(same, XCP, "from_ncp"),
            high=EQUAL,
            form=".3f",
        ),
        everywhere(
            "else it does not: by (21) the distance from equal rates that is left after "
            f"{ROUNDS} rounds",
            "unfair",
            _least(others, XCP, "unfair_end"),
            low=EQUAL,
            form=".3f",
        ),
        everywhere(
            "if the rates are the same and N is known, NCP, XCP and RCP all have the same "
            "performance, by (1) and (21): the largest difference of a rate of RCP to NCP in any "
            "round, over C",
            "0",
            _worst(same, KNOWN, "from_ncp"),
            high=EQUAL,
            form=".3f",
        ),
        everywhere(
            "RCP with (2), N = C/R, has it too: the same difference",
            "0",
            _worst(same, RCP, "from_ncp"),
            high=EQUAL,
            note=f"; in round {ROUNDS} {same.where(law=RCP)['from_ncp_end'].max():.3f}",
            form=".3f",
        ),
        *_variants(
            others,
            "R_j/R keeps sending rates proportional to the current rates",
            "the change of a rate over the mean",
            (KEEP, KEEP_STEP),
            "apart",
        ),
        *_variants(
            others,
            "R/R_j adjusts sending rates to the equal share",
            f"the distance of a rate from C/N, over C/N, after {ROUNDS} rounds",
            (LEVEL, LEVEL_STEP),
            "from_share_end",
        ),
    ]


def _variants(
    starts: Frame, says: str, quantity: str, laws: tuple[str, str], column: str
) -> list[Claim]:
    """Of both readings of what is multiplied, and of both of R."""
    return [
        everywhere(
            f"{says}, {reading}, R {r}: {quantity}",
            "0",
            _worst(starts, law + after, column),
            high=EQUAL,
            note=_reached(starts, law + after, column),
            why=_bounded(starts, law + after, column),
            form=".3f",
        )
        for law, reading in zip(laws, ("as printed", "of the increment"), strict=True)
        for r, (after, _) in READINGS.items()
    ]


def _worst(starts: Frame, law: str, column: str) -> dict[str, Interval]:
    own = starts.where(law=law)
    return {f"under {law}, at most": Interval.exactly(float(own[column].max()))}


def _reached(starts: Frame, law: str, column: str) -> str:
    found = starts.where(law=law)[column]
    return f"; from {int((found < EQUAL).sum())} of {len(found)} starts it is below {EQUAL:g}"


def _bounded(starts: Frame, law: str, column: str) -> str:
    """How many of the starts that are not within the criterion meet a bound, which is ours."""
    own = starts.where(law=law)
    met = own["bounded"][own[column] >= EQUAL]
    return f"{int(met.sum())} of {len(met)} such starts meet a bound of rates" if len(met) else ""


def _least(starts: Frame, law: str, column: str) -> dict[str, Interval]:
    own = starts.where(law=law)
    return {f"under {law}, at least": Interval.exactly(float(own[column].min()))}


def plot(table: Frame) -> matplotlib.figure.Figure:
    """The example; a panel for each law."""
    figure, panels = pyplot.subplots(2, 3, figsize=(7, 3.6), sharex=True, sharey=True)
    example = table.where(kind="example")
    for ax, law in zip(panels.T.flat, SHOWN, strict=True):
        for flow, (colour, marker) in enumerate(zip(style.COLOURS, style.MARKERS, strict=True)):
            own = example.where(law=law, flow=flow)
            ax.plot(own["round"], own["rate"], color=colour, marker=marker, ms=2.5, lw=0.9)
        ax.axhline(1 / len(EXAMPLE), color="black", ls="dashed", lw=0.6)
        ax.set(title=law, ylim=(0, 1.05), xlim=(0, DRAWN))
    for ax in panels[-1]:
        scales.linear(ax, "x", "round", "")
    for ax in panels[:, 0]:
        ax.set_ylabel("rate / C")
    return figure


FIGURE = Figure(
    id="ncp-20",
    title="XCP-like increments beside NCP's shares, in rounds",
    doc=__doc__,
    run=run,
    table=table,
    check=check,
    plot=plot,
)
