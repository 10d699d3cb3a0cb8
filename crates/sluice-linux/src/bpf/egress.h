/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What the program does with a packet: counts it, and passes it through its law if it has one.
 */
#pragma once

#include "fallback.h"
#include "packet.h"
#include "pass.h"
#include "virtual_queue.h"

static __always_inline void egress(struct __sk_buff *skb, _Bool direct)
{
	struct traffic *here = traffic_here();
	struct train train = train_of(skb);
	__u32 bytes = bytes_of(skb);
	struct asked asked;
	enum parsed parsed;

	if (!here)
		return;
	count(here, bytes, train);
	enqueue(here, bytes);
	parsed = direct ? parse_direct(skb, &asked) : UNUSUAL;
	if (parsed == UNUSUAL)
		parsed = parse_copied(skb, &asked);
	if (parsed == ASKED)
		pass(skb, &asked, train, here, direct);
}
