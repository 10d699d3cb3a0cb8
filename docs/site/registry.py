"""The directive ```{registry} KIND: documents the names of a kind that scenarios may use.

The names and their fields come from `sluice.explain`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sluice
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parent.parent.parent


class Registry(SphinxDirective):
    """A section for each name of a kind: its description, fields and source."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        kind = self.arguments[0]
        shown.add(kind)
        # An incremental build reads the page again.
        self.env.note_reread()
        lines = (line for name in sluice.names(kind) for line in _entry(kind, name))
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


#: Kinds shown on some page.
shown: set[str] = set()


def all_shown(_app: Sphinx, _env: object) -> None:
    """Warns of kinds not shown on any page."""
    entries = (entry for name in sluice.names() for entry in sluice.explain(name))
    every = {entry["kind"] for entry in entries if not entry["places"]}
    for kind in sorted(every - shown):
        logger.warning("no page shows the {registry} of %s", kind)


def _entry(kind: str, name: str) -> Iterator[str]:
    entry = next(entry for entry in sluice.explain(name) if entry["kind"] == kind)
    yield f"## `{name}`\n\n{_sentence(entry['title'])}\n"
    if entry["takes"] and not entry["fields"]:
        yield f"Takes {entry['takes']}.\n"
    for field in entry["fields"]:
        yield from _field(field)
    if entry["source"]:
        yield f"Source\n: {_sentence(entry['source'])}\n"
    for equation in entry["equations"]:
        yield f"- {equation}"
    if kind == "scenario":
        yield from _file(ROOT / "scenarios" / f"{name}.toml")
    yield ""


def _field(field: dict[str, Any]) -> Iterator[str]:
    notes = [field["takes"]]
    if field["required"]:
        notes.append("**required**")
    elif field["default"]:
        notes.append(f"default `{field['default']}`")
    yield f"`{field['name']}` – {', '.join(notes)}\n: {field['about']}\n"


def _file(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    # Its first lines repeat the text above.
    body = text[text.index("schema = ") :]
    yield f"<details><summary>The file</summary>\n\n```toml\n{body}```\n\n</details>\n"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", ")")) else f"{text}."


def setup(app: Sphinx) -> None:
    app.add_directive("registry", Registry)
    app.connect("env-check-consistency", all_shown)
