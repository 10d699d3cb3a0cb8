/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The parser of all other packets, which copies what it reads: VLAN tags in the packet, IPv4
 * options, IPv6 extension headers, headers outside the packet's linear part.
 */
#pragma once

#include "headers.h"

/* How many VLAN tags it looks behind. */
#define TAGS 2
/* How many IPv6 extension headers. */
#define EXTENSIONS 6

/* The TCP header of a packet that is no fragment. */
struct found_tcp {
	/* Where it is. */
	__u32 at;
	/* Where the IP packet ends. */
	__u32 end;
};

static __always_inline _Bool copied(struct __sk_buff *skb, __u32 at, void *to, __u32 bytes)
{
	return bpf_skb_load_bytes(skb, at, to, bytes) == 0;
}

static __always_inline _Bool ipv4_copied(struct __sk_buff *skb, __u32 at, struct found_tcp *tcp)
{
	__u8 ip[IPV4_HEADER];

	if (!copied(skb, at, ip, sizeof(ip)))
		return 0;
	__u32 header = (ip[0] & 0xF) << 2;
	if (ip[0] >> 4 != 4 || header < IPV4_HEADER || ip[IPV4_PROTOCOL] != PROTOCOL_TCP ||
	    be16_at(ip + IPV4_FRAGMENT) & IPV4_IN_PARTS)
		return 0;
	tcp->at = at + header;
	tcp->end = ip_end(at, bpf_ntohs(be16_at(ip + IPV4_LENGTH)));
	return 1;
}

static __always_inline _Bool ipv6_copied(struct __sk_buff *skb, __u32 at, struct found_tcp *tcp)
{
	__u8 ip[8];

	if (!copied(skb, at, ip, sizeof(ip)) || ip[0] >> 4 != 6)
		return 0;
	__u32 length = bpf_ntohs(be16_at(ip + IPV6_LENGTH));
	tcp->end = ip_end(at, length ? length + IPV6_HEADER : 0);
	tcp->at = at + IPV6_HEADER;
	__u8 next = ip[IPV6_NEXT];
	for (int n = 0; n < EXTENSIONS && is_extension(next); n++) {
		/* What comes next, and the length in 8 bytes but for the first 8. */
		__u8 extension[2];
		if (!copied(skb, tcp->at, extension, sizeof(extension)))
			return 0;
		next = extension[0];
		tcp->at += (extension[1] + 1) << 3;
	}
	return next == PROTOCOL_TCP;
}

/* Where the header behind Ethernet and tags is, and its type; 0 if the packet ends before. */
static __always_inline __u32 network_copied(struct __sk_buff *skb, __be16 *type)
{
	__u32 at = ETHERNET_TYPE;

	if (!copied(skb, at, type, sizeof(*type)))
		return 0;
	for (int n = 0; n < TAGS && is_tag(*type); n++) {
		at += 4;
		if (!copied(skb, at, type, sizeof(*type)))
			return 0;
	}
	return at + sizeof(*type);
}

static __always_inline _Bool tcp_copied(struct __sk_buff *skb, struct found_tcp *tcp)
{
	__be16 type;
	__u32 at = network_copied(skb, &type);

	if (!at)
		return 0;
	if (type == TYPE_IPV4)
		return ipv4_copied(skb, at, tcp);
	return type == TYPE_IPV6 && ipv6_copied(skb, at, tcp);
}

static __noinline enum parsed parse_copied(struct __sk_buff *skb, struct asked *asked)
{
	struct found_tcp tcp;
	__u8 header[TCP_HEADER], options[TCP_OPTIONS] = {};
	__u32 at;

	if (!asked || !tcp_copied(skb, &tcp) || !copied(skb, tcp.at, header, sizeof(header)))
		return NOTHING;
	__u32 length = tcp_length(header);
	if (length <= TCP_HEADER || tcp.at + length > tcp.end)
		return NOTHING;
	length -= TCP_HEADER;
	/* The verifier has to see these bounds, which are no news to the compiler. */
	barrier_var(length);
	if (length < 1 || length > TCP_OPTIONS ||
	    !copied(skb, tcp.at + TCP_HEADER, options, length))
		return NOTHING;
	__u32 law = find_option(options, length, 0, 0, &at);
	if (!law)
		return NOTHING;
	asked->law = law;
	asked->tcp = tcp.at;
	asked->at = TCP_HEADER + at;
	asked->words[2] = 0;
	if (!copied(skb, asked->tcp + asked->at + OPTION_SHORT, asked->words, forward_bytes(law)))
		return NOTHING;
	for (int i = 0; i < WORDS; i++)
		asked->words[i] = bpf_ntohl(asked->words[i]);
	return ASKED;
}
