#!/usr/bin/env python3
"""Generates crates/sluice-laws/vectors: the effect of each law's fast path on a packet.

A third implementation beside Rust's and the kernel's, in Python's unbounded integers. It follows
docs/wire.md, not the code of the others. The tests of Rust (sluice-laws/tests/it/vectors.rs) and
BPF (sluice-linux/tests) read the files.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import generated
from ledger_vectors import LEDGER, ledger, ledger_cases
from vector_draws import (
    EDGES,
    TEN_SECONDS,
    U32,
    U64,
    Case,
    Law,
    Legend,
    Result,
    Words,
    train,
    word,
)

FOLDER = Path(__file__).resolve().parent.parent / "crates/sluice-laws/vectors"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if out of date")
    args = parser.parse_args()
    files = {FOLDER / name: "\n".join(lines) + "\n" for name, lines in contents().items()}
    if args.check:
        return generated.check(files, "tools/vectors.py")
    generated.write(files)
    return 0


RCP = Legend("rate asked, RTT, 0, echo")
NCP_COUNTED = Legend(
    "rate asked, X, RTT, echo",
    grant="rate, ticks of a byte at R in 2^-24, d, whether R_j is the rate granted",
    sums="packets, RTTs, bytes, RTTs x bytes, X - d, s_j / R_j - s_j / R, s_j / R",
)
ALPHA_FAIR = Legend("price, RTT, 0, echo", grant="price")
NCP = Legend("rate asked, X, RTT, echo", sums=f"{RCP.sums}, X, X / RTT in 2^-32")
COMPENSATED = NCP._replace(grant="rate, alpha C, d0")
INCREMENTS = Legend(
    "X, RTT, feedback, echo",
    grant="changes by X, by bytes, and by X in proportion to R / R_j; R in 2^-12 bytes a tick",
    budget="carry",
    sums=f"{RCP.sums}, X",
)
XCP = Legend(
    "X, RTT, feedback, echo",
    grant="positive, negative, xi_p, xi_n",
    budget="positive, negative, carry",
    sums="bytes, X, X x RTT low, high",
)


def contents() -> dict[str, list[str]]:
    """The lines of each file. All draw from one stream, so their order matters."""
    draw = random.Random(20261121)
    return {
        "rcp.txt": law_file(rcp, rcp_cases(draw), RCP),
        "xcp.txt": law_file(xcp, xcp_cases(draw), XCP),
        "ncp.txt": law_file(ncp, ncp_cases(draw), NCP),
        "option.txt": option_file(draw),
        "alpha_fair.txt": law_file(alpha_fair, price_cases(draw), ALPHA_FAIR),
        "ncp_counted.txt": law_file(ncp_counted, counted_cases(draw), NCP_COUNTED),
        "ncp_compensated.txt": law_file(compensated, compensated_cases(draw), COMPENSATED),
        "ncp_increments.txt": law_file(increments, increment_cases(draw), INCREMENTS),
        "ledger.txt": law_file(ledger, ledger_cases(draw), LEDGER),
    }


def law_file(law: Law, cases: Iterable[Case], legend: Legend) -> list[str]:
    lines = [
        "# grant | budget | header | bytes packets"
        " | header after | budget after | growth of the sums",
        f"# header: {legend.header}; grant: {legend.grant}; budget: {legend.budget}",
        f"# sums: {legend.sums}",
        "# All are unsigned words in decimal: 32 bits in headers, 64 bits elsewhere.",
    ]
    for grant, budget, header, sizes in cases:
        size, packets = sizes
        parts = (grant, budget, header, sizes, *law(grant, budget, header, size, packets))
        lines.append(" | ".join(" ".join(str(word) for word in part) for part in parts))
    return lines


# RCP: PS section 2.2, step 2.


def rcp(grant: Words, budget: Words, header: Words, size: int, packets: int) -> Result:
    rate, rtt, zero, echo = header
    return [min(rate, grant[0]), rtt, zero, echo], budget, rtt_sums(rtt, size, packets)


def rtt_sums(rtt: int, size: int, packets: int) -> Words:
    if rtt == 0:
        return [0, 0, 0, 0]
    rtt = min(rtt, TEN_SECONDS)
    return [packets, rtt * packets, size, rtt * size]


def rcp_cases(draw: Random) -> Iterator[Case]:
    for rate in EDGES:
        for rtt in EDGES:
            yield [50_000], [], [rate, rtt, 0, draw.randrange(2**32)], train(draw)
    for _ in range(100):
        yield [word(draw)], [], [word(draw), word(draw), 0, word(draw)], train(draw)


# Alpha-fair RCP: docs/wire.md, "Prices".


def alpha_fair(grant: Words, budget: Words, header: Words, size: int, packets: int) -> Result:
    price, rtt, zero, echo = header
    added = price_sum(price, grant[0]) if price else 0
    return [added, rtt, zero, echo], budget, rtt_sums(rtt, size, packets)


def price_sum(a: int, b: int) -> int:
    """Aligns to the greater exponent, rounding up, and adds; saturates."""
    more, less = max(a, b), min(a, b)
    exponent = more >> 24
    mantissa = (more & 0xFFFFFF) - (-(less & 0xFFFFFF) >> (exponent - (less >> 24)))
    if mantissa >= 1 << 24:
        exponent, mantissa = exponent + 1, (mantissa + 1) // 2
    return exponent << 24 | mantissa if exponent < 256 else U32


def price_cases(draw: Random) -> Iterator[Case]:
    prices = [price for price in EDGES if price] + [100 << 24 | 1 << 23, 101 << 24 | 0xFFFFFF]
    for asked in [0, *prices]:
        for grant in prices:
            yield [grant], [], [asked, draw.choice(EDGES), 0, draw.randrange(2**32)], train(draw)
    for _ in range(100):
        # Beyond 26 apart, the smaller price adds one unit.
        exponent = draw.randrange(256)
        near = min(max(exponent + draw.randrange(-26, 27), 0), 255)
        asked, grant = [e << 24 | 1 << 23 | draw.randrange(1 << 23) for e in (exponent, near)]
        yield [grant], [], [asked, word(draw), 0, word(draw)], train(draw)


# NCP: equations (5) and (8).


def ncp(grant: Words, budget: Words, header: Words, size: int, packets: int) -> Result:
    rate, x, rtt, echo = header
    share = 0
    if x and rtt:
        share = min(1 << 32, ((x << 32) + rtt // 2) // rtt)  # 1 / w_j
    sums = [*rtt_sums(rtt, size, packets), x * packets, share * packets]
    return [min(rate, grant[0]), x, rtt, echo], budget, sums


def ncp_cases(draw: Random) -> Iterator[Case]:
    for x in EDGES:
        for rtt in EDGES:
            yield [50_000], [], [draw.choice(EDGES), x, rtt, word(draw)], train(draw)
    for _ in range(100):
        yield [word(draw)], [], [word(draw) for _ in range(4)], train(draw)


# NCP: equation (12), with 1 / R of a byte in 2^-24 of a tick, and d in ticks.


def ncp_counted(grant: Words, budget: Words, header: Words, size: int, packets: int) -> Result:
    rate, per_byte, interval, by_granted = grant
    asked, x, rtt, echo = header
    slow = held = used = 0
    if x:
        slow = max(x - interval, 0) * packets
        own = -(-min(per_byte * size, U64) // 2**24)
        stated = x * packets
        if by_granted:
            stated = (size * 8 << 28) // (100 * min(asked, U32 - 1)) if asked else 0
        if stated > own:
            held, used = stated - own, own
    sums = [*rtt_sums(rtt, size, packets), slow, held, used]
    return [min(asked, rate), x, rtt, echo], budget, sums


def counted_cases(draw: Random) -> Iterator[Case]:
    for x in EDGES:
        for other in EDGES:
            grant = [50_000, draw.choice([0, 90_000, 2**40, 2**48]), draw.choice(EDGES)]
            header = [other, x, word(draw), word(draw)]
            yield [*grant, draw.randrange(2)], [], header, train(draw)
    for _ in range(100):
        grant = [word(draw), word(draw) << draw.randrange(20), word(draw), draw.randrange(2)]
        yield grant, [], [word(draw) for _ in range(4)], train(draw)


# NCP's compensation: equations (14) and (15).


def compensated(grant: Words, budget: Words, header: Words, size: int, packets: int) -> Result:
    fair, most, d0 = grant
    _, x, rtt, _ = header
    if x and rtt > d0:
        # R_k in units of 100 b/s, from bytes in ticks of 2^-28 s.
        now = min(size // packets * 2**29 // (25 * x), U32)
        if now <= fair:
            fair = min(fair + (fair - now) * (rtt - d0) // rtt, max(most, fair))
        else:
            fair = max(fair - (now - fair) * (rtt - d0) // rtt, 1)
        cut = max(fair.bit_length() - 20, 0)
        fair = fair >> cut << cut
    return ncp([fair], budget, header, size, packets)


def compensated_cases(draw: Random) -> Iterator[Case]:
    # Ten times as fast, as fast and a tenth as fast as 5 Mb/s with 1000 bytes, and the edges.
    for x in [42_950, 429_497, 4_294_967, *EDGES]:
        for rtt in EDGES:
            d0 = draw.choice([2**18, 2**24, *EDGES[1:]])
            header = [draw.choice([U32, *EDGES]), x, rtt, word(draw)]
            yield [50_000, draw.choice([95_000, U32]), d0], [], header, train(draw)
    for _ in range(100):
        fair = max(word(draw) >> 12, 1)
        grant = [fair, fair * draw.randrange(1, 4), max(word(draw), 1)]
        yield grant, [], [U32, *(word(draw) for _ in range(3))], train(draw)
    for _ in range(200):
        # R, from 105 Mb/s on, is rounded; at times it exceeds alpha C. Flows are about as fast.
        fair = draw.randrange(2**19, 2**20) << draw.randrange(13)
        most = fair * draw.randrange(1, 4) // draw.choice([1, 2])
        size, packets = train(draw)
        x = max(size // packets * 2**29 * draw.randrange(2, 40) // (25 * fair * 20), 1)
        d0 = draw.randrange(1, 2**28)
        header = [U32, x, d0 * draw.randrange(8, 60) // 10, word(draw)]
        yield [fair, min(most, U32), d0], [], header, [size, packets]


# XCP: equations (4.5) to (4.11), Appendix A.


def xcp(grant: Words, budget: Words, header: Words, size: int, packets: int) -> Result:
    x, rtt, delta, echo = header
    if x == 0 or rtt == 0:
        return [x, rtt, min(signed(delta, 32), 0) & U32, echo], budget, [0, 0, 0, 0]
    weighed = x * packets * rtt
    sums = [size, x * packets, weighed & U64, weighed >> 64]
    delta, budget = feedback(grant, budget, x, signed(delta, 32), size, packets)
    return [x, rtt, delta & U32, echo], [word & U64 for word in budget], sums


def feedback(
    grant: Words, budget: Words, x: int, delta: int, size: int, packets: int
) -> tuple[int, Words]:
    left_positive, left_negative, carry = budget
    each_positive = min(times(grant[2], x), left_positive // packets)
    each_negative = min(times(grant[3], size // packets), left_negative // packets, 1 << 39)
    share = packets * (each_positive - each_negative) + carry
    whole = share // (packets * 256)
    if whole <= delta:
        left_positive -= packets * each_positive
        left_negative -= packets * each_negative
        return whole, [left_positive, left_negative, share - whole * packets * 256]
    granted = packets * delta * 256
    carried = max(granted - packets * each_positive, 0)
    carry -= carried
    granted -= carried
    booked = min(packets * each_positive - granted, left_negative)
    left_positive -= max(granted + booked, 0)
    return delta, [left_positive, left_negative - booked, carry]


def times(factor: int, n: int) -> int:
    mantissa, shift = factor & U32, factor >> 32
    return min(mantissa * n >> shift, 2**63 - 1)


def xcp_cases(draw: Random) -> Iterator[Case]:
    for x in EDGES:
        for delta in EDGES:
            # Roughly the grant to 100 packets of 1000 bytes with an X of 1 ms, at 10 Mb/s.
            targets = [320_000_000, 32_000_000]
            factors = [factor(targets[0] / 100 / 2**18), factor(targets[1] / 100_000)]
            grant = [*targets, *factors]
            budget = [*(draw.randrange(target + 1) for target in targets), draw.randrange(256)]
            yield grant, budget, [x, draw.choice(EDGES), delta, word(draw)], train(draw)
    for _ in range(400):
        targets = [draw.randrange(2 ** draw.randrange(1, 63)) for _ in range(2)]
        factors = [word(draw) | draw.randrange(64) << 32 for _ in range(2)]
        budget = [draw.randrange(target + 1) for target in targets]
        carry = draw.randrange(256 * draw.choice([1, 1, 40, 65_535]))
        header = [word(draw), word(draw), word(draw), word(draw)]
        yield [*targets, *factors], [*budget, carry], header, train(draw)


def factor(ratio: float) -> int:
    shift = 0
    while ratio < 2**31 and shift < 63:
        ratio, shift = ratio * 2, shift + 1
    return int(ratio) | shift << 32


# XCP derived from NCP: equations (19) to (21), in 2^-8 bytes a second.


def increments(grant: Words, budget: Words, header: Words, size: int, packets: int) -> Result:
    x, rtt, delta, echo = header
    sums = [*rtt_sums(rtt, size, packets), x * packets]
    if x == 0 or rtt == 0:
        return [x, rtt, min(signed(delta, 32), 0) & U32, echo], budget, sums
    by_time, by_bytes, by_ratio, rate = grant
    each = size // packets
    ratio = min(times(rate, x) // max(each, 1), 1 << 12)  # R / R_j
    in_proportion = slope(by_ratio, x) * ratio // 2**12
    change = bounded(slope(by_time, x) + slope(by_bytes, each) + in_proportion)
    total = packets * change + budget[0]
    whole = total // (packets * 256)
    if whole > signed(delta, 32):
        return header, budget, sums
    return [x, rtt, whole & U32, echo], [total - whole * packets * 256], sums


def slope(word: int, n: int) -> int:
    size = min(times(word & ~(1 << 40), n), 1 << 39)
    return -size if word >> 40 else size


def bounded(change: int) -> int:
    return max(-(1 << 39), min(change, 1 << 39))


def increment_cases(draw: Random) -> Iterator[Case]:
    ticks = 2**28
    for x in EDGES:
        for delta in EDGES:
            # Of 100 kb/s up or down in a d0 of 100 ms, a tenth of each rate, or towards 5 Mb/s.
            by_time = factor(12_500 * 256 / 0.1 / ticks) | draw.randrange(2) << 40
            by_bytes = factor(0.1 * 256 / 0.1) | draw.randrange(2) << 40
            equal = [by_time, 0, 0, 0]
            proportional = [0, by_bytes, 0, 0]
            equal_share = [factor(625_000 * 256 / ticks), factor(256) | 1 << 40, by_time]
            equal_share.append(factor(625_000 * 2**12 / ticks))
            grant = draw.choice([equal, proportional, equal_share, [0, 0, 0, 0]])
            header = [x, draw.choice(EDGES), delta, word(draw)]
            yield grant, [draw.randrange(256)], header, train(draw)
    for _ in range(400):
        slopes = [factor_word(draw) | draw.randrange(2) << 40 for _ in range(3)]
        carry = draw.randrange(256 * draw.choice([1, 1, 40, 65_535]))
        header = [word(draw) for _ in range(4)]
        yield [*slopes, factor_word(draw)], [carry], header, train(draw)


def factor_word(draw: Random) -> int:
    return word(draw) | draw.randrange(64) << 32


# The option.

LAWS = {"rcp": (1, 2), "xcp": (2, 3), "ncp": (3, 3), "alpha_fair": (4, 2)}


def option_file(draw: Random) -> list[str]:
    lines = [
        "# law | header | room | option in hexadecimal | echo after decoding",
        "# A dash is no option.",
    ]
    for law in LAWS:
        for room in [40, 20, 16, 12, 8, 7, 0]:
            for echo in EDGES:
                header = [draw.choice(EDGES) for _ in range(3)] + [echo]
                if LAWS[law][1] == 2:
                    header[2] = 0
                lines.append(option_line(law, header, room))
    return lines


def option_line(law: str, header: Words, room: int) -> str:
    number, forward = LAWS[law]
    echoes = {"xcp": feedback_echo, "alpha_fair": price_echo}
    code, heard = echoes.get(law, rate_echo)(header[3])
    says = any(header[:forward]) and room >= 8 + 4 * forward
    length = 8 + 4 * forward if says else 8
    option = bytes([253, length, 0x51, 0xCE, 0x10 | number]) + code.to_bytes(3, "big")
    if says:
        option += b"".join(word.to_bytes(4, "big") for word in header[:forward])
    shown = option.hex() if length <= room else "-"
    return f"{law} | {' '.join(map(str, header))} | {room} | {shown} | {heard}"


def rate_echo(rate: int) -> tuple[int, int]:
    if rate == U32:
        return 0xFFFFFF, U32
    exponent = max(rate.bit_length() - 20, 0)
    return exponent << 20 | rate >> exponent, rate >> exponent << exponent


def feedback_echo(echo: int) -> tuple[int, int]:
    size = abs(signed(echo, 32))
    exponent = max(size.bit_length() - 19, 0)
    sign = echo >> 31
    heard = size >> exponent << exponent
    return sign << 23 | exponent << 19 | size >> exponent, (-heard if sign else heard) & U32


def price_echo(price: int) -> tuple[int, int]:
    exponent, mantissa = price >> 24, -(-(price & 0xFFFFFF) >> 8)
    if mantissa == 1 << 16:
        exponent, mantissa = exponent + 1, 1 << 15
    code = exponent << 16 | mantissa if exponent < 256 else 0xFFFFFF
    return code, code << 8


def signed(value: int, bits: int) -> int:
    """A word as two's complement."""
    return value - (value >> (bits - 1) << bits)


if __name__ == "__main__":
    sys.exit(main())
