"""Queueing and control theory of the papers, to compare with simulations.

- Queues: :class:`Link`, with :func:`ps`, :func:`fcfs` and :func:`srpt` for a flow of a size and
  :func:`mean_s` and :func:`active_flows` over all, for sizes of any distribution.
- ``slow_start``: round trips and completion times.
- ``buffers``: the three theorems of the paper on buffers, as printed and as corrected.
- ``linear``: the control loop of RCP and XCP: stability, margins, Bode and Nyquist plots.
- ``fluid``: the same loop with a queue that cannot be negative: trajectories, convergence.
- ``plots``: the figures of the last two.
- ``ledger``: the loop of our own law, for flows of several round trips.
- ``flow_count``, ``increments``, ``link_pressure``: the analysis in the paper on NCP: RCP's count
  of flows, XCP-like increments, and its completion time of processor sharing.
- ``scheduling``, ``schedules``: the same paper's tests of periodic tasks by their rates, the right
  one, and schedules to compare them with.

Names include units. ``docs/theory.md`` discusses which parts of the papers' theory hold.
"""

from __future__ import annotations

from . import (
    buffers,
    flow_count,
    fluid,
    increments,
    ledger,
    linear,
    link_pressure,
    plots,
    schedules,
    scheduling,
    slow_start,
)
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
    "flow_count",
    "fluid",
    "increments",
    "ledger",
    "linear",
    "link_pressure",
    "mean_s",
    "pareto",
    "plots",
    "points",
    "ps",
    "ps_law",
    "sample",
    "schedules",
    "scheduling",
    "slow_start",
    "srpt",
]
