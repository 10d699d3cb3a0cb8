#!/usr/bin/env python3
"""Checks that what the documentation points to is there: links, headings, files, and names of
tests that are said to hold a promise. Standard library only.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("validation/*.md"),
        *ROOT.glob("examples/*/*.md")]
PARTS = [".ci", "crates", "docs", "examples", "python", "scenarios", "tools", "validation"]
#: Written by a run, or told not to be there.
ELSEWHERE = {"scenario.toml", "rust-toolchain.toml", "target/validation/comparison.md"}

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`]+)`")
FILE = re.compile(r"[\w./-]+\.(rs|py|toml|md|tcl)")
#: Tests are sentences: names of three words or more.
TEST = re.compile(r"[a-z0-9]+(_[a-z0-9]+){2,}")


def main() -> int:
    files = [path for part in PARTS for path in (ROOT / part).rglob("*") if path.is_file()]
    paths = [f"/{path.relative_to(ROOT)}" for path in [*files, *ROOT.glob("*.*")]]
    code = [path for path in files if path.suffix == ".rs" or "python" in path.parts]
    code = [path.read_text(encoding="utf-8") for path in code if path.suffix in (".rs", ".py")]
    words = set(re.findall(r"\w+", " ".join(code)))
    missing = []
    for doc in DOCS:
        text = re.sub(r"(?ms)^```.*?^```", "", doc.read_text(encoding="utf-8"))
        lost = [link for link in LINK.findall(text) if not leads_somewhere(doc, link)]
        for name in CODE.findall(text):
            if TEST.fullmatch(name) and name not in words:
                lost.append(name)
            if FILE.fullmatch(name) and "NAME" not in name and name not in ELSEWHERE:
                lost += [name] if not any(path.endswith(f"/{name}") for path in paths) else []
        missing += [f"{doc.relative_to(ROOT)}: {name} is not there" for name in lost]
    print("".join(f"{line}\n" for line in missing), end="")
    return int(bool(missing))


def leads_somewhere(doc: Path, link: str) -> bool:
    if link.startswith("http"):
        return True
    path, _, heading = link.partition("#")
    target = doc.parent / path if path else doc
    return target.exists() and (not heading or heading in headings(target))


def headings(doc: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    titles = re.findall(r"(?m)^#+ (.*)$", doc.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


if __name__ == "__main__":
    sys.exit(main())
