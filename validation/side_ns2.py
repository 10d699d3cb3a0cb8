"""Runs ns-2.35 (Debian package `ns2`) and reads its tables."""

import re
import shutil
from hashlib import sha256
from pathlib import Path

from cases import Case
from run import HERE, Run, finished, folder

# The files that a script sources.
SOURCED = re.compile(r"^source .* (\S+\.tcl)\]$", re.MULTILINE)


class Ns2:
    title = "ns-2.35"

    def missing(self) -> str | None:
        return None if shutil.which("ns") else "ns-2 is not installed (Debian package `ns2`)"

    def run(self, case: Case, seed: int) -> Run:
        table = self.table(case, seed).read_text()
        rows = [line.split("\t") for line in table.splitlines()]
        return bins(rows) if case.network == "xcp-convergence" else windows(rows)

    def table(self, case: Case, seed: int) -> Path:
        """The file with the script's output, which is kept because a run may take minutes.

        Its name has a hash of all inputs: the scripts, the arguments and the start times.
        """
        starts = "".join(f"{start:.9f}\n" for start in case.starts(seed))
        script = HERE / "ns2" / f"{case.network}.tcl"
        text = script.read_text()
        sourced = [(script.parent / name).read_text() for name in SOURCED.findall(text)]
        arguments = [*case.ns2, "-seed", seed]
        made_from = [text, *sourced, arguments, starts]
        key = sha256(repr(made_from).encode()).hexdigest()[:12]
        found = folder(case) / f"ns2-{seed}-{key}.tsv"
        if not found.exists():
            starts_file = folder(case) / f"starts-{seed}.txt"
            starts_file.write_text(starts)
            partial = found.with_suffix(".partial")
            partial.write_text(finished(["ns", script, *arguments, "-starts", starts_file]))
            partial.rename(found)
        return found


def windows(rows: list[list[str]]) -> Run:
    """A run from rows of direction, name and value."""
    run = Run()
    for direction, name, value in rows:
        if name.startswith("flow"):
            run.flows.setdefault(direction, []).append(float(value))
        else:
            run.links.setdefault(direction, {})[name] = float(value)
    return run


def bins(rows: list[list[str]]) -> Run:
    """A run from a header and a row per bin, with the flows' throughputs in the last columns."""
    header, *rows = rows
    flows = next(i for i, name in enumerate(header) if name.startswith("flow"))
    run = Run()
    for row in rows:
        values = [float(value) for value in row]
        run.bins.append(
            dict(zip(header[:flows], values[:flows], strict=True)) | {"flows": values[flows:]}
        )
    run.links["forward"] = {"drops": sum(row["drops"] for row in run.bins)}
    return run
