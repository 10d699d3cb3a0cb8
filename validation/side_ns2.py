"""ns-2.35, as Debian packages it (`ns2`): how a run is started and what its table says."""

import shutil

from cases import Case
from run import HERE, Run, finished, folder


class Ns2:
    title = "ns-2.35"

    def missing(self) -> str | None:
        return None if shutil.which("ns") else "ns-2 is not installed (Debian package `ns2`)"

    def run(self, case: Case, seed: int) -> Run:
        starts = folder(case) / f"starts-{seed}.txt"
        starts.write_text("".join(f"{start:.9f}\n" for start in case.starts(seed)))
        script = HERE / "ns2" / case.script
        command = ["ns", script, *case.arguments, "-seed", seed, "-starts", starts]
        table = finished(command)
        (folder(case) / f"ns2-{seed}.tsv").write_text(table)
        rows = [line.split("\t") for line in table.splitlines()]
        return bins(rows) if case.script == "xcp-convergence.tcl" else windows(rows)


def windows(rows: list[list[str]]) -> Run:
    """From rows of direction, name and value."""
    run = Run()
    for direction, name, value in rows:
        if name.startswith("flow"):
            run.flows.setdefault(direction, []).append(float(value))
        else:
            run.links.setdefault(direction, {})[name] = float(value)
    return run


def bins(rows: list[list[str]]) -> Run:
    """From a header and a row for each bin, the flows' throughputs last."""
    header, *rows = rows
    flows = next(i for i, name in enumerate(header) if name.startswith("flow"))
    run = Run()
    for row in rows:
        values = [float(value) for value in row]
        run.bins.append(dict(zip(header[:flows], values)) | {"flows": values[flows:]})
    run.links["forward"] = {"drops": sum(row["drops"] for row in run.bins)}
    return run
