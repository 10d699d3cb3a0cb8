"""Section 6.3 of XCP's thesis: claims hold for tables as it has them, and fail for others."""

from __future__ import annotations

import tomllib
from collections.abc import Callable

import numpy
import sluice
from sluice.papers import Verdict
from sluice.papers.rows import frame
from sluice.papers.xcp import over_time, xcp_6_1, xcp_6_2
from sluice.papers.xcp.weighted import SYSTEMS


def failing(verdicts: list[Verdict]) -> list[int]:
    assert set(verdicts) <= {Verdict.HOLDS, Verdict.FAILS}
    return [place for place, verdict in enumerate(verdicts) if verdict is Verdict.FAILS]


#: By system: the distance of shares from those by weight, the end of the last transfer in s, and
#: the time after the first completion in which the others do not use the link.
AS_PRINTED = {
    "XCP": (0.02, 24.0, 0.2),
    "MulTCP": (0.3, 30.0, 3.0),
    "CSFQ": (0.3, 27.0, 3.0),
    "WFQ": (0.001, 25.0, 0.2),
    "WFQ, Reno": (0.001, 25.1, 0.2),
}


def transfers(**changed: tuple[float, float, float]) -> sluice.Frame:
    rows = []
    ends = numpy.arange(1, 151) * xcp_6_1.BIN_S
    for name, printed in AS_PRINTED.items():
        error, last, gap = changed.get(name, printed)
        for seed in (1, 2, 3):
            noise = 1 + seed / 1e4
            done = {5: last * noise, 10: 20.0, 15: 16.0}
            for weight, sign in ((5, 1), (10, -1), (15, 0)):
                share = weight / 30 * (1 + 1.5 * error * sign)
                rate = numpy.full(len(ends), 10e6 * share * noise)
                if weight == 15:
                    # What the others have too much or too little.
                    rate += 10e6 * noise * 1.5 * error * 5 / 30
                    rate[ends > 16] = 0
                else:
                    rate[ends > 16 + gap] = 5e6
                group = f"weight-{weight}"
                found = over_time.rows(seed, group, 1e9 * ends, rate)
                end = numpy.array([done[weight]])
                found += over_time.rows(seed, f"{group}-done", 1e9 * end, end)
                rows += [{"system": name} | row for row in found]
    return frame(rows)


def test_each_claim_about_transfers_can_fail() -> None:
    def fails(**changed: tuple[float, float, float]) -> list[int]:
        found = xcp_6_1.FIGURE.check(transfers(**changed))
        return failing([claim.verdict for claim in found])

    assert fails() == []
    assert fails(XCP=(0.2, 24.0, 0.2)) == [0]
    assert fails(CSFQ=(0.01, 27.0, 3.0)) == [1]
    assert fails(WFQ=(0.1, 25.0, 0.2)) == [2]
    assert fails(MulTCP=(0.3, 23.0, 3.0)) == [3]
    assert fails(WFQ=(0.001, 22.0, 0.2)) == [4]
    assert fails(XCP=(0.02, 24.0, 3.0)) == [5]


def test_a_transfer_that_does_not_end_counts_up_to_the_end_of_the_run() -> None:
    done = frame(
        [
            {"quantity": f"weight-{weight}-done", "value": value}
            for weight, value in ((5, None), (10, 3.0), (15, 2.0))
        ]
    )
    assert xcp_6_1._done(done).tolist() == [60.0, 3.0, 2.0]


def test_weights_are_those_of_the_field_that_a_system_reads() -> None:
    for name, system in SYSTEMS.items():
        groups = tomllib.loads(xcp_6_1._scenario(name).toml)["group"]
        assert [group[system.field] for group in groups] == [5.0, 10.0, 15.0]
    heavy = tomllib.loads(xcp_6_2._scenario("CSFQ", 1000).toml)
    assert heavy["group"][1]["queue_weight"] == 1000.0
    # A share of 100 kb/s for the lighter flow; 0.4 of 100.1 Mb/s x 80 ms.
    assert heavy["topology"]["dumbbell"]["capacity"] == "100.1 Mbps"
    assert heavy["topology"]["dumbbell"]["queue"]["csfq"]["congested_from"] == "400.4 kB"


def ratios(**changed: Callable[[int], float]) -> sluice.Frame:
    """The ratio of throughputs over that of weights."""
    usual: dict[str, Callable[[int], float]] = {
        "XCP": lambda ratio: 1.0,
        "MulTCP": lambda ratio: 1.0 if ratio <= 10 else 0.3,
        "CSFQ": lambda ratio: 1.0 if ratio <= 4 else 0.5,
        "WFQ": lambda ratio: 1.0,
        "WFQ, Reno": lambda ratio: 1.0 if ratio <= 25 else 0.3,
    }
    return frame(
        [
            {
                "system": name,
                "weights": ratio,
                "seed": seed,
                "ratio": ratio * over(ratio) * (1 + seed / 1e4),
            }
            for name, over in (usual | changed).items()
            for ratio in xcp_6_2.RATIOS
            for seed in (1, 2, 3)
        ]
    )


def test_each_claim_about_ratios_can_fail() -> None:
    def fails(**changed: Callable[[int], float]) -> list[int]:
        found = xcp_6_2.FIGURE.check(ratios(**changed))
        return failing([claim.verdict for claim in found])

    assert fails() == []
    assert fails(XCP=lambda ratio: 0.7 if ratio == 1000 else 1.0) == [0]
    assert fails(MulTCP=lambda ratio: 0.3) == [1]
    assert fails(MulTCP=lambda ratio: 1.0) == [2]
    assert fails(CSFQ=lambda ratio: 0.5) == [3]
    # Too much is a failure as well.
    assert fails(CSFQ=lambda ratio: 1.0 if ratio <= 4 else 1.5) == []
    assert fails(CSFQ=lambda ratio: 1.1) == [4]
    assert fails(**{"WFQ, Reno": lambda ratio: 0.3}) == [5]
    assert fails(**{"WFQ, Reno": lambda ratio: 1.0}) == [6]
    assert fails(WFQ=lambda ratio: 1.3 if ratio == 1000 else 1.0) == [7]
