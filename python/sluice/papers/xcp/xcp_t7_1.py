"""Table 7.1, cell by cell: what each misconduct does to efficiency and fairness, and whether a sender
gains by it. Left, utilization where all of twenty flows cheat; middle, the throughput of one cheat
among nineteen compliant flows over its fair share; right, where all cheat, the round trips from a
common start until the link is full to 0.9, and those until a newcomer has 0.8 of its share. A dot
is a gain, the larger the further from 1; rings are compliant flows. Unresponsive abusers are ten
beside ten compliant flows, at three quarters of the capacity and at one and a quarter.

The runs are those of figures 7-1 to 7-8, with the thesis' sender; those of the right panel have ten
seeds. "No incentive" is that a cheat has no more than 1.05 times what the same flow has when it
complies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import matplotlib.figure
import numpy
from matplotlib import pyplot
from matplotlib.axes import Axes

from ...frame import Frame
from ...plot import scales, style
from ...results import Results
from ..claim import Claim, everywhere
from ..drawing import with_bars
from ..figure import Figure
from ..interval import Interval
from ..rows import frame
from ..scale import Scale
from . import xcp_7_1, xcp_7_2, xcp_7_3, xcp_7_4, xcp_7_5, xcp_7_6, xcp_7_7, xcp_7_8
from .arrival import Arrival
from .cheats import FLOWS, Cheats

