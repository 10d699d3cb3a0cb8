#!/usr/bin/env python3
"""Checks that no files of a crate import each other in a cycle.

A file imports another if a path in it, in a `use` or in code, leads to an item that the other
defines. Paths begin with `crate`, `super`, `self`, a child module or an imported module. A path
through a re-export leads to the file that defines the item; to re-export an item without using it,
or to declare a module, is no import. Unit tests, comments, strings and the expansions of macros are
ignored. Standard library only.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

#: A module's path from the root of its crate; the root's is empty.
Module = tuple[str, ...]
#: The modules that each module imports.
Imports = dict[Module, set[Module]]

NOT_CODE = re.compile(
    r"""(?xs)
    //[^\n]* | /\*.*?\*/
    | b?r(?P<hashes>\#*)".*?"(?P=hashes) | b?"(?:\\.|[^"\\])*"
    | b?'(?:\\.[^']*|[^'\\])'
    """
)
TEST = re.compile(r"#\s*\[\s*cfg\s*\(\s*test\s*\)\s*\]")
USE = re.compile(r"(?P<pub>\bpub(?:\s*\([^)]*\))?\s+)?\buse\s+(?P<tree>[^;]*);")
DECLARED = re.compile(r"\bmod\s+\w+\s*;")
INLINE = re.compile(r"\bmod\s+\w+\s*(?=\{)")
PATH = re.compile(r"(?<![\w:])\w+(?:\s*::\s*\w+)+")
JOINT = re.compile(r"\s*::\s*")
ITEM = r"\b(?:fn|struct|enum|union|trait|type|const|static|mod|macro_rules!)\s+"


class Use(NamedTuple):
    """A name that a file brings into scope, and the path that it stands for."""

    name: str
    path: list[str]
    #: The number of inline modules around it.
    depth: int
    exported: bool


class File(NamedTuple):
    """A source file without comments, strings and unit tests."""

    path: Path
    module: Module
    #: All but its `use` items and the modules that it declares.
    code: str
    uses: list[Use]
    #: The paths in its code, each with the number of inline modules around it.
    paths: list[tuple[list[str], int]]

    @classmethod
    def read(cls, path: Path, source: Path) -> "File":
        module = path.relative_to(source).with_suffix("").parts
        if module[-1] in {"mod", "lib", "main"}:
            module = module[:-1]
        code = without_tests(NOT_CODE.sub(" ", path.read_text(encoding="utf-8")))
        uses = [
            Use(name, names, depth_at(code, found.start()), found["pub"] is not None)
            for found in USE.finditer(code)
            for name, names in leaves(found["tree"])
        ]
        code = DECLARED.sub(" ", USE.sub(" ", code))
        paths = [
            (JOINT.split(found.group()), depth_at(code, found.start()))
            for found in PATH.finditer(code)
        ]
        return cls(path, module, code, uses, paths)

    def mentions(self, name: str) -> bool:
        return re.search(rf"\b{name}\b", self.code) is not None

    def defines(self, name: str) -> bool:
        return re.search(rf"{ITEM}{name}\b", self.code) is not None


class Crate:
    """The files of a crate, by module."""

    def __init__(self, source: Path) -> None:
        files = [File.read(path, source) for path in source.rglob("*.rs")]
        # A binary beside a library is a crate of its own.
        self.files = {f.module: f for f in sorted(files) if f.path != source / "main.rs"}

    def imports(self) -> Imports:
        return {
            module: {to for to in self.targets(file) if to != module}
            for module, file in self.files.items()
        }

    def targets(self, file: File) -> Iterator[Module]:
        """The modules to which the paths in a file lead."""
        modules: dict[str, Module] = {}
        for use in file.uses:
            to = self.resolve(file, use.path, use.depth, {})
            if to is None:
                continue
            if not use.exported or file.mentions(use.name):
                yield to
            if to and use.path[-1] == to[-1]:
                modules[use.name] = to
        for path, depth in file.paths:
            to = self.resolve(file, path, depth, modules)
            if to is not None:
                yield to

    def resolve(
        self, file: File, path: list[str], depth: int, modules: dict[str, Module]
    ) -> Module | None:
        """The module that defines what `path` leads to, `depth` inline modules deep in `file`.

        `modules` are those that the file imports. None for what is outside the crate.
        """
        first, *rest = path
        if first == "crate":
            return self.follow((), rest)
        if first in {"self", "super"}:
            below = [name for name in path if name not in {"self", "super"}]
            levels = max(path.count("super") - depth, 0)
            return self.follow(file.module[: len(file.module) - levels], below)
        if first in modules:
            return self.follow(modules[first], rest)
        if depth == 0 and (*file.module, first) in self.files:
            return self.follow(file.module, path)
        return None

    def follow(self, at: Module, names: list[str]) -> Module:
        """Goes down child modules, then through a re-export, if there is one."""
        for i, name in enumerate(names):
            if (*at, name) not in self.files:
                return self.through(at, name, names[i + 1 :]) if at in self.files else at
            at = (*at, name)
        return at

    def through(self, at: Module, name: str, rest: list[str]) -> Module:
        """The module to which a re-export of `name` leads, or `at` itself."""
        file = self.files[at]
        if file.defines(name):
            return at
        for use in file.uses:
            if use.exported and use.name in {name, "*"}:
                path = [*use.path, name, *rest] if use.name == "*" else [*use.path, *rest]
                to = self.resolve(file, path, use.depth, {})
                if to is not None and (use.name == name or self.files[to].defines(name)):
                    return to
        return at


def without_tests(code: str) -> str:
    """Removes each item after `#[cfg(test)]`, up to its closing brace or its semicolon."""
    while found := TEST.search(code):
        end = min(
            (at for at in (code.find("{", found.end()), code.find(";", found.end())) if at >= 0),
            default=len(code),
        )
        code = code[: found.start()] + code[closing(code, end) + 1 :]
    return code


def closing(code: str, at: int) -> int:
    """Where the brace at `at` closes; `at` itself if no brace is there."""
    depth = 0
    while at < len(code):
        depth += {"{": 1, "}": -1}.get(code[at], 0)
        if depth == 0:
            break
        at += 1
    return at


def depth_at(code: str, at: int) -> int:
    """The number of inline modules around a place."""
    return sum(
        found.end() < at < closing(code, found.end()) for found in INLINE.finditer(code, 0, at)
    )


def leaves(tree: str) -> Iterator[tuple[str, list[str]]]:
    """The names and paths of a use tree: `a::{b, c as d}` has b, for a::b, and d, for a::c."""
    tree = tree.strip().removeprefix("::")
    head, brace, inner = tree.partition("{")
    if brace:
        prefix = [name for name in JOINT.split(head.strip()) if name]
        for part in split(inner[: inner.rindex("}")]):
            if part.strip() == "self":
                yield prefix[-1], prefix
            else:
                yield from ((name, [*prefix, *path]) for name, path in leaves(part))
        return
    path, *renamed = re.split(r"\s+as\s+", tree)
    names = JOINT.split(path)
    last = names[-1]
    yield (renamed or [last])[0], names[:-1] if last == "*" else names


def split(inner: str) -> Iterator[str]:
    """Splits at the commas that are in no braces."""
    depth = start = 0
    for i, char in enumerate(inner + ","):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            if inner[start:i].strip():
                yield inner[start:i]
            start = i + 1


def cycles(imports: Imports) -> list[list[Module]]:
    """The strongly connected components of more than one module (Kosaraju's algorithm)."""
    back: Imports = {module: set() for module in imports}
    for module, targets in imports.items():
        for to in targets:
            back[to].add(module)
    seen: set[Module] = set()
    order = [reached for module in imports for reached in visit(module, imports, seen)]
    seen = set()
    components = [sorted(visit(module, back, seen)) for module in reversed(order)]
    return sorted(component for component in components if len(component) > 1)


def visit(module: Module, edges: Imports, seen: set[Module]) -> Iterator[Module]:
    """The modules that are reached from one and were not seen, each after all that it leads to."""
    if module in seen:
        return
    seen.add(module)
    for to in sorted(edges[module]):
        yield from visit(to, edges, seen)
    yield module


def describe(crate: Crate, cycle: list[Module], imports: Imports) -> str:
    """Names the files of a cycle and what each of them imports."""
    names = {module: str(crate.files[module].path.relative_to(ROOT)) for module in cycle}
    lines = [f"{len(cycle)} files import each other in a cycle:"]
    for module in cycle:
        targets = sorted(names[to] for to in imports[module] if to in names)
        lines.append(f"  {names[module]} imports {', '.join(targets)}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("crates", nargs="*", metavar="CRATE", help="default: all crates")
    parser.add_argument("--graph", action="store_true", help="print every import as well")
    options = parser.parse_args()
    found = 0
    for source in sorted((ROOT / "crates").glob("*/src")):
        name = source.parent.name
        if options.crates and name not in options.crates:
            continue
        crate = Crate(source)
        imports = crate.imports()
        if options.graph:
            edges = ((module, to) for module, targets in imports.items() for to in sorted(targets))
            for ends in edges:
                print(name, *("::".join(end) or "crate" for end in ends))
        for cycle in cycles(imports):
            print(describe(crate, cycle, imports))
            found += 1
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
