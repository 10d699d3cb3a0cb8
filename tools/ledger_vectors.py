"""Ledger's part of vectors.py: docs/explanation/ledger.md, with the fields of docs/wire.md."""

from collections.abc import Iterator
from random import Random

from vector_draws import EDGES, TEN_SECONDS, U32, U64, Case, Legend, Result, Words, train, word

#: Classes of flows: below a tick T, 1 to 2, 2 to 4, ... and 128 T and more.
CLASSES = 9
#: A flow, and a tick, in the fixed point of the counts.
ONE = 256
#: A stretch of x of 1, and the largest.
EVEN, MOST_STRETCH = 64, 127
#: `left` of a flow without an end.
NO_END = 0x7FF
#: The bit of a flow's first request.
SYN = 1 << 31
#: Codes to an octave of `left` and of the RTT.
OCTAVE, RTT_OCTAVE = 32, 256

LEDGER = Legend(
    "rate asked, x, SYN and RTT and left and stretch, echo",
    grant="R, slow in 2^-16 of a tick a byte, half a T at S / N as left, S, N in 1/256, room,"
    " least, T a byte at S / N in 2^-40, a byte a d0 and a byte a T in 2^-32,"
    " factor of the queue's stretch in 1/64",
    budget="newcomers in 1/256, booked, bytes of short ones, their T in 1/256,"
    " largest word less the least offer, waiting, 9 counts by class, 9 sums of rates by class",
    sums="packets, RTTs, bytes, bytes held elsewhere, their x as stretched in 1/64,"
    " 9 sums of such x by class",
)


