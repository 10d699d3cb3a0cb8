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

/* Padding and SACK's kind and length, as the kernel writes them; the same of timestamps. */
#define SACK_OF(blocks) bpf_htonl(0x01010500 | (2 + SACK_BLOCK * (blocks)))
#define TIMESTAMPS bpf_htonl(0x0101080A)
#define TIMESTAMPS_AND_PADDING 12

/*
 * Where the TCP header of a packet without extensions is; 0 if it is no such packet, or a fragment, of which all but the first have
 * data there. `ends` is where the IP packet ends.
 */
static __always_inline __u32 plain_tcp(const __u8 *packet, const void *end, __u32 *ends)
{
	const __u8 *ip = packet + ETHERNET_HEADER;
	__u32 length;

	if ((const void *)(ip + IPV6_HEADER) > end)
		return 0;
	if (be16_at(packet + ETHERNET_TYPE) == TYPE_IPV4) {
		if (ip[0] != 0x45 || ip[IPV4_PROTOCOL] != PROTOCOL_TCP ||
		    be16_at(ip + IPV4_FRAGMENT) & IPV4_IN_PARTS)
			return 0;
		*ends = ip_end(ETHERNET_HEADER, bpf_ntohs(be16_at(ip + IPV4_LENGTH)));
		return ETHERNET_HEADER + IPV4_HEADER;
	}
	if (be16_at(packet + ETHERNET_TYPE) != TYPE_IPV6 || ip[0] >> 4 != 6 ||
	    ip[IPV6_NEXT] != PROTOCOL_TCP)
		return 0;
	length = bpf_ntohs(be16_at(ip + IPV6_LENGTH));
	*ends = ip_end(ETHERNET_HEADER, length ? length + IPV6_HEADER : 0);
	return ETHERNET_HEADER + IPV6_HEADER;
}

/*
 * Where SACK is in the TCP header at `tcp` whose options it fills: its padding, from the header's first byte; 0 if it is not
 * there, or leaves room. What comes after a shorter header is data, which may look like it.
 */
static __always_inline __u32 full_sack(const __u8 *packet, const void *end, __u32 tcp, __u32 ends)
{
	const __be32 *options = (const void *)(packet + tcp + TCP_HEADER);
	__u32 length, with = TCP_HEADER + TIMESTAMPS_AND_PADDING;

	if ((const void *)(options + TIMESTAMPS_AND_PADDING / 4 + 1) > end)
		return 0;
	length = tcp_length(packet + tcp);
	if (tcp + length > ends || (const void *)(packet + tcp + length) > end)
		return 0;
	if (options[0] == TIMESTAMPS)
		return options[TIMESTAMPS_AND_PADDING / 4] == SACK_OF(BLOCKS_WITH_TIMESTAMPS) &&
				       length >= with + 4 + SACK_BLOCK * BLOCKS_WITH_TIMESTAMPS
			       ? with
			       : 0;
	return options[0] == SACK_OF(BLOCKS_WITHOUT) &&
			       length >= TCP_HEADER + 4 + SACK_BLOCK * BLOCKS_WITHOUT
		       ? TCP_HEADER
		       : 0;
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

/* Returns what its socket owes the peer in a packet full of SACK. */
static __always_inline void make_room(struct __sk_buff *skb)
{
	const __u8 *packet = (void *)(long)skb->data;
	const void *end = (void *)(long)skb->data_end;
	__u32 ends = 0, tcp = plain_tcp(packet, end, &ends);
	__u32 at = tcp ? full_sack(packet, end, tcp, ends) : 0;

	if (!at)
		return;
	__be32 sack = *(__be32 *)(packet + tcp + at);
	struct bpf_sock *sk = skb->sk ? bpf_sk_fullsock((void *)(long)skb->sk) : 0;
	__u32 echo = echo_of(flow_of_sock(sk, 0));
	if (echo)
		replace_block(skb, tcp, at, sack, echo);
}
