/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What passed the hook: packets and bytes, of all protocols, on each CPU. The controller's counts
 * (src/traffic.rs), which only grow and wrap.
 */
#pragma once

#include "kernel.h"
#include "law.h"

struct traffic {
	__u64 packets;
	/* On the wire, from the Ethernet header on. */
	__u64 bytes;
	/* Packets with a full option: stamped, cut since the grant expired, passed since there was none. */
	__u64 stamped;
	__u64 cut;
	__u64 ungranted;
	/* What virtual_queue.h keeps of this CPU: bytes that are not in the queue yet, and since when. */
	__u64 unfolded;
	__u64 folded_at;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct traffic);
} traffic SEC(".maps");

static __always_inline struct traffic *traffic_here(void)
{
	__u32 index = 0;

	return bpf_map_lookup_elem(&traffic, &index);
}

/* Test runs without a context have no `wire_len`. */
static __always_inline __u32 bytes_of(const struct __sk_buff *skb)
{
	__u32 bytes = skb->wire_len;

	return bytes ? bytes : skb->len;
}

static __always_inline void count(struct traffic *here, __u32 bytes, struct train train)
{
	here->packets += train.packets;
	here->bytes += bytes;
}
