/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * NCP: one rate for all flows, from sums of inverse rates. crates/sluice-laws/src/ncp.
 *
 * words  rate asked, X (the time between two packets, 1 / R_j), RTT
 * sums   packets, RTTs, bytes, RTTs x bytes, X, X / RTT in 2^-32
 * grant  rate
 */
#pragma once

#include "law.h"
#include "rcp.h"

#define NCP_ONE (1ull << 32)

/* 1 / w_j = (1 / R_j) / RTT_j in 2^-32, to the nearest. A window is a packet at least. */
static __always_inline __u64 ncp_per_window(__u32 x, __u32 rtt)
{
	__u64 share = (((__u64)x << 32) + rtt / 2) / rtt;
	return min(share, NCP_ONE);
}

/* The sums of equation (8), over 1 / R_j, and of equation (5), over 1 / w_j. */
static __always_inline void ncp_arrive(__u64 *sums, const __u32 *words, struct train train)
{
	__u32 x = words[1], rtt = words[2];

	rtt_add(sums, rtt, train);
	if (!x)
		return;
	sums[4] += (__u64)x * train.packets;
	if (rtt)
		sums[5] += ncp_per_window(x, rtt) * train.packets;
}

/* Routers lower the desired R_j to what they grant (section 4). */
static __always_inline __u32 ncp_stamp(const __u64 *grant, const __u32 *words)
{
	return min(words[0], (__u32)grant[0]);
}
