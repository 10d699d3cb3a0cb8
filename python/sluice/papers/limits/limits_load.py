"""RCP and TCP relative to processor sharing at loads of 0.3 to 0.95 of 150 Mb/s, with the settings
of the papers (and TCP with SACK), a round trip of 100 ms and the sizes of PS-5 (Pareto, mean 30
packets, shape 1.2). Runs measure the same number of flows at each load. Ten seeds; bars are 95 %
intervals.

Most runs with such sizes fall short of the nominal load, since they lack the rare huge flows that
raise the mean; processor sharing serves the same flows. The paper says that its trends hold as the
load varies, and refers to its technical report for figures.
"""

from __future__ import annotations

from ...plot import scales
from ..figure import Figure
from .varied import Varied

LOADS = Varied(
    "load",
    column="load",
    values=(0.3, 0.5, 0.7, 0.8, 0.9, 0.95),
    unit=1,
    where="at a load of {}",
    label=("nominal load", ""),
    axis=scales.linear,
)

FIGURE = Figure(
    id="limits-load",
    title="RCP and TCP beside processor sharing, at loads of 0.3 to 0.95",
    doc=__doc__,
    run=LOADS.run,
    table=LOADS.table,
    check=LOADS.check,
    plot=LOADS.plot,
)
