"""A table of completion times that fills in while runs go on."""

from __future__ import annotations

import html
import json
import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from .progress import in_notebook

#: Called when runs finished: with a line for each, and the table of all so far as text and as JSON.
OnFinished = Callable[[list[str], str, str], None]


def watcher(wanted: bool) -> OnFinished | None:
    """What shows runs as they finish, or None.

    In a notebook a table is updated in place, and so is one of text in a terminal; elsewhere, each
    run is a line on standard error.
    """
    if not wanted:
        return None
    if in_notebook():
        return _Notebook()
    return _Terminal() if sys.stderr.isatty() else _print_lines


class _Notebook:
    """The table as HTML, in the output of the cell."""

    def __init__(self) -> None:
        self._shown: Any = None

    def __call__(self, lines: list[str], text: str, table: str) -> None:
        # Without types: notebooks have IPython, the package does not require it.
        ipython = import_module("IPython.display")
        page = ipython.HTML(as_html(json.loads(table)))
        if self._shown is None:
            self._shown = ipython.display(page, display_id=True)
        else:
            self._shown.update(page)


class _Terminal:
    """The table as text, over that of before; a progress bar stays below it."""

    def __init__(self) -> None:
        self._height = 0

    def __call__(self, lines: list[str], text: str, table: str) -> None:
        from tqdm import tqdm

        # A line that wraps would take more rows of the screen than are cleared.
        width = shutil.get_terminal_size().columns - 1
        rows = [line[:width] for line in text.splitlines()]
        up_and_clear = f"\x1b[{self._height}A\r\x1b[J" if self._height else ""
        with tqdm.external_write_mode(file=sys.stderr):
            sys.stderr.write(up_and_clear + "\n".join(rows) + "\n")
            sys.stderr.flush()
        self._height = len(rows)


def _print_lines(lines: list[str], text: str, table: str) -> None:
    for line in lines:
        print(line, file=sys.stderr, flush=True)


def as_html(table: dict[str, Any]) -> str:
    """The table as HTML: a block for the mean, and one for the 99th percentile.

    >>> row = {"name": "rcp", "finished": 1, "runs": 2, "mean": ["3 ms"], "p99": ["-"]}
    >>> as_html({"sizes": ["all"], "rows": [row]}).count("<tr>")
    5
    """
    head = _row("th", ["completion time", "runs", *table["sizes"]])
    blocks = [("mean", "mean"), ("99th percentile", "p99")]
    body = "".join(
        _row("th", [title, *[""] * (1 + len(table["sizes"]))]) + _rows(table, figure)
        for title, figure in blocks
    )
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _rows(table: dict[str, Any], figure: str) -> str:
    return "".join(
        _row("td", [row["name"], f"{row['finished']} of {row['runs']}", *row[figure]])
        for row in table["rows"]
    )


def _row(cell: str, texts: list[str]) -> str:
    cells = "".join(f"<{cell}>{html.escape(text)}</{cell}>" for text in texts)
    return f"<tr>{cells}</tr>"
