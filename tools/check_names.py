#!/usr/bin/env python3
"""Checks that each public type of the Rust crates has a name of its own.

A name that several types share says little about any of them where it is imported. Macros that
define types by a parameter are not seen. Standard library only.
"""

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TYPE = re.compile(r"^ *pub (?:struct|enum|union|trait|type) (\w+)", re.MULTILINE)


def main() -> int:
    argparse.ArgumentParser(description=__doc__.split("\n\n")[0]).parse_args()
    places = defaultdict(list)
    for path in sorted(ROOT.glob("crates/*/src/**/*.rs")):
        for name in TYPE.findall(path.read_text(encoding="utf-8")):
            places[name].append(str(path.relative_to(ROOT)))
    shared = {name: files for name, files in places.items() if len(files) > 1}
    for name, files in shared.items():
        print(f"`{name}` is the name of {len(files)} public types: {', '.join(files)}")
    return int(bool(shared))


if __name__ == "__main__":
    sys.exit(main())
