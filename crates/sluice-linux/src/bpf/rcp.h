/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * RCP: one rate for all flows. crates/sluice-laws/src/rcp/{router,rtt}.rs.
 *
 * words  rate asked, RTT
 * sums   packets, RTTs, bytes, RTTs x bytes
 * grant  rate
 */
#pragma once

#include "law.h"

/* The longest RTT that a sample counts as: 10 s. */
#define RTT_MAX (10 * SECOND)
/*
 * The same of a router whose paths are known to be shorter, since a host that states more slows R down for all. It is "sufficient
 * for the router to have a 'rough' estimate" (footnote 4). Set before the program is loaded; the laws need not know.
 */
const volatile __u32 longest_rtt = RTT_MAX;

/* Adds an RTT, which no sample is if it is 0. NCP's sums begin with the same four words. */
static __always_inline void rtt_add(__u64 *sums, __u32 rtt, struct train train)
{
	if (!rtt)
		return;
	__u64 sample = min(rtt, longest_rtt);
	sums[0] += train.packets;
	sums[1] += sample * train.packets;
	sums[2] += train.bytes;
	sums[3] += sample * train.bytes;
}

/*
 * "When a router receives a packet it uses RTT_p to update its moving average of the RTT" (Processor
 * Sharing Flows in the Internet, section 2.2 step 2).
 */
static __always_inline void rcp_arrive(__u64 *sums, const __u32 *words, struct train train)
{
	rtt_add(sums, words[1], train);
}

/* "If R(t) at the router is smaller than R_p, then R_p <- R(t)" (section 2.2 step 2). */
static __always_inline __u32 rcp_stamp(const __u64 *grant, const __u32 *words)
{
	return min(words[0], (__u32)grant[0]);
}
