"""The seeded bugs: reads `seeded_bugs/*.toml`, a file per crate, and checks them against the code.

A file has a `folder`, which the paths in it are relative to, and a `[[bug]]` per entry:

    name       unique among all files
    symptom    what a user or developer would notice
    file       the source file to change
    old, new   `old` occurs in the file exactly once; the bug replaces it by `new`
    test       the test that fails, as arguments of `cargo test`: `-p PACKAGE --lib NAME` or
               `-p PACKAGE --test TARGET NAME`, with the full path of the test as NAME
"""

import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent / "seeded_bugs"
TEST = re.compile(r"-p (\S+) (--lib|--test \S+) (\S+)")
FIELDS = {"name", "symptom", "file", "old", "new", "test"}


class BugError(Exception):
    """An entry is malformed."""


class Test(NamedTuple):
    """A test, as arguments of `cargo test`."""

    package: str
    #: `--lib` or `--test TARGET`.
    target: str
    name: str

    def __str__(self) -> str:
        return f"-p {self.package} {self.target} {self.name}"


class Bug(NamedTuple):
    """An entry of `seeded_bugs/`."""

    #: The TOML file, for messages.
    origin: str
    #: `file` is relative to this folder of the repository.
    folder: str
    name: str
    symptom: str
    file: str
    old: str
    new: str
    test: Test

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.file}"

    @property
    def crate(self) -> str:
        return Path(self.folder).parts[1]

    def problems(self, root: Path) -> list[str]:
        """Why this entry does not fit the repository at `root`; empty if it does."""
        found = []
        file = root / self.path
        if not file.is_file():
            found.append(f"{self.path} does not exist")
        elif (count := file.read_text(encoding="utf-8").count(self.old)) != 1:
            found.append(f"expected 1 occurrence in {self.path}, found {count}, of\n    {self.old}")
        function = self.test.name.rpartition("::")[2]
        if function not in functions(root / "crates" / self.test.package):
            found.append(f"no test `{function}` in {self.test.package}")
        return [f"{self.origin}: {self.name}: {problem}" for problem in found]


@cache
def functions(crate: Path) -> set[str]:
    """Names of all functions of a crate, tests among them."""
    sources = (file.read_text(encoding="utf-8") for file in crate.rglob("*.rs"))
    return {name for text in sources for name in re.findall(r"\bfn (\w+)", text)}


def load() -> list[Bug]:
    """All entries, by file and in the order of the file; raises `BugError` for a malformed one."""
    bugs = [bug for file in sorted(FOLDER.glob("*.toml")) for bug in load_file(file)]
    repeated = [name for name, count in Counter(bug.name for bug in bugs).items() if count > 1]
    if repeated:
        raise BugError(f"names occur more than once: {', '.join(repeated)}")
    return bugs


def load_file(file: Path) -> list[Bug]:
    origin = f"tools/{FOLDER.name}/{file.name}"
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise BugError(f"{origin}: {error}") from error
    if set(content) != {"folder", "bug"}:
        raise BugError(f"{origin}: expected `folder` and `[[bug]]`, found {', '.join(content)}")
    return [parse(origin, content["folder"], entry) for entry in content["bug"]]


def parse(origin: str, folder: str, entry: dict[str, str]) -> Bug:
    where = f"{origin}: {entry.get('name', 'an entry without a name')}"
    if missing := FIELDS - set(entry):
        raise BugError(f"{where}: missing: {', '.join(sorted(missing))}")
    if unknown := set(entry) - FIELDS:
        raise BugError(f"{where}: unknown: {', '.join(sorted(unknown))}")
    if entry["old"] == entry["new"]:
        raise BugError(f"{where}: `old` and `new` are equal")
    test = TEST.fullmatch(entry.pop("test"))
    if test is None:
        raise BugError(
            f"{where}: `test` is not `-p PACKAGE --lib NAME` or `... --test TARGET NAME`"
        )
    return Bug(origin, folder, test=Test(*test.groups()), **entry)
