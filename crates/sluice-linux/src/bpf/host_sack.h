/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Room for an echo where selective acknowledgements fill the options: docs/wire.md, "Room". Without it a sender
 * would hear no rate just when packets are lost.
 */
#pragma once

#include "checksum.h"
#include "headers.h"
#include "host_flow.h"
#include "host_option.h"

/* A block of SACK (RFC 2018), of which the kernel writes at most this many beside timestamps, or without. */
#define SACK_BLOCK 8
#define BLOCKS_WITH_TIMESTAMPS 3
#define BLOCKS_WITHOUT 4

/* Padding and SACK's kind and length, as the kernel writes them. */
#define SACK_OF(blocks) bpf_htonl(0x01010500 | (2 + SACK_BLOCK * (blocks)))
#define TIMESTAMPS_AND_PADDING 12

/* Where the TCP header of a packet without extensions is; 0 if it is no such packet. */
static __always_inline __u32 plain_tcp(const struct __sk_buff *skb, const __u8 *packet,
				       const void *end)
{
	const __u8 *ip = packet + ETHERNET_HEADER;

	if ((const void *)(ip + IPV6_HEADER) > end)
		return 0;
	if (be16_at(packet + ETHERNET_TYPE) == TYPE_IPV4)
		return ip[0] == 0x45 && ip[IPV4_PROTOCOL] == PROTOCOL_TCP
			       ? ETHERNET_HEADER + IPV4_HEADER
			       : 0;
	if (be16_at(packet + ETHERNET_TYPE) == TYPE_IPV6)
		return ip[IPV6_NEXT] == PROTOCOL_TCP ? ETHERNET_HEADER + IPV6_HEADER : 0;
	return 0;
}

/*
 * Where SACK is in a TCP header whose options it fills: its padding, from the header's first byte; 0 if it is not
 * there, or leaves room.
 */
static __always_inline __u32 full_sack(const __u8 *tcp, const void *end)
{
	__u32 at = TCP_HEADER + TIMESTAMPS_AND_PADDING;

	if ((const void *)(tcp + at + 4) > end)
		return 0;
	if (*(__be32 *)(tcp + at) == SACK_OF(BLOCKS_WITH_TIMESTAMPS))
		return at;
	at = TCP_HEADER;
	return *(__be32 *)(tcp + at) == SACK_OF(BLOCKS_WITHOUT) ? at : 0;
}

/*
 * Puts the short option in place of the last block, "the most recently reported" of which come first (RFC 2018,
 * section 4), so that earlier answers have had it.
 */
static __always_inline void replace_block(struct __sk_buff *skb, __u32 tcp, __u32 at,
					  __be32 sack, __u32 echo)
{
	__be32 block[2], fewer = sack - bpf_htonl(SACK_BLOCK);
	__u32 last = tcp + at + 4 + (bpf_ntohl(sack) & 0xFF) - 2 - SACK_BLOCK;
	struct rcp_option option;

	option_build(&option, OPTION_SHORT, echo, 0);
	if (bpf_skb_load_bytes(skb, last, block, sizeof(block)) ||
	    bpf_skb_store_bytes(skb, last, &option, OPTION_SHORT, 0) ||
	    bpf_skb_store_bytes(skb, tcp + at, &fewer, sizeof(fewer), 0))
		return;
	const __be32 *words = (const void *)&option;
	__be32 from = summed(summed(block[0], block[1]), sack);
	__be32 to = summed(summed(words[0], words[1]), fewer);
	bpf_l4_csum_replace(skb, tcp + TCP_CHECKSUM, from, to, sizeof(to));
	count(made_room);
}
