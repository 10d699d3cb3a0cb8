/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The fast path in a loop. A test run keeps the packet from one pass to the next, so that a rate would
 * be lowered once and then stand: this puts the asked-for words back first, and each pass does all of
 * its work. Putting them back is part of what is measured (`restore` alone: `put_back`).
 */
#include "kernel.h"
#include "egress.h"

const volatile _Bool direct = 1;

/* Where words are in the packet, and what to put there; the second is nowhere if it is at 0. */
volatile __u32 words_at[2];
volatile __be32 words[2];

static __always_inline void put(struct __sk_buff *skb, __u32 at, __be32 word)
{
	__u8 *packet = (void *)(long)skb->data;
	const void *end = (void *)(long)skb->data_end;
	__be32 *there = (void *)(packet + (at & 0xFF));

	if ((const void *)(there + 1) <= end)
		*there = word;
}

static __always_inline void restore(struct __sk_buff *skb)
{
	put(skb, words_at[0], words[0]);
	if (words_at[1])
		put(skb, words_at[1], words[1]);
}

SEC("tc/egress")
int put_back(struct __sk_buff *skb)
{
	restore(skb);
	return TCX_NEXT;
}

SEC("tc/egress")
int bench(struct __sk_buff *skb)
{
	restore(skb);
	egress(skb, direct);
	return TCX_NEXT;
}

char _license[] SEC("license") = "MIT OR Apache-2.0";
