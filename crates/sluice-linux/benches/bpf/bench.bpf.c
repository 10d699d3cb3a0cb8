/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The fast path in a loop. A test run keeps the packet from one pass to the next, so that a rate would
 * be lowered once and then stand: this puts the asked-for word back first, and each pass does all of
 * its work. Putting it back is part of what is measured (`restore` alone: `put_back`).
 */
#include "kernel.h"
#include "fallback.h"
#include "packet.h"
#include "pass.h"

const volatile _Bool direct = 1;

/* Where the word is in the packet, and what to put there. */
volatile __u32 word_at;
volatile __be32 word;

static __always_inline void restore(struct __sk_buff *skb)
{
	__u8 *packet = (void *)(long)skb->data;
	const void *end = (void *)(long)skb->data_end;
	__u32 at = word_at & 0xFF;
	__be32 *there = (void *)(packet + at);

	if ((const void *)(there + 1) <= end)
		*there = word;
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
	struct asked asked;
	enum parsed parsed;

	restore(skb);
	parsed = direct ? parse_direct(skb, &asked) : UNUSUAL;
	if (parsed == UNUSUAL)
		parsed = parse_copied(skb, &asked);
	if (parsed == ASKED)
		pass(skb, &asked, direct);
	return TCX_NEXT;
}

char _license[] SEC("license") = "MIT OR Apache-2.0";
