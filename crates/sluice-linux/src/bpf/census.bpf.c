/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Counts the flows that send data through a device, before a router there grants its first rate.
 */
#include "kernel.h"

/* A power of two. */
#define BITS 65536

/* One bit for each flow's hash; two flows may share one, for which the slow path allows (linear counting). */
__u64 flows_seen[BITS / 64];

/* Longer than any packet without data: Ethernet with a tag, IPv6 and a TCP header of full length. */
#define WITHOUT_DATA 128

SEC("tc/egress")
int sluice_census(struct __sk_buff *skb)
{
	__u32 hash;
	__u64 *word, bit;

	if (skb->len <= WITHOUT_DATA)
		return TCX_NEXT;
	hash = bpf_get_hash_recalc(skb);
	word = &flows_seen[hash % BITS / 64];
	bit = 1ull << hash % 64;
	/* Most packets are of flows that were seen: they write nothing. */
	if (!(*word & bit))
		__sync_fetch_and_or(word, bit);
	return TCX_NEXT;
}

/* No helper in use asks for GPL. */
char _license[] SEC("license") = "MIT OR Apache-2.0";
