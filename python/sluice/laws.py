"""Router laws written in Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from .arguments import mapped

if TYPE_CHECKING:
    from ._core import LinkContext, LinkSample, Plan


class Law(ABC):
    """A router law that sets one rate for all flows of a link, once per interval.

    Packets carry the lowest rate of their path to the receiver and back, and senders pace at it:
    headers and hosts are those of RCP. Each link with a router has its own instance. A run calls
    :meth:`start` once, then :meth:`tick` at the end of each interval.

    >>> import sluice
    >>> class Halves(Law):
    ...     '''Half the rate while there is a queue, a little more while there is none.'''
    ...     interval = 0.04
    ...     def start(self):
    ...         self.rate = self.link.capacity / 20
    ...         return self.rate
    ...     def tick(self, sample):
    ...         grown = 0.5 if sample.queue > 10 * self.link.packet else 1.05
    ...         self.rate = min(max(self.rate * grown, 1e4), sample.capacity)
    ...         return self.rate
    >>> results = sluice.run("ps2-rcp", ["rcp"], laws={"halves": Halves}, progress=False)
    >>> results.protocols
    ['rcp', 'halves']

    Runs of a law are always repeated, because changes to its code are not detected.
    """

    #: Seconds until the next :meth:`tick`. It may change from tick to tick.
    interval: float = 0.01

    def __init__(self, link: LinkContext) -> None:
        #: The link: ``capacity`` in bit/s, ``packet`` in bytes.
        self.link = link

    @abstractmethod
    def start(self) -> float:
        """Returns the rate in bit/s until the first tick."""

    @abstractmethod
    def tick(self, sample: LinkSample) -> float:
        """Returns the rate in bit/s until the next tick."""


#: Makes the law of a link: a subclass of :class:`Law`, or a function that returns an instance.
MakeLaw = Callable[["LinkContext"], Law]


def with_laws(plan: Plan, laws: Mapping[str, MakeLaw] | None) -> Plan:
    """The plan, with these laws in addition to its protocols."""
    for name, law in mapped("laws", laws).items():
        if not callable(law):
            raise TypeError(f"`laws`: expected a subclass of Law or a function, not {law!r}")
        plan = plan.with_law(str(name), law)
    return plan
