"""Figures of the papers on RCP, reproduced, and the papers' claims about them.

``sluice reproduce`` draws them. A paper is a folder, and each of its figures a file named by the
figure's id. The file ends with a :class:`Figure`, which the folder's ``__init__.py`` registers.
A figure is reproduced in four steps::

    run(scale)  -> results of the simulations
    table(runs) -> the numbers that are plotted and checked
    check(table) -> the paper's claims, each with its verdict
    plot(table) -> the plot

A claim has one verdict: it holds, fails, or is not decided by the 95 % confidence interval over
seeds. :func:`everywhere` makes a single claim about several points, such as all loads; the worst
point decides. Reasons given beside a verdict are computed from the runs; hypotheses that no run
tests are in ``docs/explanation/why-claims-fail.md``. Where a paper leaves a parameter open, the
docstring of the figure's file states the value chosen.
"""

from __future__ import annotations

from .claim import Claim, everywhere
from .figure import Figure
from .interval import Interval
from .paper import Paper
from .registry import PAPERS, figures, find
from .reproduce import Reproduced, reproduce
from .scale import Scale
from .tally import Tally
from .verdict import Verdict

__all__ = [
    "PAPERS",
    "Claim",
    "Figure",
    "Interval",
    "Paper",
    "Reproduced",
    "Scale",
    "Tally",
    "Verdict",
    "everywhere",
    "figures",
    "find",
    "reproduce",
]
