/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * NCP that counts flows: the sums of equation (12) over packets of flows that are held elsewhere.
 * crates/sluice-laws/src/ncp/counted_sums.rs, which says why; the flows are counted in flows.h.
 *
 * words  as NCP
 * sums   packets, RTTs, bytes, RTTs x bytes, X - d, s_j / R_j - s_j / R, s_j / R
 * grant  rate R, ticks of a byte at R in 2^-24, d, whether R_j is the rate granted (else the current)
 *
 * Times are in ticks of 2^-28 s.
 */
#pragma once

#include "law.h"
#include "ncp.h"

#define COUNTED_FRACTION 24

/* The ticks that these bytes take at R, rounded up; a product above 64 bits is 2^64 - 1. */
static __always_inline __u64 counted_time_of(__u64 per_byte, __u32 bytes)
{
	__u64 low = (__u64)(__u32)per_byte * bytes;
	__u64 high = (per_byte >> 32) * bytes + (low >> 32);
	__u64 product = high >> 32 ? ~0ull : high << 32 | (__u32)low;

	return (product >> COUNTED_FRACTION) + !!(product & ((1 << COUNTED_FRACTION) - 1));
}

/* The ticks that these bytes take at a rate that a header grants, in 100 b/s; 0 if it grants none. */
static __always_inline __u64 counted_time_at(__u32 rate, __u32 bytes)
{
	if (!rate)
		return 0;
	/* All ones are no bound. */
	return ((__u64)bytes * 8 * SECOND) / (100ull * min(rate, ~0u - 1));
}

/* Without a grant there is no R that a packet could be held below. */
static __always_inline void counted_arrive(__u64 *sums, const __u64 *grant, const __u32 *words,
					   struct train train)
{
	__u32 x = words[1];

	rtt_add(sums, words[2], train);
	if (!x || !grant)
		return;
	__u32 interval = grant[2];
	__u64 at_rate = counted_time_of(grant[1], train.bytes);
	__u64 stated = grant[3] ? counted_time_at(words[0], train.bytes)
				: (__u64)x * train.packets;
	if (x > interval)
		sums[4] += (__u64)(x - interval) * train.packets;
	if (stated > at_rate) {
		sums[5] += stated - at_rate;
		sums[6] += at_rate;
	}
}
