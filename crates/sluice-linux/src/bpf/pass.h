/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What happens to a packet that asks: it is added to its law's sums, and stamped by the law's grant.
 */
#pragma once

#include "flows.h"
#include "ledger.h"
#include "maps.h"
#include "ncp.h"
#include "ncp_compensated.h"
#include "ncp_counted.h"
#include "ncp_increments.h"
#include "rcp.h"
#include "rewrite.h"
#include "traffic.h"
#include "xcp.h"

/*
 * Whether grants to NCP's packets are compensated. The header does not say which of the fast paths a
 * router has; since this, and `flow_bits`, are set before the program is loaded, the verifier removes the others.
 */
const volatile _Bool compensated;

/*
 * Where flows are counted, the bitmap is chosen only when all CPUs see that the packet has begun: on its
 * own, a CPU reads what comes next before others see what it has written.
 */
static __always_inline void begin(struct sums *sums, _Bool counts)
{
	if (counts) {
		__u64 begun = __sync_fetch_and_add(&sums->begun, 1);
		/* With its result in use the addition is a barrier on every machine. */
		barrier_var(begun);
	} else {
		sums->begun++;
	}
	barrier();
}

static __always_inline void finish(struct sums *sums)
{
	barrier();
	sums->finished++;
}

/* `grant` is the one in force, if there is one. */
static __always_inline void arrive(__u32 law, __u64 *sums, const struct grant *grant,
				   const __u32 *words, struct train train)
{
	if (law == RCP)
		rcp_arrive(sums, words, train);
	else if (law == XCP)
		xcp_arrive(sums, words, train);
	else if (law == NCP && flow_bits)
		counted_arrive(sums, grant ? grant->words : 0, words, train);
	else if (law == NCP)
		ncp_arrive(sums, words, train);
	else if (law == INCREMENTS)
		increments_arrive(sums, words, train);
	else
		ledger_arrive(sums, grant ? grant->words : 0, words, train);
}

/* Of a law with a budget: this CPU's, renewed if the CPU has not yet spent of the grant. */
static __always_inline __u32 stamp_by_budget(__u32 law, const struct grant *grant,
					     __u64 generation, const __u32 *words,
					     struct train train)
{
	struct budget *budget = budget_of(law);

	if (!budget)
		return words[stamped_word(law)];
	if (budget->generation != generation) {
		budget->generation = generation;
		/* What increments carry outlives the grant. */
		if (law == XCP)
			xcp_fresh(budget->words, grant->words);
	}
	if (law == XCP)
		return xcp_stamp(grant->words, budget->words, words, train);
	return increments_stamp(grant->words, budget->words, words, train);
}

/*
 * Books a newcomer in the budget of all CPUs. A packet that began under the last grant is stamped by
 * that one, and booked in the budget in force, which it must not renew again.
 */
static __noinline __u32 stamp_newcomer(const struct grant *grant, __u64 generation,
				       const __u32 *words)
{
	struct one_budget *budget = one_budget_of(LEDGER);

	if (!budget)
		return words[0];
	bpf_spin_lock(&budget->lock);
	if ((__s64)(generation - budget->generation) > 0) {
		budget->generation = generation;
		__builtin_memset(budget->words, 0, sizeof(budget->words));
	}
	__u32 rate = ledger_book((struct ledger_used *)budget->words, grant->words, words);
	bpf_spin_unlock(&budget->lock);
	return rate;
}

/* Gives what is to stand in the word that grants. */
static __always_inline __u32 stamp(__u32 law, const struct grant *grant, __u64 generation,
				   const __u32 *words, struct train train)
{
	if (law == RCP)
		return rcp_stamp(grant->words, words);
	if (law == XCP)
		return stamp_by_budget(XCP, grant, generation, words, train);
	if (law == NCP)
		return compensated ? compensated_stamp(grant->words, words, train)
				   : ncp_stamp(grant->words, words);
	if (law == INCREMENTS)
		return stamp_by_budget(INCREMENTS, grant, generation, words, train);
	if (ledger_spends(words))
		return stamp_newcomer(grant, generation, words);
	return ledger_stamp(grant->words, words);
}

/* Segmentation offload: one header for `gso_segs` packets, and `wire_len` bytes with all of theirs. */
static __always_inline struct train train_of(const struct __sk_buff *skb)
{
	struct train train = { .bytes = skb->wire_len, .packets = skb->gso_segs };

	if (!train.packets)
		train.packets = 1;
	return train;
}

static __always_inline void pass(struct __sk_buff *skb, const struct asked *asked,
				 struct train train, struct traffic *here, _Bool direct)
{
	__u32 law = asked->law & (LAWS - 1);
	struct sums *sums = sums_of(law);
	__u64 generation = generations[law];
	const struct grant *grant = generation ? grant_of(law, generation) : 0;
	_Bool counts = flow_bits && law == NCP;
	__u64 flow = counts ? flow_of(skb, asked->tcp, direct) : 0;

	if (!sums)
		return;
	begin(sums, counts);
	if (counts)
		count_flow(flow);
	arrive(law, sums->words, grant, asked->words, train);
	finish(sums);
	if (!grant) {
		here->ungranted += train.packets;
		return;
	}
	if (bpf_ktime_get_coarse_ns() > grant->holds_until) {
		here->cut += train.packets;
		cut(skb, asked);
		return;
	}
	here->stamped += train.packets;
	struct change change = {};
	__u32 granted = stamp(law, grant, generation, asked->words, train);
	rewrite_word(skb, asked, stamped_word(law), granted, direct, &change);
	if (law == LEDGER) {
		__u32 flow = ledger_stretched(grant->words, asked->words);
		rewrite_word(skb, asked, LEDGER_FLOW, flow, direct, &change);
	}
	correct(skb, asked, &change);
}
