"""Claims of PS-7 and FCT-6 about completion times by size."""

from __future__ import annotations

import math

import numpy

from ... import theory
from ...frame import Frame
from .. import completion
from ..claim import Claim, everywhere
from ..completion import Ratio, points, ratios
from ..interval import Interval
from ..link import PACKET
from ..rows import kept
from ..verdict import Verdict

#: Size in packets that separates the two panels of the paper.
SHORT = 2000
#: The link of equation (3).
LINK = theory.Link(2.4e9, load=0.9, sizes=theory.pareto(25_000, 1.2), rtt_s=0.1)
#: Bounds for "close", for "about" as a factor, for "ten times" at a size, and for "often" as a
#: fraction of sizes.
CLOSE, ABOUT, TENFOLD, OFTEN = 1.5, 2, 8, 0.25
#: The minimum round trips of a flow: SYN exchange and propagation.
FIRST_RTTS = 1.5


def averages(table: Frame, counted: str = "") -> list[Claim]:
    """Claims about mean completion times, which FCT's figure 6 shows as well.

    ``counted`` is the figure that counts them, if it is another one.
    """
    formula, fluid = (ratios(table, "rcp", other) for other in (completion.FORMULA, "max_min"))
    xcp, tcp = (ratios(table, other, "rcp") for other in ("xcp", "tcp"))
    late = table.where(protocol="xcp")
    lacking = set(late["packets_from"][late["unfinished"] > 0])
    loads = Interval.of(_of_runs(table, "rcp", "run_load"))
    long_xcp = [each for each in _long(xcp) if each.packets_from not in lacking]
    return [
        everywhere(
            "RCP is close to processor sharing: RCP's mean completion time over processor "
            "sharing's, of the same flows and by equation (3), at each size",
            "close",
            points(fluid, ", same flows") | points(formula, ", equation (3)"),
            high=CLOSE,
            note=f"; equation (3) is that of a load of {LINK.load:g}, the runs' is {loads:.2f}",
            counted=counted,
        ),
        everywhere(
            "RCP is always below XCP and TCP: their mean completion time over RCP's at each size",
            "below",
            points(xcp, ", XCP") | points(tcp, ", TCP"),
            low=1,
            counted=counted,
        ),
        everywhere(
            f"up to {SHORT:,} packets, TCP's mean completion time over RCP's",
            "about 4",
            points(_short(tcp)),
            low=4 / ABOUT,
            high=4 * ABOUT,
            why="from a window of 2 packets TCP takes "
            f"{_first_rounds(int(tcp[0].packets_from)):g} round trips for "
            f"{tcp[0].packets_from} packets, RCP {FIRST_RTTS:g} at the least",
            counted=counted,
        ),
        everywhere(
            f"at about {SHORT:,} packets, XCP's mean completion time over RCP's",
            "30",
            points(_short(xcp)[-1:]),
            low=30 / ABOUT,
            high=30 * ABOUT,
            counted=counted,
        ),
        everywhere(
            f"above {SHORT:,} packets, XCP's mean completion time over RCP's",
            "about 30",
            points(long_xcp),
            low=30 / ABOUT,
            high=30 * ABOUT,
            note="; not judged where XCP's flows did not all finish" if lacking else "",
            counted=counted,
        ),
        everywhere(
            f"above {SHORT:,} packets, TCP's mean completion time over RCP's",
            "alike",
            points(_long(tcp)),
            low=1 / ABOUT,
            high=ABOUT,
            why="by the paper's own formulas slow start takes "
            f"{_slow_start(3600):.1f} times as long as equation (3) at 3,600 packets, "
            f"{_slow_start(20_000):.1f} times at 20,000, {_slow_start(100_000):.1f} at 100,000",
            counted=counted,
        ),
    ]


