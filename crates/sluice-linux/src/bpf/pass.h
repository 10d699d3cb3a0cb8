/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What happens to a packet that asks: it is added to its law's sums, and stamped by the law's grant.
 */
#pragma once

#include "maps.h"
#include "ncp.h"
#include "rcp.h"
#include "rewrite.h"
#include "xcp.h"

static __always_inline void arrive(__u32 law, struct sums *sums, const __u32 *words,
				   struct train train)
{
	sums->begun++;
	barrier();
	if (law == RCP)
		rcp_arrive(sums->words, words, train);
	else if (law == XCP)
		xcp_arrive(sums->words, words, train);
	else
		ncp_arrive(sums->words, words, train);
	barrier();
	sums->finished++;
}

/* XCP's, with a fresh budget for a grant that this CPU has not yet spent of. */
static __always_inline __u32 stamp_xcp(const struct grant *grant, __u64 generation,
				       const __u32 *words, struct train train)
{
	struct budget *budget = budget_of(XCP);

	if (!budget)
		return words[stamped_word(XCP)];
	if (budget->generation != generation) {
		budget->generation = generation;
		xcp_fresh(budget->words, grant->words);
	}
	return xcp_stamp(grant->words, budget->words, words, train);
}

/* Gives what is to stand in the word that the law changes. */
static __always_inline __u32 stamp(__u32 law, const struct grant *grant, __u64 generation,
				   const __u32 *words, struct train train)
{
	if (law == RCP)
		return rcp_stamp(grant->words, words);
	if (law == XCP)
		return stamp_xcp(grant, generation, words, train);
	return ncp_stamp(grant->words, words);
}

/* Segmentation offload: one header for `gso_segs` packets, and `wire_len` bytes with all of theirs. */
static __always_inline struct train train_of(const struct __sk_buff *skb)
{
	struct train train = { .bytes = skb->wire_len, .packets = skb->gso_segs };

	if (!train.packets)
		train.packets = 1;
	return train;
}

static __always_inline void pass(struct __sk_buff *skb, const struct asked *asked, _Bool direct)
{
	__u32 law = asked->law & (LAWS - 1);
	struct train train = train_of(skb);
	struct sums *sums = sums_of(law);
	__u64 generation = generations[law];

	if (!sums)
		return;
	arrive(law, sums, asked->words, train);
	if (!generation)
		return;
	const struct grant *grant = grant_of(law, generation);
	if (!grant)
		return;
	if (bpf_ktime_get_coarse_ns() > grant->holds_until) {
		cut(skb, asked);
		return;
	}
	__u32 index = stamped_word(law);
	__u32 word = stamp(law, grant, generation, asked->words, train);
	if (word != asked->words[index])
		rewrite_word(skb, asked, index, word, direct);
}
