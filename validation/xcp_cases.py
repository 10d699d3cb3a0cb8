"""The set-ups of XCP: figures of chapter 5 of Katabi's thesis."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, exp, log
from random import Random
from statistics import NormalDist

from case import Case, Flow

# Links of the parking lot.
HOPS = 9

RENO_UNSETTLED = (
    "ns-2's Reno repairs one loss in a window, and feedback on its duplicate ACKs is lost"
)

EQUAL_UNSETTLED = "with equal RTTs packets stay bunched, and the queue after 9 s differs"

LONG_UNSETTLED = "ns-2 sums RTTs above 1 s as 1 s; Sluice bounds the control interval alone"

INTERVAL_UNSETTLED = (
    "flows whose RTT is the control interval get 2% less in ns-2, for an unknown reason"
)

Draw = Callable[[Random], list[Flow]]


@dataclass(frozen=True)
class XcpCase(Case):
    """A set-up of XCP, whose flows `draw` draws.

    `mbps` and `rtt_s` are the bottleneck's capacity and the mean RTT.
    """

    draw: Draw = list
    mbps: float = 0
    rtt_s: float = 0

    @property
    def links(self) -> dict[str, tuple[str, str]]:
        if self.network == "xcp-parking-lot":
            return {f"link-{hop + 1}": (f"r{hop}", f"r{hop + 1}") for hop in range(HOPS)}
        links = {"forward": ("left", "right"), "reverse": ("right", "left")}
        directions = {flow.direction for flow in self.flows(1)}
        return {name: ends for name, ends in links.items() if name in directions}

    def flows(self, seed: int) -> list[Flow]:
        return self.draw(Random(f"{self.name} {seed}"))

    def ns2_input(self, seed: int) -> tuple[str, str]:
        lines = []
        for flow in self.flows(seed):
            stop = "-" if flow.stop is None else f"{flow.stop:.9f}"
            packets = "-" if flow.packets is None else flow.packets
            lines.append(f"{flow.direction} {flow.pair} {flow.start:.9f} {stop} {packets}\n")
        return "-flows", "".join(lines)

    def ends(self, flow: Flow) -> tuple[str, str]:
        if self.network != "xcp-parking-lot":
            return super().ends(flow)
        if flow.direction.startswith("cross"):
            hop = int(flow.direction.removeprefix("cross-")) - 1
            return f"x{hop}", f"y{hop}"
        return ("s", "d") if flow.direction == "through" else ("d", "s")


def bottleneck(
    name: str,
    draw: Draw,
    *,
    mbps: float,
    window_s: tuple[float, float],
    rtt_ms: float = 80,
    spread_ms: float = 0,
    delay_ms: float | None = None,
    pairs: int = 50,
    access_mbps: float = 1000,
    buffer_ms: float | None = None,
    error: float = 0,
    bins: str = "",
    unsettled: str = "",
    fields: tuple[str, ...] = (),
) -> XcpCase:
    """A set-up with one bottleneck.

    RTTs are evenly over `rtt_ms` plus and minus half of `spread_ms`; `delay_ms` is the bottleneck's
    share, one way, three eighths of an RTT by default. The buffer is C x RTT by default. The
    minimum time-out is twice the longest RTT where this exceeds 200 ms: ns-2's has no other margin
    above SRTT, and expires whenever the queue grows.
    """
    warm_up, stop = window_s
    delay_ms = 3 * rtt_ms / 8 if delay_ms is None else delay_ms
    buffer = round(mbps * (buffer_ms or rtt_ms) / 8)
    low, high = (rtt_ms + sign * spread_ms / 2 for sign in (-1, 1))
    min_rto_ms = max(200, 2 * high)
    ns2 = {
        "mbps": mbps,
        "rtt": rtt_ms / 1000,
        "spread": spread_ms / 1000,
        "pairs": pairs,
        "delay": delay_ms / 1000,
        "access": access_mbps,
        "buffer": buffer,
        "error": error,
        "minrto": min_rto_ms / 1000,
        "warmup": warm_up,
        "stop": stop,
        "bin": 0.1 if bins else 0,
    }
    # With bins, a last look at what was acknowledged by the ACKs still on their way.
    limit = stop + 0.1 if bins else stop
    dumbbell = {
        "pairs": pairs,
        "capacity": f"{mbps} Mbps",
        "access": f"{access_mbps} Mbps",
        "rtt": f'["{low} ms", "{high} ms"]' if spread_ms else f"{rtt_ms} ms",
        "bottleneck_delay": f"{delay_ms} ms",
        "buffer": f"{buffer} kB",
        "error": error,
    }
    return XcpCase(
        name,
        "xcp-bottleneck",
        window_s,
        ns2=tuple(word for flag, value in ns2.items() for word in (f"-{flag}", value)),
        sluice=(
            *(f"topology.dumbbell.{field}={value}" for field, value in dumbbell.items()),
            f"warm_up={0 if bins else warm_up} s",
            f"stop={stop} s",
            f"limit={limit} s",
            f"transport.min_rto={min_rto_ms} ms",
            *fields,
        ),
        unsettled=unsettled,
        draw=draw,
        bins=bins,
        mbps=mbps,
        rtt_s=rtt_ms / 1000,
    )


def long_flows(forward: int, reverse: int, pairs: int = 50, mean_s: float = 0.160) -> Draw:
    """Long flows on pairs that are evenly chosen, with exponential starts.

    The default mean is two RTTs of 80 ms (thesis, Figure 3-2).
    """

    def draw(random: Random) -> list[Flow]:
        return [
            Flow(direction, number * pairs // count, random.expovariate(1 / mean_s))
            for direction, count in (("forward", forward), ("reverse", reverse))
            for number in range(count)
        ]

    return draw


def one_by_one(random: Random) -> list[Flow]:
    """Five flows: 0, 2, 4, 6, 8 s (5.3.1); here plus up to one RTT of 40 ms each."""
    return [Flow("forward", pair, 2.0 * pair + random.uniform(0, 0.040)) for pair in range(5)]


def capacity(mbps: int, spread: bool) -> XcpCase:
    """Figure 5-3. RTTs over 75 to 85 ms make a sharper comparison than equal ones (README)."""
    return bottleneck(
        f"xcp-capacity-{mbps}" + "-spread" * spread,
        long_flows(50, 50),
        mbps=mbps,
        # ns-2's byte counters wrap after 14 s at 2.48 Gb/s.
        window_s=(10, 20) if mbps > 1000 else (10, 30),
        spread_ms=10 * spread,
        access_mbps=10000 if mbps > 500 else 1000,
    )


CONVERGENCE = bottleneck(
    "xcp-convergence",
    one_by_one,
    mbps=45,
    window_s=(0, 12),
    rtt_ms=40,
    pairs=5,
    bins="flows",
)


def delay(rtt_ms: int, window_s: tuple[int, int]) -> XcpCase:
    """Figure 5-4: 150 Mb/s, starts over two RTTs, and RTTs within 6% of the mean."""
    return bottleneck(
        f"xcp-delay-{rtt_ms}",
        long_flows(50, 50, mean_s=rtt_ms / 500),
        mbps=150,
        window_s=window_s,
        rtt_ms=rtt_ms,
        spread_ms=rtt_ms / 8,
        unsettled={10: INTERVAL_UNSETTLED, 1400: LONG_UNSETTLED}.get(rtt_ms, ""),
        # ns-2's control interval is at most 1 s.
        fields=("xcp.max_interval=1 s",) if rtt_ms > 1000 else (),
    )


def flows(count: int) -> XcpCase:
    """Figure 5-5: 150 Mb/s, and 50 flows back."""
    pairs = min(max(count, 50), 100)
    return bottleneck(
        f"xcp-flows-{count}",
        long_flows(count, 50, pairs),
        mbps=150,
        window_s=(10, 30),
        spread_ms=10,
        pairs=pairs,
    )


def fairness(name: str, rtt_ms: float, spread_ms: float) -> XcpCase:
    """Figure 5-7: 30 flows on 30 Mb/s."""
    return bottleneck(
        f"xcp-fairness-{name}",
        long_flows(30, 0, 30, mean_s=0.080),
        mbps=30,
        window_s=(20, 60),
        rtt_ms=rtt_ms,
        spread_ms=spread_ms,
        delay_ms=15,
        pairs=30,
    )


def rtt_range(most_ms: int) -> XcpCase:
    """Figure 5-13: RTTs evenly from 5 ms, 100 flows on 100 Mb/s, 50 back, 200 ms of buffer."""
    return bottleneck(
        f"xcp-rtts-{most_ms}",
        long_flows(100, 50, 100),
        mbps=100,
        window_s=(20, 60),
        rtt_ms=(5 + most_ms) / 2,
        spread_ms=most_ms - 5,
        delay_ms=1.875,
        pairs=100,
        buffer_ms=200,
    )


def internet() -> XcpCase:
    """Figure 5-12: RTTs that spread as on the Internet, 100 flows on 100 Mb/s, 50 back.

    They are the stand-in of `sluice reproduce xcp-5-12`, quantiles of a log-normal distribution,
    each to the nearest of 200 pairs of hosts: to 1.3 ms. The buffer is 200 ms.
    """
    low_ms, high_ms, pairs = 12, 510, 200
    sigma = log(200 / 80) / NormalDist().inv_cdf(0.9)

    def pair(number: int, count: int) -> int:
        rtt_ms = 80 * exp(sigma * NormalDist().inv_cdf((number + 0.5) / count))
        return round((rtt_ms - low_ms) / (high_ms - low_ms) * (pairs - 1))

    def draw(random: Random) -> list[Flow]:
        return [
            Flow(direction, pair(number, count), random.uniform(0, 20))
            for direction, count in (("forward", 100), ("reverse", 50))
            for number in range(count)
        ]

    return bottleneck(
        "xcp-internet",
        draw,
        mbps=100,
        window_s=(30, 70),
        rtt_ms=(low_ms + high_ms) / 2,
        spread_ms=high_ms - low_ms,
        delay_ms=1,
        pairs=pairs,
        buffer_ms=200,
    )


def web(rate: int, window_s: tuple[int, int]) -> XcpCase:
    """Figure 5-6: 50 long flows each way and short ones that arrive forward, `rate` a second.

    Their sizes are Pareto, with mean 30 packets and shape 1.35, rounded up.
    """

    def draw(random: Random) -> list[Flow]:
        flows = long_flows(50, 50)(random)
        arrival = random.expovariate(rate)
        while arrival < window_s[1]:
            packets = ceil(30 * 0.35 / 1.35 * random.paretovariate(1.35))
            flows.append(Flow("forward", random.randrange(50), arrival, packets=packets))
            arrival += random.expovariate(rate)
        return flows

    return bottleneck(f"xcp-web-{rate}", draw, mbps=150, window_s=window_s, spread_ms=10)


def errors(probability: float, mbps: int, window_s: tuple[int, int]) -> XcpCase:
    """Figure 5-14: one flow over a link that loses packets at random, in both directions."""
    return bottleneck(
        f"xcp-errors-{mbps}-{probability:g}",
        long_flows(1, 0, 1),
        mbps=mbps,
        window_s=window_s,
        pairs=1,
        access_mbps=10 * mbps,
        error=probability,
        unsettled="" if probability < 1e-4 else RENO_UNSETTLED,
    )


def more_for_four_seconds(random: Random) -> list[Flow]:
    """10 flows, and from 4 to 8 s 100 more; each starts within one RTT of 40 ms (5.3.2)."""
    return [
        Flow("forward", pair, random.uniform(0, 0.040))
        if pair < 10
        else Flow("forward", pair, 4 + random.uniform(0, 0.040), stop=8)
        for pair in range(110)
    ]


def sudden(spread: bool) -> XcpCase:
    """Figure 5-10: equal RTTs, or RTTs over 37.5 to 42.5 ms."""
    return bottleneck(
        "xcp-sudden" + "-spread" * spread,
        more_for_four_seconds,
        mbps=100,
        window_s=(0, 12),
        rtt_ms=40,
        spread_ms=5 * spread,
        pairs=110,
        bins="link",
        unsettled="" if spread else EQUAL_UNSETTLED,
    )


def through_and_cross(random: Random) -> list[Flow]:
    """50 flows over all links, 50 back, and 50 over each link, started over two RTTs of 364 ms."""
    directions = ["through", "back", *(f"cross-{hop + 1}" for hop in range(HOPS))]
    return [
        Flow(direction, 0, random.expovariate(1 / 0.728))
        for direction in directions
        for _ in range(50)
    ]


PARKING_LOT = XcpCase(
    "xcp-parking-lot",
    "xcp-parking-lot",
    (40, 70),
    # Time-outs of at least two RTTs, as above.
    ns2=("-warmup", 40, "-stop", 70, "-minrto", 0.8),
    sluice=("warm_up=40 s", "stop=70 s", "limit=70 s", "transport.min_rto=800 ms"),
    draw=through_and_cross,
)

XCP_CASES = [
    CONVERGENCE,
    *(capacity(mbps, spread) for spread in (False, True) for mbps in (20, 155, 622, 2480)),
    *(
        delay(*case)
        for case in ((10, (10, 30)), (80, (10, 30)), (500, (50, 110)), (1400, (140, 280)))
    ),
    *(flows(count) for count in (10, 300, 1000)),
    fairness("equal", 40, 0),
    fairness("unequal", 185, 290),
    *(rtt_range(most_ms) for most_ms in (200, 1000)),
    internet(),
    sudden(spread=False),
    sudden(spread=True),
    PARKING_LOT,
    # ns-2 takes 5 ms to create a flow, more with each.
    web(100, (10, 40)),
    web(400, (5, 20)),
    *(errors(probability, 100, (20, 120)) for probability in (1e-5, 1e-4, 1e-3)),
    errors(1e-4, 4000, (10, 30)),
]
