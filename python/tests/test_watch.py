"""Results shown while runs go on, in a notebook, a terminal and elsewhere."""

from __future__ import annotations

import io
import re
import sys
import types

import pytest
import sluice


class Handle:
    """What IPython returns for an output that can be replaced."""

    def __init__(self) -> None:
        self.pages: list[str] = []

    def update(self, page: str) -> None:
        self.pages.append(page)


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Handle:
    """A notebook without IPython."""
    handle = Handle()

    def display(page: str, *, display_id: bool) -> Handle:
        assert display_id and not handle.pages, "a second output"
        handle.update(page)
        return handle

    fake = types.ModuleType("IPython.display")
    fake.HTML, fake.display = str, display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", fake)
    return handle


class Screen(io.StringIO):
    """A terminal that knows moves up and clearing."""

    def isatty(self) -> bool:
        return True

    def shown(self) -> list[str]:
        rows: list[str] = []
        for part in re.split(r"(\x1b\[\d+A\r\x1b\[J)", self.getvalue()):
            if up := re.fullmatch(r"\x1b\[(\d+)A\r\x1b\[J", part):
                del rows[len(rows) - int(up[1]) :]
            else:
                rows += part.splitlines()
        return rows


def cells(page: str) -> list[list[str]]:
    rows = re.findall("<tr>(.*?)</tr>", page)
    return [re.findall("<t[dh]>(.*?)</t[dh]>", row) for row in rows]


def test_a_notebook_s_table_fills_in(notebook: Handle, scenario: sluice.Scenario) -> None:
    results = sluice.run(scenario, ["rcp", "tcp"], threads=1, progress=False, watch=True)
    last = cells(notebook.pages[-1])
    assert last[0][:3] == ["completion time", "runs", "all"]
    assert [row[:2] for row in last[2:4]] == [["rcp", "2 of 2"], ["tcp", "2 of 2"]]
    mean = 1e3 * results.of("rcp")["all"]["completion"]["mean"]
    assert float(last[2][2].removesuffix(" ms")) == pytest.approx(mean, rel=0.01)


def test_a_terminal_s_table_replaces_itself(
    monkeypatch: pytest.MonkeyPatch, scenario: sluice.Scenario
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    sluice.run(scenario, ["rcp"], progress=False, watch=True)
    rows = screen.shown()
    assert sum("completion time, mean" in row for row in rows) == 1
    assert any(row.startswith("  rcp") and row.endswith("(2 of 2 runs)") for row in rows)


def test_elsewhere_each_run_is_a_line(
    capsys: pytest.CaptureFixture[str], scenario: sluice.Scenario
) -> None:
    results = sluice.run(scenario, ["rcp"], progress=False, watch=True)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(results.summary["runs"])
    assert any(re.match("rcp, seed 2: .* flows, mean completion time", line) for line in lines)


def test_without_watch_nothing_is_shown(
    capsys: pytest.CaptureFixture[str], scenario: sluice.Scenario
) -> None:
    sluice.run(scenario, ["rcp"], progress=False)
    assert capsys.readouterr().err == ""


def test_a_display_that_fails_ends_the_run(notebook: Handle, scenario: sluice.Scenario) -> None:
    def fails(page: str) -> None:
        raise RuntimeError("no kernel")

    notebook.update = fails  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="no kernel"):
        sluice.run(scenario, progress=False, watch=True)
