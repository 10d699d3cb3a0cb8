"""The cycle of an efficiency controller that sees the queue alone (section 9.3.1), as a fluid.

One link and long flows of one round trip; time is in round trips without queues, w is the sum of
their windows and q the queue, both in bandwidth-delay products. Senders are ack-clocked: what of
their windows does not fit the path waits in the queue, q = max(0, w - 1), and a round trip lasts
1 + q. A decision is made each round trip d, from the least queue of the half of it before, and
is carried out in the next round trip but one:

    phi = increase, if that queue is empty, else -beta Q / d;      w' = phi(a round trip ago)

since a change of rates by phi in a control interval d changes windows by phi d. phi is zero
nowhere, so that there is no rest: windows rise until a queue is seen, and two decisions are under
way then. So the queue peaks at twice the increase, from where it decays.

Appendix B has rates in the place of windows, and q' = y - 1. Then the queue goes on to grow while
the rate is above the capacity, and the cycle would be several times as large: `rates` has it so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy

#: A queue below this is empty: a packet of a thousand in a bandwidth-delay product.
PACKET = 0.001
#: Steps of a round trip without queues.
STEPS = 100
#: Round trips before the cycle is measured, and in all.
EARLY, ALL = 300, 600


class Cycle(NamedTuple):
    """A controller's cycle."""

    utilization: float
    #: Greatest queue, in bandwidth-delay products.
    peak: float


def cycle(increase: float, beta: float = 0.226, *, rates: bool = False) -> Cycle:
    """The cycle with these gains, of windows or of rates.

    >>> windows, appendix = cycle(0.02), cycle(0.02, rates=True)
    >>> round(windows.utilization, 2), round(windows.peak, 3)
    (1.0, 0.042)
    >>> round(appendix.utilization, 2), round(appendix.peak, 1)
    (0.96, 0.2)
    """
    sent, queues = (numpy.zeros(ALL * STEPS) for _ in range(2))
    window, queue, least, seen = 0.1, 0.0, numpy.inf, 0.0
    phi = [0.0, 0.0]
    left, halved = 1.0, False
    for step in range(ALL * STEPS):
        trip = 1.0 if rates else 1 + queue
        left -= 1 / STEPS / trip
        if left <= 0.5 and not halved:
            seen, least, halved = least, numpy.inf, True
        if left <= 0:
            seen, least, halved = least, numpy.inf, False
            phi = [phi[1], increase if seen < PACKET else -beta * seen / trip]
            left += 1
        window = max(window + phi[0] / STEPS, 0.0)
        queue = max(queue + (window - 1) / STEPS, 0.0) if rates else max(window - 1, 0.0)
        least = min(least, queue)
        sent[step], queues[step] = (1.0 if queue > 0 else min(window, 1.0)), queue
    late = slice(EARLY * STEPS, None)
    return Cycle(float(sent[late].mean()), float(queues[late].max()))
