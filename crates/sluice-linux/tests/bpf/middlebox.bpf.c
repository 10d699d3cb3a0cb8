/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A middlebox that sees TCP options of kind 253. It removes them, and no-operation options take their place; or drops packets
 * that have one, of a kind; or states another RTT in them; or garbles them.
 */
#include "garble.h"

#define TCP_FLAGS 13
#define SYN 0x02
#define ACK 0x10

#define TC_ACT_SHOT 2

enum action {
	STRIP,
	DROP,
	LIE,
	GARBLE,
	BREAK,
};

const volatile __u32 action;
/* DROP: of packets with these flags, of SYN and ACK. */
const volatile __u8 flags;
/* LIE: in packets from this port, and the RTT that they state. */
const volatile __u16 port;
const volatile __u32 rtt;

/* Packets whose option may have been changed, or that were dropped. */
__u64 touched;

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

/* Whether a packet is to be dropped, by its flags. */
static __always_inline _Bool is_unwanted(struct __sk_buff *skb, __u32 tcp)
{
	__u8 found;

	return !bpf_skb_load_bytes(skb, tcp + TCP_FLAGS, &found, 1) &&
	       (found & (SYN | ACK)) == flags;
}

/* Whether a packet is one of a host that lies. */
static __always_inline _Bool is_from(struct __sk_buff *skb, __u32 tcp)
{
	__be16 source;

	return !bpf_skb_load_bytes(skb, tcp, &source, sizeof(source)) &&
	       source == bpf_htons(port);
}

/* Puts an option in place of another, with the checksum. Both are at whole words, as hosts have them. */
static __always_inline void exchange(struct __sk_buff *skb, __u32 tcp, __u32 at, __u32 length,
				     struct options *before, struct options *after)
{
	if (bpf_skb_store_bytes(skb, at, after, length, 0))
		return;
	/* What was to be behind its end is not there. */
	__builtin_memset(after, TCP_NOP, sizeof(*after));
	if (bpf_skb_load_bytes(skb, at, after, length))
		return;
	__wsum change = bpf_csum_diff((__be32 *)before, sizeof(*before), (__be32 *)after,
				      sizeof(*after), 0);
	bpf_l4_csum_replace(skb, tcp + TCP_CHECKSUM, 0, change, 0);
	__sync_fetch_and_add(&touched, 1);
}

SEC("tc/egress")
int middlebox(struct __sk_buff *skb)
{
	struct options options = {}, after;
	__u32 tcp = tcp_of(skb), length, at;
	__u8 words;

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
	if (length < OPTION_SHORT || length > TCP_OPTIONS)
		return TCX_NEXT;
	if (action == DROP) {
		if (!is_unwanted(skb, tcp))
			return TCX_NEXT;
		__sync_fetch_and_add(&touched, 1);
		return TC_ACT_SHOT;
	}
	/* What is beyond stays as it is. */
	__builtin_memset(&options, TCP_NOP, sizeof(options));
	if (bpf_skb_load_bytes(skb, at, &options, length))
		return TCX_NEXT;
	after = options;
	if (action == STRIP)
		__builtin_memset(&after, TCP_NOP, sizeof(after));
	else if (action == GARBLE)
		/* Most handshakes are to succeed, without which there is nothing to garble. */
		garble(&after, skb->len > tcp + (words >> 4) * 4 ? 8 : 2);
	else if (action == BREAK)
		break_option(&after);
	else if (length > OPTION_SHORT && is_from(skb, tcp))
		after.words[3] = bpf_htonl(rtt);
	else
		return TCX_NEXT;
	exchange(skb, tcp, at, length, &options, &after);
	return TCX_NEXT;
}

char _license[] SEC("license") = "MIT OR Apache-2.0";
