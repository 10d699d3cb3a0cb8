/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The distinct flows of an interval, by linear counting: a packet sets the bit of its flow's hash in a
 * bitmap of its CPU. crates/sluice-laws/src/flow_counter, whose bits these are; src/flows.rs reads them.
 *
 * There are two bitmaps: packets fill one while the slow path reads the other. It waits until no
 * packet is left that began before it exchanged them (`begin` in pass.h).
 */
#pragma once

#include "fallback.h"
#include "maps.h"

/*
 * Bits of a bitmap, a multiple of 64; 0 in a router that counts no flows. It is set before the program is
 * loaded, so that the verifier removes what follows from a router that does not need it.
 */
const volatile __u32 flow_bits;

/* A map's value holds no more than 32 KiB, so bitmaps are in blocks. */
#define BLOCK_WORDS 512
#define BLOCK_BITS (64 * BLOCK_WORDS)

struct flow_block {
	__u64 words[BLOCK_WORDS];
};

/* The blocks of both bitmaps: their number is set before the program is loaded. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct flow_block);
} flow_blocks SEC(".maps");

/* Intervals since the program was loaded, of which the lowest bit chooses the bitmap; and its salt. */
volatile __u64 flow_interval;
volatile __u64 flow_salts[2];

/* The finaliser of SplitMix64: draw.rs. */
static __always_inline __u64 mix(__u64 x)
{
	x += 0x9E3779B97F4A7C15;
	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
	x = (x ^ x >> 27) * 0x94D049BB133111EB;
	return x ^ x >> 31;
}

/* The identity of a flow: addresses and ports in network order, 8 bytes a word. */
static __always_inline __u64 ipv4_flow(const __be64 *addresses, __be32 ports)
{
	return mix(mix(bpf_be64_to_cpu(*addresses)) ^ bpf_ntohl(ports));
}

static __always_inline __u64 ipv6_flow(const __be64 *addresses, __be32 ports)
{
	__u64 flow = 0;

	for (int i = 0; i < IPV6_ADDRESSES / 8; i++)
		flow = mix(flow ^ bpf_be64_to_cpu(addresses[i]));
	return mix(flow ^ bpf_ntohl(ports));
}

/* A parser has seen that all of it is there. */
static __noinline __u64 flow_copied(struct __sk_buff *skb, __u32 tcp)
{
	__be64 addresses[IPV6_ADDRESSES / 8] = {};
	__be32 ports = 0;
	__be16 type = 0;
	__u32 ip = network_copied(skb, &type);

	copied(skb, tcp, &ports, sizeof(ports));
	if (type == TYPE_IPV4) {
		copied(skb, ip + IPV4_SOURCE, addresses, IPV4_ADDRESSES);
		return ipv4_flow(addresses, ports);
	}
	copied(skb, ip + IPV6_SOURCE, addresses, IPV6_ADDRESSES);
	return ipv6_flow(addresses, ports);
}

/* By direct access, where TCP is behind IP without tags, options and extension headers. */
static __always_inline __u64 flow_of(struct __sk_buff *skb, __u32 tcp, _Bool direct)
{
	const __u8 *packet = (void *)(long)skb->data;
	const __u8 *ports = packet + ETHERNET_HEADER + IPV4_HEADER;
	const void *end = (void *)(long)skb->data_end;

	if (direct && tcp == ETHERNET_HEADER + IPV4_HEADER &&
	    (const void *)(ports + sizeof(__be32)) <= end)
		return ipv4_flow((const void *)(ports - IPV4_ADDRESSES), *(const __be32 *)ports);
	ports = packet + ETHERNET_HEADER + IPV6_HEADER;
	/* It may be IPv4 with options, too. */
	if (direct && tcp == ETHERNET_HEADER + IPV6_HEADER &&
	    (const void *)(ports + sizeof(__be32)) <= end &&
	    be16_at(packet + ETHERNET_TYPE) == TYPE_IPV6)
		return ipv6_flow((const void *)(ports - IPV6_ADDRESSES), *(const __be32 *)ports);
	return flow_copied(skb, tcp);
}

/* The bit of a hash: its part of all, rounded down. */
static __always_inline __u32 bit_of(__u64 hash)
{
	__u64 low = (hash & ~0u) * flow_bits;

	return ((hash >> 32) * flow_bits + (low >> 32)) >> 32;
}

static __always_inline void count_flow(__u64 flow)
{
	__u32 half = flow_interval & 1;
	__u32 bit = bit_of(mix(flow ^ flow_salts[half]));
	__u32 blocks = (flow_bits + BLOCK_BITS - 1) / BLOCK_BITS;
	__u32 index = half * blocks + bit / BLOCK_BITS;
	struct flow_block *block = bpf_map_lookup_elem(&flow_blocks, &index);

	if (block)
		block->words[bit / 64 % BLOCK_WORDS] |= 1ull << bit % 64;
}
