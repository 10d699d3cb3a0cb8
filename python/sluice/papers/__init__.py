"""The papers' figures and claims: ``sluice reproduce``.

A paper is a folder here, a figure a file in it, named by its id (and ``ALSO`` by those of figures
that are drawn with it). It has a ``TITLE`` and four steps, each small enough to be read at once::

    run(scale)   -> whatever the runs gave
    table(ran)   -> a Frame: the figure's numbers
    check(table) -> what the paper says, and whether it holds
    plot(table)  -> the figure

A claim of the paper is one :class:`Claim` with one :class:`Verdict`: it holds, fails, or is not
decided by the confidence interval over seeds. One about several points, such as every load, is
:func:`everywhere`, and its worst point decides. What is said beside a verdict is computed from the
run; what may be the cause and was not measured is in ``docs/explanation/why-claims-fail.md``. What
the paper does not print is chosen in ``run``, and said in the file's docstring, which stands above
the figure.
"""

from __future__ import annotations

from .claim import Claim, everywhere
from .figure import Figure, figures, find
from .interval import Interval
from .reproduce import Reproduced, reproduce
from .scale import Scale
from .tally import Tally
from .verdict import Verdict

__all__ = [
    "Claim",
    "Figure",
    "Interval",
    "Reproduced",
    "Scale",
    "Tally",
    "Verdict",
    "everywhere",
    "figures",
    "find",
    "reproduce",
]
