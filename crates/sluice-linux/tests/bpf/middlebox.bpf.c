/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A middlebox that removes TCP options of kind 253: no-operation options take their place. Or it drops packets that have
 * one, of a kind.
 */
#include "headers.h"

#define TCP_FLAGS 13
#define SYN 0x02
#define ACK 0x10

#define TC_ACT_SHOT 2

/* Of which flags packets with the option are dropped, of SYN and ACK; 0 to drop none. */
const volatile __u8 drops;

/* Where the TCP header of a packet without IP options or extensions is; 0 if it is none. */
static __always_inline __u32 tcp_of(struct __sk_buff *skb)
{
	__u8 ip[IPV4_HEADER];

	if (bpf_skb_load_bytes(skb, ETHERNET_HEADER, ip, sizeof(ip)))
		return 0;
	if (ip[0] == 0x45 && ip[IPV4_PROTOCOL] == PROTOCOL_TCP)
		return ETHERNET_HEADER + IPV4_HEADER;
	return ip[0] >> 4 == 6 && ip[IPV6_NEXT] == PROTOCOL_TCP ? ETHERNET_HEADER + IPV6_HEADER
								: 0;
}

struct options {
	__u8 bytes[TCP_OPTIONS];
};

/*
 * Where an option of ours begins, and its length in the lower byte; 0 if there is none. No static function, so that the
 * verifier looks at it once.
 */
__noinline __u32 find(const struct options *options)
{
	__u32 next = 0;

	if (!options)
		return 0;
	for (__u32 i = 0; i < TCP_OPTIONS - 1; i++) {
		if (i < next || options->bytes[i] == TCP_NOP)
			continue;
		if (options->bytes[i] == TCP_END)
			return 0;
		if (options->bytes[i] == OPTION_KIND)
			return i << 8 | options->bytes[i + 1];
		next = i + options->bytes[i + 1];
	}
	return 0;
}

SEC("tc/egress")
int middlebox(struct __sk_buff *skb)
{
	struct options options = {}, padding;
	__u32 tcp = tcp_of(skb), length, at;
	__u8 words, flags;

	if (!tcp || bpf_skb_load_bytes(skb, tcp + TCP_WORDS, &words, 1))
		return TCX_NEXT;
	length = (words >> 4) * 4 - TCP_HEADER;
	barrier_var(length);
	if (length < 1 || length > TCP_OPTIONS ||
	    bpf_skb_load_bytes(skb, tcp + TCP_HEADER, &options, length))
		return TCX_NEXT;
	at = find(&options);
	length = at & 0xFF;
	at = tcp + TCP_HEADER + (at >> 8);
	if (length < 1 || length > TCP_OPTIONS)
		return TCX_NEXT;
	if (drops) {
		if (bpf_skb_load_bytes(skb, tcp + TCP_FLAGS, &flags, 1))
			return TCX_NEXT;
		return (flags & (SYN | ACK)) == drops ? TC_ACT_SHOT : TCX_NEXT;
	}
	/* Hosts' options are of whole words, at whole words; what is beyond stays as it is. */
	__builtin_memset(&options, TCP_NOP, sizeof(options));
	__builtin_memset(&padding, TCP_NOP, sizeof(padding));
	if (bpf_skb_load_bytes(skb, at, &options, length) ||
	    bpf_skb_store_bytes(skb, at, &padding, length, 0))
		return TCX_NEXT;
	__wsum change = bpf_csum_diff((__be32 *)&options, sizeof(options), (__be32 *)&padding,
				      sizeof(padding), 0);
	bpf_l4_csum_replace(skb, tcp + TCP_CHECKSUM, 0, change, 0);
	return TCX_NEXT;
}

char _license[] SEC("license") = "MIT OR Apache-2.0";
