"""Scenarios with policing agents (section 7.1): users who cheat, and users who do not."""

from __future__ import annotations

from collections.abc import Sequence

from ...scenario import Scenario
from . import cheats
from .bottleneck import PACKET_BITS, Place, Settings, seconds
from .systems import System

#: What a lying receiver adds to a window in a round trip, as a part of it.
LIE = 0.3
#: Users who cheat, as one flow of twenty, by what they do.
CHEATS: dict[str, Settings] = {
    "ignores feedback, at four shares": {"fixed_rate": "4 Mbps"},
    "decreases by a tenth of what it should": {"decrease_gain": 0.1},
    "states a third of its throughput": {"throughput_gain": 3.0},
    "states half of its throughput": {"throughput_gain": 2.0},
    "has a receiver that adds to feedback": {
        "added_feedback": f"{LIE * PACKET_BITS / cheats.PLACE.rtt:.0f} bps"
    },
}
#: Those of at least twice their share, which samples catch.
HEAVY = tuple(name for name in CHEATS if "decreases" not in name)
#: The other types of section 7.3, which react to a demand as they should.
UNSEEN: dict[str, Settings] = {
    "increases tenfold": {"increase_gain": 10.0},
    "states a tenth of its round trip": {"rtt_gain": 10.0},
    "states ten times its round trip": {"rtt_gain": 0.1},
    "states twice its throughput": {"throughput_gain": 0.5},
}
#: Mean time between two tests of a flow, in seconds: 25 round trips of 80 ms.
EVERY = 2.0
#: The threshold, as a part of the link, and the samples of a flow at the threshold.
THRESHOLD, OVERSAMPLING = 0.06, 8.0
SAMPLE: Settings = {"threshold": THRESHOLD, "oversampling": OVERSAMPLING, "interval": "500 ms"}
#: Agents by what they track.
AGENTS: dict[str, Settings] = {"all flows": {}, "samples": {"sample": SAMPLE}}
#: The honest flows of the bottleneck at which cheats are tested.
ALONE = "twenty flows"
#: Small flows beside one that ignores feedback.
CROWD_BPS, CROWD_RTT, CROWD_SIZE, CROWD_CHEAT = 100e6, 0.04, "10 packets", "20 Mbps"
#: Bottlenecks in a row, and the probability that a packet is lost.
HOPS, LOSS = 3, 0.01


def policed(
    scenario: Scenario,
    police: Settings,
    *also: Settings,
    links: Sequence[tuple[str, str]] = (("left", "right"),),
) -> Scenario:
    """The scenario with an agent at each of these links, and other entries of ``[[link]]``."""
    agents: list[Settings] = [
        {"from": begin, "to": end, "both_ways": False, "police": police} for begin, end in links
    ]
    return scenario.set({"link": [*also, *agents]})


def cheated(conduct: Settings, police: Settings) -> Scenario:
    """One of twenty flows has this conduct."""
    agent = {"every": seconds(EVERY)} | police
    return policed(cheats.scenario("XCP", [conduct] if conduct else []), agent)


def honest(police: Settings) -> dict[str, Scenario]:
    """Set-ups without a cheat, by what makes the rate of a flow hard to see."""
    place = cheats.PLACE
    agent = {"every": seconds(EVERY), "isolate": "report"} | police
    twenty = cheats.scenario("XCP", [])
    today = System("xcp")

    spread = Place(place.capacity, 0.12, flows=20, back=20, spread=(0.04, 0.2))
    narrow = Place(2e6, 0.08, flows=20, back=20)
    lossy: Settings = {"from": "left", "to": "right", "error": LOSS}
    delayed = twenty.set({"xcp.delayed_ack": True})
    bottlenecks = {
        ALONE: twenty,
        "delayed acknowledgements": delayed,
        "round trips of 40 to 200 ms": today.scenario(spread),
        "windows of a packet": today.scenario(narrow),
        "flows of 100 packets": _short(today, place, "100 packets"),
    }
    found = {name: policed(scenario, agent) for name, scenario in bottlenecks.items()}
    hops = [(f"r{hop}", f"r{hop + 1}") for hop in range(HOPS)]
    found |= {
        "losses of 1 % each way": policed(twenty, agent, lossy),
        "losses and delayed acknowledgements": policed(delayed, agent, lossy),
        "three bottlenecks": policed(_chain(), agent, links=hops),
    }
    # Agents count from the first flow on.
    return {name: scenario.set({"warm_up": "0 s"}) for name, scenario in found.items()}


def _short(system: System, place: Place, size: str) -> Scenario:
    """Flows of this size that fill most of the link."""
    traffic = {"load": 0.8, "sizes": {"fixed": size}}
    group = {"name": "short", "pairs": "each", "poisson": traffic}
    busy = Place(place.capacity, place.rtt, flows=0, back=place.back, also=(group,))
    return system.scenario(busy)


def _chain() -> Scenario:
    """Ten flows over three bottlenecks, and ten over each of them."""
    rtt, capacity = 0.08, 20e6
    within = {"long": {"within": seconds(100 * rtt)}}
    lot = {
        "hops": HOPS,
        "cross": 10,
        "hop": {"capacity": f"{capacity:.0f} bps", "delay": "10 ms", "buffer": "200 kB"},
        "access": {"capacity": f"{4 * capacity:.0f} bps", "delay": "5 ms", "buffer": "unlimited"},
    }
    through = [
        {"name": f"through-{number}", "from": "s", "to": "d"} | within for number in range(10)
    ]
    return Scenario(
        name="chain",
        warm_up=seconds(100 * rtt),
        stop=seconds(300 * rtt),
        limit=seconds(300 * rtt),
        ideals=[],
        topology={"parking_lot": lot},
        group=[*through, {"name": "cross", "pairs": "each"} | within],
    )


def crowd(agent: Settings) -> Scenario:
    """An unresponsive flow among 750 small ones a second."""
    small = {"poisson": {"load": 0.6, "sizes": {"pareto": {"mean": CROWD_SIZE, "shape": 1.4}}}}
    cheat = {
        "name": "cheat",
        "from": "s0",
        "to": "d0",
        "long": {"within": "1 s"},
        "conduct": {"fixed_rate": CROWD_CHEAT},
    }
    groups = ({"name": "small", "pairs": "each"} | small, cheat)
    place = Place(CROWD_BPS, CROWD_RTT, flows=0, back=20, also=groups)
    return policed(System("xcp").scenario(place), {"every": seconds(EVERY)} | agent)