def longest(table: Frame) -> list[Claim]:
    """Claims about the longest completion time of each size."""
    shares = []
    for seed in numpy.unique(table["seed"]):
        rows = table.where(protocol="tcp", seed=seed)
        shares.append((rows["max_s"] > TENFOLD * rows["mean_s"]).mean())
    often, dropping = Interval.of(shares), _of_runs(table, "tcp", "run_drops") > 0
    last = table.where(packets_from=table["packets_from"].max())
    longer = last.where(protocol="rcp")["max_s"] > last.where(protocol="tcp")["max_s"]
    xcp, tcp, shared = (
        ratios(table, "rcp", "xcp", "max_s", "max_s"),
        ratios(table, "rcp", "tcp", "max_s", "max_s"),
        ratios(table, "rcp", completion.FORMULA, "max_s"),
    )
    return [
        everywhere(
            "RCP's longest completion time of a size over XCP's longest and over TCP's longest",
            "below 1",
            points(xcp, ", XCP") | points(tcp, ", TCP"),
            high=1,
            why=f"of the largest size RCP's longest flow takes longer than TCP's in {longer.sum()} "
            f"of {len(longer)} runs",
        ),
        everywhere(
            "RCP's longest completion time of a size over processor sharing's mean by equation (3)",
            "near 1",
            points(shared),
            high=ABOUT,
            why=_drops_of_seeds(table, shared),
        ),
        Claim(
            "TCP's longest completion time of a size over its mean is often ten",
            "10",
            f"above {TENFOLD} at {often:.2f} of sizes; "
            f"{_range(ratios(table, 'tcp', 'tcp', 'max_s'))}",
            often.above(OFTEN),
            f"above {TENFOLD} at {OFTEN} of sizes",
            f"queues overflowed in {dropping.sum()} of {len(dropping)} runs",
        ),
    ]


def whole(table: Frame) -> list[Claim]:
    """Claims about all sizes together."""
    drops = {name: _of_runs(table, name, "run_drops") for name in ("rcp", "xcp", "tcp")}
    ahead = {
        f"{other.upper()}'s {column}": Interval.of(
            _of_runs(table, "rcp", f"run_{column}") / _of_runs(table, other, f"run_{column}")
        )
        for column in ("flows", "packets")
        for other in ("xcp", "tcp")
    }
    count, work = (
        _of_runs(table, "rcp", column) > _of_runs(table, "tcp", column)
        for column in ("run_flows", "run_packets")
    )
    return [
        Claim(
            "RCP and XCP drop no packet",
            "0",
            "; ".join(f"{name.upper()}: {_listed(counts)}" for name, counts in drops.items()),
            Verdict.of(not drops["rcp"].any() and not drops["xcp"].any()),
            "none in any run",
            "; ".join(
                f"{name.upper()} dropped packets in {(drops[name] > 0).sum()} of "
                f"{len(drops[name])} runs"
                for name in ("rcp", "xcp")
                if drops[name].any()
            ),
        ),
        everywhere(
            "RCP finishes more flows, and more work, by the end of the arrivals: RCP's over XCP's "
            "and TCP's",
            "more",
            {f"of {other}": times for other, times in ahead.items()},
            low=1,
            form=".3f",
            why=f"of {len(work)} runs RCP is ahead of TCP in flows in {count.sum()}, in work in "
            f"{work.sum()}",
        ),
    ]


def _drops_of_seeds(table: Frame, shared: list[Ratio]) -> str:
    """The longest flows of all runs, and of those without drops."""
    drops = _of_runs(table, "rcp", "run_drops")
    if not drops.any():
        return "RCP dropped nothing"
    seeds = numpy.unique(table["seed"])[drops == 0]
    drops_of = (
        f"RCP dropped {int(drops.sum()):,} packets in {(drops > 0).sum()} of {len(drops)} runs"
    )
    if not len(seeds):
        return drops_of
    without = ratios(
        kept(table, numpy.isin(table["seed"], seeds)), "rcp", completion.FORMULA, "max_s"
    )
    beyond = [sum(each.times.mean > ABOUT for each in found) for found in (shared, without)]
    return (
        f"{drops_of}; the mean is above {ABOUT} at {beyond[0]} of {len(shared)} sizes, in runs "
        f"without drops at {beyond[1]}"
    )


def _range(found: list[Ratio]) -> str:
    ends = (completion.lowest(found), completion.largest(found))
    return ", up to ".join(dict.fromkeys(str(each) for each in ends))


def _short(found: list[Ratio]) -> list[Ratio]:
    return [each for each in found if each.packets_to <= SHORT]


def _long(found: list[Ratio]) -> list[Ratio]:
    return [each for each in found if each.packets_from >= SHORT]


def _of_runs(table: Frame, name: str, column: str) -> numpy.ndarray:
    """A column with one value for each run."""
    rows = table.where(protocol=name)
    return rows[column][numpy.unique(rows["seed"], return_index=True)[1]]


def _listed(counts: numpy.ndarray) -> str:
    return ", ".join(f"{count:,}" for count in counts)


def _first_rounds(packets: int) -> float:
    """Round trips from SYN to last byte with an initial window of 2 in slow start."""
    return FIRST_RTTS + math.ceil(math.log2(packets / 2 + 1)) - 1


def _slow_start(packets: int) -> float:
    """The completion time in slow start over that of processor sharing, both by formula."""
    seconds = theory.slow_start.completion_s(packets, LINK.capacity_bps, LINK.rtt_s)
    return float(seconds / theory.ps(LINK, packets * PACKET))
