/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * XCP derived from NCP: the part of a flow's change of rate that a packet takes back.
 * crates/sluice-laws/src/ncp_increments/grant.rs, which says why; equations are those of section 8.2 of
 * NCP's paper.
 *
 * words  as XCP
 * sums   packets, RTTs, bytes, RTTs x bytes, X
 * grant  changes by X, by bytes, and by X in proportion to R / R_j (mantissa, shift in the upper half,
 *        and bit 40 for below zero); R in 2^-12 bytes a tick (mantissa and shift)
 * budget  carry
 *
 * Changes and carry are in 2^-8 bytes a second.
 */
#pragma once

#include "law.h"
#include "rcp.h"
#include "xcp.h"

#define INCREMENTS_RATIO_BITS 12
/* The largest change that a header can hold. */
#define INCREMENTS_MAX (1ll << (31 + XCP_FRACTION_BITS))

/* RTTs for d0, and (20)'s sum of 1 / R_j. */
static __always_inline void increments_arrive(__u64 *sums, const __u32 *words, struct train train)
{
	rtt_add(sums, words[1], train);
	sums[4] += (__u64)words[0] * train.packets;
}

/* A slope times n. */
static __always_inline __s64 increments_by(__u64 slope, __u32 n)
{
	__u64 size = xcp_times(slope, n);
	__s64 change = min(size, (__u64)INCREMENTS_MAX);

	return slope >> 40 & 1 ? -change : change;
}

/* The change of each packet of a train. */
static __always_inline __s64 increments_change(const __u64 *grant, __u32 x, __u32 bytes)
{
	__s64 change = increments_by(grant[0], x) + increments_by(grant[1], bytes);

	/* Unless the grant has such a part, no division. */
	if (grant[3]) {
		__u64 ratio = xcp_times(grant[3], x) / max(bytes, 1u);
		ratio = min(ratio, 1ull << INCREMENTS_RATIO_BITS);
		change += increments_by(grant[2], x) * (__s64)ratio >> INCREMENTS_RATIO_BITS;
	}
	/* The law bounds it above too: no header is lowered to that, or to more. */
	return max(change, -INCREMENTS_MAX);
}

/* (21): lowers what is granted to this link's change; gives the new H_feedback. */
static __always_inline __u32 increments_stamp(const __u64 *grant, __s64 *budget,
					      const __u32 *words, struct train train)
{
	__s64 delta = (__s32)words[2];

	if (!xcp_states_throughput(words))
		return min(delta, 0);

	__u64 n = train.packets;
	__s64 change = increments_change(grant, words[0], train.bytes / (__u32)n);
	__s64 total = (__s64)n * change + budget[0];
	__s64 whole = xcp_floor(total, n << XCP_FRACTION_BITS);

	if (whole > delta)
		return delta;
	budget[0] = total - whole * (__s64)(n << XCP_FRACTION_BITS);
	return whole;
}
