"""Redirects links between files of the repository to the pages that include them on the site."""

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parent.parent
ROOT = DOCS.parent

#: Included files, and the pages that include them.
PAGES = {
    DOCS / "decisions/README.md": DOCS / "explanation/decisions.md",
    ROOT / "ARCHITECTURE.md": DOCS / "explanation/architecture.md",
    ROOT / "CHANGELOG.md": DOCS / "reference/changelog.md",
    ROOT / "CONTRIBUTING.md": DOCS / "explanation/contributing.md",
    ROOT / "examples/own-law/README.md": DOCS / "how-to/own-law-rust.md",
    ROOT / "validation/README.md": DOCS / "explanation/validation-setups.md",
}
LINK = re.compile(r"\]\((?!https?:)([^)\s#]+)(#[^)\s]*)?\)")


def led(text: str, file: Path, page: Path) -> str:
    """The text of a file with its relative links redirected to pages, for inclusion in `page`."""

    def lead(found: re.Match) -> str:
        target = (file.parent / found[1]).resolve()
        if target.is_dir():
            target /= "README.md"
        shown = PAGES.get(target, target)
        return f"]({os.path.relpath(shown, page.parent)}{found[2] or ''})"

    return LINK.sub(lead, text)


def of_page(app: Sphinx, name: str, content: list[str]) -> None:
    page = Path(app.env.doc2path(name))
    if page.suffix == ".md":
        content[0] = led(content[0], page, page)


def of_include(_app: Sphinx, file: Path, _name: str, content: list[str]) -> None:
    file = (DOCS / file).resolve()
    content[0] = led(content[0], file, PAGES[file])


def setup(app: Sphinx) -> None:
    app.connect("source-read", of_page)
    app.connect("include-read", of_include)
