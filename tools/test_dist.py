#!/usr/bin/env python3
"""Tests the files of `make dist`: each is installed and run in an empty environment without Rust.

    tools/test_dist.py FOLDER

The wheel stays installed in target/dist-test/venv. Needs an index of packages for the wheel's
dependencies, Rust, and objdump of binutils. Standard library only.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import unittest
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "dist-test"
CARGO_TOML = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
VERSION = CARGO_TOML["workspace"]["package"]["version"]
#: What people run first.
RUN = ["run", "ps7-rcp", "--protocols", "rcp"]
#: The oldest glibc that the wheel's name promises.
GLIBC = (2, 17)

SCRIPT = """
import sluice

results = sluice.run(sluice.Scenario.load("ps7-rcp"), ["rcp"], out="python")
assert sluice.load("results/ps7-rcp").summary == results.summary
assert len(results.flows("rcp")) > 1000
print(sluice.__file__)
"""


def only(pattern: str) -> Path:
    """The file of `make dist` with this name."""
    [file] = FOLDER.glob(pattern)
    return file


#: Variables that say how pip reaches its index, and where rustup has its toolchains.
KEPT = ("PIP_", "CARGO_HOME", "RUSTUP_HOME", "SSL_", "HTTP", "http")


def bare(*programs: Path) -> dict[str, str]:
    """An environment with these folders as PATH, and little else."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
    path = os.pathsep.join(map(str, programs))
    return kept | {"PATH": path, "HOME": os.environ["HOME"], "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def run(command: list, **options) -> str:
    """What a command prints; its errors, if it fails, end the test."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        raise AssertionError(f"{command} fails:\n{done.stdout}{done.stderr}")
    return done.stdout


def fresh_venv(name: str) -> Path:
    """The folder of programs of a new, empty virtual environment."""
    venv.create(PLACE / name, clear=True, with_pip=True)
    return PLACE / name / "bin"


class Wheel(unittest.TestCase):
    def test_it_needs_no_newer_glibc_than_its_name_says(self):
        wheel = only("*.whl")
        self.assertRegex(wheel.name, r"-cp311-abi3-manylinux2014_\w+\.manylinux_2_17_\w+\.whl$")
        with tempfile.TemporaryDirectory() as folder:
            module = zipfile.ZipFile(wheel).extract("sluice/_core.abi3.so", folder)
            symbols = run(["objdump", "-T", module])
        needed = {tuple(map(int, found)) for found in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols)}
        self.assertTrue(needed)
        self.assertLessEqual(max(needed), GLIBC)

    def test_it_has_the_licences_of_what_is_compiled_into_it(self):
        names = zipfile.ZipFile(only("*.whl")).namelist()
        self.assertIn("sluice/THIRD-PARTY.txt", names)
        for licence in ("LICENSE-APACHE", "LICENSE-MIT"):
            self.assertTrue(any(name.endswith(f".dist-info/licenses/{licence}") for name in names))

    def test_package_and_command_run_where_there_is_nothing_but_python(self):
        programs = fresh_venv("venv")
        env = bare(programs)
        run([programs / "pip", "install", "--quiet", only("*.whl")], env=env)
        with tempfile.TemporaryDirectory() as folder:
            version = run(["sluice", "--version"], env=env, cwd=folder)
            self.assertIn("rcp", run(["sluice", *RUN], env=env, cwd=folder))
            file = run(["python", "-c", SCRIPT], env=env, cwd=folder)
        self.assertTrue(file.startswith(str(PLACE)), file)
        # Built from the sdist, and from the checkout: the same sources.
        self.assertEqual(version, Command.version())


class Sdist(unittest.TestCase):
    """That it is complete is known: the wheel is built from it. Here pip prepares to build it."""

    def pip(self, *programs: Path) -> subprocess.CompletedProcess:
        """pip, with these folders on PATH and no network but the index."""
        pip = fresh_venv("sdist-venv") / "pip"
        command = [pip, "install", "--no-deps", "--dry-run", only("sluicesim-*.tar.gz")]
        return subprocess.run(command, env=bare(*programs), capture_output=True, text=True)

    def test_without_rust_pip_says_so(self):
        done = self.pip(PLACE / "sdist-venv/bin")
        self.assertEqual(done.returncode, 1)
        errors = [line.strip() for line in done.stderr.splitlines()]
        required = CARGO_TOML["workspace"]["package"]["rust-version"]
        self.assertIn(
            f"error: compiling sluicesim requires Rust {required} or later, and there is no "
            "`cargo` on PATH: install Rust (https://rustup.rs)",
            errors,
        )

    def test_with_rust_pip_would_build_it(self):
        rust = Path(shutil.which("cargo")).parent
        done = self.pip(PLACE / "sdist-venv/bin", rust)
        self.assertIn(f"Would install sluicesim-{VERSION}", done.stdout, done.stderr)


class Command(unittest.TestCase):
    @staticmethod
    def unpacked(folder: str) -> Path:
        """The archive's command, as the only program in a folder."""
        with tarfile.open(only("sluice-*-linux.tar.gz")) as archive:
            archive.extractall(folder, filter="data")
        [command] = Path(folder).glob("*/sluice")
        return command

    @classmethod
    def version(cls) -> str:
        with tempfile.TemporaryDirectory() as folder:
            return run([cls.unpacked(folder), "--version"], env={})

    def test_it_is_of_this_version(self):
        self.assertTrue(self.version().startswith(f"sluice {VERSION}+"), self.version())

    def test_it_has_its_readme_and_licences(self):
        with tempfile.TemporaryDirectory() as folder:
            files = {file.name for file in self.unpacked(folder).parent.iterdir()}
        licences = {"LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.txt"}
        self.assertEqual(files, {"sluice", "README.md"} | licences)

    def test_it_links_to_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            headers = run(["objdump", "-p", self.unpacked(folder)])
        self.assertNotIn("NEEDED", headers)

    def test_it_runs_where_there_is_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            command = self.unpacked(folder)
            root = command.parent
            # Root can take the rest of the file system away.
            line = ["chroot", root, "/sluice"] if os.geteuid() == 0 else [command]
            self.assertIn("rcp", run([*line, *RUN], env={"PATH": "/usr/sbin:/usr/bin"}, cwd=root))
            self.assertTrue((root / "results/ps7-rcp/summary.json").is_file())


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER")
    FOLDER = Path(sys.argv.pop(1)).resolve()
    PLACE.mkdir(parents=True, exist_ok=True)
    unittest.main(verbosity=2)
