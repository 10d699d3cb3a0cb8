"""One link that Poisson arrivals of flows share: processor sharing, first come first served, and
shortest remaining first, by formula.

Sizes are in bytes, times in seconds, capacities in bits a second. A flow's completion time counts
the round trips before its data (see :class:`Link`), its waiting and its transmission.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy
from numpy.typing import ArrayLike
from scipy import stats
from scipy.stats.distributions import rv_frozen

from .sizes import Sizes, integral


@dataclass(frozen=True)
class Link:
    """A link and what arrives there.

    >>> from sluice import theory
    >>> link = theory.Link(2.4e9, load=0.9, sizes=theory.pareto(30_000, 1.4), rtt_s=0.1)
    >>> round(link.arrivals_per_s)
    9000
    """

    #: In bits a second.
    capacity_bps: float
    #: Offered load, in [0, 1).
    load: float
    sizes: Sizes
    #: Round trip without queueing, in seconds.
    rtt_s: float = 0.0
    #: Round trips that a flow takes in addition to its transmission: SYN, SYN-ACK and the
    #: propagation of the last packet. *Processor Sharing Flows in the Internet* has 1 in footnote 2
    #: and 1.5 in equation (3).
    round_trips: float = 1.5

    def __post_init__(self) -> None:
        if not (0 <= self.load < 1 and self.capacity_bps > 0 and self.rtt_s >= 0):
            raise ValueError(
                f"load {self.load} must be in [0, 1), capacity {self.capacity_bps} above 0, "
                f"round trip {self.rtt_s} 0 or more"
            )

    @property
    def arrivals_per_s(self) -> float:
        """Flows per second."""
        return self.load * self.capacity_bps / (8 * self.sizes.mean_bytes)

    def transmission_s(self, size_bytes: ArrayLike) -> numpy.ndarray:
        """The time to transmit these bytes on the idle link, in seconds."""
        return 8 * numpy.asarray(size_bytes, float) / self.capacity_bps

    @property
    def setup_s(self) -> float:
        """The completion time less waiting and transmission, in seconds."""
        return self.round_trips * self.rtt_s


#: A queueing discipline: the mean completion time, in seconds, of flows of a size in bytes.
Discipline = Callable[[Link, ArrayLike], numpy.ndarray]


def ps(link: Link, size_bytes: ArrayLike) -> numpy.ndarray:
    """Processor sharing: mean completion time of flows of a size, in seconds. It depends on the
    sizes of others by their mean alone.

    >>> from sluice import theory
    >>> link = theory.Link(2.4e9, load=0.9, sizes=theory.pareto(25_000, 1.2), rtt_s=0.1)
    >>> ps(link, [1000, 1_000_000]).round(4)
    array([0.15  , 0.1833])
    """
    # Processor Sharing Flows, equation (3); Kleinrock, Queueing Systems 2, 4.4 (M/G/1-PS).
    return link.setup_s + link.transmission_s(size_bytes) / (1 - link.load)


def fcfs(link: Link, size_bytes: ArrayLike) -> numpy.ndarray:
    """First come, first served: mean completion time of flows of a size, in seconds. Infinite if
    the sizes' variance is."""
    # Pollaczek and Khinchine (M/G/1): E[W] = lambda E[S^2] / (2 (1 - rho)).
    square_s2 = link.sizes.square_bytes2 * link.transmission_s(1) ** 2
    wait_s = link.arrivals_per_s * square_s2 / (2 * (1 - link.load))
    return link.setup_s + wait_s + link.transmission_s(size_bytes)


def srpt(link: Link, size_bytes: ArrayLike) -> numpy.ndarray:
    """Shortest remaining first: mean completion time of flows of a size, in seconds. No other
    discipline has a smaller mean over all flows.

    Of flows of equal size the first goes first.
    """
    # Schrage and Miller, The queue M/G/1 with the shortest remaining processing time discipline,
    # 1966, with sizes x in bytes. By parts, both moments of flows up to x need the tail alone:
    # the integral of t^2 dF up to x, with x^2 (1 - F(x)), is that of 2 t (1 - F(t)).
    at = numpy.atleast_1d(numpy.asarray(size_bytes, float))
    edges, tail = link.sizes.edges, link.sizes.tail
    per_byte = link.load / link.sizes.mean_bytes

    def busy(x: numpy.ndarray, above: numpy.ndarray) -> numpy.ndarray:
        """The load of flows up to x; ``above`` is the probability of a larger one."""
        return per_byte * (integral(tail, edges, x) - x * above)

    # Larger flows wait for those of just this size; while they send, only smaller ones overtake.
    up_to, below = busy(at, tail(at)), busy(at, tail(numpy.nextafter(at, 0)))
    squares = integral(lambda t: 2 * t * tail(t), edges, at)
    wait = per_byte * squares / (2 * (1 - up_to) * (1 - below))
    residence = integral(lambda t: 1 / (1 - busy(t, tail(t))), edges, at)
    response = link.setup_s + link.transmission_s(wait + residence)
    return response.reshape(numpy.shape(size_bytes))


def mean_s(link: Link, discipline: Discipline) -> float:
    """The mean completion time of all flows, in seconds.

    >>> from sluice import theory
    >>> link = theory.Link(1e8, load=0.5, sizes=theory.fixed(12_500))
    >>> [round(1e3 * mean_s(link, each), 3) for each in (ps, fcfs, srpt)]
    [2.0, 1.5, 1.5]
    """
    if discipline is ps:
        return float(ps(link, link.sizes.mean_bytes))
    if discipline is fcfs:
        return float(fcfs(link, link.sizes.mean_bytes))
    return link.sizes.expect(lambda x: discipline(link, x))


def active_flows(link: Link, discipline: Discipline = ps) -> float:
    """The mean number of flows under way, by Little's law.

    >>> from sluice import theory
    >>> link = theory.Link(2.4e9, load=0.9, sizes=theory.pareto(30_000, 1.4), rtt_s=0.1)
    >>> round(active_flows(link))
    1359
    """
    return link.arrivals_per_s * mean_s(link, discipline)


def ps_law(load: float) -> rv_frozen:
    """The number of flows on a shared link without round trips: geometric from 0, whatever their
    sizes.

    >>> ps_law(0.8).pmf([0, 1]).round(3)
    array([0.2 , 0.16])
    """
    # Buffer Sizing results for RCP, equation (3).
    return stats.geom(1 - load, loc=-1)
