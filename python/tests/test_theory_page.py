"""The page about theory."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "theory.md"


def test_the_page_shows_what_it_prints() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried >= 8 and not failed
