"""How two flows come forward."""

from __future__ import annotations

import pyarrow
from sluice import Frame
from sluice.papers.ps import ps_8

#: Seconds: equation (3) gives 0.158 and 0.27, slow start 0.901 and 1.312.
PAPER = {"rcp": (0.16, 0.27), "tcp": (0.9, 1.3), "xcp": (3.0, 10.0)}


def failing(seconds: dict[str, tuple[float, float]]) -> list[str]:
    rows = [
        {"protocol": name, "flow": flow, "seed": seed, "mean_s": mean * factor, "resent": 0}
        for name, means in seconds.items()
        for flow, mean in zip(ps_8.FLOWS, means, strict=True)
        for seed, factor in ((1, 1.0), (2, 1.001))
    ]
    claims = ps_8.check(Frame(pyarrow.Table.from_pylist(rows)))
    return [claim.says for claim in claims if not claim.holds]


def test_claims_hold_by_formula_and_fail_by_other_times() -> None:
    assert failing(PAPER) == []
    # RCP like slow start, XCP like processor sharing.
    swapped = failing(PAPER | {"rcp": (0.91, 1.32), "xcp": (0.16, 0.27)})
    assert len(swapped) == 3 and not any("TCP climbs" in says for says in swapped)
    assert len(failing(PAPER | {"tcp": (0.3, 0.3)})) == 1
