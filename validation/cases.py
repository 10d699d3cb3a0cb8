"""The set-ups that both simulators run."""

from dataclasses import replace

from case import Case
from xcp_cases import XCP_CASES

SACK_UNSETTLED = "utilization differs by 0.2% with 30 seeds, for an unknown reason"
RED_UNSETTLED = "rules for idle time differ, which explains a part (docs/validation.md)"

PASS_UNSETTLED = "ns-2's REM and AVQ pass ACKs, which cannot be marked; Sluice's drop them"
TIME_OUT_UNSETTLED = "a mark after a time-out reduces ns-2's window again"
MARKS_UNSETTLED = (
    "RED marks 2% less than ns-2's, and a third more is sent again, for an unknown reason"
)
DRR_UNSETTLED = "shares differ by 0.1%, perhaps since ns-2's DRR drops a full flow's first packet"
FQ_UNSETTLED = "ns-2's FQ has a buffer for each flow, Sluice's wfq one for all"


def two_way(mbps: int, access_mbps: int, spread: bool, window_s: tuple[int, int]) -> dict:
    """The arguments that cases of a two-way network share.

    RTTs are 80 ms, or spread over 75 to 85 ms; the buffer is one C x RTT in bytes.
    """
    warm_up, stop = window_s
    return {
        "window_s": window_s,
        "ns2": ("-mbps", mbps, "-warmup", warm_up, "-stop", stop, "-spread", 0.010 * spread),
        "sluice": (
            f"topology.dumbbell.capacity={mbps} Mbps",
            f"topology.dumbbell.access={access_mbps} Mbps",
            f"topology.dumbbell.buffer={mbps * 10} kB",
            "topology.dumbbell.rtt=" + ('["75 ms", "85 ms"]' if spread else "80 ms"),
            f"warm_up={warm_up} s",
            f"stop={stop} s",
            f"limit={stop} s",
        ),
    }


def of_kind(kind: str) -> tuple[str, ...]:
    """Sluice's fields for a variant of TCP; ns-2's Sack1 does not grow as recovery ends."""
    recovery = "new_reno" if kind == "newreno" else kind
    grows = str(kind != "sack").lower()
    return (f"tcp.recovery={recovery}", f"tcp.grow_as_recovery_ends={grows}")


def tcp_two_way(mbps: int, kind: str, delayed: bool = False, spread: bool = True) -> Case:
    name = f"tcp-two-way-{mbps}-{kind}" + ("-delayed" if delayed else "")
    shared = two_way(mbps, 10 * mbps, spread, (10, 30))
    shared["ns2"] += ("-tcp", kind, "-delayed", int(delayed))
    shared["sluice"] += (*of_kind(kind), f"tcp.delayed_ack={str(delayed).lower()}")
    name += "" if spread else "-equal"
    unsettled = SACK_UNSETTLED if (mbps, kind, delayed) == (20, "sack", True) else ""
    return Case(name, "tcp-two-way", unsettled=unsettled, **shared)


def tcp_aqm(mbps: int, name: str) -> Case:
    """Reno with ECN over RED, REM or AVQ with the thesis' parameters (3.2 and 5.1)."""
    shared = two_way(mbps, 10 * mbps, True, (10, 30))
    buffer = mbps * 10_000
    # ns-2's queue has no part of the packet in transmission, of which half is left on average.
    third, two_thirds = (round(part * buffer / 3) + 500 for part in (1, 2))
    period = round(80_000_000 / mbps)
    ns2, sluice = {
        "red": (
            "RED",
            f"red = {{ min_th = '{third} B', max_th = '{two_thirds} B', max_p = 0.1, "
            "weight = 0.002, wait = true }",
        ),
        "rem": ("REM", f"rem = {{ target = '{third} B', period = '{period} ns' }}"),
        "avq": ("Vq", f"avq = {{ gamma = 0.98, alpha = 0.15, virtual_buffer = '{buffer} B' }}"),
    }[name]
    shared["ns2"] += ("-tcp", "reno", "-queue", ns2, "-ecn", 1)
    shared["sluice"] += (
        *of_kind("reno"),
        "tcp.ecn=true",
        # ns-2's Vq and RED hold the whole buffer behind the packet in transmission.
        *([] if name == "rem" else [f"topology.dumbbell.buffer={buffer + 1000} B"]),
        f"topology.dumbbell.queue={{ {sluice} }}",
    )
    # At 20 and 155 Mb/s AVQ's own queue overflows first, and its ACKs pass.
    unsettled = {
        (20, "red"): MARKS_UNSETTLED,
        (622, "avq"): f"{PASS_UNSETTLED}; {TIME_OUT_UNSETTLED}",
    }.get((mbps, name), PASS_UNSETTLED if name == "rem" else "")
    return Case(f"tcp-aqm-{mbps}-{name}", "tcp-two-way", unsettled=unsettled, **shared)


