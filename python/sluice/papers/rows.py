"""Tables from rows, and selections of their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import pyarrow
import pyarrow.compute

from ..frame import Frame


def frame(rows: Sequence[Mapping[str, Any]]) -> Frame:
    """A table of rows that need not have the same columns: a missing value is null.

    >>> frame([{"kind": "mean", "seed": 1}, {"kind": "fit", "slope": 2.0}]).columns
    ['kind', 'seed', 'slope']
    """
    # Arrow's from_pylist takes the columns of the first row alone.
    names = dict.fromkeys(name for row in rows for name in row)
    return Frame(pyarrow.table({name: [row.get(name) for row in rows] for name in names}))


def kept(table: Frame, mask: numpy.ndarray) -> Frame:
    """The rows for which the mask is true.

    >>> table = frame([{"seed": 1}, {"seed": 2}])
    >>> kept(table, table["seed"] > 1)["seed"]
    array([2])
    """
    return Frame(table.arrow.filter(pyarrow.array(mask)))


def having(table: Frame, column: str) -> Frame:
    """The rows in which a column has a value.

    >>> having(frame([{"kind": "mean"}, {"kind": "fit", "slope": 2.0}]), "slope")["kind"]
    array(['fit'], dtype=object)
    """
    return Frame(table.arrow.filter(pyarrow.compute.is_valid(table.arrow[column])))


def by_seed(table: Frame) -> list[Frame]:
    """The rows of each seed, in order of seeds."""
    return [table.where(seed=seed) for seed in numpy.unique(table["seed"])]
