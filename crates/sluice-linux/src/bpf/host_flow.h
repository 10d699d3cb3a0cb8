/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What a host keeps of a connection, and what it counts of all of them.
 */
#pragma once

#include "host_kernel.h"

struct host_flow {
	/* The sender's half: the rate granted last in units of 100 b/s, 0 for none, and when. */
	__u32 granted;
	__u64 granted_at;
	/* Whether it came after the last acknowledgement that the congestion control saw, and whether it is from before a pause. */
	__u16 fresh;
	__u16 stale;
	/* Acknowledgements since then that brought none, and when the first came. */
	__u32 silent;
	__u64 silent_since;
	/* Losses under grants: when the present round began, with which grant, and what was lost and delivered before it. */
	__u64 round_began;
	__u32 round_grant;
	__u32 lost;
	__u32 delivered;
	/* Rounds in a row that lost much, and the grant of the first; by which power of two the least rate is lowered for that. */
	__u32 lossy_rounds;
	__u32 row_grant;
	__u32 backoff;
	/* Times that losses ended the connection's control, and until when its grants are ignored. */
	__u32 distrusted;
	__u64 ignore_until;
	/* The receiver's half: the code to return, 0 for none, and when its packet came. */
	__u32 echo;
	__u64 echo_at;
	/* The congestion control that the connection has without us; empty before it is known. */
	char before[TCP_CA_NAME_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct host_flow);
} host_flows SEC(".maps");

/* Counts of a CPU since the programs were loaded. Events of one socket can interrupt those of another. */
struct host_counts {
	/* Connections whose peer speaks the protocol, and whose peer does not. */
	__u64 agreed;
	__u64 ordinary;
	/* Times that a connection began to follow grants, and that it fell back. */
	__u64 followed;
	__u64 fell_back;
	/* Of the latter, for losses that grants did not stop. */
	__u64 lossy;
	/* Packets with a grant, for this host's packets. */
	__u64 grants;
	/* Packets that left with a full option, with a short one, and without room for either. */
	__u64 full;
	__u64 brief;
	__u64 no_room;
	/* Packets without room that got a short one in place of a block of SACK; the kernel asks for none in those. */
	__u64 made_room;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct host_counts);
} host_counts SEC(".maps");

#define count(field) \
	do { \
		__u32 zero = 0; \
		struct host_counts *counts = bpf_map_lookup_elem(&host_counts, &zero); \
		if (counts) \
			__sync_fetch_and_add(&counts->field, 1); \
	} while (0)

static __always_inline struct host_flow *flow_of_sock(void *sk, __u64 flags)
{
	return sk ? bpf_sk_storage_get(&host_flows, sk, 0, flags) : 0;
}
