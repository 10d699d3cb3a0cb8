/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * XCP: feedback per packet out of two targets. crates/sluice-laws/src/xcp/feedback.rs, which says
 * why; equations are those of Katabi's thesis.
 *
 * words  X (the time between two packets, s_i / r_i), RTT, H_feedback (signed)
 * sums   bytes, X, X x RTT: low and high 64 bits
 * grant  positive target, negative target, xi_p, xi_n (mantissa, and shift in the upper half)
 * budget  positive and negative residue, carry
 *
 * Targets, residues and carry are in 2^-8 bytes a second, and below 2^63.
 */
#pragma once

#include "law.h"

#define XCP_FRACTION_BITS 8
/* Largest negative feedback that a header can hold. */
#define XCP_MAX_TAKEN (1ull << (31 + XCP_FRACTION_BITS))

static __always_inline _Bool xcp_states_throughput(const __u32 *words)
{
	return words[0] && words[1];
}

/* "On packet arrival do" (Appendix A). BPF multiplies 64 bits by 64 to 64: the product has 80. */
static __always_inline void xcp_arrive(__u64 *sums, const __u32 *words, struct train train)
{
	if (!xcp_states_throughput(words))
		return;
	__u64 x = (__u64)words[0] * train.packets;
	__u64 rtt = words[1];
	__u64 upper = (x >> 32) * rtt, lower = (__u32)x * rtt;
	__u64 low = lower + (upper << 32);
	__u64 high = (upper >> 32) + (low < lower);

	sums[0] += train.bytes;
	sums[1] += x;
	sums[2] += low;
	sums[3] += high + (sums[2] < low);
}

/* A factor, mantissa x 2^-shift, times n, rounded down. */
static __always_inline __u64 xcp_times(__u64 factor, __u32 n)
{
	__u64 product = (__u64)(__u32)factor * n >> (factor >> 32 & 63);

	return min(product, ~0ull >> 1);
}

/* Rounds down, below zero too. BPF has no signed division before version 4. */
static __always_inline __s64 xcp_floor(__s64 total, __u64 divisor)
{
	if (total >= 0)
		return (__u64)total / divisor;
	return -(__s64)(((__u64)-total + divisor - 1) / divisor);
}

/*
 * Books a header that grants `granted`, less than its share: what the flow will not take counts as
 * taken from it, out of the negative target. A carry may be more than it is granted: then it comes
 * out of that.
 */
static __always_inline void xcp_book_less(__s64 *budget, __s64 positive, __s64 granted)
{
	__s64 carried = max(granted - positive, 0);

	budget[2] -= carried;
	granted -= carried;
	__s64 negative = min(positive - granted, budget[1]);
	budget[0] -= max(granted + negative, 0);
	budget[1] -= negative;
}

/* All of the targets (section 4.7.2). */
static __always_inline void xcp_fresh(__s64 *budget, const __u64 *grant)
{
	budget[0] = grant[0];
	budget[1] = grant[1];
	budget[2] = 0;
}

/* "On packet departure do" (Appendix A); gives the new H_feedback. */
static __always_inline __u32 xcp_stamp(const __u64 *grant, __s64 *budget, const __u32 *words,
				       struct train train)
{
	__s64 delta = (__s32)words[2];

	if (!xcp_states_throughput(words))
		return min(delta, 0);

	__u64 n = train.packets;
	__u64 added = xcp_times(grant[2], words[0]);			/* (4.6) */
	__u64 taken = xcp_times(grant[3], train.bytes / (__u32)n);	/* (4.9) */
	taken = min(taken, XCP_MAX_TAKEN);
	__s64 positive = n * min(added, (__u64)budget[0] / n);
	__s64 negative = n * min(taken, (__u64)budget[1] / n);
	__s64 feedback = positive - negative + budget[2];		/* (4.5) */
	__s64 whole = xcp_floor(feedback, n << XCP_FRACTION_BITS);

	if (whole > delta) {
		xcp_book_less(budget, positive, (__s64)n * delta * (1 << XCP_FRACTION_BITS));
		return delta;
	}
	budget[0] -= positive;
	budget[1] -= negative;
	budget[2] = feedback - whole * (__s64)(n << XCP_FRACTION_BITS);
	return whole;
}
