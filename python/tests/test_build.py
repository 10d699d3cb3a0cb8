"""Building from source: the check for Rust, and the names in messages about what to install."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import sluice

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CARGO_TOML = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
REQUIRED = CARGO_TOML["workspace"]["package"]["rust-version"]


def build_with(path: Path) -> subprocess.CompletedProcess[str]:
    """Loads the build backend as pip does, with ``path`` as PATH."""
    env = {"PATH": str(path), "PYTHONPATH": str(ROOT / "tools" / "backend")}
    command = [sys.executable, "-c", "import checked_maturin; checked_maturin.build_wheel"]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)


def cargo(folder: Path, script: str) -> None:
    file = folder / "cargo"
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="cargo is a shell script here")
@pytest.mark.parametrize(
    ("script", "error"),
    [
        (None, "there is no `cargo` on PATH: install Rust (https://rustup.rs)"),
        ("echo cargo 1.65.0", "is of version 1.65: run `rustup update`"),
        ("echo no default toolchain >&2; exit 1", "--version` fails: no default toolchain"),
    ],
)
def test_without_a_usable_rust_a_build_ends_with_one_line(
    tmp_path: Path, script: str | None, error: str
) -> None:
    if script:
        cargo(tmp_path, script)
    built = build_with(tmp_path)
    assert built.returncode == 1
    assert built.stderr.count("\n") == 1
    start = f"error: compiling {PROJECT['name']} requires Rust {REQUIRED} or later, and "
    assert built.stderr.startswith(start)
    assert error in built.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="cargo is a shell script here")
@pytest.mark.parametrize("version", [REQUIRED + ".0", "1.100.1-nightly (0123abc 2027-01-01)"])
def test_with_a_recent_rust_a_build_is_maturin_s(tmp_path: Path, version: str) -> None:
    cargo(tmp_path, f"echo 'cargo {version}'")
    built = build_with(tmp_path)
    assert (built.returncode, built.stderr) == (0, "")


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_a_missing_library_is_an_extra_of_this_distribution(
    monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    frame = sluice.Frame(__import__("pyarrow").table({"a": [1]}))
    with pytest.raises(ModuleNotFoundError) as caught:
        getattr(frame, f"to_{library}")()
    found = re.search(r"pip install '(\w+)\[(\w+)\]'", str(caught.value))
    assert found is not None
    assert found[1] == PROJECT["name"]
    assert found[2] in PROJECT["optional-dependencies"]
