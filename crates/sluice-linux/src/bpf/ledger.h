/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Ledger: flows by the data that they have left, and newcomers that book their first rate.
 * crates/sluice-laws/src/ledger/{sums,grant,classes}.rs, which say why; the equation is that of
 * docs/explanation/ledger.md. T is a tick of the router, d0 the average RTT.
 *
 * words  rate asked, x (the time between two packets), SYN and RTT and left and stretch (docs/wire.md)
 * sums   packets, RTTs, bytes, bytes of flows held elsewhere, their x as queues stretch it in 1/64,
 *        the same of the others by class
 * grant  R, the time of a byte above which its flow is held elsewhere in 2^-16, half of what a flow
 *        sends in T at S / N as left, S, N in 1/256, room, least, T of a byte at S / N in 2^-40,
 *        rates of a byte a d0 and of a byte a T in 2^-32, factor by which the queue stretches x in 1/64
 * budget  newcomers in 1/256, booked, bytes of short ones, their T in 1/256, the largest word less the
 *         least offer, those that wait, number of the others by class, their rates by class
 *
 * Rates are in 100 b/s, times in ticks of 2^-28 s.
 */
#pragma once

#include "law.h"
#include "rcp.h"

/* Which word of the header has what a packet states of its flow. */
#define LEDGER_FLOW 2
/* Below a T, 1 to 2, 2 to 4, ... and 128 and more. */
#define LEDGER_CLASSES 9
/* A flow, and a T, in the fixed point of counts. */
#define LEDGER_ONE 256
#define LEDGER_SYN (1u << 31)
/* Bits of the mantissa of `left` and of the RTT: 2^5 and 2^8 codes to an octave. */
#define LEDGER_LEFT 5
#define LEDGER_RTT 8
/* `left` of a flow without an end. */
#define LEDGER_NO_END 0x7FF
/* A stretch of 1, and the largest. */
#define LEDGER_EVEN 64
#define LEDGER_STRETCH 0x7F

/* What a budget is made of. */
struct ledger_used {
	__u64 newcomers;
	__u64 booked;
	__u64 short_bytes;
	__u64 short_ticks;
	__u64 below_largest;
	__u64 waiting;
	__u64 count[LEDGER_CLASSES];
	__u64 granted[LEDGER_CLASSES];
};

static __always_inline __u32 ledger_left(const __u32 *words)
{
	return words[LEDGER_FLOW] >> 7 & LEDGER_NO_END;
}

/* A code above 0 has the number significand x 2^(exponent - mantissa). */
static __always_inline __u64 ledger_significand(__u32 code, __u32 mantissa)
{
	return 1 << mantissa | ((code - 1) & ((1 << mantissa) - 1));
}

static __always_inline __u32 ledger_exponent(__u32 code, __u32 mantissa)
{
	return (code - 1) >> mantissa;
}

static __always_inline __u64 ledger_number(__u32 code, __u32 mantissa)
{
	return ledger_significand(code, mantissa) << (63 - mantissa) >>
	       (63 - ledger_exponent(code, mantissa));
}

static __always_inline __u64 ledger_bytes(__u32 left)
{
	if (left == LEDGER_NO_END)
		return ~0ull;
	return left ? ledger_number(left, LEDGER_LEFT) : 0;
}

/* What is left times a factor in 2^-32, which counts as 2^58 at most: products have 64 bits. */
static __always_inline __u64 ledger_times(__u32 left, __u64 factor)
{
	__u32 exponent = ledger_exponent(left, LEDGER_LEFT), point = LEDGER_LEFT + 32;

	if (left == LEDGER_NO_END)
		return ~0ull;
	if (!left)
		return 0;
	__u64 product = ledger_significand(left, LEDGER_LEFT) *
			min(factor, 1ull << (63 - LEDGER_LEFT));
	if (exponent <= point)
		return product >> (point - exponent);
	return product >> (64 - (exponent - point)) ? ~0ull : product << (exponent - point);
}

static __always_inline __u64 ledger_plus(__u64 a, __u64 b)
{
	return a + b < a ? ~0ull : a + b;
}

/* The class of a flow that has that much left, at S / N. */
static __always_inline __u32 ledger_class(const __u64 *grant, __u32 left)
{
	__u64 octaves = (left - min(grant[2], left)) >> LEDGER_LEFT;

	return min(octaves, LEDGER_CLASSES - 1);
}

/*
 * Sums of x, which as in NCP's equation (8) count flows. Before the first grant it is not known which
 * flows are held elsewhere, or for how long the others go on.
 */
