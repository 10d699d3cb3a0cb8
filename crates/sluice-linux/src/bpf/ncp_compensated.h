/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * NCP with compensation: R for flows of RTTs up to d, and a rate of its own for each flow beyond.
 * crates/sluice-laws/src/ncp/compensated.rs; equations are those of section 7 of NCP's paper.
 *
 * words  as NCP
 * sums   as NCP
 * grant  rate R, the most that a flow is granted, d
 *
 * Rates are in 100 b/s, times in ticks of 2^-28 s; products fit 64 bits.
 */
#pragma once

#include "ncp.h"

/* R_k, which packets of `bytes` that are `x` apart state: 8 bytes 2^28 / (100 x), rounded down. */
static __always_inline __u32 compensated_now(__u32 bytes, __u32 x)
{
	__u64 now = ((__u64)bytes << 29) / (25ull * x);
	return min(now, ~0u);
}

/* The rate for a flow: (14) below R, bounded, and (15) above. It has none to compensate if it states none. */
static __always_inline __u32 compensated_rate(const __u64 *grant, const __u32 *words,
					      struct train train)
{
	__u32 rate = grant[0], most = grant[1], d = grant[2];
	__u32 x = words[1], rtt = words[2];

	if (!x || rtt <= d)
		return rate;
	__u32 now = compensated_now(train.bytes / train.packets, x);
	__u64 apart = now < rate ? rate - now : now - rate;
	__u64 late = apart * (rtt - d) / rtt;
	if (now > rate)
		return offer_rounded(rate - min(late, rate));
	return offer_rounded(min(rate + late, max(most, rate)));
}

static __always_inline __u32 compensated_stamp(const __u64 *grant, const __u32 *words,
					       struct train train)
{
	__u32 rate = compensated_rate(grant, words, train);
	return min(words[0], rate);
}
