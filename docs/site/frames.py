"""The directive ```{columns} FRAME: a table of the columns of results.

Each line of its content is `NAME: description`. A small run must produce exactly these columns; it
also provides their types.
"""

import atexit
import shutil
import tempfile
from functools import cache

import sluice
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Columns(SphinxDirective):
    """A table of a frame's columns."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        frame = getattr(_results(), self.arguments[0])()
        columns = dict(line.split(": ", 1) for line in self.content if line)
        if list(columns) != frame.columns:
            raise self.error(f"{self.arguments[0]} has the columns {frame.columns}")
        rows = [f"| `{name}` | {_type(frame, name)} | {about} |" for name, about in columns.items()]
        table = "\n".join(["| column | type | content |", "|---|---|---|", *rows])
        return self.parse_text_to_nodes(table)


@cache
def _results() -> sluice.Results:
    """Results of a run with metrics, traces and a policing agent."""
    agent = {"from": "left", "to": "right", "police": {}}
    settings = {"trace.flows": "all", "trace.packets": "all", "link": [agent]}
    scenario = sluice.Scenario.load("fct-5").set(settings)
    folder = tempfile.mkdtemp(prefix="sluice-docs-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return sluice.run(scenario, ["xcp"], out=folder, progress=False)


def _type(frame: sluice.Frame, name: str) -> str:
    kind = frame.arrow.schema.field(name).type
    # Dictionary-encoded text is shown as text.
    return str(getattr(kind, "value_type", kind))


def setup(app: Sphinx) -> None:
    app.add_directive("columns", Columns)
