"""What the README shows of Python runs."""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_readme_s_snippets_run() -> None:
    snippets = re.findall(r"(?ms)^```python\n(.*?)^```", README.read_text(encoding="utf-8"))
    assert len(snippets) == 2
    known: dict[str, object] = {}
    for snippet in snippets:
        exec(compile(snippet, "README.md", "exec"), known)
