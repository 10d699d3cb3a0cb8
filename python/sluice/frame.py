"""Tables of results, in Arrow, with conversions to numpy, polars and pandas."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars
    import pyarrow


class Frame:
    """A table of results, backed by an Arrow table.

    >>> import pyarrow
    >>> frame = Frame(pyarrow.table({"protocol": ["rcp", "tcp"], "mean": [0.4, None]}))
    >>> frame.columns
    ['protocol', 'mean']
    >>> frame["mean"]
    array([0.4, nan])
    >>> frame.to_polars()["protocol"].to_list()
    ['rcp', 'tcp']
    """

    def __init__(self, arrow: pyarrow.Table) -> None:
        #: The Arrow table.
        self.arrow: pyarrow.Table = _table(arrow)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.arrow.column_names

    def __len__(self) -> int:
        return self.arrow.num_rows

    def __getitem__(self, column: str) -> numpy.ndarray:
        """A column as a numpy array. Nulls are NaN in numbers and None in text.

        Raises KeyError for an unknown column.
        """
        import pyarrow

        values = self._column(column)
        if pyarrow.types.is_dictionary(values.type):
            values = values.cast(values.type.value_type)
        return values.to_numpy()

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def where(self, **equal: Any) -> Frame:
        """The rows in which these columns have these values.

        Raises KeyError for an unknown column, TypeError for a value of another type.

        >>> import pyarrow
        >>> frame = Frame(pyarrow.table({"protocol": ["rcp", "tcp"], "mean": [0.4, 0.9]}))
        >>> frame.where(protocol="tcp")["mean"]
        array([0.9])
        """
        import pyarrow.compute as compute

        arrow = self.arrow
        for column, value in equal.items():
            values = Frame(arrow)._column(column)
            try:
                arrow = arrow.filter(compute.equal(values, value))
            except (TypeError, ValueError, OverflowError, NotImplementedError):
                kind = getattr(values.type, "value_type", values.type)
                raise TypeError(f"column {column!r} is {kind}, not {value!r}") from None
        return Frame(arrow)

    def _column(self, name: str) -> pyarrow.ChunkedArray:
        if name not in self.columns:
            raise KeyError(f"no column {name!r}; there are {', '.join(self.columns)}")
        return self.arrow.column(name)

    def to_polars(self) -> polars.DataFrame:
        """The table as a polars data frame (``pip install 'sluicesim[polars]'``)."""
        return _optional("polars").from_arrow(self.arrow)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas data frame (``pip install 'sluicesim[pandas]'``)."""
        _optional("pandas")
        return self.arrow.to_pandas()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The Arrow PyCapsule interface: other libraries read the table without a copy."""
        return self.arrow.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"{len(self)} rows of {', '.join(self.columns)}"

    def _repr_html_(self) -> str:
        shown = self.arrow.slice(0, SHOWN).to_pylist()
        head = "".join(f"<th>{name}</th>" for name in self.columns)
        rows = "".join(f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in shown)
        more = f"<p>{len(self)} rows, the first {SHOWN} shown</p>" if len(self) > SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


#: Number of rows that a notebook shows.
SHOWN = 10


def _table(arrow: pyarrow.Table) -> pyarrow.Table:
    import pyarrow

    if not isinstance(arrow, pyarrow.Table):
        raise TypeError(f"`arrow`: expected a pyarrow.Table, not a {type(arrow).__name__}")
    return arrow


def _cell(value: Any) -> str:
    import html

    if value is None:
        return "<td></td>"
    if isinstance(value, float):
        return f"<td>{value:.6g}</td>"
    return f"<td>{html.escape(str(value))}</td>"


def _optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{error}: run `pip install 'sluicesim[{name}]'`") from error
