#!/usr/bin/env python3
"""Writes the licences of the crates that are compiled into a binary to one file.

    tools/dist/licences.py CRATE TARGET FILE

The texts are those that crates carry; of a crate without one there is only the licence's name.
Standard library only.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
#: How files of licences and notices begin.
NAMES = ("LICEN", "COPYING", "UNLICENSE", "NOTICE", "COPYRIGHT")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("crate", help="the crate of the binary")
    parser.add_argument("target", help="the platform, as rustc names it")
    parser.add_argument("file", type=Path, help="the file to write")
    arguments = parser.parse_args()
    crates = compiled(arguments.crate, arguments.target)
    arguments.file.parent.mkdir(parents=True, exist_ok=True)
    arguments.file.write_text(document(crates), encoding="utf-8")


def compiled(crate: str, target: str) -> list[dict[str, Any]]:
    """The crates of others that `crate` depends on, by name. Build and test tools are not among them."""
    cargo = [os.environ.get("CARGO", "cargo"), "metadata", "--locked", "--format-version", "1"]
    out = subprocess.check_output([*cargo, "--filter-platform", target], cwd=ROOT)
    metadata = json.loads(out)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [id for id, package in packages.items() if package["name"] == crate]
    found = set()
    while waiting:
        id = waiting.pop()
        if id not in found:
            found.add(id)
            linked = (each for each in nodes[id]["deps"] if None in kinds(each))
            waiting.extend(each["pkg"] for each in linked)
    others = (packages[id] for id in found if packages[id]["source"])
    return sorted(others, key=lambda package: (package["name"], package["version"]))


def kinds(dependency: dict[str, Any]) -> list[str | None]:
    """Whether a dependency is for builds, for tests or, None, for the crate itself."""
    return [kind["kind"] for kind in dependency["dep_kinds"]]


def document(crates: list[dict[str, Any]]) -> str:
    """All crates with their licences, and each text once, below the crates that carry it."""
    carriers: dict[str, list[str]] = {}
    for crate in crates:
        for text in texts(crate):
            carriers.setdefault(text, []).append(crate["name"])
    lines = [f"{crate['name']} {crate['version']}: {crate['license']}" for crate in crates]
    parts = [f"{', '.join(names)}:\n\n{text}" for text, names in carriers.items()]
    return f"\n\n{'=' * 80}\n\n".join(["\n".join(lines), *parts]) + "\n"


def texts(crate: dict[str, Any]) -> list[str]:
    folder = Path(crate["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if file.name.upper().startswith(NAMES))
    return [file.read_text(encoding="utf-8").strip() for file in files if file.is_file()]


if __name__ == "__main__":
    main()
