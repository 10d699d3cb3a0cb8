/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What the programs use of the kernel's interface to BPF, which never changes (linux/bpf.h). That
 * header itself needs asm/types.h, whose place differs between distributions.
 */
#pragma once

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef unsigned long long __be64;
typedef __u32 __wsum;

enum {
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
};

struct bpf_spin_lock {
	__u32 val;
};

/* What a program at tcx returns to let the next one see the packet (TC_ACT_UNSPEC). */
enum {
	TCX_NEXT = -1,
};

#define SKB_POINTER(name) __u64 name __attribute__((aligned(8)))

struct __sk_buff {
	__u32 len;
	__u32 pkt_type;
	__u32 mark;
	__u32 queue_mapping;
	__u32 protocol;
	__u32 vlan_present;
	__u32 vlan_tci;
	__u32 vlan_proto;
	__u32 priority;
	__u32 ingress_ifindex;
	__u32 ifindex;
	__u32 tc_index;
	__u32 cb[5];
	__u32 hash;
	__u32 tc_classid;
	__u32 data;
	__u32 data_end;
	__u32 napi_id;
	__u32 family;
	__u32 remote_ip4;
	__u32 local_ip4;
	__u32 remote_ip6[4];
	__u32 local_ip6[4];
	__u32 remote_port;
	__u32 local_port;
	__u32 data_meta;
	SKB_POINTER(flow_keys);
	__u64 tstamp;
	__u32 wire_len;
	__u32 gso_segs;
	SKB_POINTER(sk);
	__u32 gso_size;
};

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>
