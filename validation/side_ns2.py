"""Runs ns-2.35 (Debian package `ns2`) and reads its tables."""

import re
import shutil
from hashlib import sha256
from pathlib import Path

from case import Case
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
        return bins(rows) if case.bins else windows(case, seed, rows)

    def table(self, case: Case, seed: int) -> Path:
        """The file with the script's output, which is kept because a run may take minutes.

        Its name has a hash of all inputs: the scripts, the arguments and the flows.
        """
        option, flows = case.ns2_input(seed)
        script = HERE / "ns2" / f"{case.network}.tcl"
        text = script.read_text()
        sourced = [(script.parent / name).read_text() for name in SOURCED.findall(text)]
        arguments = [*case.ns2, "-seed", seed]
        made_from = [text, *sourced, arguments, flows]
        key = sha256(repr(made_from).encode()).hexdigest()[:12]
        found = folder(case) / f"ns2-{seed}-{key}.tsv"
        if not found.exists():
            flows_file = folder(case) / f"flows-{seed}.txt"
            flows_file.write_text(flows)
            partial = found.with_suffix(".partial")
            partial.write_text(finished(["ns", script, *arguments, option, flows_file]))
            partial.rename(found)
        return found


def windows(case: Case, seed: int, rows: list[list[str]]) -> Run:
    """A run from rows of link or direction, name and value."""
    run = Run()
    completed = {}
    for where, name, value in rows:
        if where == "completed":
            completed[int(name)] = float(value)
        elif name.startswith("flow"):
            # ns-2's counters of bytes have 32 bits.
            wrapped = 2**32 * 8e-6 / (case.window_s[1] - case.window_s[0])
            rate = float(value)
            run.flows.setdefault(where, []).append(rate + wrapped if rate < 0 else rate)
        elif where in case.links:
            run.links.setdefault(where, {})[name] = float(value)
    run.add_completions(case, case.flows(seed), completed)
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