def ledger(grant: Words, budget: Words, header: Words, size: int, packets: int) -> Result:
    asked, x, state, echo = header
    if asked == 0:
        return header, budget, [0] * (5 + CLASSES)
    rtt, left, stretch = state >> 18 & 0x1FFF, state >> 7 & NO_END, state & MOST_STRETCH
    sums = [*rtt_sums(rtt, packets), size]
    sums += flow_sums(grant, x, stretch, left, size, packets)
    if state & SYN:
        granted, budget = newcomer(grant, budget, asked, left)
        return [granted, x, state, echo], budget, sums
    behind = min((stretch * grant[10] + EVEN // 2 & U32) // EVEN, MOST_STRETCH)
    return [min(asked, grant[0]), x, state & ~MOST_STRETCH | behind, echo], budget, sums


def scaled(code: int, octave: int) -> int:
    """The number of a code above 0, times the codes to an octave."""
    exponent, mantissa = divmod(code - 1, octave)
    return (octave + mantissa) << exponent


def rtt_sums(code: int, packets: int) -> Words:
    """The RTT has no code for "no bound": all ones are one more number."""
    if code == 0:
        return [0, 0]
    return [packets, min(scaled(code, RTT_OCTAVE) // RTT_OCTAVE, TEN_SECONDS) * packets]


def flow_sums(grant: Words, x: int, stretch: int, left: int, size: int, packets: int) -> Words:
    """Bytes and x of a flow that another link holds, and x of the others by class."""
    slow, lowest = grant[1:3]
    held, by_class = [0, 0], [0] * CLASSES
    # x is in whole ticks of 2^-28 s, and may be one above its mean.
    if x * packets << 16 > slow * size + (packets << 16) & U64:
        held = [size, x * packets * stretch]
    else:
        by_class[min(max(left - lowest, 0) // OCTAVE, CLASSES - 1)] = x * packets * stretch
    return [*held, *by_class]


def newcomer(grant: Words, budget: Words, asked: int, left: int) -> tuple[int, Words]:
    """Equation (2), within what is left of the room; sums saturate."""
    shared, flows, room, least, ticks_per_byte, byte_a_d0, byte_a_tick = grant[3:10]
    newcomers, booked, short, short_ticks, below_largest, waiting = budget[:6]
    by_class, rates = budget[6 : 6 + CLASSES], budget[6 + CLASSES :]

    share = min(shared * ONE, U64) // min(flows + newcomers + ONE, U64)
    free = max(room - booked, 0)
    offer = significant(min(share, max(free, least), U32))
    rate = min(asked, offer)

    in_a_d0 = of_left(left, byte_a_d0)
    ticks = min(of_left(left, byte_a_tick) * ONE, U64) // rate
    class_ = min((ticks // ONE).bit_length(), CLASSES - 1)
    a_packet = min(least + least // 4 + 3, U64)
    if class_ == 0 or (free < least and in_a_d0 <= a_packet):
        short = min(short + bytes_of(left), U64)
        short_ticks = min(short_ticks + ticks, U64)
    elif free < least:
        waiting += 1
    else:
        by_class[class_] += 1
        rates[class_] += rate
    newcomers += min(of_left(left, ticks_per_byte), ONE)
    booked = min(booked + min(in_a_d0, rate), U64)
    below_largest = max(below_largest, U32 - offer)
    scalars = [newcomers, booked, short, short_ticks, below_largest, waiting]
    return rate, [*scalars, *by_class, *rates]


def significant(rate: int) -> int:
    """As a header grants it: 1 at least, and 20 significant bits, rounded down."""
    cut = max(rate.bit_length() - 20, 0)
    return max(rate >> cut << cut, 1)


def bytes_of(left: int) -> int:
    if left in (0, NO_END):
        return U64 if left else 0
    return scaled(left, OCTAVE) // OCTAVE


def of_left(left: int, factor: int) -> int:
    """What is left times a factor in 2^-32 (2^58 at most), rounded down."""
    if left in (0, NO_END):
        return U64 if left else 0
    return min(scaled(left, OCTAVE) * min(factor, 1 << 58) // OCTAVE >> 32, U64)


# 100 Mb/s shared by 4 flows with one more to come, d0 = 100 ms, and ticks of 6.25 ms.
D0, TICK, SHARED, FLOWS, LEAST = 0.1, 0.1 / 16, 1_050_000, 4, 640
TICK_BYTES = SHARED * 100 / 8 / FLOWS * TICK
BYTE_A_D0, BYTE_A_TICK = (int(8 / 100 / span * 2**32) for span in (D0, TICK))


def code_of(number: float, octave: int = OCTAVE) -> int:
    """That of a number from 1 on, rounded down."""
    exponent = int(number).bit_length() - 1
    return exponent * octave + int(number / 2**exponent * octave) - octave + 1


GRANT = [
    250_000, int(8 / (0.9 * 25e6) * 2**44), code_of(TICK_BYTES / 2), SHARED, FLOWS * ONE, SHARED,
    LEAST, int(2**40 / TICK_BYTES), BYTE_A_D0, BYTE_A_TICK, EVEN,
]  # fmt: skip
# A packet, what is sent in a tick, in a d0, and multiples; and codes around turns.
LEFTS = [
    0, 1, 2, OCTAVE // 2 + 1, OCTAVE, OCTAVE + 1, code_of(800), code_of(1_000), code_of(1_010),
    *(code_of(TICK_BYTES * part) + more for part in (0.25, 1, 2, 16, 128, 256) for more in (-1, 0)),
    code_of(2**40), 37 * OCTAVE + 1, 38 * OCTAVE + 1, NO_END - 1, NO_END,
]  # fmt: skip
# 10 s are (1 + 64/256) x 2^31 ticks.
TEN = 31 * RTT_OCTAVE + 65
RTTS = [
    0, 1, 2, RTT_OCTAVE + 1, code_of(D0 * 2**28, RTT_OCTAVE), TEN - 1, TEN, TEN + 1, 0x1FFE, 0x1FFF,
]  # fmt: skip
STRETCHES = [0, 1, EVEN - 1, EVEN, EVEN + 1, 89, MOST_STRETCH]


def ledger_cases(draw: Random) -> Iterator[Case]:
    yield from data_cases(draw)
    yield from border_cases(draw)
    yield from syn_cases(draw)
    yield from turn_cases(draw)
    yield from stretch_cases(draw)
    for _ in range(300):
        grant = [word(draw), *(long_word(draw) for _ in range(10))]
        header = [word(draw) for _ in range(4)]
        header[2] ^= draw.randrange(2) << 31
        yield grant, any_budget(draw), header, train(draw)


def data_cases(draw: Random) -> Iterator[Case]:
    """What data states: every RTT and `left`, at the pace of R and at others."""
    pace = int(8_000 / 25e6 * 2**28)
    for left in LEFTS:
        for rtt in RTTS:
            x = draw.choice([0, 1, pace, pace, U32, draw.choice(EDGES)])
            asked = draw.choice([0, 1, GRANT[0], U32, draw.choice(EDGES)])
            header = [asked, x, stated(draw, rtt, left), word(draw)]
            yield GRANT, any_budget(draw), header, [1_000, 1]


def border_cases(draw: Random) -> Iterator[Case]:
    """A tick of 2^-28 s around the pace of 0.9 of the least rate, and slow trains."""
    for slow in [GRANT[1], 3 << 16, 0, 1 << 43, 3 << 60]:
        trains = [train(draw) for _ in range(3)]
        for size, packets in [[1_000, 1], [1_001, 1], [44_000, 44], *trains]:
            border = ((slow * size & U64) >> 16) // packets + 1
            for x in [border - 1, border, border + 1]:
                grant = [GRANT[0], slow, *GRANT[2:]]
                header = [U32, min(x, U32), stated(draw, 0, draw.choice(LEFTS)), word(draw)]
                yield grant, [0] * 24, header, [size, packets]


def syn_cases(draw: Random) -> Iterator[Case]:
    """Newcomers to all the room, half of it, a little more and less than the least, and none."""
    for left in LEFTS:
        state = SYN | stated(draw, draw.choice(RTTS), left)
        for free in [SHARED, SHARED // 2, LEAST + 1, LEAST, LEAST - 1, 0]:
            budget = any_budget(draw)
            budget[:2] = [draw.randrange(5) * ONE, SHARED - free]
            asked = draw.choice([U32, U32, draw.choice(EDGES)])
            header = [asked, draw.choice([0, word(draw)]), state, word(draw)]
            yield GRANT, budget, header, train(draw)
    for word_of_grant in range(3, 10):
        for value in [0, 1, U32, 1 << 56, 1 << 58, (1 << 58) + 1, U64]:
            grant = [*GRANT[:word_of_grant], value, *GRANT[word_of_grant + 1 :]]
            state = SYN | stated(draw, 0, draw.choice(LEFTS))
            yield grant, any_budget(draw), [U32, 0, state, word(draw)], [40, 1]


def turn_cases(draw: Random) -> Iterator[Case]:
    """A flow of a packet and more, and of ticks: a byte a d0, or a tick, is a unit of rates."""
    grant = [*GRANT[:8], 1 << 32, 1 << 32, EVEN]
    for least in [0, 7, 8, 1_023]:
        a_packet = least + least // 4 + 3
        for left in [a_packet - 1, a_packet, a_packet + 1, a_packet + 2]:
            state = SYN | stated(draw, 0, code_of(left))
            header = [draw.choice([U32, 1, 2]), 0, state, word(draw)]
            yield [*grant[:5], 0, least, *grant[7:]], any_budget(draw), header, [40, 1]
    for octave in range(CLASSES + 1):
        for rate, left in [(1_024, code_of(1_024 << octave)), (3, code_of(3 << octave))]:
            for more in [-1, 0]:
                budget = any_budget(draw)
                budget[1] = 0
                state = SYN | stated(draw, 0, left + more)
                yield grant, budget, [rate, 0, state, word(draw)], train(draw)


def stretch_cases(draw: Random) -> Iterator[Case]:
    """Queues that shrink and grow: factors to the nearest, and past the largest."""
    for factor in [0, 1, 45, EVEN - 1, EVEN, EVEN + 1, 89, MOST_STRETCH, U32, 1 << 32, U64]:
        for stretch in STRETCHES:
            state = draw.randrange(2) << 31 | draw.choice(RTTS) << 18 | draw.choice(LEFTS) << 7
            header = [draw.choice([0, 1, U32]), word(draw), state | stretch, word(draw)]
            yield [*GRANT[:10], factor], any_budget(draw), header, train(draw)


def stated(draw: Random, rtt: int, left: int) -> int:
    """What a packet states of its flow, but that it is a SYN."""
    return rtt << 18 | left << 7 | draw.choice([EVEN, EVEN, draw.choice(STRETCHES)])


def any_budget(draw: Random) -> Words:
    """Of an interval with some newcomers; sums that saturate are at times about to."""
    counted = [draw.randrange(2 ** draw.randrange(1, 40)) for _ in range(24)]
    for saturates in (1, 2, 3):
        counted[saturates] = long_word(draw)
    counted[4] = word(draw)
    return counted


def long_word(draw: Random) -> int:
    """64 bits, of any length, at times all ones."""
    return draw.choice([U64, word(draw), word(draw), word(draw) << draw.randrange(1, 33)])
