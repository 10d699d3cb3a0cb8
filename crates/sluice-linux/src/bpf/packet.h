/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The parser of common packets, by direct access: Ethernet, IPv4 without options or IPv6 without
 * extension headers, TCP, all headers in the packet's linear part.
 */
#pragma once

#include "headers.h"

/* The option of the TCP header at `tcp`, which is followed by readable bytes up to `end`. */
static __always_inline enum parsed tcp_at(const __u8 *packet, const void *end, __u32 tcp,
					  __u32 ip_end, struct asked *asked)
{
	const __u8 *header = packet + tcp;
	__u32 length = tcp_length(header), at;

	if (length < TCP_HEADER || tcp + length > ip_end)
		return NOTHING;
	if ((const void *)(header + length) > end)
		return UNUSUAL;
	__u32 law = find_option(header + TCP_HEADER, length - TCP_HEADER, 1, end, &at);
	if (!law || at > TCP_OPTIONS)
		return NOTHING;
	const __be32 *words = (const void *)(header + TCP_HEADER + at + OPTION_SHORT);
	if ((const void *)(words + 2) > end)
		return NOTHING;
	asked->words[0] = bpf_ntohl(words[0]);
	asked->words[1] = bpf_ntohl(words[1]);
	if (law != RCP) {
		if ((const void *)(words + 3) > end)
			return NOTHING;
		asked->words[2] = bpf_ntohl(words[2]);
	}
	asked->law = law;
	asked->tcp = tcp;
	asked->at = TCP_HEADER + at;
	return ASKED;
}

static __always_inline enum parsed ipv4_direct(const __u8 *packet, const void *end,
					       struct asked *asked)
{
	const __u8 *ip = packet + ETHERNET_HEADER;

	if ((const void *)(ip + IPV4_HEADER + TCP_HEADER) > end || ip[0] != 0x45)
		return UNUSUAL;
	if (ip[IPV4_PROTOCOL] != PROTOCOL_TCP || be16_at(ip + IPV4_FRAGMENT) & IPV4_IN_PARTS)
		return NOTHING;
	__u32 length = bpf_ntohs(be16_at(ip + IPV4_LENGTH));
	return tcp_at(packet, end, ETHERNET_HEADER + IPV4_HEADER, ip_end(ETHERNET_HEADER, length),
		      asked);
}

static __always_inline enum parsed ipv6_direct(const __u8 *packet, const void *end,
					       struct asked *asked)
{
	const __u8 *ip = packet + ETHERNET_HEADER;

	if ((const void *)(ip + IPV6_HEADER + TCP_HEADER) > end)
		return UNUSUAL;
	if (ip[IPV6_NEXT] != PROTOCOL_TCP)
		return is_extension(ip[IPV6_NEXT]) ? UNUSUAL : NOTHING;
	if (ip[0] >> 4 != 6)
		return NOTHING;
	__u32 length = bpf_ntohs(be16_at(ip + IPV6_LENGTH));
	if (length)
		length += IPV6_HEADER;
	return tcp_at(packet, end, ETHERNET_HEADER + IPV6_HEADER, ip_end(ETHERNET_HEADER, length),
		      asked);
}

static __always_inline enum parsed parse_direct(struct __sk_buff *skb, struct asked *asked)
{
	const __u8 *packet = (void *)(long)skb->data;
	const void *end = (void *)(long)skb->data_end;

	if ((const void *)(packet + ETHERNET_HEADER) > end)
		return UNUSUAL;
	switch (be16_at(packet + ETHERNET_TYPE)) {
	case TYPE_IPV4:
		return ipv4_direct(packet, end, asked);
	case TYPE_IPV6:
		return ipv6_direct(packet, end, asked);
	case TYPE_8021Q:
	case TYPE_8021AD:
		return UNUSUAL;
	default:
		return NOTHING;
	}
}
