"""The mean completion time of processor sharing by equations (26) to (28) of *A Network Congestion
control Protocol (NCP)*, and the size at which it is that of M/G/1-PS.

The paper takes N = f d, the flows that arrive in one control interval, as the number that share the
link, "using Little's law". Little's law has the time that a flow is under way in place of d: (26)
is right if each flow sends for just d. Taken with that time T instead, F/R = T and R = C/(f T) give
T = T f F/C, whose only solution at a load below 1 is T = 0: the flows that wait for each other are
those that happen to arrive together, and need a queue's formula, :func:`sluice.theory.ps`.
"""

from __future__ import annotations

#: "An overhead of about 1.5 RTT to setup and tear down a connection."
ROUND_TRIPS = 1.5


def flows(arrivals_per_s: float, interval_s: float) -> float:
    """(26): the number of flows that share the link, N = f d, as printed.

    >>> flows(9000, 0.1)
    900.0
    """
    return arrivals_per_s * interval_s


def share_bps(capacity_bps: float, arrivals_per_s: float, interval_s: float) -> float:
    """(26): each flow's rate R = C/(f d), in bits a second. Above C where fewer than one flow
    arrives in an interval.

    >>> round(share_bps(2.4e9, 9000, 0.1))
    2666667
    """
    return capacity_bps / flows(arrivals_per_s, interval_s)


def completion_s(
    capacity_bps: float, arrivals_per_s: float, mean_bytes: float, rtt_s: float, interval_s: float
) -> float:
    """(27): the mean completion time in seconds, 1.5 RTT + F f d/C. Loads of 1 and more are
    allowed.

    >>> round(completion_s(2.4e9, 9000, 30_000, rtt_s=0.1, interval_s=0.1), 3)
    0.24
    """
    rate = share_bps(capacity_bps, arrivals_per_s, interval_s)
    return ROUND_TRIPS * rtt_s + 8 * mean_bytes / rate


def pressure(capacity_bps: float, arrivals_per_s: float, mean_bytes: float) -> float:
    """The link pressure rho_T: demand over supply, f F/C. In one round it is the load; if flows
    need n_r rounds, the load of a round is rho_T/n_r.

    >>> round(pressure(2.4e9, 9000, 30_000), 9)
    0.9
    """
    return 8 * mean_bytes * arrivals_per_s / capacity_bps


def completion_by_pressure_s(pressure: float, rtt_s: float) -> float:
    """(28): (27) with d = RTT, RTT (1.5 + rho_T), in seconds. Neither the capacity nor the size of
    flows is in it.

    >>> round(completion_by_pressure_s(0.9, 0.1), 3)
    0.24
    """
    return rtt_s * (ROUND_TRIPS + pressure)


def agreeing_bytes(capacity_bps: float, load: float, interval_s: float) -> float:
    """The mean size of flows, in bytes, at which (27) is M/G/1-PS: load (1 - load) C d. Of smaller
    flows (27) is the longer time, of larger ones the shorter.

    From F/(C (1 - load)) = load d.

    >>> round(agreeing_bytes(2.4e9, 0.9, 0.1))
    2700000
    """
    if not 0 <= load < 1:
        raise ValueError(f"load {load} must be in [0, 1)")
    return load * (1 - load) * capacity_bps * interval_s / 8
