"""A copy of the workspace to break: builds and runs single tests in it."""

import os
import signal
import subprocess
from enum import StrEnum
from pathlib import Path

from bug import Test

ROOT = Path(__file__).resolve().parent.parent
#: The parts of the repository that a build needs.
PARTS = ["Cargo.toml", "Cargo.lock", "crates", "scenarios"]
#: A failing case is enough: shrinking it would only take time.
ENVIRONMENT = {
    "PROPTEST_MAX_SHRINK_ITERS": "0",
    "RUST_BACKTRACE": "0",
    "RUSTFLAGS": "--cap-lints warn",
}


class Outcome(StrEnum):
    """The result of running one test."""

    PASSED = "passes"
    FAILED = "fails"
    TIMED_OUT = "times out"
    NOT_COMPILED = "does not compile"
    NOT_FOUND = "does not exist"


class Sandbox:
    """A copy of the workspace and a build folder, kept between runs."""

    def __init__(self, folder: Path):
        self.source = folder.resolve() / "workspace"
        self.target = folder.resolve() / "target"

    def refresh(self) -> None:
        """Makes the copy equal to the repository, whatever an interrupted run has left.

        Writes only what differs, to rebuild only that.
        """
        wanted = set()
        for part in PARTS:
            top = ROOT / part
            files = [top] if top.is_file() else top.rglob("*")
            wanted |= {file.relative_to(ROOT) for file in files if file.is_file()}
        self.source.mkdir(parents=True, exist_ok=True)
        for old in [file for file in self.source.rglob("*") if file.is_file()]:
            if old.relative_to(self.source) not in wanted:
                old.unlink()
        for file in wanted:
            content, copy = (ROOT / file).read_bytes(), self.source / file
            if not copy.is_file() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)

    def test(self, test: Test, timeout: float) -> Outcome:
        """Builds and runs a test."""
        cargo = ["cargo", "test", "--quiet", "-p", test.package, *test.target.split()]
        if self.run([*cargo, "--no-run"], None)[0] != 0:
            return Outcome.NOT_COMPILED
        status, output = self.run(
            [*cargo, "--", "--exact", "--include-ignored", test.name], timeout
        )
        if status is None:
            return Outcome.TIMED_OUT
        if "running 1 test\n" not in output:
            return Outcome.NOT_FOUND
        return Outcome.PASSED if status == 0 else Outcome.FAILED

    def run(self, command: list[str], timeout: float | None) -> tuple[int | None, str]:
        """Exit status and output of a command; no status if it timed out."""
        process = subprocess.Popen(
            command,
            cwd=self.source,
            env=os.environ | ENVIRONMENT | {"CARGO_TARGET_DIR": str(self.target)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=timeout)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            # Killing Cargo alone would leave the test running.
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
