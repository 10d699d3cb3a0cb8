"""Figures of *Why Flow-Completion Time is the Right Metric*: models by hand, checks that fail."""

from __future__ import annotations

import numpy
import pyarrow
import sluice
from sluice.papers.fct import fct_1


def test_a_short_flow_gains_little_by_formula() -> None:
    # By hand: 15 packets wait 5 round trips of 40 ms and send 120 kb, so 202.67 ms at 45 Mb/s and
    # 200.03 ms at a hundred times that. 2755 wait 12 and send 22.04 Mb: 969.8 and 484.9 ms.
    formula = numpy.array(
        [0.2 + 0.12 / 45, 0.2 + 0.12 / 4500, 0.48 + 22.04 / 45, 0.48 + 22.04 / 4500]
    )
    rows = [
        {"bandwidth_bps": bandwidth, "packets": size, "formula_s": time, "simulated_s": time}
        for size in fct_1.SIZES
        for bandwidth, time in zip(
            (45e6, 4.5e9), formula[:2] if size == 15 else formula[2:], strict=True
        )
    ]
    typical, halved, *_ = fct_1.check(sluice.Frame(pyarrow.Table.from_pylist(rows)))
    assert not typical.holds and typical.ours.startswith("1.3% less")
    assert halved.holds and halved.ours.startswith("50.0% less")
