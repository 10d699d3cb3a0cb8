/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Fields of Ethernet, IP and TCP headers, by their offset: what both parsers read of them.
 */
#pragma once

#include "kernel.h"
#include "wire.h"

#define ETHERNET_HEADER 14
#define ETHERNET_TYPE 12
#define TYPE_IPV4 bpf_htons(0x0800)
#define TYPE_IPV6 bpf_htons(0x86DD)
#define TYPE_8021Q bpf_htons(0x8100)
#define TYPE_8021AD bpf_htons(0x88A8)

#define IPV4_HEADER 20
#define IPV4_LENGTH 2
#define IPV4_FRAGMENT 6
#define IPV4_PROTOCOL 9
/* Source and destination. */
#define IPV4_SOURCE 12
#define IPV4_ADDRESSES 8
/* More fragments, and the offset. */
#define IPV4_IN_PARTS bpf_htons(0x3FFF)

#define IPV6_HEADER 40
#define IPV6_LENGTH 4
#define IPV6_NEXT 6
#define IPV6_SOURCE 8
#define IPV6_ADDRESSES 32

#define PROTOCOL_TCP 6
#define PROTOCOL_HOP_BY_HOP 0
#define PROTOCOL_ROUTING 43
#define PROTOCOL_DESTINATION 60

#define TCP_WORDS 12

static __always_inline __be16 be16_at(const __u8 *bytes)
{
	return *(const __be16 *)bytes;
}

static __always_inline _Bool is_tag(__be16 type)
{
	return type == TYPE_8021Q || type == TYPE_8021AD;
}

/* IPv6's extension headers that can come before a whole TCP segment. */
static __always_inline _Bool is_extension(__u8 protocol)
{
	return protocol == PROTOCOL_HOP_BY_HOP || protocol == PROTOCOL_ROUTING ||
	       protocol == PROTOCOL_DESTINATION;
}

/* Bytes of a TCP header with its options, by its own account. */
static __always_inline __u32 tcp_length(const __u8 *tcp)
{
	return tcp[TCP_WORDS] >> 4 << 2;
}

/*
 * Where an IP packet ends, which begins at `at` and says it has `length` bytes; a super-packet of more
 * than 64 kB says 0, which is no bound.
 */
static __always_inline __u32 ip_end(__u32 at, __u32 length)
{
	return length ? at + length : ~0u;
}

/* What a parser made of a packet. */
enum parsed {
	/* Nothing in it for us. */
	NOTHING,
	/* A full option. */
	ASKED,
	/* Not the common case: the other parser has to look. */
	UNUSUAL,
};
