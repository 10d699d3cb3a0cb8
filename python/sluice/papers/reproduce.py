"""Runs a figure and stores the results."""

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
    """A figure that has been drawn, and its claims."""

    figure: Figure[Any]
    claims: list[Claim]
    #: Path of the plot (``.svg``); the table (``.csv``) and claims (``.json``) are beside it.
    picture: Path
    #: Elapsed time in seconds.
    took: float


def reproduce(figure: Figure[Any], scale: Scale, out: Path) -> Reproduced:
    """Runs a figure and writes its plot, table and claims to the folder ``out``.

    Runs whose results are already in the scale's folder are not repeated.
    """
    began = time.perf_counter()
    table = figure.table(figure.run(scale))
    claims = figure.check(table)
    out.mkdir(parents=True, exist_ok=True)
    picture = out / f"{figure.id}.svg"
    with style.context(), matplotlib.rc_context(SVG):
        drawn = figure.plot(table)
        # Without a date, the same figure has the same bytes.
        drawn.savefig(picture, metadata={"Date": None})
        pyplot.close(drawn)
    csv.write_csv(table.arrow, out / f"{figure.id}.csv")
    took = time.perf_counter() - began
    written = {
        "id": figure.id,
        "title": figure.title,
        "scale": "full" if scale.full else "quick",
        "claims": [asdict(claim) for claim in claims],
    }
    text = json.dumps(written, indent=2, ensure_ascii=False)
    (out / f"{figure.id}.json").write_text(f"{text}\n", encoding="utf-8")
    return Reproduced(figure, claims, picture, took)
