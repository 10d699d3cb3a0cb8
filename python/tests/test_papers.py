"""The papers' figures: registration, lookup by name, verdicts, and the pages of the gallery."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pytest
import sluice
import sluice.papers
from matplotlib import pyplot
from sluice.papers import (
    PAPERS,
    Claim,
    Figure,
    Interval,
    Paper,
    Scale,
    Verdict,
    everywhere,
    figures,
    find,
    reproduce,
)
from sluice.papers.page import write
from sluice.papers.ps import ps_2

SOURCES = list(Path(sluice.papers.__file__).parent.rglob("*.py"))
GALLERY = Path(__file__).parents[2] / "docs" / "gallery"


def command(*args: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "sluice", "reproduce", *args]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def test_figures_are_found_by_id_paper_or_all() -> None:
    ids = [figure.id for figure in figures()]
    assert ids.index("ps-2") < ids.index("ps-7")
    assert [figure.id for figure in find(["all"])] == ids
    assert next(figure.id for figure in find(["PS-7", "ps"])) == "ps-7"
    assert len(find(["ps-7", "ps", "all"])) == len(ids)
    with pytest.raises(LookupError, match="did you mean ps-7"):
        find(["ps7"])


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_every_file_of_a_figure_is_registered(paper: Paper) -> None:
    folder = Path(sluice.papers.__file__).parent / paper.name
    names = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    modules = {
        name: importlib.import_module(f"sluice.papers.{paper.name}.{name}") for name in names
    }
    # A file is that of a figure by its name, and by what it defines; both have to agree.
    files = {name for name in names if name.startswith(f"{paper.name}_")}
    assert {name for name in names if hasattr(modules[name], "FIGURE")} == files
    assert sorted(files) == sorted(figure.id.replace("-", "_") for figure in paper.figures)
    for figure in paper.figures:
        module = modules[figure.id.replace("-", "_")]
        assert module.FIGURE is figure
        assert figure.about == (module.__doc__ or "").strip() != ""


def test_no_two_figures_share_an_id() -> None:
    ids = [name for figure in figures() for name in figure.ids]
    assert len(set(ids)) == len(ids)


def test_the_three_papers_have_every_figure() -> None:
    ps = "1a 1b 2 3 4 5 6 7 8 9 10 11 mm loss ne d0"
    fct = "1 ss 2 3 4 5 new fn3 6"
    buf = "t1 1 n 2 3 t2 4 t3 5 6 7 8 9 10 11 12 13 14"
    wanted = {"ps": ps, "fct": fct, "buf": buf}
    ids = {name for figure in figures() for name in figure.ids}
    assert {f"{paper}-{name}" for paper in wanted for name in wanted[paper].split()} <= ids


@pytest.mark.skipif(not GALLERY.exists(), reason="the package is not in its repository")
@pytest.mark.parametrize(
    ("paper", "figure"),
    [(paper, figure) for paper in PAPERS for figure in paper.figures],
    ids=lambda each: each.id if isinstance(each, Figure) else each.name,
)
def test_the_gallery_shows_every_figure(paper: Paper, figure: Figure[Any]) -> None:
    picture = GALLERY / f"{figure.id}.svg"
    assert picture.stat().st_size < 150_000
    page = (GALLERY / f"{paper.name}.md").read_text(encoding="utf-8")
    assert f"## {', '.join(figure.ids)}\n" in page
    assert page.count("| Ours (full) |") == page.count("\n## ")
    # The text above the picture is that of the figure's file today.
    assert figure.about in page


def test_the_command_lists_a_line_each() -> None:
    said = command("--list")
    assert said.returncode == 0
    listed = [line.split()[0] for line in said.stdout.splitlines()]
    assert listed == [name for each in figures() for name in each.ids]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_output_that_is_lost_is_an_error() -> None:
    line = [sys.executable, "-m", "sluice", "reproduce", "--list"]
    with Path("/dev/full").open("w") as full:
        said = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert said.returncode == 1
    assert said.stderr == "error: cannot write the output: No space left on device\n"


def test_a_reader_that_closes_early_is_no_error() -> None:
    script = f"set -o pipefail; '{sys.executable}' -m sluice reproduce --list | head -n 3"
    for _ in range(5):
        said = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
        assert (said.returncode, said.stderr) == (0, "")
        assert len(said.stdout.splitlines()) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM to send")
def test_sigterm_ends_a_figure_in_order() -> None:
    line = [sys.executable, "-m", "sluice", "reproduce", "ps-7", "--out", "out"]
    process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not list(Path("out").glob("runs/**/*.part/*/flows.parquet")):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    process.terminate()
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "Interrupted" in said
    assert not list(Path("out").rglob("*.part"))


def test_a_figure_is_drawn_with_its_numbers_and_claims() -> None:
    said = command("ps-2", "--out", "out")
    assert said.returncode == 0, said.stderr
    assert "paper: 20, 40, 20; ours: 20.1" in said.stdout
    assert "\n2 claims: 1 holds, 1 fails, none is not decided: " in said.stdout
    assert Path("out/ps-2.svg").read_text(encoding="utf-8").lstrip().startswith("<?xml")
    drawn = Path("out/ps-2.svg").read_bytes()
    assert command("ps-2", "--out", "out").returncode == 0
    assert Path("out/ps-2.svg").read_bytes() == drawn
    assert Path("out/ps-2.csv").read_text(encoding="utf-8").startswith('"capacity_bps","seconds"')
    claims = json.loads(Path("out/ps-2.json").read_text(encoding="utf-8"))["claims"]
    assert [claim["verdict"] for claim in claims] == ["holds", "fails"]
    page = Path("out/ps.md").read_text(encoding="utf-8")
    assert "ps-2.svg" in page and "| holds |" in page
    assert "(ps.md#ps-2)" in Path("out/README.md").read_text(encoding="utf-8")


def test_a_wrong_name_is_an_error() -> None:
    for wrong, message in ((["ps-77"], "did you mean ps-7"), ([], "--list")):
        said = command(*wrong)
        assert said.returncode == 2
        assert message in said.stderr


def test_a_claim_that_does_not_hold_is_printed_with_its_reason(tmp_path: Path) -> None:
    failed = Claim("it is 3", "3", "4", Verdict.FAILS, why="it is 4 | indeed")
    unsure = Claim("it is 4", "4", "3 to 5", Verdict.UNDECIDED)
    again = Claim("it is 3", "3", "4", Verdict.FAILS, counted="fct-6")

    def plot(table: sluice.Frame) -> pyplot.Figure:
        return pyplot.figure()

    figure = Figure(
        id="ps-2",
        title="",
        doc=None,
        run=lambda scale: scale.pick(3, 4),
        table=lambda ran: sluice.Frame(pyarrow.table({"is": [ran]})),
        check=lambda table: [failed, unsure, again] if table["is"][0] == 4 else [],
        plot=plot,
    )
    done = reproduce(figure, Scale(full=True, folder=tmp_path / "runs"), tmp_path)
    assert done.claims == [failed, unsure, again]
    index = write(tmp_path).read_text(encoding="utf-8")
    # The one that another figure counts is in no count.
    assert "\n2 claims: none holds, 1 fails, 1 is not decided.\n" in index
    assert "| 2 | 0 | 1 | 1 |" in index
    page = (tmp_path / "ps.md").read_text(encoding="utf-8")
    assert "| **fails**: it is 4 / indeed |" in page
    assert "| **not decided** |" in page
    assert "| **fails** (counted with fct-6) |" in page


def test_a_verdict_is_by_the_whole_interval() -> None:
    def judged(*values: float) -> Verdict:
        return Interval.of(values).within(1, 2)

    assert judged(1.4, 1.5, 1.6) is Verdict.HOLDS
    assert judged(2.4, 2.5, 2.6) is Verdict.FAILS
    # Its mean lies within, and part of the interval outside; or outside, and part within.
    assert judged(1.5, 1.9, 2.3) is Verdict.UNDECIDED
    assert judged(1.9, 2.1, 2.3) is Verdict.UNDECIDED
    # Wider than the bounds on both sides.
    assert judged(0.5, 1.5, 2.5) is Verdict.UNDECIDED
    # One seed says nothing of others.
    assert judged(1.5) is Verdict.UNDECIDED
    assert Interval.exactly(1.5).within(1, 2) is Verdict.HOLDS


def test_the_worst_point_decides_and_is_named() -> None:
    near, far = Interval.of([1.0, 1.01]), Interval.of([2.0, 2.01])
    wide = Interval.of([0.9, 1.6])

    def judged(**found: Interval) -> Claim:
        return everywhere("", "", found, high=1.5)

    assert judged(a=near, b=near).verdict is Verdict.HOLDS
    assert judged(a=near, b=wide).verdict is Verdict.UNDECIDED
    both = judged(a=near, b=wide, c=far)
    assert both.verdict is Verdict.FAILS
    assert both.why.startswith("outside c (2.00") and "; not decided b (1.25" in both.why
    assert judged().verdict is Verdict.UNDECIDED


def test_a_claim_that_another_figure_counts_names_one_that_there_is() -> None:
    known = {name for figure in figures() for name in figure.ids}
    counted = re.findall(r'counted="([^"]+)"', "".join(map(Path.read_text, SOURCES)))
    assert counted and set(counted) <= known


def test_reasons_are_computed() -> None:
    """A reason that is typed says the same of every run."""
    typed = [
        (source.name, keyword.value.value)
        for source in SOURCES
        for call in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg == "why" and isinstance(keyword.value, ast.Constant)
    ]
    assert typed == []


def test_a_rate_that_does_not_settle_fails_its_claim() -> None:
    seconds = numpy.arange(0.1, 140, 0.1)
    right = numpy.select([seconds < 40, seconds < 100], [1 / 20, 1 / 40], 1 / 20)
    for wrong, holds in ((1.0, [True, True]), (1.05, [True, False])):
        parts = [
            pyarrow.table(
                {
                    "capacity_bps": [capacity] * len(seconds),
                    "seconds": seconds,
                    "rate_share": right * (wrong if capacity == 1e8 else 1),
                    "drops": [0] * len(seconds),
                }
            )
            for capacity in ps_2.CAPACITIES.values()
        ]
        claims = ps_2.check(sluice.Frame(pyarrow.concat_tables(parts)))
        assert [claim.holds for claim in claims] == holds
