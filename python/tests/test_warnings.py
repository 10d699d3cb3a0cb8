"""What is doubtful before anything runs is a warning, once."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
import sluice

LOAD = "group.web.poisson.load"


def caught(run: object, *args: object, **options: object) -> list[warnings.WarningMessage]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        run(*args, progress=False, **options)  # type: ignore[operator]
    return found


@pytest.mark.parametrize("again", [False, True])
def test_an_overload_is_a_warning_of_the_caller(scenario: sluice.Scenario, again: bool) -> None:
    (found,) = caught(sluice.run, scenario.set({LOAD: 1.5}), ["rcp"], again=again)
    assert found.category is UserWarning
    assert "requested load of link left->right" in str(found.message)
    assert Path(found.filename) == Path(__file__)
    assert not caught(sluice.run, scenario, ["rcp"])


def test_it_comes_before_the_run(scenario: sluice.Scenario) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="requested load"):
            sluice.run(scenario.set({LOAD: 1.5}), ["rcp"], progress=False, out="out")
    assert not Path("out").exists()


def test_a_sweep_warns_once_and_names_the_points(scenario: sluice.Scenario) -> None:
    over = {LOAD: [0.3, 1.5], "rcp.alpha": [0.1, 0.2]}
    (found,) = caught(sluice.sweep, scenario, over, protocols=["rcp"])
    assert found.category is UserWarning and Path(found.filename) == Path(__file__)
    assert f"at {LOAD}=1.5, rcp.alpha=0.1; {LOAD}=1.5, rcp.alpha=0.2: the" in str(found.message)