static __always_inline void ledger_arrive(__u64 *sums, const __u64 *grant, const __u32 *words,
					  struct train train)
{
	__u32 rtt = words[LEDGER_FLOW] >> 18 & 0x1FFF;

	if (!words[0])
		return;
	sums[2] += train.bytes;
	if (rtt) {
		sums[0] += train.packets;
		sums[1] += min(ledger_number(rtt, LEDGER_RTT), RTT_MAX) * train.packets;
	}
	if (!grant)
		return;
	__u64 x = (__u64)words[1] * train.packets;
	__u64 stretched = x * (words[LEDGER_FLOW] & LEDGER_STRETCH);
	/* x is in whole ticks, at times one above its mean. */
	if (x << 16 > grant[1] * train.bytes + ((__u64)train.packets << 16)) {
		sums[3] += train.bytes;
		sums[4] += stretched;
	} else {
		sums[5 + ledger_class(grant, ledger_left(words))] += stretched;
	}
}

/* The class of a flow that sends for that many 1/256 T. */
static __always_inline __u32 ledger_class_of_ticks(__u64 ticks)
{
	__u32 class = LEDGER_CLASSES - 1;

	while (class && !(ticks >> (7 + class)))
		class--;
	return class;
}

/* Enters a newcomer by the time for which it will send at its rate. */
static __always_inline void ledger_enter(struct ledger_used *used, const __u64 *grant, __u32 left,
					 __u32 rate, _Bool has_room)
{
	__u64 least = grant[6], in_a_d0 = ledger_times(left, grant[8]);
	__u64 in_a_tick = ledger_times(left, grant[9]);
	__u64 ticks = (in_a_tick > ~0ull / LEDGER_ONE ? ~0ull : in_a_tick * LEDGER_ONE) / rate;
	__u64 a_packet = ledger_plus(ledger_plus(least, least / 4), 3);
	__u32 class = ledger_class_of_ticks(ticks);

	used->booked = ledger_plus(used->booked, min(in_a_d0, rate));
	if (!class || (!has_room && in_a_d0 <= a_packet)) {
		used->short_bytes = ledger_plus(used->short_bytes, ledger_bytes(left));
		used->short_ticks = ledger_plus(used->short_ticks, ticks);
	} else if (!has_room) {
		used->waiting++;
	} else if (class < LEDGER_CLASSES) {
		used->count[class]++;
		used->granted[class] += rate;
	}
}

/* (2) Books a newcomer: S / (N + n + 1), as far as there is room. Gives the rate granted. */
static __always_inline __u32 ledger_book(struct ledger_used *used, const __u64 *grant,
					 const __u32 *words)
{
	__u32 left = ledger_left(words);
	__u64 flows = ledger_plus(ledger_plus(grant[4], used->newcomers), LEDGER_ONE);
	__u64 share = (grant[3] > ~0ull / LEDGER_ONE ? ~0ull : grant[3] * LEDGER_ONE) / flows;
	__u64 room = grant[5] - min(grant[5], used->booked), least = grant[6];
	__u64 most = max(room, least);
	__u32 offered = offer_rounded(min(min(share, most), ~0u));
	__u32 rate = min(words[0], offered);
	__u64 below_largest = ~0u - offered, part = ledger_times(left, grant[7]);

	used->newcomers += min(part, LEDGER_ONE);
	used->below_largest = max(used->below_largest, below_largest);
	ledger_enter(used, grant, left, rate, room >= least);
	return rate;
}

/* Whether a packet spends of the budget: the first request of its flow. */
static __always_inline _Bool ledger_spends(const __u32 *words)
{
	return words[0] && words[LEDGER_FLOW] & LEDGER_SYN;
}

/* (9) The stretch behind the queue, to the nearest, among what the packet states. SYNs have no x. */
static __always_inline __u32 ledger_stretched(const __u64 *grant, const __u32 *words)
{
	__u32 flow = words[LEDGER_FLOW], by = grant[10];
	__u32 stretch = ((flow & LEDGER_STRETCH) * by + LEDGER_EVEN / 2) / LEDGER_EVEN;

	if (!words[0] || flow & LEDGER_SYN)
		return flow;
	return (flow & ~LEDGER_STRETCH) | min(stretch, LEDGER_STRETCH);
}

/* (1) R, for flows that send. */
static __always_inline __u32 ledger_stamp(const __u64 *grant, const __u32 *words)
{
	return min(words[0], (__u32)grant[0]);
}
