#!/usr/bin/env python3
"""Packs the command into an archive with its README and licences.

    tools/dist/archive.py SLUICE LICENCES FILE.tar.gz

Equal contents give equal bytes. Standard library only.
"""

import argparse
import gzip
import io
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUFFIX = ".tar.gz"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("sluice", type=Path, help="the command")
    parser.add_argument("licences", type=Path, help="licences of what is compiled into it")
    parser.add_argument("archive", type=Path, help=f"the file to write, NAME{SUFFIX}")
    arguments = parser.parse_args()
    folder = arguments.archive.name.removesuffix(SUFFIX)
    documents = [ROOT / name for name in ("README.md", "LICENSE-APACHE", "LICENSE-MIT")]
    with (
        gzip.GzipFile(arguments.archive, "wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        add(archive, f"{folder}/sluice", arguments.sluice, mode=0o755)
        for document in [*documents, arguments.licences]:
            add(archive, f"{folder}/{document.name}", document, mode=0o644)


def add(archive: tarfile.TarFile, name: str, file: Path, mode: int) -> None:
    """Adds a file without what differs from machine to machine: owner and time."""
    content = file.read_bytes()
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), mode
    archive.addfile(member, io.BytesIO(content))


if __name__ == "__main__":
    main()
