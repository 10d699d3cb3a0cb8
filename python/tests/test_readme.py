"""What the README shows of Python runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
SCENARIO = ROOT / "scenarios" / "websearch.toml"


SHORT = {'stop = "30 s"': 'stop = "3 s"', "replications = 5": "replications = 2"}


@pytest.mark.parametrize(
    "changes", [SHORT, pytest.param({}, marks=pytest.mark.long)], ids=["short", "full"]
)
def test_the_readme_s_snippets_run(changes: dict[str, str]) -> None:
    scenario = SCENARIO.read_text(encoding="utf-8")
    for before, after in changes.items():
        assert before in scenario
        scenario = scenario.replace(before, after)
    Path("websearch.toml").write_text(scenario, encoding="utf-8")
    snippets = re.findall(r"(?ms)^```python\n(.*?)^```", README.read_text(encoding="utf-8"))
    assert len(snippets) == 2
    known: dict[str, object] = {}
    for snippet in snippets:
        snippet = snippet.replace('"websearch"', '"websearch.toml"')
        exec(compile(snippet, "README.md", "exec"), known)
