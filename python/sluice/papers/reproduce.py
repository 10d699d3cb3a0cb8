"""Runs figures and keeps what they show."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib import pyplot
from pyarrow import csv

from ..plot import style
from ..plot.picture import SVG
from .claim import Claim
from .figure import Figure
from .scale import Scale


@dataclass(frozen=True)
class Reproduced:
    """A figure that was drawn, and its claims."""

    figure: Figure[Any]
    claims: list[Claim]
    #: The picture; beside it are its numbers (``.csv``) and claims (``.json``).
    picture: Path
    #: How long it took, in seconds; runs that lay there already took none.
    took: float


def reproduce(figure: Figure[Any], scale: Scale, out: Path) -> Reproduced:
    """Runs a figure, checks what the paper says of it, and writes picture, numbers and claims."""
    began = time.perf_counter()
    table = figure.table(figure.run(scale))
    claims = figure.check(table)
    out.mkdir(parents=True, exist_ok=True)
    picture = out / f"{figure.id}.svg"
    with style.context(), matplotlib.rc_context(SVG):
        drawn = figure.plot(table)
        # No date, so that the same figure has the same bytes.
        drawn.savefig(picture, metadata={"Date": None})
        pyplot.close(drawn)
    csv.write_csv(table.arrow, out / f"{figure.id}.csv")
    took = time.perf_counter() - began
    told = {
        "id": figure.id,
        "title": figure.title,
        "scale": "full" if scale.full else "quick",
        "claims": [asdict(claim) for claim in claims],
    }
    text = json.dumps(told, indent=2, ensure_ascii=False)
    (out / f"{figure.id}.json").write_text(f"{text}\n", encoding="utf-8")
    return Reproduced(figure, claims, picture, took)
