"""A table of a figure's numbers from its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow

from ..frame import Frame


def frame(rows: Sequence[Mapping[str, Any]]) -> Frame:
    """Rows of several kinds as one table: a column that a row has nothing for is empty there.

    >>> frame([{"kind": "mean", "seed": 1}, {"kind": "fit", "slope": 2.0}]).columns
    ['kind', 'seed', 'slope']
    """
    # Arrow's own from_pylist takes the columns of the first row alone.
    names = dict.fromkeys(name for row in rows for name in row)
    return Frame(pyarrow.table({name: [row.get(name) for row in rows] for name in names}))
