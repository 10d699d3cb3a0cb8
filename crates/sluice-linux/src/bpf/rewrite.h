/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Changes to a packet, with its TCP checksum. The kernel's helper leaves that field alone where
 * hardware will fill it in (CHECKSUM_PARTIAL).
 */
#pragma once

#include "checksum.h"
#include "headers.h"

/* Direct access reaches no further into a packet. */
#define REACH 0xFFF

/*
 * Writes a word if it is in the packet's linear part. Since the program does this, the kernel begins it
 * by making the headers of a packet its own, if others share them.
 */
static __always_inline _Bool written(struct __sk_buff *skb, __u32 at, __be32 word)
{
	__be32 *there = (void *)(long)skb->data + (at & REACH);

	if (at > REACH || (void *)(there + 1) > (void *)(long)skb->data_end)
		return 0;
	*there = word;
	return 1;
}

/* The sums of the words that changed, before and after. */
struct change {
	__be32 from, to;
};

/* Writes forward word `index`, in host order as what was there, if it changes. */
static __always_inline void rewrite_word(struct __sk_buff *skb, const struct asked *asked,
					 __u32 index, __u32 word, _Bool direct,
					 struct change *change)
{
	__u32 at = asked->tcp + asked->at + OPTION_SHORT + 4 * index;
	__be32 from = bpf_htonl(asked->words[index]), to = bpf_htonl(word);

	if (from == to)
		return;
	if (!(direct && written(skb, at, to)) && bpf_skb_store_bytes(skb, at, &to, sizeof(to), 0))
		return;
	change->from = summed(change->from, from);
	change->to = summed(change->to, to);
}

/* Corrects the checksum by what changed. */
static __always_inline void correct(struct __sk_buff *skb, const struct asked *asked,
				    const struct change *change)
{
	__be32 from = change->from, to = change->to;

	if (from == to)
		return;
	if ((asked->at + OPTION_SHORT) & 1) {
		from = swapped(from);
		to = swapped(to);
	}
	bpf_l4_csum_replace(skb, asked->tcp + TCP_CHECKSUM, from, to, sizeof(to));
}

/* Cuts the option to the short one: no-operation options take the place of its forward words. */
static __noinline void cut(struct __sk_buff *skb, const struct asked *asked)
{
	__u8 before[OPTION_SHORT + 4 * WORDS] = {}, after[OPTION_SHORT + 4 * WORDS];

	if (!asked)
		return;
	/* Of RCP's option these are some bytes too many, which stay as they are: zero. */
	__u32 length = OPTION_SHORT + forward_bytes(asked->law), at = asked->tcp + asked->at;
	if (bpf_skb_load_bytes(skb, at, before, length))
		return;
	__builtin_memcpy(after, before, sizeof(after));
	after[1] = OPTION_SHORT;
	for (int i = OPTION_SHORT; i < OPTION_SHORT + 8; i++)
		after[i] = TCP_NOP;
	if (asked->law != RCP)
		for (int i = OPTION_SHORT + 8; i < sizeof(after); i++)
			after[i] = TCP_NOP;
	if (bpf_skb_store_bytes(skb, at, after, length, 0))
		return;
	__wsum change = bpf_csum_diff((__be32 *)before, sizeof(before), (__be32 *)after,
				      sizeof(after), 0);
	if (asked->at & 1)
		change = change >> 8 | change << 24;
	bpf_l4_csum_replace(skb, asked->tcp + TCP_CHECKSUM, 0, change, 0);
}
