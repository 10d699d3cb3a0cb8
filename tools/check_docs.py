#!/usr/bin/env python3
"""Checks that what the documentation refers to exists: links, headings, files and tests.

Also checks that CITATION.cff states the version of Cargo.toml. Standard library only.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["*.md", "docs/**/*.md", "validation/*.md", "examples/*/*.md"]
PARTS = [".ci", "crates", "docs", "examples", "python", "scenarios", "tools", "validation"]
#: Files that a run writes, or that are mentioned as absent.
ELSEWHERE = {
    "scenario.toml",
    "/etc/sluice.toml",
    "rust-toolchain.toml",
    "target/validation/comparison.md",
}

BLOCK = re.compile(r"(?ms)^```.*?^```")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`]+)`")
FILE = re.compile(r"[\w./-]+\.(rs|py|toml|md|tcl)")
#: Test names are sentences: three words or more.
TEST = re.compile(r"[a-z0-9]+(_[a-z0-9]+){2,}")
CITED_VERSION = re.compile(r'(?m)^version: "?([^"\s]+)"?$')


class Repository(NamedTuple):
    """What documents may refer to."""

    #: Paths from the root, with a leading slash.
    paths: list[str]
    #: All words of the source code.
    words: set[str]

    @classmethod
    def read(cls) -> "Repository":
        files = [path for part in PARTS for path in (ROOT / part).rglob("*") if path.is_file()]
        sources = [
            path
            for path in files
            if path.suffix == ".rs" or (path.suffix == ".py" and "python" in path.parts)
        ]
        code = (path.read_text(encoding="utf-8") for path in sources)
        return cls(
            [f"/{path.relative_to(ROOT)}" for path in [*files, *ROOT.glob("*.*")]],
            {word for text in code for word in re.findall(r"\w+", text)},
        )

    def has_file(self, name: str) -> bool:
        return any(path.endswith(f"/{name}") for path in self.paths)


def main() -> int:
    argparse.ArgumentParser(description=__doc__.split("\n\n")[0]).parse_args()
    repository = Repository.read()
    problems = [
        f"{doc.relative_to(ROOT)}: {name} does not exist"
        for page in PAGES
        for doc in ROOT.glob(page)
        for name in missing(doc, repository)
    ]
    problems += citation_problems()
    for problem in problems:
        print(problem)
    return int(bool(problems))


def missing(doc: Path, repository: Repository) -> Iterator[str]:
    """The links, tests and files that a document refers to and that do not exist."""
    text = BLOCK.sub("", doc.read_text(encoding="utf-8"))
    yield from (link for link in LINK.findall(text) if not resolves(doc, link))
    for name in CODE.findall(text):
        if TEST.fullmatch(name) and name not in repository.words:
            yield name
        placeholder = "NAME" in name or name in ELSEWHERE
        if FILE.fullmatch(name) and not placeholder and not repository.has_file(name):
            yield name


def resolves(doc: Path, link: str) -> bool:
    if link.startswith("http"):
        return True
    path, _, heading = link.partition("#")
    target = doc.parent / path if path else doc
    return target.exists() and (not heading or heading in headings(target))


def headings(doc: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    titles = re.findall(r"(?m)^#+ (.*)$", doc.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def citation_problems() -> list[str]:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    version = cargo["workspace"]["package"]["version"]
    cited = CITED_VERSION.search((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    if cited is None:
        return ["CITATION.cff: no version"]
    if cited[1] != version:
        return [f"CITATION.cff: version is {cited[1]}, in Cargo.toml {version}"]
    return []


if __name__ == "__main__":
    sys.exit(main())