def tcp_abuse(name: str, increase: float, decrease: float) -> Case:
    """All senders of the set-up over RED at 155 Mb/s are responsive abusers (7.3.3)."""
    honest = tcp_aqm(155, "red")
    # What is left of the window, at the first decrease as well unless it ends slow start.
    agent = f"increase_num_ {increase} decrease_num_ {1 - decrease / 2} first_decrease_ 0"
    return replace(
        honest,
        name=f"tcp-abuse-{name}",
        ns2=(*honest.ns2, "-agent", agent),
        conduct=f"{{ increase_gain = {increase}, decrease_gain = {decrease} }}",
    )


def one_way(kind: str, name: str, ns2: tuple = (), sluice: tuple[str, ...] = (), **more) -> Case:
    """Five flows one way over 10 Mb/s."""
    arguments = ("-tcp", kind, *ns2, "-warmup", 60, "-stop", 260)
    return Case(name, "tcp", (60, 260), arguments, (*of_kind(kind), *sluice), **more)


def tcp_sack(name: str, ns2: str, sluice: str, unsettled: str = "") -> Case:
    """One-way SACK over a queue discipline, as ns-2 and Sluice name it."""
    queue = f"topology.dumbbell.queue={sluice}"
    return one_way("sack", f"tcp-sack-{name}", ("-queue", ns2), (queue,), unsettled=unsettled)


def tcp_red(wait: bool, gentle: bool) -> Case:
    """One-way SACK over RED that waits between drops, or is not gentle, or both."""
    name = "tcp-queue-red" + "-wait" * wait + "-hard" * (not gentle)
    wait_, gentle_ = (str(on).lower() for on in (wait, gentle))
    queue = f"topology.dumbbell.queue={red(wait_, gentle_)}"
    ns2 = ("-queue", "RED", "-wait", wait_, "-gentle", gentle_)
    return one_way("sack", name, ns2, (queue,), unsettled=RED_UNSETTLED)


def red(wait: str = "false", gentle: str = "true") -> str:
    """Sluice's RED; ns-2's 5 and 15 packets are those behind the one in transmission."""
    return (
        "{ red = { min_th = '5500 B', max_th = '15500 B', max_p = 0.1, weight = 0.002, "
        f"wait = {wait}, gentle = {gentle} }} }}"
    )


def tcp_fair(ns2: str, sluice: str, cbr_mbps: int = 0, unsettled: str = "") -> Case:
    """One-way SACK over fair queueing, alone or beside a stream of datagrams."""
    name = f"tcp-queue-{sluice}" + "-cbr" * (cbr_mbps > 0)
    queue = (f"topology.dumbbell.queue={sluice}",)
    pairs = (f"topology.dumbbell.pairs={5 + (cbr_mbps > 0)}",)
    ns2_arguments = ("-queue", ns2, "-cbr", cbr_mbps)
    return one_way(
        "sack", name, ns2_arguments, queue + pairs, cbr_mbps=cbr_mbps, unsettled=unsettled
    )


CASES = [
    *XCP_CASES,
    *(one_way(kind, f"tcp-{kind}") for kind in ("reno", "newreno", "sack")),
    tcp_sack("red", "RED", red(), RED_UNSETTLED),
    # ns-2's 20 packets are those behind the one in transmission, of which half is left.
    tcp_sack("rem", "REM", "{ rem = { target = '20.5 kB' } }"),
    tcp_sack("avq", "Vq", "avq"),
    *(
        tcp_two_way(mbps, kind, delayed)
        for mbps in (20, 155, 622)
        for kind in ("reno", "newreno", "sack")
        for delayed in (False, True)
    ),
    tcp_two_way(155, "sack", spread=False),
    *(tcp_red(wait, gentle) for wait, gentle in ((True, True), (False, False), (True, False))),
    tcp_fair("DRR", "drr"),
    tcp_fair("DRR", "drr", 4, DRR_UNSETTLED),
    *(tcp_fair("FQ", "wfq", cbr_mbps, FQ_UNSETTLED) for cbr_mbps in (0, 4)),
    *(tcp_aqm(mbps, name) for mbps in (20, 155, 622) for name in ("red", "rem", "avq")),
    tcp_abuse("increase", 4.0, 1.0),
    tcp_abuse("decrease", 1.0, 0.2),
]
