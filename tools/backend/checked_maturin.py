"""The build backend of pyproject.toml: maturin, once a Rust is found that can compile the package.

maturin alone downloads a toolchain of hundreds of megabytes where it finds none, and an old one
fails in the middle of a dependency. Frontends import a backend before they call it, so the check
comes first whatever they build: a wheel, an editable install or an sdist.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path


def problem(required: str) -> str | None:
    """Why the package cannot be compiled with what is on PATH; None if it can."""
    cargo = shutil.which("cargo")
    if cargo is None:
        return "there is no `cargo` on PATH: install Rust (https://rustup.rs)"
    asked = subprocess.run([cargo, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"cargo (\d+)\.(\d+)", asked.stdout)
    if found is None:
        return f"`{cargo} --version` fails: {asked.stderr.strip() or asked.stdout.strip()}"
    if tuple(map(int, found.groups())) < tuple(map(int, required.split("."))):
        return f"`{cargo}` is of version {found[1]}.{found[2]}: run `rustup update`"
    return None


def require_rust() -> None:
    """Ends the build with one line unless Rust is there. Runs in the root of the sources."""
    cargo_toml = tomllib.loads(Path("Cargo.toml").read_text(encoding="utf-8"))
    required = cargo_toml["workspace"]["package"]["rust-version"]
    found = problem(required)
    if found:
        sys.exit(f"error: compiling sluicesim requires Rust {required} or later, and {found}")


require_rust()

from maturin import *  # noqa: E402, F403
