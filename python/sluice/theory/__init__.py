"""Queueing and control theory of the papers, to compare with simulations.

- Queues: :class:`Link`, with :func:`ps`, :func:`fcfs` and :func:`srpt` for a flow of a size and
  :func:`mean_s` and :func:`active_flows` over all, for sizes of any distribution.
- ``slow_start``: round trips and completion times.
- ``buffers``: the three theorems of the paper on buffers, as printed and as corrected.
- ``linear``: the control loop of RCP and XCP: stability, margins, Bode and Nyquist plots.
- ``fluid``: the same loop with a queue that cannot be negative: trajectories, convergence.
- ``plots``: the figures of the last two.

Names include units. ``docs/theory.md`` discusses which parts of the papers' theory hold.
"""

from __future__ import annotations

from . import buffers, fluid, linear, plots, slow_start
from .queues import Link, active_flows, fcfs, mean_s, ps, ps_law, srpt
from .sizes import Sizes, distribution, fixed, pareto, points, sample

__all__ = [
    "Link",
    "Sizes",
    "active_flows",
    "buffers",
    "distribution",
    "fcfs",
    "fixed",
    "fluid",
    "linear",
    "mean_s",
    "pareto",
    "plots",
    "points",
    "ps",
    "ps_law",
    "sample",
    "slow_start",
    "srpt",
]
