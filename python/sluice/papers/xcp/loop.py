"""XCP with other gains at one link: runs, and how far the input rate is from steady in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

from ... import theory
from ...results import Results
from ...scenario import Scenario
from ...theory import linear
from ..link import bottleneck, link_metrics, samples
from ..scale import Scale
from .bottleneck import Place, Settings, seconds

#: Round trips of a run. Numbers are those of the last third, beside those of the second.
RTTS, THIRD = 300, 100
#: Samples in a round trip.
SAMPLES = 10
#: Of BDP: a queue below this counts as empty.
EMPTY = 0.001

BASE = Place(100e6, 0.08)


@dataclass(frozen=True)
class Site:
    """A link with long flows of one round trip, that start within the first."""

    place: Place = BASE
    flows: int = 10

    def scenario(self, alpha: float, both_ways: bool) -> Scenario:
        """Flows with this alpha, and the beta of the thesis' rule, over an endless buffer;
        ``both_ways`` has as many in the other direction."""
        place = self.place
        dumbbell = {
            "pairs": self.flows,
            "capacity": f"{place.capacity:.0f} bps",
            "access": f"{4 * place.capacity:.0f} bps",
            "rtt": seconds(place.rtt),
            "buffer": "unlimited",
        }
        ways = [("s", "d"), ("d", "s")] if both_ways else [("s", "d")]
        return Scenario(
            name="loop",
            warm_up=seconds((RTTS - THIRD) * place.rtt),
            stop=seconds(RTTS * place.rtt),
            limit=seconds(RTTS * place.rtt),
            ideals=[],
            topology={"dumbbell": dumbbell},
            group=[self._flow(*way, pair) for way in ways for pair in range(self.flows)],
            metrics=[link_metrics(seconds(place.rtt / SAMPLES))],
            xcp={"alpha": alpha, "beta": float(linear.xcp_beta(alpha))},
        )

    def _flow(self, source: str, sink: str, pair: int) -> Settings:
        return {
            "name": f"{source}{pair}",
            "from": f"{source}{pair}",
            "to": f"{sink}{pair}",
            "long": {"within": seconds(self.place.rtt)},
        }

    def row(self, results: Results, seed: int) -> dict[str, Any]:
        """The router's input rate, and its queue, in the units of ``theory.linear``."""
        place = self.place
        rate = samples(results, "xcp", "y", seed)
        load = 8 * rate.values / place.capacity
        late = rate.seconds >= (RTTS - THIRD) * place.rtt
        middle = (rate.seconds >= (RTTS - 2 * THIRD) * place.rtt) & ~late
        queue = samples(results, "xcp", "queue_bytes", seed).values[late] / place.buffer_bytes
        round_trips = samples(results, "xcp", "d", seed).values[late] / place.rtt
        return {
            "seed": seed,
            "load_sd": float(load[late].std()),
            "before_sd": float(load[middle].std()),
            "queue_bdp": float(queue.mean()),
            "empty": float((queue < EMPTY).mean()),
            "round_trip": float(round_trips.mean()),
            "utilization": float(bottleneck(results, "xcp", seed)["utilization"][0]),
        }


#: The first is the link from which each of the others differs in one respect.
SITES = {
    "100 Mb/s, 80 ms, 10 flows": Site(),
    "20 Mb/s": Site(place=Place(20e6, BASE.rtt)),
    "400 Mb/s": Site(place=Place(400e6, BASE.rtt)),
    "20 ms": Site(place=Place(BASE.capacity, 0.02)),
    "320 ms": Site(place=Place(BASE.capacity, 0.32)),
    "1 flow": Site(flows=1),
    "100 flows": Site(flows=100),
}
#: Those of the quick scale.
FEW = ("100 Mb/s, 80 ms, 10 flows", "20 Mb/s", "1 flow")
#: Alphas with flows in one direction and in both: quick, and in full.
ALPHAS = {
    False: ((0.4, 0.55, 0.6, 0.8, 1.0), (0.2, 0.4, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)),
    True: ((0.4, 0.5, 0.7), (0.3, 0.4, 0.5, 0.6, 0.7)),
}
#: Full scale; flows in both directions differ more from seed to seed.
SEEDS = {False: 5, True: 10}

#: By the words of a site, whether flows go both ways, and alpha.
Runs = dict[tuple[str, bool, float], Results]


def run(scale: Scale) -> Runs:
    """Each site with each alpha; the seed draws when flows start."""
    return {
        (words, both_ways, alpha): scale.run(
            SITES[words].scenario(alpha, both_ways),
            ["xcp"],
            name=f"xcp-b/{number}-{'both' if both_ways else 'one'}-{alpha:g}",
            seeds=scale.pick(1, SEEDS[both_ways]),
        )
        for number, words in enumerate(SITES)
        if scale.full or words in FEW
        for both_ways, alphas in ALPHAS.items()
        for alpha in scale.pick(*alphas)
    }


def fluid(alphas: numpy.ndarray) -> numpy.ndarray:
    """The standard deviation of the fluid's load in the same round trips; its queue cannot be
    negative. It starts with a tenth of the link used, as flows do with their first windows."""
    path = theory.fluid.path("xcp", alphas, linear.xcp_beta(alphas), load=0.1, rtts=RTTS)
    return numpy.asarray(path.load[path.time_rtts >= RTTS - THIRD].std(axis=0))
