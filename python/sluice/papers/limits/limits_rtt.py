"""RCP and TCP relative to processor sharing at round trips of 1 ms to 300 ms on 150 Mb/s, with the
settings of the papers (and TCP with SACK), a load of 0.7 and the sizes of PS-5 (Pareto, mean 30
packets, shape 1.2). Ten seeds; bars are 95 % intervals. A run ends at three times the time in which
flows arrive, including the warm-up; unfinished flows count as finished then, so that their ratios
are lower bounds.

Section 3.1 has T = min(10 ms, d0): RCP updates R once in a round trip of up to 10 ms, and more
often in longer ones. The paper says that RCP matches processor sharing closely at other round
trips, and refers to its technical report for figures.
"""

from __future__ import annotations

from ..figure import Figure
from .varied import Varied

RTTS = Varied(
    "rtt",
    column="rtt_s",
    values=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3),
    unit=1e-3,
    where="at a round trip of {} ms",
    label=("round trip", "s"),
)

FIGURE = Figure(
    id="limits-rtt",
    title="RCP and TCP beside processor sharing, at round trips of 1 ms to 300 ms",
    doc=__doc__,
    run=RTTS.run,
    table=RTTS.table,
    check=RTTS.check,
    plot=RTTS.plot,
)
