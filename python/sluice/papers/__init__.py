"""The papers' figures and claims: ``sluice reproduce``.

A paper is a folder here, a figure a file in it, named by its id (and ``ALSO`` by those of figures
that are drawn with it). It has a ``TITLE`` and four steps, each small enough to be read at once::

    run(scale)   -> whatever the runs gave
    table(ran)   -> a Frame: the figure's numbers
    check(table) -> what the paper says, and whether it holds
    plot(table)  -> the figure

A claim that does not hold is shown as not holding, with what was found and why. What the paper does
not print is chosen in ``run``, and said in the file's docstring, which stands above the figure.
"""

from __future__ import annotations

from .claim import Claim
from .figure import Figure, figures, find
from .interval import Interval
from .reproduce import Reproduced, reproduce
from .scale import Scale

__all__ = ["Claim", "Figure", "Interval", "Reproduced", "Scale", "figures", "find", "reproduce"]
