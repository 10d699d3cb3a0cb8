"""Router laws of one's own, in Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._core import LinkSetup, Plan, View


class Law(ABC):
    """A law that gives all flows of a link one rate, decided once an interval.

    Packets carry the least rate of their path to the receiver and back, and senders pace at it:
    header and hosts are RCP's. A law is made for each link with a router; in a run it is asked for
    a first rate, and then at the end of every interval.

    >>> import sluice
    >>> class Halves(Law):
    ...     '''Half the rate while there is a queue, a little more while there is none.'''
    ...     interval = 0.04
    ...     def start(self):
    ...         self.rate = self.link.capacity / 20
    ...         return self.rate
    ...     def tick(self, view):
    ...         grown = 0.5 if view.queue > 10 * self.link.packet else 1.05
    ...         self.rate = min(max(self.rate * grown, 1e4), view.capacity)
    ...         return self.rate
    >>> results = sluice.run("ps2-rcp", ["rcp"], laws={"halves": Halves}, progress=False)
    >>> results.protocols
    ['rcp', 'halves']

    Its runs are made anew each time, since nobody can tell whether its code has changed.
    """

    #: Seconds until the next :meth:`tick`; it may change from tick to tick.
    interval: float = 0.01

    def __init__(self, link: LinkSetup) -> None:
        #: The link it is at: ``capacity`` in bits a second, ``packet`` in bytes.
        self.link = link

    @abstractmethod
    def start(self) -> float:
        """The rate, in bits a second, until the first tick."""

    @abstractmethod
    def tick(self, view: View) -> float:
        """The rate, in bits a second, until the next tick."""


#: What makes a law for a link: a subclass of :class:`Law`, or any function that returns one.
MakeLaw = Callable[["LinkSetup"], Law]


def with_laws(plan: Plan, laws: Mapping[str, MakeLaw] | None) -> Plan:
    """The plan with these laws beside its protocols."""
    for name, law in (laws or {}).items():
        plan = plan.with_law(name, law)
    return plan
